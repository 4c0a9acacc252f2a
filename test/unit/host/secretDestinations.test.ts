// Where the value of a secret may go: every decision, and the question where there is one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originOf, programOf, type SecretDestination } from '../../../src/host/agents/secretDestination.ts';
import { handed } from '../support/recordedVscode.ts';
import { answerQuestions, canary, evil, failure, openAi, program, windowOn, type Press } from './gateWindow.ts';

/** Where a secret was given for, where it would go, and what comes of it. */
const decisions: readonly {
  readonly what: string;
  readonly isRemote: boolean;
  readonly givenFor: readonly SecretDestination[];
  readonly to: SecretDestination;
  readonly press?: Press;
  readonly mayAsk?: boolean;
  readonly asks: number;
  readonly gets: boolean;
  readonly after: readonly SecretDestination[];
}[] = [
  { what: 'bound here', isRemote: false, givenFor: [openAi], to: openAi, asks: 0, gets: true, after: [openAi] },
  { what: 'bound here', isRemote: true, givenFor: [openAi], to: openAi, asks: 0, gets: true, after: [openAi] },
  {
    what: 'one of several',
    isRemote: true,
    givenFor: [program, openAi],
    to: openAi,
    asks: 0,
    gets: true,
    after: [program, openAi],
  },
  { what: 'bound to nothing', isRemote: false, givenFor: [], to: openAi, asks: 0, gets: true, after: [openAi] },
  {
    what: 'bound to nothing, agreed',
    isRemote: true,
    givenFor: [],
    to: openAi,
    press: 'Use',
    asks: 1,
    gets: true,
    after: [openAi],
  },
  { what: 'bound to nothing, not agreed', isRemote: true, givenFor: [], to: openAi, asks: 1, gets: false, after: [] },
  {
    what: 'bound elsewhere, agreed',
    isRemote: false,
    givenFor: [openAi],
    to: evil,
    press: 'Use',
    asks: 1,
    gets: true,
    after: [openAi, evil],
  },
  {
    what: 'bound elsewhere, not agreed',
    isRemote: false,
    givenFor: [openAi],
    to: evil,
    asks: 1,
    gets: false,
    after: [openAi],
  },
  {
    what: 'bound elsewhere, not agreed',
    isRemote: true,
    givenFor: [openAi],
    to: evil,
    asks: 1,
    gets: false,
    after: [openAi],
  },
  {
    what: 'bound elsewhere, with nobody to ask',
    isRemote: false,
    givenFor: [openAi],
    to: evil,
    mayAsk: false,
    asks: 0,
    gets: false,
    after: [openAi],
  },
  {
    what: 'of another scheme',
    isRemote: false,
    givenFor: [openAi],
    to: originOf('http://api.openai.com'),
    asks: 1,
    gets: false,
    after: [openAi],
  },
  {
    what: 'of another port',
    isRemote: false,
    givenFor: [openAi],
    to: originOf('https://api.openai.com:8443'),
    asks: 1,
    gets: false,
    after: [openAi],
  },
  {
    what: 'of another path',
    isRemote: false,
    givenFor: [openAi],
    to: originOf('https://api.openai.com/other?x'),
    asks: 0,
    gets: true,
    after: [openAi],
  },
  {
    what: 'with another argument',
    isRemote: false,
    givenFor: [program],
    to: programOf({ command: 'agent', args: ['--acp', '--x'] }),
    asks: 1,
    gets: false,
    after: [program],
  },
  {
    what: 'with joined arguments',
    isRemote: false,
    givenFor: [programOf({ command: 'a', args: ['b', 'c'] })],
    to: programOf({ command: 'a', args: ['b c'] }),
    asks: 1,
    gets: false,
    after: [programOf({ command: 'a', args: ['b', 'c'] })],
  },
  {
    what: 'to a program named as an origin',
    isRemote: false,
    givenFor: [openAi],
    to: programOf({ command: 'https://api.openai.com', args: [] }),
    asks: 1,
    gets: false,
    after: [openAi],
  },
];

for (const { what, isRemote, givenFor, to, press, mayAsk, asks, gets, after } of decisions)
  test(`[H132] a secret ${what}, ${isRemote ? 'on a remote' : 'here'}: ${gets ? 'given' : 'kept'}`, async () => {
    const disk = { text: JSON.stringify({ secretNames: ['KEY'], secretDestinations: { KEY: givenFor } }) };
    const { secrets, asked } = windowOn({ isRemote, disk, presses: [press] });
    assert.equal(secrets.wouldAsk(['KEY'], to), asks > 0 || mayAsk === false);
    const resolving = secrets.resolveAll({ A: 'x', B: '${secret:KEY}' }, to);
    const text = mayAsk === undefined ? resolving : secrets.resolve('${secret:KEY}', to, mayAsk);
    if (mayAsk !== undefined) await resolving.catch(() => {});
    if (gets) assert.deepEqual(await text, { A: 'x', B: canary });
    else assert.match(await failure(text), /^The secret “KEY” was not (?:sent to|given to the program) .*choose “Use”/);
    assert.equal(asked.length, mayAsk === false ? 1 : asks);
    assert.deepEqual(secrets.givenFor('KEY'), after);
    assert.ok(!JSON.stringify(handed).includes(canary));
    assert.ok(!disk.text.includes(canary));
  });

test('[H132] the question about a secret says where it was given for and where it would go, and “Use” only', async () => {
  const disk = { text: JSON.stringify({ secretNames: ['KEY'], secretDestinations: { KEY: [openAi, program] } }) };
  const { secrets, asked } = windowOn({ isRemote: false, disk });
  await failure(secrets.resolve('${secret:KEY}', evil));
  await failure(secrets.resolve('${secret:KEY}', programOf({ command: '/bin/sh', args: ['-c', 'id\u202e >x'] })));
  assert.deepEqual(
    asked.map(({ text, detail, buttons }) => [text, ...detail.split('\n').slice(0, 2), ...buttons]),
    [
      [
        'Send the secret “KEY” to https://evil.example?',
        'You gave it for: https://api.openai.com; agent --acp',
        'Now it would be sent to: https://evil.example',
        'Use',
      ],
      [
        'Give the secret “KEY” to this program?',
        'You gave it for: https://api.openai.com; agent --acp',
        'Now it would be given to: /bin/sh -c "id⟦U+202E⟧ >x"',
        'Use',
      ],
    ],
  );
  const long = programOf({ command: 'x', args: ['y'.repeat(5000)] });
  await failure(secrets.resolve('${secret:KEY}', long));
  assert.equal(asked.length, 2, 'what cannot be shown whole is not asked about');
  const many = [long, ...['a', 'b', 'c', 'd'].map(name => originOf(`https://${name}.example`))];
  disk.text = JSON.stringify({ secretNames: ['KEY'], secretDestinations: { KEY: many } });
  await failure(secrets.resolve('${secret:KEY}', evil));
  const given = 'You gave it for: https://b.example; https://c.example; https://d.example and 2 more';
  assert.equal(asked.at(-1)?.detail.split('\n')[0], given, 'what was agreed to before takes no room from it');
});

test('[H132] requests at the same time share one question, and others wait for their turn', async () => {
  const disk = { text: JSON.stringify({ secretNames: ['KEY'], secretDestinations: { KEY: [program] } }) };
  const { secrets, gate, asked } = windowOn({ isRemote: false, disk });
  let open = 0;
  answerQuestions(async question => {
    asked.push(question);
    assert.equal(++open, 1, 'one dialog at a time');
    assert.equal(gate.isAsking(), true);
    await new Promise(resolve => setImmediate(resolve));
    open--;
    return 'Use';
  });
  const all = [openAi, evil, openAi, evil].map(to => secrets.resolve('${secret:KEY}', to));
  assert.deepEqual(await Promise.all(all), [canary, canary, canary, canary]);
  assert.equal(asked.length, 2);
  assert.equal(gate.isAsking(), false);
});

test('[H132] a secret is bound where it is given for, a new value keeps that, and deleting it forgets it', async () => {
  const { secrets, disk } = windowOn({ isRemote: true });
  await secrets.set('KEY', canary, openAi);
  await secrets.set('KEY', 'another value');
  assert.equal(await secrets.resolve('${secret:KEY}', openAi), 'another value');
  await secrets.delete('KEY');
  assert.deepEqual(secrets.givenFor('KEY'), []);
  assert.deepEqual(JSON.parse(disk.text), { secretNames: [], secretDestinations: {} });
  for (const odd of [
    7,
    'x',
    null,
    { KEY: 'x' },
    { KEY: [7, null, {}, { kind: 'origin' }, { kind: 'program', command: 'a', args: [7] }] },
  ]) {
    disk.text = JSON.stringify({ secretNames: ['KEY'], secretDestinations: odd });
    assert.deepEqual(secrets.givenFor('KEY'), []);
  }
});
