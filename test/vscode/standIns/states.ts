// Conversations as a panel may be shown them, for pictures of states that need an agent to be in a certain mood. They
// are posted to the page as if the host had said so.

import type { Held } from '../../../src/model/agentState.ts';
import type { FileChange } from '../../../src/model/changes.ts';
import type { Block, Message, TerminalOutput } from '../../../src/model/message.ts';
import type { Transcript } from '../../../src/model/transcript.ts';
import { address, form, methods } from './asks.ts';
import { base, change, command, created, hook, message, mime, question, run, tool, tooLong } from './conversation.ts';

const blob = (size: number) => ({ sha256: 'x', size });

const answered = message('a', 'u', 'assistant', [
  { kind: 'image', mime: 'image/png', name: 'before.png', data: blob(48_230) },
  { kind: 'resource', mime: 'text/x-go', uri: 'file:///w/internal/orders/processor.go', text: 'package orders\n' },
  { kind: 'audio', mime: 'audio/wav', data: blob(3_400_000) },
  { kind: 'text', mime, text: 'This is what it looked like before.' },
]);

const here = '/home/nadia/work/warehouse';

function changed(path: string, lines: readonly [number, number] | null, more: Partial<FileChange> = {}): FileChange {
  const content = { sha256: path, size: 900 };
  const file = { kind: 'file', is: content, content } as const;
  return {
    path: `${here}/${path}`,
    before: file,
    after: file,
    seen: 'written',
    ...(lines && { lines: { added: lines[0], removed: lines[1] } }),
    ...more,
  };
}

const files: readonly FileChange[] = [
  changed('internal/orders/processor.go', [14, 3]),
  changed('internal/orders/processor_with_cancelled_context_integration_test.go', [112, 0], {
    before: { kind: 'absent' },
  }),
  changed('go.sum', null, { before: { kind: 'unknown' }, seen: 'disk' }),
  changed('internal/orders/wait_group.go', [0, 41], { after: { kind: 'absent' } }),
];

const said = 'The goroutines in `ProcessOrder` now end with the request, and a test proves it.';

function withChanges(changes: readonly FileChange[], isOver = true): readonly Message[] {
  const blocks: readonly Block[] = [
    { ...tool('c2', 'edit', 'internal/orders/processor.go'), permission: { choice: 'x', allowed: true, byRule: true } },
    { kind: 'text', mime, text: said },
    { kind: 'changes', mime: 'application/json', files: changes },
  ];
  const answer = message('a', 'u', 'assistant', blocks);
  return [question, isOver ? { ...answer, end: { reason: 'end_turn', at: created + 41_000 } } : answer];
}

const over: Transcript = { ...base, messages: withChanges(files), turn: null };

const printed = [
  '\u001b[1m\u001b[36m  ▲ \u001b[39m\u001b[22m\u001b[1mvitest\u001b[22m \u001b[2mv3.2.4\u001b[22m \u001b[90m/home/nadia/work/warehouse\u001b[39m',
  '',
  ...Array.from(
    { length: 14 },
    (_, at) =>
      ` \u001b[32m✓\u001b[39m orders/part${at}.test.ts \u001b[2m(${at + 2} tests)\u001b[22m \u001b[33m${at * 7}ms\u001b[39m`,
  ),
  ' \u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m orders/processor.test.ts \u001b[2m>\u001b[22m \u001b[4mends with the request\u001b[24m',
  '\u001b[31m\u001b[1mAssertionError\u001b[22m: expected \u001b[7m 3 \u001b[27m to be \u001b[38;5;208m0\u001b[39m // \u001b[38;2;120;160;255mtrue colour\u001b[0m',
  'downloading 10%\rdownloading 60%\rdownloading 100%',
  '',
].join('\n');

function terminal(more: Partial<TerminalOutput>): TerminalOutput {
  return {
    type: 'terminal',
    terminalId: 't',
    command: 'npx vitest run internal/orders',
    cwd: here,
    output: printed,
    ...more,
  };
}

function running(...terminals: readonly TerminalOutput[]): Transcript {
  const blocks: readonly Block[] = [
    { kind: 'text', mime, text: 'I run the tests of that folder.' },
    ...terminals.map((one, at) => ({
      ...tool(`t${at}`, 'execute', one.command ?? ''),
      status: one.exit
        ? one.exit.code === 0
          ? ('completed' as const)
          : ('failed' as const)
        : ('in_progress' as const),
      output: [{ ...one }],
    })),
  ];
  return { ...base, messages: [question, message('a', 'u', 'assistant', blocks)] };
}

function signIn(trying: string | null, words: string | null): Transcript {
  const held: Held = { kind: 'signIn', methods, trying, words };
  const reaching = { message: null, cancelling: false };
  return { ...over, messages: withChanges([]), turn: reaching, continuity: { kind: 'checking', asked: true }, held };
}

const summary: Message = {
  ...message('s', 'a', 'summary', [
    {
      kind: 'text',
      mime,
      text: 'The **goroutines** of `ProcessOrder` were given a context.\n\n- processor.go is changed\n- a test is there',
    },
  ]),
  end: { reason: 'end_turn', at: created + 60_000 },
};

export const states: { readonly [name: string]: Transcript } = {
  permission: { ...base, permissions: [command] },
  permissions: { ...base, permissions: [command, change] },
  permissionHook: { ...base, permissions: [hook] },
  permissionRun: { ...base, permissions: [run] },
  permissionLong: { ...base, permissions: [tooLong] },
  queue: {
    ...base,
    queue: [
      { id: 'q1', text: 'Then run the whole suite with the race detector, and tell me what it says about the cache.' },
      { id: 'q2', text: 'Update the changelog' },
    ],
  },
  reaching: {
    ...base,
    messages: [question, { ...answered, end: { reason: 'end_turn', at: created + 41_000 } }],
    turn: { message: null, cancelling: false },
    continuity: { kind: 'checking', asked: true },
  },
  held: {
    ...base,
    messages: [question, { ...answered, end: { reason: 'end_turn', at: created + 41_000 } }],
    turn: { message: null, cancelling: false },
    continuity: { kind: 'remembers' },
    held: { kind: 'less', found: { kind: 'reseeded', messages: 18, of: 24, tokens: 9100 } },
  },
  changes: {
    ...over,
    decided: [{ message: 'a', path: `${here}/internal/orders/wait_group.go`, decision: 'undone' }],
  },
  changesRunning: { ...over, messages: withChanges(files.slice(0, 2), false), turn: base.turn },
  changesKept: { ...over, decided: files.map(({ path }) => ({ message: 'a', path, decision: 'kept' })) },
  changesUndone: { ...over, decided: files.map(({ path }) => ({ message: 'a', path, decision: 'undone' })) },
  changesMany: {
    ...over,
    messages: withChanges(Array.from({ length: 37 }, (_, at) => changed(`cmd/part${at}/main.go`, [at * 31, at]))),
  },
  signIn: signIn(null, null),
  signInTrying: signIn('plan', null),
  signInFailed: signIn(null, 'The browser window was closed before the sign-in was complete.'),
  question: { ...base, elicitations: [form] },
  questionAddress: { ...base, elicitations: [address] },
  rule: { ...base, permissions: [{ ...command, rule: 'run go test' }] },
  terminal: running(terminal({ output: printed.slice(0, 420), exit: { code: 0, signal: null } }), terminal({})),
  terminalFailed: running(terminal({ exit: { code: 1, signal: null }, truncated: true })),
  options: {
    ...over,
    options: [
      ...base.options,
      { id: 'effort', name: 'Effort', description: '', category: 'thought', value: 'high' },
      { id: 'web', name: 'Web search', description: '', category: 'other', value: true },
    ],
    continuity: { kind: 'reseeded', messages: 18, of: 24, tokens: 9100, why: 'its own session is gone' },
  },
  summary: {
    ...over,
    messages: [
      ...withChanges([]),
      summary,
      { ...message('u2', 's', 'user', [{ kind: 'text', mime, text: 'Go on.' }]) },
    ],
  },
};
