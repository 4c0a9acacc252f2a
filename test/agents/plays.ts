// What the scripted agent can do in one turn, as lists of steps. A prompt chooses one by a line `play: <name>`, or brings
// its own steps as `play: [<json>]`. Every misbehaviour that was seen in real agents has a name here.

export type Step =
  | { readonly say: string }
  | { readonly think: string }
  /** One `session/update`, whatever is in it. */
  | { readonly update: unknown }
  /** A whole message of any shape. */
  | { readonly send: object }
  /** Messages in one chunk. In them `"id":"prompt"` is the id of the prompt. */
  | { readonly together: readonly object[] }
  /** Bytes as they are, a line or not. */
  | { readonly raw: string }
  /** A line of so many mebibytes that is good JSON. */
  | { readonly longLine: number }
  | { readonly stderr: string }
  | { readonly wait: number }
  /** Goes on once there is this file: the test says when. */
  | { readonly untilFile: string }
  | { readonly flood: number }
  /** Asks for permission, and says what came back. */
  | { readonly ask: object }
  /** Where the last question was answered with a choice that allows. */
  | { readonly ifAllowed: readonly Step[] }
  /** Asks the client for anything, and says what came back. `$terminal` in it is the terminal that was made last. */
  | { readonly call: Call }
  /** Does this and goes on. */
  | { readonly meanwhile: readonly Step[] }
  /** Says what the client told that it can. */
  | { readonly sayClient: true }
  | { readonly untilCancel: true }
  | { readonly ignoreCancel: true }
  /** What to do on a cancel in place of ending the turn as cancelled. */
  | { readonly onCancel: readonly Step[] }
  | { readonly answer: object }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly closeOutput: true }
  | { readonly exit: number };

interface Call {
  readonly method: string;
  readonly params: object;
  /** A notification right behind it; a text `$id` in it is the id of the call. */
  readonly behind?: object;
}

const text = (words: string) => ({ type: 'text', text: words });
export const permissionOptions = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'ever', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'odd', name: 'Allow on Tuesdays', kind: 'allow_on_tuesdays' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const elicit = (params: object, behind?: object): Step => ({
  call: { method: 'elicitation/create', params, ...(behind ? { behind } : {}) },
});
const url = (address: string) => ({ mode: 'url', message: 'Look there', elicitationId: 'e1', url: address });
const form = {
  mode: 'form',
  message: '\u001b[1mHow\u001b[0m shall it be built?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      extras: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'lid', title: 'A lid' },
            { const: 'leg', title: 'A leg' },
          ],
        },
      },
      sure: { type: 'boolean' },
      secret: { type: 'hologram' },
    },
    required: ['name', 'sure'],
  },
};
const ask = (toolCall: object) => ({ ask: { toolCall, options: permissionOptions } });

const call = (method: string, params: object): Step => ({ call: { method, params } });

/** Everything that belongs to a running turn, for this file. `more` may name another session. */
export const acts = (path: string, more: object = {}): readonly Step[] => [
  call('fs/write_text_file', { path, content: 'written', ...more }),
  call('terminal/create', {
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(path)}, 'ran')`],
    ...more,
  }),
  call('session/request_permission', {
    toolCall: { toolCallId: 'acts', title: 'Write', kind: 'edit' },
    options: permissionOptions,
    ...more,
  }),
  call('elicitation/create', { ...form, ...more }),
];

/** A script that the client is to run. */
export const runs = (script: string, more: object = {}) => ({
  call: { method: 'terminal/create', params: { command: process.execPath, args: ['-e', script], ...more } },
});
export const terminal = (method: string, terminalId = '$terminal') => ({
  call: { method: `terminal/${method}`, params: { terminalId } },
});
/** A tool call with a terminal, ours or its own. */
export const shows = (terminalId = '$terminal', more: object = {}) => ({
  update: {
    sessionUpdate: 'tool_call',
    toolCallId: 't1',
    title: 'Run',
    kind: 'execute',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId }],
    ...more,
  },
});
export const goesOn = (more: object) => ({
  update: { sessionUpdate: 'tool_call_update', toolCallId: 't1', ...more },
});
const prints = (data: string) => goesOn({ _meta: { terminal_output: { terminal_id: 'own', data } } });

/** What it was given as a secret, and repeats where it must not. */
const secret = process.env['SCRIPTED_SECRET'] ?? '';

export const plays: { readonly [name: string]: readonly Step[] } = {
  hello: [{ say: 'Hello, ' }, { say: 'world.' }],
  everything: [
    { think: 'hm' },
    { say: 'one' },
    { update: { sessionUpdate: 'agent_message_chunk', content: text('two'), messageId: 'm2' } },
    {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      },
    },
    {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      },
    },
    {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# A' } },
      },
    },
    {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'AAE=' } },
      },
    },
    {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'resource_link', uri: 'file:///b.ts', name: 'b.ts', mimeType: 'text/x-typescript' },
      },
    },
    { update: { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Read a.ts', kind: 'read', status: 'pending' } },
    {
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c1',
        status: 'completed',
        content: [{ type: 'content', content: text('A') }],
      },
    },
    {
      update: {
        sessionUpdate: 'plan',
        entries: [
          { content: 'look', priority: 'high', status: 'completed' },
          { content: 'leap', priority: 'whatever', status: 'later' },
        ],
      },
    },
    { update: { sessionUpdate: 'user_message_chunk', content: text('an echo') } },
    {
      update: {
        sessionUpdate: 'available_commands_update',
        availableCommands: [
          { name: 'init', description: 'Begin', input: { hint: 'where' } },
          { name: 'compact', description: 'Shorten' },
          { description: 'no name' },
        ],
      },
    },
    { update: { sessionUpdate: 'current_mode_update', currentModeId: 'plan' } },
    { update: { sessionUpdate: 'session_info_update', title: 'A title', updatedAt: null } },
    { update: { sessionUpdate: 'session_info_update', title: null } },
    { update: { sessionUpdate: 'notice', severity: 'warning', title: 'Careful', description: 'It is wet.' } },
    { update: { sessionUpdate: 'compaction_update', compactionId: 'k1', status: 'in_progress' } },
    { update: { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k1', content: text('We ') } },
    { update: { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k1', content: text('talked.') } },
    { update: { sessionUpdate: 'compaction_update', compactionId: 'k1', status: 'completed' } },
    { update: { sessionUpdate: 'hologram', light: [1, { deep: null }], _meta: { x: 1 } } },
    { update: 'not even an object' },
    {
      update: { sessionUpdate: 'usage_update', used: 1200, size: 200_000, cost: { amount: 0.25, currency: 'USD' } },
    },
    {
      answer: {
        stopReason: 'end_turn',
        usage: { totalTokens: 12, inputTokens: 7, outputTokens: 5, thoughtTokens: null },
      },
    },
  ],
  'late words': [
    { say: 'before ' },
    { answer: { stopReason: 'end_turn' } },
    { say: 'after' },
    { update: { sessionUpdate: 'tool_call', toolCallId: 'late', title: 'Late', status: 'completed' } },
  ],
  'much too late': [{ say: 'in time' }, { answer: { stopReason: 'end_turn' } }, { wait: 250 }, { say: 'too late' }],
  permission: [
    { update: { sessionUpdate: 'tool_call', toolCallId: 'p1', title: 'Edit a.ts', kind: 'edit', rawInput: { a: 1 } } },
    ask({ toolCallId: 'p1', status: 'pending' }),
  ],
  'permission without a call': [
    ask({ toolCallId: 'p2', title: 'Write b.ts', kind: 'edit', locations: [{ path: '/b.ts' }] }),
  ],
  'permission without choices': [{ ask: { toolCall: { toolCallId: 'p3', title: 'Odd' }, options: 'none' } }],
  'permission after the answer': [{ answer: { stopReason: 'end_turn' } }, ask({ toolCallId: 'p4', title: 'Late' })],
  'write after the answer': [
    { answer: { stopReason: 'end_turn' } },
    call('fs/write_text_file', { path: '/late.txt', content: 'late' }),
  ],
  'terminal after the answer': [{ answer: { stopReason: 'end_turn' } }, call('terminal/create', { command: 'true' })],
  'write in a session that is not open': [
    call('fs/write_text_file', { sessionId: 'none', path: '/late.txt', content: 'late' }),
  ],
  'late call': [
    { update: { sessionUpdate: 'tool_call', toolCallId: 'l1', title: 'Long', status: 'in_progress' } },
    { answer: { stopReason: 'end_turn' } },
  ],
  'late end of the call before': [
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'l1', status: 'completed' } },
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'orphan', title: 'Orphan', status: 'completed' } },
  ],
  noise: [
    { raw: 'Loading plugins...\n\n{"broken": \n[1,2]\n"text"\n7\n{}\n{"jsonrpc":"2.0"}\n' },
    { raw: '{"jsonrpc":"2.0","id":null,"result":null}\n{"jsonrpc":"2.0","method":"_x/unheard_of","params":{}}\n' },
    { raw: '{"jsonrpc":"2.0","method":"session/update"}\n{"jsonrpc":"2.0","method":"session/update","params":{}}\n' },
    { say: 'still here' },
  ],
  'long line': [{ longLine: 40 }, { say: 'still here' }],
  'broken pieces': [{ raw: '{"jsonrpc":"2.0","meth' }, { wait: 20 }, { raw: 'od":"_x"}\r\n' }, { say: 'whole' }],
  crash: [{ say: 'half' }, { stderr: '\u001b[31mpanic:\u001b[0m out of cheese\nsecond line\n' }, { exit: 3 }],
  'leak and crash': [{ say: 'half' }, { stderr: `The token is ${secret}.\n` }, { exit: 3 }],
  'leak in colours': [{ say: 'half' }, { stderr: `${secret.slice(0, 9)}\u001b[31m${secret.slice(9)}\n` }, { exit: 3 }],
  'leak in halves': [
    { say: 'half' },
    { stderr: secret.slice(0, 9) },
    { wait: 50 },
    { stderr: `${secret.slice(9)}\n` },
    { exit: 3 },
  ],
  'leak in an error': [
    { error: { code: -32603, message: 'Internal error', data: { details: `Not a key: "Bearer ${secret}"` } } },
  ],
  'leak in a long error': [{ error: { code: -32603, message: `${'x'.repeat(1990)}${secret}` } }],
  'leak in a URL': [{ error: { code: -32603, message: `GET /?key=${encodeURIComponent(secret)} failed` } }],
  'leak in an answer': [{ answer: { stopReason: `no such reason ${secret}` } }],
  'leak and go on': [
    { raw: `not a message: ${secret}\n` },
    { stderr: `The token is ${secret}.\n` },
    { say: 'still here' },
  ],
  'last answer': [{ say: 'all' }, { answer: { stopReason: 'end_turn' } }, { exit: 0 }],
  'close output': [{ say: 'half' }, { closeOutput: true }, { untilCancel: true }],
  hang: [{ say: 'half' }, { untilCancel: true }],
  'ignore cancel': [{ ignoreCancel: true }, { say: 'half' }, { wait: 60_000 }],
  'late cancel': [
    { say: 'half' },
    { onCancel: [{ wait: 300 }, { say: ' more' }, { answer: { stopReason: 'cancelled' } }] },
    { wait: 60_000 },
  ],
  'finish in spite': [
    { onCancel: [{ say: 'done' }, { answer: { stopReason: 'end_turn' } }] },
    { say: 'half' },
    { wait: 60_000 },
  ],
  'error on cancel': [
    {
      onCancel: [
        { error: { code: -32603, message: 'Internal error', data: { details: 'The operation was aborted' } } },
      ],
    },
    { say: 'half' },
    { wait: 60_000 },
  ],
  'other error on cancel': [
    { onCancel: [{ error: { code: -32603, message: 'disk on fire' } }] },
    { say: 'half' },
    { wait: 60_000 },
  ],
  'nonsense stop': [{ answer: { stopReason: 'bored' } }],
  'no stop': [{ answer: {} }],
  refusal: [{ answer: { stopReason: 'refusal' } }],
  'cancelled by itself': [{ answer: { stopReason: 'cancelled' } }],
  'internal error': [{ error: { code: -32603, message: 'Internal error', data: { details: 'model is down' } } }],
  'sign in': [{ error: { code: -32000, message: 'Authentication required' } }],
  'sign in in the middle': [{ say: 'half' }, { error: { code: -32000, message: 'Your session has expired' } }],
  form: [elicit(form)],
  'form without fields': [elicit({ mode: 'form', message: 'Go on?', requestedSchema: { type: 'object' } })],
  'form taken back': [elicit(form, { method: '$/cancel_request', params: { requestId: '$id' } }), { say: ' on' }],
  'form for nobody': [elicit({ ...form, requestId: 'none' })],
  'form of a stranger': [elicit({ ...form, sessionId: 'none' })],
  'form after the answer': [{ answer: { stopReason: 'end_turn' } }, elicit(form)],
  address: [elicit(url('https://example.com/device?code=1'))],
  'address that is done': [
    elicit(url('https://example.com/device'), { method: 'elicitation/complete', params: { elicitationId: 'e1' } }),
  ],
  'question of a new mode': [elicit({ mode: 'hologram', message: 'Look' })],
  'client capabilities': [{ sayClient: true }],
  terminal: [
    runs('console.log("out"); console.error("err")', { cwd: null, outputByteLimit: null }),
    shows(),
    terminal('wait_for_exit'),
    terminal('output'),
    terminal('release'),
    goesOn({ status: 'completed' }),
  ],
  'terminal of its own': [
    shows('own', { _meta: { terminal_info: { terminal_id: 'own', cwd: '/there' }, other: 1 } }),
    prints('one '),
    prints('\u001b[31mtwo\u001b[0m'),
    goesOn({ status: 'completed', _meta: { terminal_exit: { terminal_id: 'own', exit_code: 3, signal: null } } }),
  ],
  'lost session': [{ error: { code: -32002, message: 'Resource not found', data: { sessionId: 's' } } }],
  'no such method': [{ error: { code: -32601, message: 'Method not found' } }],
  'odd error': [{ send: { id: 'prompt', error: { message: 7 } } }],
  flood: [{ flood: 100_000 }],
  cost: [{ update: { sessionUpdate: 'usage_update', used: 5, size: 10, cost: { amount: 0.5, currency: 'USD' } } }],
  'more cost': [
    { update: { sessionUpdate: 'usage_update', used: 6, size: 10, cost: { amount: 0.75, currency: 'USD' } } },
  ],
};
