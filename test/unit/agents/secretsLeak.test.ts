// A real agent that repeats the secret it was given: on its standard error, in errors, in answers, and as noise. The value is
// then in no file of the history, in no export, in nothing that is shown, and in no line of the log.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { AgentError } from '../../../src/core/agentError.ts';
import { programOf } from '../../../src/host/agents/secretDestination.ts';
import { Secrets } from '../../../src/host/agents/secrets.ts';
import { logLine, shownLine } from '../../../src/host/reportWords.ts';
import { withoutSecrets } from '../../../src/model/withoutSecrets.ts';
import type { Redact } from '../../../src/node/acp/errors.ts';
import { LastWords } from '../../../src/node/acp/lastWords.ts';
import { childProgram } from '../../../src/node/agentProgram.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { converse, settled } from '../conversation/stage.ts';
import { mementoOn, secretStorage } from '../host/memento.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { here, never, scriptedFile } from '../support/scriptedProgram.ts';

const canary = 'canary+0123456789/=';
const inAnySpelling = /canary/;
const patience = { timeout: 60_000 };

async function scene(t: TestContext, args: readonly string[] = [], command = process.execPath) {
  const work = join(realpathSync(temporaryFolder(t)), 'work');
  mkdirSync(work);
  const secrets = new Secrets({
    storage: secretStorage(new Map()),
    state: mementoOn({ text: '{}' }),
    isRemote: false,
    ask: () => Promise.resolve(false),
  });
  const to = programOf({ command, args });
  await secrets.set('TOKEN', canary);
  const warnings: string[] = [];
  const redact: Redact = text => secrets.remove(text);
  const program = childProgram(
    {
      ref: { id: 'scripted', name: 'Scripted' },
      async line() {
        const env = await secrets.resolveAll({ SCRIPTED_SECRET: '${secret:TOKEN}' }, to);
        return { command: await secrets.resolve(command, to), args: [scriptedFile, ...args], env };
      },
      inTerminal: () => Promise.reject(new Error('no terminal')),
      idleAfter: 60_000,
      onWarning: words => warnings.push(words),
    },
    {
      clock: systemClock,
      clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
      homeFolder: work,
      newId: ids.message,
      folders: () => [work],
      own: [],
      editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
      mcpServers: () => Promise.resolve([]),
      redact,
    },
  );
  t.after(() => program.stop());
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const conversation = converse(history, program, new FixedClock(), { id: ids.session() });
  return { program, conversation, history, folder, warnings, redact };
}

function textsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => readFileSync(join(file.parentPath, file.name), 'latin1'));
}

for (const [play, words] of [
  ['leak and crash', /The token is •••\./],
  ['leak in colours', /exit code 3/],
  ['leak in halves', /exit code 3/],
  ['leak in an error', /Not a key: "Bearer •••"/],
  ['leak in a long error', /^x+•*$/],
  ['leak in a URL', /\?key=••• failed/],
  ['leak in an answer', /does not know: "no such reason •••"/],
  ['leak and go on', /^$/],
] as const)
  test(`[A81] an agent with the play “${play}” leaves no trace of its secret`, patience, async t => {
    const { conversation, history, folder, warnings } = await scene(t);
    assert.deepEqual(await conversation.send(`play: ${play}`), { sent: true });
    await settled(conversation);
    const end = conversation.transcript.messages.at(-1)?.end;
    assert.match(end?.detail ?? '', words);
    const file = join(folder, 'export.json');
    await history.exportJson([conversation.session], file, { signal: never, onProgress() {} });
    await history.close();
    const texts = textsIn(folder);
    assert.ok(texts.length > 1);
    assert.ok(texts.some(text => text.includes(`play: ${play}`)));
    for (const text of texts) assert.doesNotMatch(text, inAnySpelling);
    assert.doesNotMatch(JSON.stringify(conversation.transcript), inAnySpelling);
    assert.doesNotMatch(warnings.join('\n'), inAnySpelling);
  });

test('[A81] an agent that cannot be started is told of without the secret in its command', patience, async t => {
  const { program } = await scene(t, [], '/no/such/${secret:TOKEN}');
  const failure: unknown = await program.start(never).catch((cause: unknown) => cause);
  assert.ok(failure instanceof AgentError);
  assert.match(failure.message, /•••/);
  assert.doesNotMatch(`${failure.message} ${failure.stack} ${String(failure.cause)}`, inAnySpelling);
});

test(
  '[A81] the words of an agent that fails to close a session are in no warning, only the kind is',
  patience,
  async t => {
    const { program, warnings } = await scene(t, ['--close', '--leak-on-close']);
    const agent = await program.start(never);
    const session = await agent.newSession(here, never);
    await session.close();
    assert.deepEqual(warnings, ['session/close failed: other.']);
  },
);

test('[A81] the log and what is shown have no secret, whoever put it in an error', async t => {
  const { redact } = await scene(t);
  const cause = new Error(`Nobody knows ${canary}`, { cause: new TypeError(`key ${canary}`) });
  for (const line of [logLine, shownLine]) {
    const said = line(`It failed for ${canary}.`, cause, redact);
    assert.match(said, /It failed for •••\..*Nobody knows •••/);
    assert.doesNotMatch(said, inAnySpelling);
  }
});

test('[A81] a secret that is cut off by the bound of the last words is gone, however it came', () => {
  const redact: Redact = text => withoutSecrets(text, [canary]);
  for (let before = 16_360; before < 16_400; before++) {
    const words = new LastWords(redact);
    words.add(Buffer.from(canary));
    // Control sequences count in memory, and are not shown.
    words.add(Buffer.from('\u001b[0m'.repeat(before / 4)));
    assert.doesNotMatch(words.text(), /0123456789/);
  }
});

for (const [what, text, secrets, cleaned] of [
  ['itself', `a ${canary} b`, [canary], 'a ••• b'],
  ['with spaces around it', `a ${canary} b`, [` ${canary}\n`], 'a ••• b'],
  ['in JSON', JSON.stringify({ a: 'x"y\nz4' }), ['x"y\nz4'], '{"a":"•••"}'],
  ['in a URL', `?key=${encodeURIComponent(canary)}&b`, [canary], '?key=•••&b'],
  ['in Base64', `Basic ${Buffer.from(canary).toString('base64')}`, [canary], /^Basic •••=*$/],
  ['one line of it', 'at: BBBBBBBBBB', ['AAAAAAAAAA\nBBBBBBBBBB'], 'at: •••'],
  ['inside of another', 'long-secret-2 secret', ['secret', 'long-secret-2'], '••• •••'],
  ['too short to be one', 'the end', ['end', ''], 'the end'],
  ['half of a letter', 'a \ud83dxyz b', ['\ud83dxyz'], 'a ••• b'],
] as const)
  test(`[A81] a secret is found ${what}`, () => {
    const found = withoutSecrets(text, secrets);
    if (typeof cleaned === 'string') assert.equal(found, cleaned);
    else assert.match(found, cleaned);
  });
