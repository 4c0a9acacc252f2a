// A scripted agent: a program that speaks ACP over stdio in raw lines, without an SDK, so that it can misbehave. What it
// does in a turn is chosen by the prompt (`plays.ts`); without a choice it answers with exactly what its "model" was given
// for this session: every text of the person's that it knows, in order. It appends each of those to the file SCRIPTED_LOG
// as a JSON line. Its sessions are files in the folder SCRIPTED_HOME, so that they outlive it, and SIGKILL.
//
// What it can: --no-load --resume --fork --list --close --delete --images --audio --embedded --folders --path
// How it begins: --init=hang|exit|error|nonsense|version, --slow=<ms>, --auth, --auth=stubborn, --deaf (to TERM and to
// the end of its input), --banner, --child (starts a process that is as deaf)
// How it loads: --replay=before|after|context|ids, --load=not-found|not-supported|minute|hang|later
// What can be set: --options=config,modes,models,boolean

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { plays, type Step } from './plays.ts';
import { Settings } from './settings.ts';

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value | undefined };
type Params = { readonly [key: string]: Value | undefined };

interface Saved {
  readonly id: string;
  readonly cwd: string;
  readonly created: number;
  readonly messages: readonly { readonly role: 'user' | 'agent'; readonly texts: readonly string[] }[];
}

interface Turn {
  readonly id: Value;
  readonly session: string;
  answered: boolean;
  onCancel: readonly Step[] | null;
  ignoresCancel: boolean;
  readonly cancelled: AbortController;
  said: string;
}

class Refusal extends Error {
  readonly code: number;
  readonly data: Value | undefined;

  constructor(code: number, message: string, data?: Value) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const flags = process.argv.slice(2);
const has = (flag: string) => flags.includes(`--${flag}`);
const word = (value: Value | undefined) => (typeof value === 'string' ? value : '');
const option = (name: string) => flags.find(flag => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
const home = process.env['SCRIPTED_HOME'];
const log = process.env['SCRIPTED_LOG'];

const memory = new Map<string, Saved>();
const open = new Map<string, Settings>();
const turns = new Map<string, Turn>();
const calls = new Map<number, (answer: Params) => void>();
let nextCall = 1;
let signedIn = !has('auth') && option('auth') === undefined;

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

function file(id: string): string {
  return join(home ?? '', `${id}.json`);
}

function read(id: string): Saved | undefined {
  if (!home) return memory.get(id);
  return existsSync(file(id)) ? (JSON.parse(readFileSync(file(id), 'utf8')) as Saved) : undefined;
}

function save(session: Saved): void {
  if (!home) return void memory.set(session.id, session);
  mkdirSync(home, { recursive: true });
  writeFileSync(file(session.id), JSON.stringify(session));
}

function known(id: Value | undefined): Saved {
  const found = typeof id === 'string' ? read(id) : undefined;
  if (!found) throw new Refusal(-32002, 'Resource not found', { sessionId: id });
  return found;
}

function needsSignIn(): void {
  if (!signedIn) throw new Refusal(-32000, 'Authentication required');
}

async function initialize(): Promise<unknown> {
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
      ...(has('path')
        ? { _meta: { throughline: { path: true, about: { words: 'Scripted.', examples: ['a', 7] } } } }
        : {}),
    },
    authMethods: [
      { id: 'key', name: 'API key', description: 'Ask for a key' },
      { id: 'shell', name: 'Shell', type: 'terminal', args: ['login'] },
      { id: 'old', name: 'Old', _meta: { 'terminal-auth': { command: 'x' } } },
      { name: 'no id' },
    ],
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
  await update(session.id, { sessionUpdate: 'tool_call', toolCallId: 'old', title: 'Old', status: 'completed' });
  if (how === 'context') await update(session.id, chunk('user', '[Request interrupted by user]'));
}

async function load(params: Params): Promise<unknown> {
  switch (option('load')) {
    case 'hang':
      return new Promise(() => {});
    case 'not-supported':
      throw new Refusal(-32601, 'Method not found');
    case 'not-found':
      throw new Refusal(-32002, 'Resource not found');
    default:
      break;
  }
  const session = known(params['sessionId']);
  if (option('load') === 'minute' && Date.now() - session.created < 60_000)
    throw new Refusal(-32603, 'Internal error', { details: 'No previous sessions found for this project.' });
  const answer = opened(session.id);
  if (option('replay') !== 'after') await replay(session);
  else setTimeout(() => void replay(session), 10);
  return answer;
}

function opened(id: string): object {
  const settings = new Settings(option('options')?.split(',') ?? []);
  open.set(id, settings);
  const commands = [{ name: 'init', description: 'Begin' }];
  // Real agents tell their commands right behind the answer; some are so quick that they come before it.
  void update(id, { sessionUpdate: 'available_commands_update', availableCommands: commands });
  return settings.answer();
}

function create(cwd: Value | undefined, from?: Saved): object {
  const id = `scripted-${randomUUID().slice(0, 8)}`;
  save({ id, cwd: word(cwd), created: Date.now(), messages: from?.messages ?? [] });
  return { sessionId: id, ...opened(id) };
}

const methods: { readonly [method: string]: (params: Params, id: Value) => unknown } = {
  initialize,
  authenticate: () => {
    signedIn = option('auth') !== 'stubborn';
    return {};
  },
  'session/new': params => (needsSignIn(), create(params['cwd'])),
  'session/fork': params => create(params['cwd'], known(params['sessionId'])),
  'session/load': load,
  'session/resume': params => opened(known(params['sessionId']).id),
  'session/list': () => ({
    sessions: (home ? readdirSync(home) : [...memory.keys()].map(id => `${id}.json`)).map(name => {
      const { id, cwd } = known(name.slice(0, -5));
      return { sessionId: id, cwd };
    }),
  }),
  'session/close': params => (open.delete(word(params['sessionId'])), {}),
  'session/delete': params => {
    if (home) rmSync(file(word(params['sessionId'])), { force: true });
    memory.delete(word(params['sessionId']));
    return {};
  },
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
  const turn: Turn = {
    id,
    session: session.id,
    answered: false,
    onCancel: null,
    ignoresCancel: false,
    cancelled: new AbortController(),
    said: '',
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

async function perform(step: Step, turn: Turn): Promise<void> {
  const { session } = turn;
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
  else if ('raw' in step) await write(step.raw);
  else if ('longLine' in step) {
    await write('{"jsonrpc":"2.0","method":"_long","params":{"text":"');
    for (let n = 0; n < step.longLine; n++) await write(Buffer.alloc(1024 * 1024, 'x'));
    await write('"}}\n');
  } else if ('stderr' in step) await new Promise(resolve => process.stderr.write(step.stderr, resolve));
  else if ('wait' in step) await delay(step.wait, undefined, { signal: turn.cancelled.signal }).catch(() => {});
  else if ('flood' in step) {
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
  } else if ('ask' in step)
    await perform(
      { call: { method: 'session/request_permission', params: { sessionId: session, ...step.ask } } },
      turn,
    );
  else if ('call' in step) {
    const id = nextCall++;
    const came = new Promise<Params>(resolve => calls.set(id, resolve));
    await send({ id, method: step.call.method, params: step.call.params });
    const { result, error } = await came;
    if (log) appendFileSync(log, `${JSON.stringify({ session, called: step.call.method, result, error })}\n`);
    await perform({ say: JSON.stringify(result ?? error) }, turn);
  } else if ('untilCancel' in step)
    await new Promise(resolve => turn.cancelled.signal.addEventListener('abort', resolve));
  else if ('ignoreCancel' in step) turn.ignoresCancel = true;
  else if ('onCancel' in step) turn.onCancel = step.onCancel;
  else if ('answer' in step) await answer(turn, { result: step.answer });
  else if ('error' in step) await answer(turn, { error: step.error });
  else if ('closeOutput' in step) process.stdout.end();
  else process.exit(step.exit);
}

async function take(line: string): Promise<void> {
  const { id, method, params = {}, result, error } = JSON.parse(line) as Params;
  if (typeof method !== 'string') {
    calls.get(Number(id))?.({ result, error });
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
