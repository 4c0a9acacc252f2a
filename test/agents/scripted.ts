// A scripted agent: a program that speaks ACP over stdio in raw lines, without an SDK, so that it can misbehave. What it
// does in a turn is chosen by the prompt (`plays.ts`); without a choice it answers with exactly what its "model" was given
// for this session: every text of the person's that it knows, in order. It appends each of those to the file SCRIPTED_LOG
// as a JSON line, and the MCP servers that it was given; with its own answers it is in SCRIPTED_LOG.knows. Its sessions
// are in `saved.ts`, the sign-in in `signIn.ts`.
//
// What it can: --no-load --resume --fork --list --page=<n> --close --delete --gone=<code> --logout --mcp=http,sse --images --audio
// --embedded --folders --path --leak-on-close (refuses with its secret)
// How it begins: --init=hang|exit|error|nonsense|version, --slow=<ms>, --auth, --auth=stubborn|form, --deaf (to TERM and to
// the end of its input), --banner, --child (starts a process that is as deaf)
// How it loads: --replay=before|after|context|ids, --load=not-found|not-supported|minute|hang|die|later
// What can be set: --options=config,modes,models,boolean

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { command, has, log, option, Refusal, word, type Params, type Value } from './flags.ts';
import { plays, type Step } from './plays.ts';
import { known, list, read, remove, save, type Saved } from './saved.ts';
import { Settings } from './settings.ts';
import { authenticate, authMethods, login, logout, needsSignIn } from './signIn.ts';

interface Turn {
  readonly id: Value;
  readonly session: string;
  answered: boolean;
  onCancel: readonly Step[] | null;
  ignoresCancel: boolean;
  readonly cancelled: AbortController;
  said: string;
  allowed: boolean;
}

const open = new Map<string, Settings>();
const turns = new Map<string, Turn>();
const calls = new Map<number, (answer: Params) => void>();
/** The one that the client made last, by session. */
const terminals = new Map<string, string>();
let nextCall = 1;
let clientCapabilities: Value = null;

const write = (bytes: string | Buffer) =>
  new Promise<void>(resolve => {
    process.stdout.write(bytes, () => resolve());
  });
const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (session: string, what: unknown) =>
  send({ method: 'session/update', params: { sessionId: session, update: what } });
const chunk = (kind: 'user' | 'agent', text: string, more: object = {}) => ({
  sessionUpdate: `${kind}_message_chunk`,
  content: { type: 'text', text },
  ...more,
});

async function initialize(params: Params): Promise<unknown> {
  clientCapabilities = params['clientCapabilities'] ?? null;
  switch (option('init')) {
    case 'hang':
      return new Promise(() => {});
    case 'exit':
      process.stderr.write('no licence found\n');
      process.exit(7);
    case 'error':
      throw new Refusal(-32603, 'Internal error', { details: 'the config is broken' });
    case 'nonsense':
      return 'hello';
    case 'version':
      return { protocolVersion: 2, agentCapabilities: {} };
    default:
      break;
  }
  await delay(Number(option('slow') ?? 0));
  const on = (flag: string) => (has(flag) ? { [flag]: {} } : {});
  return {
    protocolVersion: 1,
    agentInfo: { name: 'scripted', version: '1' },
    agentCapabilities: {
      loadSession: !has('no-load'),
      promptCapabilities: { image: has('images'), audio: has('audio'), embeddedContext: has('embedded') },
      sessionCapabilities: {
        ...on('resume'),
        ...on('fork'),
        ...on('list'),
        ...on('close'),
        ...on('delete'),
        ...(has('folders') ? { additionalDirectories: {} } : {}),
      },
      mcpCapabilities: Object.fromEntries((option('mcp')?.split(',') ?? []).map(kind => [kind, true])),
      ...(has('logout') ? { auth: { logout: {} } } : {}),
      ...(has('path')
        ? { _meta: { throughline: { path: true, about: { words: 'Scripted.', examples: ['a', 7] } } } }
        : {}),
    },
    authMethods,
  };
}

async function replay(session: Saved): Promise<void> {
  const how = option('replay') ?? 'before';
  const ids = how === 'ids';
  let n = 0;
  if (how !== 'before')
    await update(
      session.id,
      chunk('user', '<session_context>today is a day</session_context>', ids ? { messageId: 'm0' } : {}),
    );
  for (const { role, texts } of session.messages) {
    n++;
    for (const text of texts) {
      await update(session.id, chunk(role, text, ids ? { messageId: `m${n}` } : {}));
      if (how === 'after') await delay(30);
    }
  }
  await update(session.id, {
    sessionUpdate: 'tool_call',
    toolCallId: 'old',
    title: 'Old',
    status: 'completed',
    content: [{ type: 'terminal', terminalId: 'own' }],
    _meta: { terminal_output: { terminal_id: 'own', data: 'played back' } },
  });
  if (how === 'context') await update(session.id, chunk('user', '[Request interrupted by user]'));
}

async function load(params: Params): Promise<unknown> {
  switch (option('load')) {
    case 'hang':
      return new Promise(() => {});
    case 'not-supported':
      throw new Refusal(-32601, 'Method not found');
    case 'die': {
      // In the middle of what it plays back.
      const [first] = known(params['sessionId']).messages;
      await update(word(params['sessionId']), chunk('user', first?.texts[0] ?? ''));
      process.exit(9);
    }
    case 'not-found':
      throw new Refusal(-32002, 'Resource not found');
    default:
      break;
  }
  const session = known(params['sessionId']);
  if (option('load') === 'minute' && Date.now() - session.created < 60_000)
    throw new Refusal(-32603, 'Internal error', { details: 'No previous sessions found for this project.' });
  const answer = opened(session.id, params);
  if (option('replay') !== 'after') await replay(session);
  else setTimeout(() => void replay(session), 10);
  return answer;
}

function opened(id: string, { mcpServers }: Params): object {
  if (log && Array.isArray(mcpServers) && mcpServers.length > 0)
    appendFileSync(log, `${JSON.stringify({ session: id, mcpServers })}\n`);
  const settings = new Settings(option('options')?.split(',') ?? []);
  open.set(id, settings);
  const commands = [{ name: 'init', description: 'Begin' }];
  // Real agents tell their commands right behind the answer; some are so quick that they come before it.
  void update(id, { sessionUpdate: 'available_commands_update', availableCommands: commands });
  return settings.answer();
}

function create(params: Params, from?: Saved): object {
  const id = `scripted-${randomUUID().slice(0, 8)}`;
  const also = params['additionalDirectories'] ?? null;
  save({ id, cwd: word(params['cwd']), also, created: Date.now(), messages: from?.messages ?? [] });
  return { sessionId: id, ...opened(id, params) };
}

/** What the client answers. `behind` is a notification that goes out right behind it, with the id of the call in it. */
async function call(method: string, params: object, behind?: object): Promise<Params> {
  const id = nextCall++;
  const came = new Promise<Params>(resolve => calls.set(id, resolve));
  await send({ id, method, params });
  if (behind) await send(JSON.parse(JSON.stringify(behind).replace('"$id"', String(id))) as object);
  const { result, error } = await came;
  if (log) appendFileSync(log, `${JSON.stringify({ ...params, called: method, result, error })}\n`);
  return { result, error };
}

const methods: { readonly [method: string]: (params: Params, id: Value) => unknown } = {
  initialize,
  authenticate: (params, id) => authenticate(params, id, call),
  logout,
  'session/new': params => (needsSignIn(), create(params)),
  'session/fork': params => create(params, known(params['sessionId'])),
  'session/load': load,
  'session/resume': params => opened(known(params['sessionId']).id, params),
  'session/list': list,
  'session/close'(params) {
    if (has('leak-on-close'))
      throw new Refusal(-32603, `No such key: ${process.env['SCRIPTED_SECRET']}, said in private`);
    open.delete(word(params['sessionId']));
    return {};
  },
  'session/delete': params => remove(params['sessionId']),
  'session/set_config_option': params =>
    settingsOf(params).setConfig(word(params['configId']), params['value'], params['type']),
  'session/set_mode': params => settingsOf(params).setMode(word(params['modeId'])),
  'session/set_model': params => {
    if (!option('options')?.includes('models')) throw new Refusal(-32601, 'Method not found');
    return settingsOf(params).setModel(word(params['modelId']));
  },
  'session/prompt': prompt,
};

function settingsOf(params: Params): Settings {
  const found = open.get(word(params['sessionId']));
  if (!found) throw new Refusal(-32002, 'Resource not found');
  return found;
}

/** Undefined: the play answers by itself. */
async function prompt(params: Params, id: Value): Promise<undefined> {
  needsSignIn();
  const session = known(params['sessionId']);
  settingsOf(params);
  if (turns.has(session.id)) throw new Refusal(-32600, 'A prompt is being answered');
  const blocks = params['prompt'] as readonly Params[];
  const texts = blocks.map(block => (typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block)));
  const messages = [...session.messages, { role: 'user' as const, texts }];
  save({ ...session, messages });
  const model = messages.flatMap(message => (message.role === 'user' ? message.texts : []));
  if (log) appendFileSync(log, `${JSON.stringify({ session: session.id, model, _meta: params['_meta'] })}\n`);
  // What it said itself is known to it as well.
  const knows = messages.flatMap(message => message.texts);
  if (log) appendFileSync(`${log}.knows`, `${JSON.stringify(knows)}\n`);
  const turn: Turn = {
    id,
    session: session.id,
    answered: false,
    onCancel: null,
    ignoresCancel: false,
    cancelled: new AbortController(),
    said: '',
    allowed: false,
  };
  turns.set(session.id, turn);
  const chosen = /^play: (.*)$/m.exec(texts.at(-1) ?? '')?.[1];
  const steps: readonly Step[] = !chosen
    ? [{ say: model.join('\n---\n') }]
    : chosen.startsWith('[')
      ? (JSON.parse(chosen) as readonly Step[])
      : (plays[chosen] ?? [{ error: { code: -32602, message: `There is no play “${chosen}”` } }]);
  await play(steps, turn);
  if (!turn.answered && !turn.cancelled.signal.aborted) await answer(turn, { result: { stopReason: 'end_turn' } });
  return undefined;
}

async function answer(turn: Turn, what: object): Promise<void> {
  turn.answered = true;
  turns.delete(turn.session);
  const session = read(turn.session);
  if (session && turn.said)
    save({ ...session, messages: [...session.messages, { role: 'agent', texts: [turn.said] }] });
  await send({ id: turn.id, ...what });
}

async function cancel(session: string): Promise<void> {
  const turn = turns.get(session);
  if (!turn || turn.ignoresCancel) return;
  turn.cancelled.abort();
  if (!turn.onCancel) return answer(turn, { result: { stopReason: 'cancelled' } });
  await play(turn.onCancel, { ...turn, cancelled: new AbortController() });
}

async function play(steps: readonly Step[], turn: Turn): Promise<void> {
  for (const step of steps) {
    if (turn.cancelled.signal.aborted) return;
    await perform(step, turn);
  }
}

async function perform(written: Step, turn: Turn): Promise<void> {
  const { session } = turn;
  const step = named(written, session);
  if ('say' in step) {
    turn.said += step.say;
    await update(session, chunk('agent', step.say));
  } else if ('think' in step)
    await update(session, { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: step.think } });
  else if ('update' in step) await update(session, step.update);
  else if ('send' in step)
    await send(
      JSON.parse(JSON.stringify(step.send).replace('"id":"prompt"', `"id":${JSON.stringify(turn.id)}`)) as object,
    );
  else if ('together' in step) {
    const lines = step.together.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await write(lines.join('').replaceAll('"id":"prompt"', `"id":${JSON.stringify(turn.id)}`));
  } else if ('raw' in step) await write(step.raw);
  else if ('longLine' in step) {
    await write('{"jsonrpc":"2.0","method":"_long","params":{"text":"');
    for (let n = 0; n < step.longLine; n++) await write(Buffer.alloc(1024 * 1024, 'x'));
    await write('"}}\n');
  } else if ('stderr' in step) await new Promise(resolve => process.stderr.write(step.stderr, resolve));
  else if ('wait' in step) await delay(step.wait, undefined, { signal: turn.cancelled.signal }).catch(() => {});
  else if ('untilFile' in step) {
    while (!existsSync(step.untilFile) && !turn.cancelled.signal.aborted) await delay(20);
  } else if ('flood' in step) {
    for (let n = 0; n < step.flood; n += 500) {
      const many = Array.from({ length: Math.min(500, step.flood - n) }, (_, at) =>
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'session/update',
          params: { sessionId: session, update: chunk('agent', `${n + at} `) },
        }),
      );
      await write(`${many.join('\n')}\n`);
    }
  } else if ('ask' in step) await perform({ call: { method: 'session/request_permission', params: step.ask } }, turn);
  else if ('ifAllowed' in step) await play(turn.allowed ? step.ifAllowed : [], turn);
  else if ('call' in step) {
    const { method, params, behind } = step.call;
    const { result, error } = await call(
      method,
      'requestId' in params ? params : { sessionId: session, ...params },
      behind,
    );
    if (method === 'session/request_permission') turn.allowed = isAllowed(params, result);
    const { terminalId } = (result ?? {}) as Params;
    if (typeof terminalId === 'string') terminals.set(session, terminalId);
    // Who was stopped says nothing more.
    if (!turn.cancelled.signal.aborted) await perform({ say: JSON.stringify(result ?? error) }, turn);
  } else if ('meanwhile' in step) void play(step.meanwhile, turn);
  else if ('sayClient' in step) await perform({ say: JSON.stringify(clientCapabilities) }, turn);
  else if ('untilCancel' in step)
    await new Promise(resolve => turn.cancelled.signal.addEventListener('abort', resolve));
  else if ('ignoreCancel' in step) turn.ignoresCancel = true;
  else if ('onCancel' in step) turn.onCancel = step.onCancel;
  else if ('answer' in step) await answer(turn, { result: step.answer });
  else if ('error' in step) await answer(turn, { error: step.error });
  else if ('closeOutput' in step) process.stdout.end();
  else process.exit(step.exit);
}

function named(step: Step, session: string): Step {
  const terminal = terminals.get(session);
  if (terminal === undefined || !('update' in step || 'call' in step)) return step;
  return JSON.parse(JSON.stringify(step).replaceAll('$terminal', terminal)) as Step;
}

/** By the kind of the choice that came back. */
function isAllowed(params: object, result: Value | undefined): boolean {
  const { options } = params as { readonly options?: readonly Params[] };
  const { outcome } = (result ?? {}) as { readonly outcome?: Params };
  const chosen = Array.isArray(options) && options.find(({ optionId }) => optionId === outcome?.['optionId']);
  return chosen && typeof chosen.kind === 'string' ? chosen.kind.startsWith('allow') : false;
}

async function take(line: string): Promise<void> {
  const { id, method, params = {}, result, error } = JSON.parse(line) as Params;
  if (typeof method !== 'string') {
    const waiting = calls.get(Number(id));
    // To a request that was written by hand.
    if (!waiting && log) appendFileSync(log, `${JSON.stringify({ called: id, result, error })}\n`);
    waiting?.({ result, error });
    return;
  }
  if (method === 'session/cancel') return cancel(word((params as Params)['sessionId']));
  if (id === undefined) return;
  try {
    const handler = methods[method];
    if (!handler) throw new Refusal(-32601, 'Method not found', { method });
    const answered = await handler(params as Params, id);
    if (answered !== undefined) await send({ id, result: answered });
  } catch (cause) {
    const { code, message, data } = cause instanceof Refusal ? cause : new Refusal(-32603, String(cause));
    await send({ id, error: { code, message, data } });
  }
}

if (command === 'login') login();
if (has('banner')) await write('Welcome to the scripted agent!\n');
if (has('child')) {
  const forever = `process.on('SIGTERM',()=>{});setInterval(()=>{},1000)`;
  spawn(process.execPath, ['-e', forever], { stdio: 'ignore' });
}
if (has('deaf')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
process.stdout.on('error', () => {});
const lines = createInterface({ input: process.stdin });
lines.on('line', line => void take(line));
lines.on('close', () => has('deaf') || process.exit(0));
