// Agents as programs that are started, answer and end, in every way that was seen: over real child processes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import type { AgentError } from '../../../src/core/agentError.ts';
import type { AgentDeath } from '../../../src/core/agents.ts';
import { tapped } from '../../../src/node/acp/wire.ts';
import { scoutTransport } from '../support/builtIn.ts';
import { FixedClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/history.ts';
import { here, never, nobody, play, quietDesk, scripted } from '../support/scriptedProgram.ts';

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('[A5] it is started once however many ask, and again when it is gone', async t => {
  const program = scripted(t, { flags: ['--slow=50'] });
  const [one, two] = await Promise.all([program.start(never), program.start(never)]);
  assert.equal(one, two);
  assert.equal(await program.start(never), one);
  assert.equal(program.starts(), 1);
  await program.stop();
  assert.notEqual(await program.start(never), one);
  assert.equal(program.starts(), 2);
});

test('[A5] one who does not wait any more takes nobody with him', async t => {
  const program = scripted(t, { flags: ['--slow=100'] });
  const impatient = new AbortController();
  const gone = program.start(impatient.signal);
  const waits = program.start(never);
  impatient.abort();
  await assert.rejects(gone, { name: 'AgentError', code: 'cancelled' });
  assert.ok(await waits);
  assert.equal(program.starts(), 1);
});

test('[A5] a start that nobody waits for is given up, and the next is a new one', async t => {
  const program = scripted(t, { flags: ['--slow=200'] });
  const impatient = new AbortController();
  const gone = program.start(impatient.signal);
  await delay(50);
  impatient.abort();
  await assert.rejects(gone, { code: 'cancelled' });
  assert.ok(await program.start(never));
  assert.equal(program.starts(), 2);
});

const beginnings: readonly (readonly [flag: string, code: string, words: RegExp])[] = [
  ['--init=exit', 'cannot-start', /could not be started[\s\S]*exit code 7[\s\S]*no licence found/],
  ['--init=error', 'cannot-start', /Internal error: the config is broken/],
  ['--init=nonsense', 'cannot-start', /makes no sense/],
  ['--init=version', 'cannot-start', /speaks version 2/],
];

test('[A5] an agent that cannot begin says why', async group => {
  for (const [flag, code, words] of beginnings)
    await group.test(flag, async t => {
      const program = scripted(t, { flags: [flag] });
      await assert.rejects(program.start(never), (cause: AgentError) => {
        assert.equal(cause.code, code);
        assert.match(cause.message, words);
        return true;
      });
    });
});

test('[A5] an agent that never answers the handshake is waited for until the signal', async t => {
  const program = scripted(t, { flags: ['--init=hang'] });
  await assert.rejects(program.start(AbortSignal.timeout(300)), { code: 'cancelled' });
});

test('[A5] abilities are read from what it says, and what it says of itself in our own words', async t => {
  const flags = [
    '--no-load',
    '--resume',
    '--fork',
    '--list',
    '--close',
    '--delete',
    '--images',
    '--embedded',
    '--path',
  ];
  const program = scripted(t, { flags });
  assert.equal(program.about, null);
  const { authMethods, ...abilities } = (await program.start(never)).abilities;
  assert.deepEqual(abilities, {
    load: false,
    resume: true,
    fork: true,
    list: true,
    close: true,
    delete: true,
    images: true,
    audio: false,
    embedded: true,
    signOut: false,
  });
  assert.deepEqual(
    authMethods.map(({ id, kind }) => [id, kind]),
    [
      ['key', 'agent'],
      ['shell', 'terminal'],
      ['old', 'terminal'],
    ],
  );
  assert.equal(program.takesPath, true);
  assert.deepEqual(program.about, { words: 'Scripted.', examples: ['a'] });
});

const idle: readonly (readonly [what: string, flags: readonly string[], prompted: boolean, stops: boolean])[] = [
  ['one that can load', [], true, true],
  ['one that can resume', ['--no-load', '--resume'], true, true],
  ['one that would forget', ['--no-load'], true, false],
  ['one that was told nothing', ['--no-load'], false, true],
];

test('[A5] it is stopped when it is idle, unless it would forget', async group => {
  for (const [what, flags, prompted, stops] of idle)
    await group.test(what, async t => {
      const clock = new FixedClock();
      const program = scripted(t, { flags, program: { clock, idleAfter: 60_000 } });
      const agent = await program.start(never);
      const deaths: AgentDeath[] = [];
      agent.onDidEnd(death => deaths.push(death));
      const session = await agent.newSession(here, never);
      if (prompted) {
        const playing = play(session, '[{"wait":150},{"say":"a"}]');
        await delay(50);
        clock.advance(120_000);
        // What a fixed clock waits for after the answer has to be moved by hand.
        while (!(await Promise.race([playing.then(() => true), delay(20, false)]))) clock.advance(40);
        assert.equal((await playing).text, 'a');
      }
      await delay(20);
      assert.equal(deaths.length, 0);
      clock.advance(59_000);
      await delay(20);
      assert.equal(deaths.length, 0);
      clock.advance(2000);
      for (let n = 0; n < 100 && stops && deaths.length === 0; n++) await delay(20);
      await delay(stops ? 20 : 300);
      assert.deepEqual(
        deaths.map(({ unexpected }) => unexpected),
        stops ? [false] : [],
      );
    });
});

test('[A2] a death in the middle of a turn is its end, with the exit code and the last words', async t => {
  const agent = await scripted(t).start(never);
  const death = new Promise<AgentDeath>(resolve => agent.onDidEnd(resolve));
  const session = await agent.newSession(here, never);
  const hanging = play(await agent.newSession(here, never), 'hang');
  const { answer, text } = await play(session, 'crash');
  assert.equal(text, 'half');
  assert.equal(answer.reason, 'failed');
  assert.equal(answer.agreed, false);
  assert.match(
    answer.detail ?? '',
    /^Scripted ended unexpectedly \(exit code 3\)[\s\S]*\npanic: out of cheese\nsecond line$/,
  );
  assert.equal((await hanging).answer.reason, 'failed');
  const expected = { code: 3, signal: null, lastWords: 'panic: out of cheese\nsecond line', unexpected: true };
  assert.deepEqual(await death, expected);
  await assert.rejects(agent.newSession(here, never), { code: 'ended' });
  assert.equal((await play(session, 'hello')).answer.reason, 'failed');
});

test('[A5] an answer that was given is heard, though the agent is gone right after it', async t => {
  const agent = await scripted(t).start(never);
  const { answer, text } = await play(await agent.newSession(here, never), 'last answer');
  assert.deepEqual([answer.reason, text], ['end_turn', 'all']);
});

test('[A5] all of an answer is heard, however slow the turn is to listen to an agent that is gone', async t => {
  const session = await (await scripted(t).start(never)).newSession(here, never);
  const steps = JSON.stringify([{ flood: 1000 }, { answer: { stopReason: 'end_turn' } }, { exit: 0 }]);
  const { answer, updates } = await play(session, steps, never, undefined, () => busy(0.1));
  assert.deepEqual([answer.reason, updates.length], ['end_turn', 1000]);
});

test('[A5] an agent that closes its output is of no use and is ended', async t => {
  const agent = await scripted(t).start(never);
  const death = new Promise<AgentDeath>(resolve => agent.onDidEnd(resolve));
  const { answer } = await play(await agent.newSession(here, never), 'close output');
  assert.equal(answer.reason, 'failed');
  assert.equal((await death).unexpected, true);
});

test('[A5] a stop ends what runs, and was expected', async t => {
  const program = scripted(t);
  const agent = await program.start(never);
  const death = new Promise<AgentDeath>(resolve => agent.onDidEnd(resolve));
  const playing = play(await agent.newSession(here, never), 'hang');
  await delay(50);
  await program.stop();
  assert.equal((await death).unexpected, false);
  assert.match((await playing).answer.detail ?? '', /was ended/);
});

test('[A18] one that was retired is stopped, and nobody starts it again', async t => {
  const program = scripted(t);
  const agent = await program.start(never);
  const death = new Promise<AgentDeath>(resolve => agent.onDidEnd(resolve));
  await program.retire();
  assert.equal((await death).unexpected, false);
  const gone = { code: 'cannot-start', message: /not among the agents of the settings any more/ };
  await assert.rejects(program.start(never), gone);
  await assert.rejects(program.signIn('key', nobody, never), gone);
  assert.equal(program.starts(), 1);
});

test('[A18] one that is retired while it starts is not there', async t => {
  const program = scripted(t, { flags: ['--slow=100'] });
  const starting = program.start(never);
  await Promise.all([assert.rejects(starting, { name: 'AgentError' }), program.retire()]);
  await assert.rejects(program.start(never), { code: 'cannot-start' });
});

test('[A5] a start while a turn runs does not make it idle', async t => {
  const clock = new FixedClock();
  const program = scripted(t, { program: { clock, idleAfter: 60_000 } });
  const agent = await program.start(never);
  const deaths: AgentDeath[] = [];
  agent.onDidEnd(death => deaths.push(death));
  const cancel = new AbortController();
  const said = new Promise<void>(resolve => {
    void agent
      .newSession(here, never)
      .then(session => play(session, 'hang', cancel.signal, undefined, () => resolve()));
  });
  await said;
  assert.equal(await program.start(never), agent);
  clock.advance(120_000);
  // It answers still.
  assert.ok(await agent.newSession(here, never));
  assert.deepEqual(deaths, []);
  cancel.abort();
});

test('[H107] [A5] noise and lines that are too long are passed over, and harm nothing', async t => {
  const program = scripted(t, { flags: ['--banner'] });
  const agent = await program.start(never);
  const session = await agent.newSession(here, never);
  for (const [name, text] of [
    ['noise', 'still here'],
    ['long line', 'still here'],
    ['broken pieces', 'whole'],
  ] as const)
    assert.equal((await play(session, name)).text, text);
  const noise = [
    'Welcome to the scripted agent!',
    'Loading plugins...',
    '{"broken":',
    '[1,2]',
    '"text"',
    '7',
    '{}',
    '{"jsonrpc":"2.0"}',
  ];
  // Not what it was: that may be something that was said.
  assert.deepEqual(
    program.warnings.filter(words => words.includes('no message')),
    noise.map(line => `A line that is no message was passed over: ${line.length} bytes.`),
  );
  assert.ok(program.warnings.some(words => /^A line of 419430\d\d bytes was passed over/.test(words)));
});

test('[A1] a hundred thousand updates arrive in order, in flat memory, and everything else goes on', async t => {
  const session = await (await scripted(t).start(never)).newSession(here, never);
  let count = 0;
  let wrong = 0;
  let turns = 0;
  let grown = Number.POSITIVE_INFINITY;
  let over = false;
  const turn = () => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUse = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  let early = 0;
  const desk = {
    ...quietDesk,
    onUpdate(update: { readonly type: string; readonly text?: string }) {
      if (update.text !== `${count++} `) wrong++;
      if (count === 20_000) early = inUse();
      if (count === 100_000) grown = inUse() - early;
    },
  };
  const answer = await session.prompt({ parts: [{ type: 'text', text: 'play: flood' }], path: [] }, desk, never);
  over = true;
  assert.deepEqual([answer.reason, count, wrong], ['end_turn', 100_000, 0]);
  // Kept, eighty thousand updates would be twice as much.
  assert.ok(grown < 3_000_000, `${grown} bytes more`);
  assert.ok(turns > 50, `${turns} turns of the event loop`);
});

test('[A5] what is there already is not read at the cost of everything else', async () => {
  let turns = 0;
  const turn = setInterval(() => turns++, 0);
  const messages = new ReadableStream<AnyMessage>({
    start(controller) {
      for (let n = 0; n < 2000; n++) controller.enqueue({ jsonrpc: '2.0', method: 'x', params: {} });
      controller.close();
    },
  });
  const take = () => {
    busy(0.1);
    return null;
  };
  for await (const message of tapped(messages, take)) assert.fail(`not taken: ${JSON.stringify(message)}`);
  clearInterval(turn);
  assert.ok(turns > 5, `${turns} turns`);
});

test('[A5] the built-in agent answers behind the same port', async t => {
  const program = scripted(t, { program: { open: () => Promise.resolve(scoutTransport({ folders: () => [] })) } });
  const agent = await program.start(never);
  assert.equal(program.takesPath, true);
  const session = await agent.newSession({ cwd: null, alsoIn: [] }, never);
  assert.match((await play(session, 'say: hello')).text, /not an AI/);
  await program.stop();
  assert.equal((await play(session, 'say: hello')).answer.reason, 'failed');
});

test('[A5] the agent is told what was asked, where, and the path if it takes it', async t => {
  const folder = temporaryFolder(t);
  const log = join(folder, 'log');
  const agent = await scripted(t, { flags: ['--path', '--embedded'], env: { SCRIPTED_LOG: log } }).start(never);
  const session = await agent.newSession(here, never);
  const path = [{ id: 'm', session: 's', parent: null, role: 'user' as const, created: 1, blocks: [] }];
  const parts = [
    { type: 'resource' as const, uri: 'file:///a.ts', mime: 'text/plain', text: 'A' },
    { type: 'link' as const, uri: 'file:///b.ts', name: 'b.ts' },
    { type: 'text' as const, text: 'look' },
  ];
  await session.prompt({ parts, path }, quietDesk, never);
  const { model, _meta } = JSON.parse(readFileSync(log, 'utf8')) as { model: readonly string[]; _meta: unknown };
  assert.deepEqual(_meta, { throughline: { path } });
  assert.deepEqual(model.slice(2), ['look']);
  assert.match(model[0] ?? '', /"resource":\{"uri":"file:\/\/\/a\.ts"/);
  assert.match(model[1] ?? '', /"resource_link"/);
});
