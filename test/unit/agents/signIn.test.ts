// Signing in to an agent, in each of the ways that agents name: what is run, what is asked, and what comes after it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '../../../src/core/agentError.ts';
import type { AgentDeath, AskPerson, AuthMethod } from '../../../src/core/agents.ts';
import type { Elicitation } from '../../../src/model/agentState.ts';
import { SignInDesk } from '../../../src/node/acp/agentDesk.ts';
import { authMethodOf, terminalLine } from '../../../src/node/acp/authMethod.ts';
import type { CommandLine } from '../../../src/node/acp/commandLine.ts';
import { elicitations } from '../../../src/node/acp/elicitation.ts';
import { greeting } from '../../../src/node/acp/handshake.ts';
import { FixedClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/history.ts';
import { commandLine, here, never, nobody, play, scripted } from '../support/scriptedProgram.ts';

const methods: readonly (readonly [value: object, expected: Partial<AuthMethod> | null])[] = [
  [{ id: 'a' }, { id: 'a', name: 'a', description: '', kind: 'agent' }],
  [
    { id: 'a', name: '\u001b[1mA\u001b[0m', description: 'B\u0007' },
    { id: 'a', name: 'A', description: 'B', kind: 'agent' },
  ],
  [
    { id: 'a', name: 'A', type: 'terminal', args: ['login'], env: { B: 'c' } },
    { kind: 'terminal', terminal: { command: null, args: ['login'], env: { B: 'c' }, label: 'A' } },
  ],
  [{ id: 'a', type: 'terminal' }, { terminal: { command: null, args: [], env: {}, label: 'a' } }],
  [{ id: 'a', type: 'terminal', args: null, env: null }, { kind: 'terminal' }],
  [{ id: 'a', type: 'terminal', args: ['a', 7] }, null],
  [{ id: 'a', type: 'terminal', args: ['a\0b'] }, null],
  [{ id: 'a', type: 'terminal', env: ['B=c'] }, null],
  [{ id: 'a', type: 'terminal', env: { 'B=': 'c' } }, null],
  [
    { id: 'a', _meta: { 'terminal-auth': { label: 'L', command: 'x', args: ['y'], env: { B: 'c' } } } },
    { kind: 'terminal', terminal: { command: 'x', args: ['y'], env: { B: 'c' }, label: 'L' } },
  ],
  [
    { id: 'a', type: 'terminal', args: ['new'], _meta: { 'terminal-auth': { command: 'x' } } },
    { terminal: { command: null, args: ['new'], env: {}, label: 'a' } },
  ],
  [{ id: 'a', _meta: { 'terminal-auth': { args: ['y'] } } }, { kind: 'agent' }],
  [{ id: 'a', _meta: { 'terminal-auth': { command: 'x', args: 'y' } } }, { kind: 'agent' }],
  [{ id: 'a', _meta: { 'terminal-auth': true } }, { kind: 'agent' }],
  [{ id: 'a', type: 'smoke' }, { kind: 'agent' }],
  [{ name: 'A' }, null],
  [{ id: '' }, null],
];

test('[A14] a way to sign in is taken as the agent describes it, or not at all', () => {
  for (const [value, expected] of methods) {
    const [found = null] = authMethodOf(value as never);
    if (expected) assert.deepEqual(found, { ...found, ...expected }, JSON.stringify(value));
    else assert.equal(found, null, JSON.stringify(value));
  }
});

test('[A14] what runs in the terminal is the agent’s own command with more, or the one that it names', () => {
  const own: CommandLine = { command: 'agent', args: ['--acp'], env: { A: '1', B: '2' }, cwd: '/home' };
  const line = (terminal: NonNullable<AuthMethod['terminal']>) =>
    terminalLine(own, { id: 'a', name: 'A', description: '', kind: 'terminal', terminal });
  const more = { args: ['login'], env: { B: '3' }, label: 'L' };
  const env = { A: '1', B: '3' };
  assert.deepEqual(line({ command: null, ...more }), { command: 'agent', args: ['--acp', 'login'], env, cwd: '/home' });
  assert.deepEqual(line({ command: 'x', ...more }), { command: 'x', args: ['login'], env, cwd: '/home' });
  assert.throws(() => terminalLine(own, { id: 'a', name: 'A', description: '', kind: 'agent' }), { code: 'invalid' });
});

test('[A14] an agent is told of a terminal to sign in at only where there is one', async t => {
  const client = async (program: object) => {
    const agent = await scripted(t, { program }).start(never);
    return JSON.parse((await play(await agent.newSession(here, never), 'client capabilities')).text) as object;
  };
  const both = { terminal_output: true, 'terminal-auth': true };
  const without = await client({});
  assert.deepEqual([Reflect.get(without, 'auth'), Reflect.get(without, '_meta')], [undefined, both]);
  assert.deepEqual(Reflect.get(await client({ inTerminal: () => Promise.resolve() }), 'auth'), { terminal: true });
  const more = { _meta: { mine: 1 }, auth: { terminal: false } };
  const { clientCapabilities } = greeting(
    { name: 'n', title: 'N', version: '0' },
    { handlers: {}, signInTerminal: true, more },
  );
  assert.deepEqual([clientCapabilities?.auth, clientCapabilities?._meta], [more.auth, { ...both, mine: 1 }]);
});

interface Desk {
  readonly log: string;
  readonly key: string;
  readonly env: { readonly [name: string]: string };
}

function desk(t: TestContext): Desk {
  const folder = temporaryFolder(t);
  const [log, key] = [join(folder, 'log'), join(folder, 'key')];
  return { log, key, env: { SCRIPTED_LOG: log, SCRIPTED_KEY: key, SCRIPTED_HOME: join(folder, 'sessions') } };
}

/** As a terminal would, and ends with what it ended with. */
function run({ command, args, env, cwd }: CommandLine): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { env, cwd, stdio: 'ignore' }).once('exit', code =>
      code === 0 ? resolve() : reject(new AgentError('other', `The sign-in ended with ${code}.`)),
    );
  });
}

test('[A14] before sign-in a session is refused by that name; the sign-in is asked for by its method', async t => {
  const program = scripted(t, { flags: ['--auth'] });
  const agent = await program.start(never);
  await assert.rejects(agent.newSession(here, never), { code: 'sign-in', message: /Authentication required/ });
  await assert.rejects(program.signIn('shell', nobody, never), { code: 'not-supported' });
  await assert.rejects(program.signIn('none', nobody, never), { code: 'invalid' });
  await program.signIn('key', nobody, never);
  assert.equal((await play(await agent.newSession(here, never), 'hello')).text, 'Hello, world.');
});

test('[A14] an agent that was signed in and still is not says so again', async t => {
  const program = scripted(t, { flags: ['--auth=stubborn'] });
  const agent = await program.start(never);
  await program.signIn('key', nobody, never);
  await assert.rejects(agent.newSession(here, never), { code: 'sign-in' });
});

test('[A14] in the middle of a turn it ends the turn, says so, and the session goes on after it', async t => {
  const program = scripted(t);
  const session = await (await program.start(never)).newSession(here, never);
  const { answer, text } = await play(session, 'sign in in the middle');
  const expected = { reason: 'failed', detail: 'Your session has expired', agreed: false, needsSignIn: true };
  assert.deepEqual([answer, text], [expected, 'half']);
  await program.signIn('key', nobody, never);
  assert.equal((await play(session, 'hello')).text, 'Hello, world.');
});

const atTerminals = [
  ['shell', 'of the shell'],
  ['old', 'of old'],
] as const;

test('[A14] at a terminal it is signed in by its own command, is never asked, and is started again', async group => {
  for (const [id, token] of atTerminals)
    await group.test(id, async t => {
      const { key, env } = desk(t);
      const flags = ['--auth'];
      const seen: AuthMethod[] = [];
      const inTerminal = (method: AuthMethod) => {
        seen.push(method);
        return run(terminalLine(commandLine(flags, env), method));
      };
      const program = scripted(t, { flags, env, program: { inTerminal } });
      const before = await program.start(never);
      await assert.rejects(before.newSession(here, never), { code: 'sign-in' });
      // The scripted agent would refuse to be asked for this method.
      await program.signIn(id, nobody, never);
      assert.equal(readFileSync(key, 'utf8'), token);
      assert.deepEqual(
        seen.map(method => method.id),
        [id],
      );
      const after = await program.start(never);
      assert.notEqual(after, before);
      assert.equal(program.starts(), 2);
      assert.ok(await after.newSession(here, never));
    });
});

test('[A14] a terminal that did not end well says so, and the agent goes on as it was', async t => {
  const { env } = desk(t);
  const flags = ['--auth'];
  const inTerminal = (method: AuthMethod) =>
    run(terminalLine(commandLine(flags, { ...env, SCRIPTED_KEY: '' }), method));
  const program = scripted(t, { flags, env, program: { inTerminal } });
  const agent = await program.start(never);
  await assert.rejects(program.signIn('shell', nobody, never), { message: 'The sign-in ended with 3.' });
  assert.equal(await program.start(never), agent);
  assert.equal(program.starts(), 1);
});

test('[A14] a terminal that nobody closes is waited for until the signal, and the agent is not idle meanwhile', async t => {
  const clock = new FixedClock();
  const opened = Promise.withResolvers<AbortSignal>();
  const inTerminal = (_: AuthMethod, signal: AbortSignal) => {
    opened.resolve(signal);
    return new Promise<void>(() => {});
  };
  const program = scripted(t, { flags: ['--auth'], program: { clock, idleAfter: 60_000, inTerminal } });
  const agent = await program.start(never);
  const death = new Promise<AgentDeath>(resolve => agent.onDidEnd(resolve));
  const stop = new AbortController();
  const signingIn = program.signIn('shell', nobody, stop.signal);
  const told = await opened.promise;
  clock.advance(120_000);
  assert.equal(await program.start(never), agent);
  clock.advance(120_000);
  await assert.rejects(agent.newSession(here, never), { code: 'sign-in' });
  stop.abort();
  await assert.rejects(signingIn, { code: 'cancelled' });
  assert.equal(told.aborted, true);
  clock.advance(61_000);
  assert.equal((await death).unexpected, false);
});

function withForm(t: TestContext, env = {}, more = {}) {
  const handlers = (to: Parameters<typeof elicitations>[0]) => elicitations(to, { newId: () => 'q' });
  return scripted(t, { flags: ['--auth=form'], env, program: { handlers, ...more } });
}

test('[A14] what the agent asks while it signs a person in is asked of whoever signs in', async t => {
  const program = withForm(t);
  const agent = await program.start(never);
  const shown: Elicitation[] = [];
  const answer =
    (code: string): AskPerson =>
    async elicitation => {
      shown.push(elicitation);
      return { action: 'accept', content: { code } };
    };
  await assert.rejects(program.signIn('key', answer('7'), never), { message: 'That is not the code' });
  await assert.rejects(program.signIn('key', nobody, never), { message: 'That is not the code' });
  await assert.rejects(agent.newSession(here, never), { code: 'sign-in' });
  await program.signIn('key', answer('42'), never);
  assert.deepEqual(
    shown.map(({ message }) => message),
    ['Which code did you get?', 'Which code did you get?'],
  );
  assert.ok(await agent.newSession(here, never));
});

test('[A14] a person who stops signing in is not asked any more, and an open question keeps the agent', async t => {
  const { log, env } = desk(t);
  const clock = new FixedClock();
  const program = withForm(t, env, { clock, idleAfter: 60_000 });
  const agent = await program.start(never);
  const stop = new AbortController();
  const asked = Promise.withResolvers<AbortSignal>();
  const signingIn = program.signIn(
    'key',
    (_, signal) => {
      asked.resolve(signal);
      return new Promise(() => {});
    },
    stop.signal,
  );
  const open = await asked.promise;
  clock.advance(120_000);
  assert.equal(await program.start(never), agent);
  clock.advance(120_000);
  assert.equal(open.aborted, false);
  stop.abort();
  await assert.rejects(signingIn, { code: 'cancelled' });
  assert.equal(open.aborted, true);
  await assert.rejects(agent.newSession(here, never), { code: 'sign-in' });
  // The answer is on its way to the agent.
  while (!existsSync(log)) await delay(5);
  assert.match(readFileSync(log, 'utf8'), /"called":"elicitation\/create","result":\{"action":"cancel"\}/);
});

test('[A14] of two who sign in, the one who began last is asked, and then the other', async () => {
  const question = { id: 'q', message: '', asks: { kind: 'form' as const, fields: [] } };
  const desk = new SignInDesk(cause => assert.fail(String(cause)));
  const says = (action: 'decline') => () => Promise.resolve({ action });
  const elicit = async () => (await desk.elicit(question, never)).action;
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const earlier = desk.withAsker(says('decline'), () => first.promise);
  const later = desk.withAsker(
    () => new Promise(() => {}),
    () => second.promise,
  );
  const asked = elicit();
  second.resolve();
  await later;
  assert.equal(await asked, 'cancel');
  assert.equal(await elicit(), 'decline');
  first.resolve();
  await earlier;
  assert.equal(await elicit(), 'cancel');
});

test('[A14] trouble with asking is the same as nobody', async t => {
  const program = withForm(t);
  await assert.rejects(
    program.signIn('key', () => Promise.reject(new Error('no panel')), never),
    { message: 'That is not the code' },
  );
  assert.deepEqual(program.warnings, ['The person could not be asked: Error: no panel.']);
});
