// What an agent asks of its client outside of its running turn: an agent in a process of its own, with files, terminals
// and questions as a window gives them.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { redactNothing } from '../../../src/node/acp/errors.ts';
import { refusalOf } from '../../../src/node/acp/turnRule.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSession, RunningAgent } from '../../../src/core/agents.ts';
import type { TurnDesk } from '../../../src/core/agentTurn.ts';
import type { OpenEditors } from '../../../src/core/files.ts';
import { childProgram } from '../../../src/node/agentProgram.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { acts, type Step } from '../../agents/plays.ts';
import { ids, temporaryFolder } from '../support/history.ts';
import { never, quietDesk, scriptedFile } from '../support/scriptedProgram.ts';

const patience = { timeout: 60_000 };

interface Answered {
  readonly called: string | number;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Stage {
  readonly work: string;
  readonly agent: RunningAgent;
  readonly session: AgentSession;
  readonly newSession: () => Promise<AgentSession>;
  /** Those that reached somebody. */
  readonly asked: string[];
  readonly written: string[];
  readonly prompt: (steps: readonly Step[], signal?: AbortSignal, session?: AgentSession) => Promise<string>;
  /** So many requests of the agent, with what came back. */
  readonly answers: (count: number) => Promise<readonly Answered[]>;
}

async function stage(t: TestContext, editors?: OpenEditors): Promise<Stage> {
  const folder = realpathSync(temporaryFolder(t));
  const work = join(folder, 'work');
  mkdirSync(work);
  const log = join(folder, 'log');
  const program = childProgram(
    {
      ref: { id: 'scripted', name: 'Scripted' },
      line: () =>
        Promise.resolve({
          command: process.execPath,
          args: [scriptedFile, '--close', '--delete'],
          env: { SCRIPTED_LOG: log, SCRIPTED_HOME: join(folder, 'home') },
        }),
      inTerminal: () => Promise.reject(new Error('no terminal')),
      idleAfter: 60_000,
      onWarning: words => t.diagnostic(words),
    },
    {
      clock: systemClock,
      clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
      redact: redactNothing,
      homeFolder: folder,
      newId: ids.message,
      folders: () => [work],
      own: [],
      editors: editors ?? { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
      mcpServers: () => Promise.resolve([]),
    },
  );
  mkdirSync(join(folder, 'home'));
  t.after(() => program.stop());
  const agent = await program.start(never);
  const newSession = () => agent.newSession({ cwd: work, alsoIn: [] }, never);
  const session = await newSession();
  const asked: string[] = [];
  const written: string[] = [];
  const desk: TurnDesk = {
    ...quietDesk,
    ask: ({ title }) => (asked.push(title), Promise.resolve('yes')),
    elicit: ({ message }) => (asked.push(message), Promise.resolve({ action: 'decline' })),
    onWrite: ({ path }) => void written.push(path),
  };
  return {
    work,
    agent,
    session,
    newSession,
    asked,
    written,
    async prompt(steps, signal = never, of = session) {
      const text = `play: ${JSON.stringify(steps)}`;
      return (await of.prompt({ parts: [{ type: 'text', text }], path: [] }, desk, signal)).reason;
    },
    async answers(count) {
      for (;;) {
        const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
        const found = lines.map(line => JSON.parse(line) as Partial<Answered>).filter(({ called }) => called);
        if (found.length >= count) return found as readonly Answered[];
        await delay(5);
      }
    },
  };
}

const refused = (message: string) => ({ code: -32602, message });
const noTurn = refused('No turn is running in this session.');
const stopped = refused('The user stopped this turn.');
const noSession = (id: string) => refused(`There is no session “${id}”.`);

/** Nothing was done, and nobody was asked. */
function isUntouched({ work, asked, written }: Stage): void {
  assert.deepEqual(asked, []);
  assert.deepEqual(written, []);
  assert.equal(existsSync(join(work, 'late.txt')), false);
}

test('[A21] each request needs a session or a running turn of it', () => {
  const known = { isKnown: true } as const;
  const rows: readonly (readonly [
    method: string,
    running: boolean,
    stopped: boolean,
    none: boolean,
    unknown: boolean,
  ])[] = [
    ['fs/write_text_file', true, false, false, false],
    ['terminal/create', true, false, false, false],
    // After Stop they are answered as cancelled.
    ['session/request_permission', true, true, false, false],
    ['elicitation/create', true, true, false, false],
    ['fs/read_text_file', true, true, true, false],
    ['terminal/kill', true, true, true, true],
  ];
  for (const [method, ...allowed] of rows) {
    const standings = [
      { ...known, turn: 'running' },
      { ...known, turn: 'stopped' },
      { ...known, turn: 'none' },
      { isKnown: false, turn: 'none' },
    ] as const;
    assert.deepEqual(
      standings.map(standing => refusalOf(method, 's', standing) === null),
      allowed,
      method,
    );
  }
});

test('[A21] in its turn an agent writes, runs commands and asks', patience, async t => {
  const at = await stage(t);
  const path = join(at.work, 'late.txt');
  await at.prompt([...acts(path), { call: { method: 'terminal/wait_for_exit', params: { terminalId: '$terminal' } } }]);
  const answers = await at.answers(5);
  assert.deepEqual(
    answers.filter(({ error }) => error),
    [],
  );
  assert.deepEqual(at.asked, ['Write', 'How shall it be built?']);
  assert.deepEqual(at.written, [path]);
  assert.equal(readFileSync(path, 'utf8'), 'ran');
});

interface Outside {
  readonly what: string;
  /** Asks for all four outside of a running turn. */
  readonly run: (at: Stage, path: string) => Promise<unknown>;
  readonly error: (at: Stage) => Promise<object> | object;
}

const end: Step = { answer: { stopReason: 'end_turn' } };

const outside: readonly Outside[] = [
  {
    what: 'right after its answer',
    run: ({ prompt }, path) => prompt([{ say: 'done' }, end, ...acts(path)]),
    error: () => noTurn,
  },
  {
    what: 'long after its answer',
    run: ({ prompt }, path) => prompt([{ say: 'done' }, end, { wait: 300 }, ...acts(path)]),
    error: () => noTurn,
  },
  {
    what: 'after an error was its answer',
    run: ({ prompt }, path) => prompt([{ error: { code: -32603, message: 'Internal error' } }, ...acts(path)]),
    error: () => noTurn,
  },
  {
    what: 'after it answered a cancel',
    async run({ prompt }, path) {
      const stop = new AbortController();
      const cancelled: Step = { answer: { stopReason: 'cancelled' } };
      const over = prompt([{ onCancel: [cancelled, ...acts(path)] }, { wait: 60_000 }], stop.signal);
      setTimeout(() => stop.abort(), 50);
      assert.equal(await over, 'cancelled');
    },
    error: () => noTurn,
  },
  {
    what: 'in another session, while this one has a turn',
    async run({ prompt, newSession }, path) {
      const { id } = await newSession();
      return prompt(acts(path, { sessionId: id }));
    },
    error: () => noTurn,
  },
  {
    what: 'in a session that never was',
    run: ({ prompt }, path) => prompt(acts(path, { sessionId: 'none' })),
    error: () => noSession('none'),
  },
  {
    what: 'in a session that was closed',
    async run({ prompt, newSession }, path) {
      const session = await newSession();
      await session.close();
      return prompt(acts(path, { sessionId: session.id }));
    },
    error: async ({ answers }) => noSession(await sessionIn(answers)),
  },
  {
    what: 'in a session that was deleted',
    async run({ agent, prompt, newSession }, path) {
      const { id } = await newSession();
      await agent.deleteSession(id, never);
      return prompt(acts(path, { sessionId: id }));
    },
    error: async ({ answers }) => noSession(await sessionIn(answers)),
  },
];

async function sessionIn(answers: Stage['answers']): Promise<string> {
  const [first] = await answers(1);
  return (first as Partial<{ sessionId: string }> | undefined)?.sessionId ?? assert.fail();
}

test('[A21] outside of a running turn an agent writes, runs and asks nothing, and is told so', patience, async t => {
  for (const { what, run, error } of outside)
    await t.test(what, async inner => {
      const at = await stage(inner);
      await run(at, join(at.work, 'late.txt'));
      const answers = await at.answers(4);
      const expected = await error(at);
      assert.deepEqual(
        answers.map(answer => answer.error),
        [expected, expected, expected, expected],
      );
      isUntouched(at);
    });
});

test(
  '[A21] in a turn that was stopped nothing is begun, and questions are answered as cancelled',
  patience,
  async t => {
    const at = await stage(t);
    const stop = new AbortController();
    // It ends its turn only after it asked for everything.
    const asking = [...acts(join(at.work, 'late.txt')), { answer: { stopReason: 'cancelled' } }];
    const over = at.prompt([{ onCancel: asking }, { wait: 60_000 }], stop.signal);
    setTimeout(() => stop.abort(), 50);
    assert.equal(await over, 'cancelled');
    const [write, run, permission, form] = await at.answers(4);
    assert.deepEqual([write?.error, run?.error], [stopped, stopped]);
    assert.deepEqual(permission?.result, { outcome: { outcome: 'cancelled' } });
    assert.deepEqual(form?.result, { action: 'cancel' });
    isUntouched(at);
  },
);

test('[A21] a session of another process of the agent is none of this one', patience, async t => {
  const [at, other] = [await stage(t), await stage(t)];
  const over = other.prompt([{ wait: 60_000 }]);
  await at.prompt(acts(join(at.work, 'late.txt'), { sessionId: other.session.id }));
  const error = noSession(other.session.id);
  assert.deepEqual(
    (await at.answers(4)).map(answer => answer.error),
    [error, error, error, error],
  );
  isUntouched(at);
  await other.session.close();
  await over;
});

test(
  '[A21] what stands before the answer in one chunk belongs to the turn, what stands behind it does not',
  patience,
  async t => {
    const at = await stage(t);
    const writes = (id: string, name: string) => ({
      id,
      method: 'fs/write_text_file',
      params: { sessionId: at.session.id, path: join(at.work, name), content: name },
    });
    const asks = {
      id: 'ask behind',
      method: 'session/request_permission',
      params: {
        sessionId: at.session.id,
        toolCall: { toolCallId: 'c', title: 'Late' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      },
    };
    const answer = { id: 'prompt', result: { stopReason: 'end_turn' } };
    for (let n = 0; n < 20; n++) {
      const before = [writes(`before ${n}`, `before${n}.txt`)];
      const behind = [writes(`behind ${n}`, `behind${n}.txt`), { ...asks, id: `ask behind ${n}` }];
      await at.prompt([{ together: [...before, answer, ...behind] }]);
      // The turn is over only when it was written and told.
      assert.deepEqual(at.written, [join(at.work, `before${n}.txt`)]);
      at.written.length = 0;
    }
    const answers = new Map((await at.answers(60)).map(({ called, result, error }) => [called, result ?? error]));
    for (let n = 0; n < 20; n++) {
      assert.deepEqual(answers.get(`before ${n}`), {});
      assert.deepEqual(answers.get(`behind ${n}`), noTurn);
      assert.deepEqual(answers.get(`ask behind ${n}`), noTurn);
      assert.equal(existsSync(join(at.work, `behind${n}.txt`)), false);
    }
    assert.deepEqual(at.asked, []);
  },
);

test(
  '[A21] an agent reads while its session is open, and where a person would have to be asked it is told why not',
  patience,
  async t => {
    const at = await stage(t);
    const path = join(at.work, 'a.txt');
    const secret = join(at.work, '.env');
    writeFileSync(path, 'text');
    writeFileSync(secret, 'KEY=1');
    const reads = (file: string, more: object = {}): Step => ({
      call: { method: 'fs/read_text_file', params: { path: file, ...more } },
    });
    await at.prompt([end, reads(path), reads(secret), reads(path, { sessionId: 'none' })]);
    const [open, asked, none] = await at.answers(3);
    assert.deepEqual(open?.result, { content: 'text' });
    assert.deepEqual(
      asked?.error,
      refused(
        `“${secret}” is not given, because it may hold secrets, and nobody can be asked outside of a running turn.`,
      ),
    );
    assert.deepEqual(none?.error, noSession('none'));
    assert.deepEqual(at.asked, []);
  },
);

test('[A21] a terminal that a turn left open is answered after it', patience, async t => {
  const at = await stage(t);
  const script = `console.log('ready'); setInterval(() => {}, 1000)`;
  const asks = (method: string): Step => ({
    call: { method: `terminal/${method}`, params: { terminalId: '$terminal' } },
  });
  await at.prompt([
    { call: { method: 'terminal/create', params: { command: process.execPath, args: ['-e', script] } } },
    end,
    { wait: 200 },
    asks('output'),
    asks('kill'),
    asks('wait_for_exit'),
    asks('release'),
  ]);
  assert.deepEqual(
    (await at.answers(5)).filter(({ error }) => error),
    [],
  );
});
