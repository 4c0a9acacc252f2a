// What a person sees of terminals: the tool calls that show them, while a command runs, when it ends, and when the turn
// ends before it. Of commands that we run, and of those that an agent runs itself and tells of.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgentSessionChange } from '../../../src/core/agents.ts';
import type { AgentUpdate } from '../../../src/core/agentTurn.ts';
import type { Json } from '../../../src/model/message.ts';
import { newsOf } from '../../../src/node/acp/sessionUpdate.ts';
import { SessionTerminals } from '../../../src/node/acp/terminals/sessionTerminals.ts';
import type { TerminalNews } from '../../../src/node/acp/terminals/terminalNews.ts';
import { goesOn, runs, shows, terminal } from '../../agents/plays.ts';
import { FixedClock } from '../support/clock.ts';
import { here, never, play, scripted } from '../support/scriptedProgram.ts';
import { shownIn, stage } from './terminalsStage.ts';

const onPosix = { skip: process.platform === 'win32' ? 'the words of commands differ on Windows' : false };
const wentWell = { code: 0, signal: null };
/** Twenty kilobytes and the file `printed`; once there is the file `go`, a word. */
const printsTwice = `
  const { existsSync, writeFileSync } = require('fs');
  console.log('x'.repeat(20_000));
  writeFileSync('printed', '');
  const wait = () => (existsSync('go') ? console.log('late') : setTimeout(wait, 20));
  wait();
`;

test('[A12] a tool call shows what our terminal printed, with the command, to its end', onPosix, async t => {
  const { session, folder } = await stage(t);
  const { updates, text } = await play(session, 'terminal');
  const calls = updates.filter(update => update.type === 'toolCall');
  const last = calls.flatMap(shownIn).at(-1);
  const { command, output, ...rest } = last ?? { command: '', output: '' };
  assert.deepEqual(rest, { type: 'terminal', terminalId: 'terminal1', cwd: folder, exit: { code: 0, signal: null } });
  assert.equal(command, `${process.execPath} -e "console.log(\\"out\\"); console.error(\\"err\\")"`);
  assert.deepEqual(output.split('\n').toSorted(), ['', 'err', 'out']);
  assert.match(text, /^\{"terminalId":"terminal1"\}\{"exitCode":0,"signal":null\}\{"output":".*\}\{\}$/);
  assert.deepEqual(calls.at(-1)?.changes, { status: 'completed' });
});

test('[A12] five megabytes are in the tool call whole when the command ends', onPosix, async t => {
  const { run } = await stage(t);
  const lines = 'for (let n = 0; n < 500_000; n++) process.stdout.write(String(n).padStart(9) + "\\n")';
  const { updates } = await run([runs(lines), shows(), terminal('wait_for_exit'), terminal('release')]);
  const all = updates.flatMap(shownIn);
  assert.ok(all.slice(0, -1).every(({ output, exit }) => exit || Buffer.byteLength(output) <= 16_384));
  const [ended] = all.filter(({ exit }) => exit);
  assert.deepEqual([ended?.output.length, ended?.truncated, ended?.exit], [5_000_000, undefined, wentWell]);
  assert.equal(ended?.output.slice(-20), '   499998\n   499999\n');
  assert.equal(all.filter(({ exit }) => exit).length, 1, 'once');
});

test('[A12] output that came before the tool call named its terminal is there', onPosix, async t => {
  const { run } = await stage(t);
  const { updates } = await run([
    runs('console.log("early")'),
    terminal('wait_for_exit'),
    terminal('release'),
    shows(),
  ]);
  assert.deepEqual(
    updates.flatMap(shownIn).map(({ output, exit }) => [output, exit]),
    [['early\n', wentWell]],
  );
});

test('[A12] what runs on is told whole before the turn ends, and then no more', onPosix, async t => {
  const { run, session, folder } = await stage(t);
  const asides: AgentSessionChange[] = [];
  session.onDidChange(change => change.type === 'aside' && asides.push(change));
  const untilPrinted = 'until [ -f printed ]; do sleep 0.02; done';
  const printed = { call: { method: 'terminal/create', params: { command: untilPrinted } } };
  const { updates } = await run([runs(printsTwice), shows(), printed, terminal('wait_for_exit')]);
  const last = updates.flatMap(shownIn).at(-1);
  assert.deepEqual([last?.output.length, last?.truncated, last?.exit], [20_001, undefined, undefined]);
  // A later turn may show it again, with all of it.
  writeFileSync(join(folder, 'go'), '');
  const later = await run([terminal('wait_for_exit', 'terminal1'), shows('terminal1', { toolCallId: 't2' })]);
  assert.deepEqual(
    later.updates.flatMap(shownIn).map(({ output }) => output.slice(-6)),
    ['\nlate\n'],
  );
  assert.deepEqual(asides, []);
});

const cancels: readonly (readonly [what: string, onCancel: readonly object[]])[] = [
  ['an agent that kills its command', [terminal('kill'), { answer: { stopReason: 'cancelled' } }]],
  ['an agent that does not', [{ answer: { stopReason: 'cancelled' } }]],
];

test(
  '[A12] a cancel tells what a running command printed, and the turn ends whether it is killed or not',
  onPosix,
  async t => {
    for (const [what, onCancel] of cancels)
      await t.test(what, async inner => {
        const { run } = await stage(inner);
        const cancel = new AbortController();
        let seen = 0;
        const steps = [
          { onCancel: onCancel as [] },
          runs('console.log("x".repeat(20_000)); setInterval(() => {}, 1000)'),
          shows(),
          { wait: 60_000 },
        ];
        const { answer, updates } = await run(steps, cancel.signal, update => {
          seen++;
          // Not from within: the update must be over.
          if (shownIn(update).some(({ output }) => output !== '')) setImmediate(() => cancel.abort());
        });
        assert.deepEqual(answer, { reason: 'cancelled', agreed: true });
        assert.equal(updates.length, seen);
        const whole = updates.flatMap(shownIn).filter(({ output }) => output.length === 20_001);
        assert.ok(whole.length > 0, 'told whole');
        assert.equal(whole.at(-1)?.exit?.signal, what.endsWith('not') ? undefined : 'SIGTERM');
      });
  },
);

test('[A12] a terminal that the agent runs itself is shown in the same way', async t => {
  const session = await (await scripted(t).start(never)).newSession(here, never);
  const { updates } = await play(session, 'terminal of its own');
  const about = { type: 'terminal', terminalId: 'own', cwd: '/there' };
  const first = { title: 'Run', tool: 'execute', status: 'in_progress', extra: { _meta: { other: 1 } } };
  const output = 'one \u001b[31mtwo\u001b[0m';
  assert.deepEqual(updates, [
    { type: 'toolCall', callId: 't1', changes: { ...first, output: [{ ...about, output: '' }] } },
    {
      type: 'toolCall',
      callId: 't1',
      changes: { status: 'completed', output: [{ ...about, output, exit: { code: 3, signal: null } }] },
    },
  ]);
});

test('[A12] what an earlier turn or a replay showed is not known to a turn', async t => {
  const agent = await scripted(t, { flags: ['--close'] }).start(never);
  const first = await agent.newSession(here, never);
  await play(first, 'terminal of its own');
  const empty = [{ type: 'terminal', terminalId: 'own', output: '' }];
  const again = JSON.stringify([shows('own', { toolCallId: 't2' })]);
  assert.deepEqual((await play(first, again)).updates.flatMap(shownIn), empty);
  await first.close();
  const { session } = await agent.loadSession(first.id, here, never);
  assert.deepEqual((await play(session, again)).updates.flatMap(shownIn), empty);
});

interface Desk {
  readonly terminals: SessionTerminals;
  readonly clock: FixedClock;
  /** As a line each: what was told by itself, and what came of updates. */
  readonly told: string[];
  /** As the agent sends it. */
  readonly update: (update: object) => void;
}

function desk(): Desk {
  const clock = new FixedClock();
  const told: string[] = [];
  const line = (update: AgentUpdate) => {
    if (update.type !== 'toolCall') return update.type;
    const shown = shownIn(update).map(
      ({ terminalId, output, exit, truncated }) =>
        `${terminalId}=${truncated ? '…' : ''}${output.length > 40 ? output.length : output}${exit ? `!${exit.code ?? exit.signal}` : ''}`,
    );
    return [update.callId, update.changes.status ?? '', update.changes.output ? shown.join('+') || 'none' : ''].join(
      ' ',
    );
  };
  const terminals = new SessionTerminals(clock, update => void told.push(`+ ${line(update)}`));
  terminals.beginTurn();
  const update = (raw: object) => {
    const news = newsOf(raw);
    assert.ok(news.type === 'update' && news.update.type === 'toolCall');
    const changes = terminals.take(news.update.callId, news.update.changes, news.terminals ?? []);
    if (changes) told.push(line({ ...news.update, changes }));
  };
  return { terminals, clock, told, update };
}

const call = (more: object = {}, toolCallId = 'c') => ({ sessionUpdate: 'tool_call_update', toolCallId, ...more });
const content = (...ids: readonly string[]) => ({ content: ids.map(terminalId => ({ type: 'terminal', terminalId })) });
const prints = (data: string, terminal_id = 'a') => ({ _meta: { terminal_output: { terminal_id, data } } });
const ends = (exit_code: number | null, terminal_id = 'a') => ({
  _meta: { terminal_exit: { terminal_id, exit_code, signal: exit_code === null ? 'SIGTERM' : null } },
});

test('[A12] a running command is told four times a second, its end at once', () => {
  const { terminals, clock, told, update } = desk();
  update(call(content('a')));
  const ours = terminals.hold('a', 'run', '/');
  for (let n = 0; n < 100; n++) {
    terminals.print(ours, `${n % 10}`);
    clock.advance(10);
  }
  assert.equal(told.length, 1 + 4);
  terminals.print(ours, 'end');
  terminals.end(ours, { code: 0, signal: null });
  assert.equal(told.at(-1), '+ c  a=103!0');
  const before = told.length;
  clock.advance(10_000);
  terminals.endTurn();
  assert.equal(told.length, before);
});

test('[A12] a call that is over is told again only when its command ends, or the turn does', () => {
  for (const end of [true, false]) {
    const { terminals, clock, told, update } = desk();
    const ours = terminals.hold('a', 'run', '/');
    update(call({ ...content('a'), status: 'completed' }));
    terminals.print(ours, 'x');
    clock.advance(10_000);
    assert.equal(told.length, 1);
    if (end) terminals.end(ours, { code: 1, signal: null });
    else terminals.endTurn();
    assert.deepEqual(told.slice(1), [end ? '+ c  a=x!1' : '+ c  a=x']);
  }
});

test('[A12] in a call that runs there are sixteen kilobytes at most, in one that is over ten megabytes', () => {
  const { terminals, clock, told, update } = desk();
  const ours = terminals.hold('a', 'run', '/');
  update(call(content('a')));
  for (let n = 0; n < 12; n++) terminals.print(ours, 'x'.repeat(1024 * 1024));
  clock.advance(250);
  terminals.end(ours, { code: 0, signal: null });
  assert.deepEqual(told, ['c  a=', `+ c  a=…${16 * 1024}`, `+ c  a=…${10 * 1024 * 1024}!0`]);
});

const told: readonly (readonly [what: string, updates: readonly object[], told: readonly string[]])[] = [
  ['output before the call names it', [call(prints('x')), call(content('a'))], ['c  a=x', 'c  a=x']],
  [
    'output before info',
    [call(content('a')), call(prints('x')), call({ _meta: { terminal_info: { terminal_id: 'a' } } })],
    ['c  a=', '+ c  a=x'],
  ],
  ['an exit without output', [call(content('a')), call({ ...ends(1), status: 'failed' })], ['c  a=', 'c failed a=!1']],
  ['a signal', [call(content('a')), call(ends(null))], ['c  a=', 'c  a=!SIGTERM']],
  ['all at once', [call({ ...content('a'), _meta: { ...prints('x')._meta, ...ends(0)._meta } })], ['c  a=x!0']],
  [
    'no content at all',
    [call(), call(prints('x')), call({ ...ends(0), status: 'completed' })],
    ['c  ', 'c  a=x', 'c completed a=x!0'],
  ],
  [
    'content that replaces it',
    [call(content('a')), call({ content: [] }), call(prints('x')), call(ends(0))],
    ['c  a=', 'c  none'],
  ],
  ['two terminals', [call(content('a', 'b')), call(prints('x', 'b')), call(ends(0, 'a'))], ['c  a=+b=', 'c  a=!0+b=x']],
  [
    'two calls with one terminal',
    [call(content('a')), call(content('a'), 'd'), call(ends(0), 'd')],
    ['c  a=', 'd  a=', '+ c  a=!0', 'd  a=!0'],
  ],
  [
    'output by its other name',
    [call(content('a')), call({ _meta: { terminal_output_delta: { terminal_id: 'a', data: 'x' } } }), call(ends(0))],
    ['c  a=', 'c  a=x!0'],
  ],
  ['output after the exit', [call(content('a')), call(ends(0)), call(prints('x'))], ['c  a=', 'c  a=!0', 'c  a=x!0']],
  [
    'news of no shape',
    [call(content('a')), call({ _meta: { terminal_output: 7, terminal_exit: {} } })],
    ['c  a=', 'c  '],
  ],
];

test('[A12] what an agent tells of its terminals comes in any order', async t => {
  for (const [what, updates, expected] of told)
    await t.test(what, () => {
      const { terminals, told: heard, update } = desk();
      for (const one of updates) update(one);
      terminals.endTurn();
      assert.deepEqual(heard, expected);
    });
});

test('[A12] a terminal of ours is not changed by what the agent says of it', () => {
  const { terminals, told: heard, update } = desk();
  const ours = terminals.hold('a', 'run', '/');
  update(call({ ...content('a'), _meta: { ...prints('x')._meta, ...ends(0)._meta } }));
  terminals.print(ours, 'true');
  terminals.endTurn();
  assert.deepEqual(heard, ['c  a=', '+ c  a=true']);
});

test('[A12] after the end of a turn nothing is told, and what is released or ended is forgotten', () => {
  const { terminals, clock, told: heard, update } = desk();
  const [held, released] = [terminals.hold('a', 'run', '/'), terminals.hold('b', 'run', '/')];
  update(call(content('a', 'b', 'own')));
  terminals.print(held, 'x');
  terminals.print(released, 'y');
  terminals.release(released);
  terminals.endTurn();
  terminals.print(held, 'z');
  terminals.end(held, { code: 0, signal: null });
  clock.advance(10_000);
  assert.deepEqual(heard, ['c  a=+b=+own=', '+ c  a=x+b=y+own=']);
  terminals.beginTurn();
  update(call(content('a', 'b', 'own'), 'd'));
  assert.equal(heard.at(-1), 'd  a=xz!0+b=+own=');
  terminals.endTurn();
  const before = heard.length;
  update(call(ends(0, 'own')));
  assert.equal(heard.length, before);
  assert.equal(clock.waiting, 0);
});

test('[A12] output in two thousand pieces is told in few updates', async t => {
  const session = await (await scripted(t).start(never)).newSession(here, never);
  const many = Array.from({ length: 2000 }, (_, n) => goesOn(prints(`${n}\n`, 'own')));
  const { updates } = await play(session, JSON.stringify([shows('own'), ...many, goesOn(ends(0, 'own'))]));
  const all = updates.flatMap(shownIn);
  assert.ok(all.length < 50, `${all.length} updates`);
  assert.deepEqual(all.at(-1)?.output, Array.from({ length: 2000 }, (_, n) => `${n}\n`).join(''));
});

test('[A12] what else stands in the content stays', () => {
  const { terminals } = desk();
  const given: readonly Json[] = [
    { type: 'content', content: { type: 'text', text: 'x' } },
    { type: 'terminal', terminalId: 'a', _meta: { y: 1 } },
    { type: 'terminal' },
    'odd',
  ];
  const news: readonly TerminalNews[] = [];
  assert.deepEqual(terminals.take('c', { output: given }, news)?.output, [
    given[0],
    { type: 'terminal', terminalId: 'a', output: '', _meta: { y: 1 } },
    ...given.slice(2),
  ]);
});
