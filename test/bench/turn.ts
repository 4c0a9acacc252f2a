// A turn against its targets: what a streamed piece of text costs from the agent's output to the message for the webview,
// how long a prompt takes from Send to the wire, and whether a very long answer makes memory grow. All of it with a real
// process as the agent, a real history on the disk, the real channel to the panel, and files that are watched.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { noRules } from '../../src/core/conversation/allowRules.ts';
import { judgeIn } from '../unit/support/judge.ts';
import { Conversation } from '../../src/core/conversation/conversation.ts';
import { ChatChannel } from '../../src/host/chat/chatChannel.ts';
import { openChild } from '../../src/node/acp/childProcess.ts';
import { environmentFor, ownScript } from '../../src/node/acp/commandLine.ts';
import { acpProgram } from '../../src/node/acp/program.ts';
import type { Transport } from '../../src/node/acp/transport.ts';
import { systemClock } from '../../src/node/clock.ts';
import { fileWatch } from '../../src/node/files/changes/fileWatch.ts';
import { randomIds } from '../../src/node/ids.ts';
import { heldWebview, quietPorts } from '../unit/support/quietPanel.ts';
import { openHost } from './engine.ts';
import { against, alone, interleave, Samples, type Row } from './measure.ts';

type Part = (folder: string, isQuick: boolean) => Promise<readonly Row[]>;

export const parts: { readonly [name: string]: Part } = {
  chunk: measureChunk,
  send: measureSend,
  memory: measureMemory,
};

export async function measureTurn(isQuick: boolean, names: readonly string[], folder: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    process.stderr.write(`measuring ${name}\n`);
    rows.push(...((await parts[name]?.(join(folder, name), isQuick)) ?? []));
  }
  return rows;
}

const agentFile = fileURLToPath(new URL('./chunkAgent.ts', import.meta.url));
const rate = 2000;
const pieceLength = 20;

async function measureChunk(folder: string, isQuick: boolean): Promise<readonly Row[]> {
  const count = isQuick ? 2000 : 6000;
  const samples = new Samples();
  const scene = await openScene(folder);
  const sdk = await openSdk();
  await scene.say(`chunks ${count} ${rate}`);
  await sdk.say(`chunks ${count} ${rate}`);
  const cost = async (name: string, run: () => Promise<void>) => {
    const before = process.threadCpuUsage();
    await run();
    const { user, system } = process.threadCpuUsage(before);
    samples.add(name, (user + system) / count);
  };
  await interleave(isQuick ? 3 : 10, [
    () => cost('ours', () => scene.say(`chunks ${count} ${rate}`)),
    () => cost('sdk', () => sdk.say(`chunks ${count} ${rate}`)),
  ]);
  sdk.close();
  await scene.close();
  const note = `${count} pieces a round at ${rate}/s, processor time of the host's thread`;
  return [against('turn/chunk µs', samples.median('ours'), 'the SDK alone', samples.median('sdk'), 1.5, note)];
}

async function measureSend(folder: string, isQuick: boolean): Promise<readonly Row[]> {
  const samples = new Samples();
  const scene = await openScene(folder);
  const { history, ids } = scene;
  await scene.say('hello');
  const other = ids.session();
  const agent = { id: 'chunks', name: 'Chunks' };
  await history.append(other, [{ type: 'session', session: other, created: 0, agent }]);
  let parent: string | null = null;
  const commit = async () => {
    const id = ids.message();
    const blocks = [{ kind: 'text', mime: 'text/markdown', text: 'hello' }] as const;
    const message = { id, parent, role: 'user', created: 0, blocks } as const;
    parent = id;
    const before = performance.now();
    await history.append(other, [{ type: 'message', session: other, message }]);
    samples.add('commit', performance.now() - before);
  };
  await interleave(isQuick ? 40 : 200, [
    commit,
    async () => {
      const before = performance.now();
      const sent = scene.conversation.send('hello');
      samples.add('send', (await scene.nextPrompt()) - before);
      await sent;
      await scene.over();
    },
  ]);
  await scene.close();
  const [send, committed] = [samples.median('send'), samples.median('commit')];
  return [
    alone(
      'turn/send to wire ms',
      send,
      1.5 * committed + 5,
      `1.5 × a durable commit of ${committed.toFixed(2)} ms, and 5 ms`,
    ),
    against(
      'turn/send to wire, p95 ms',
      samples.quantile('send', 0.95),
      'commit p95',
      samples.quantile('commit', 0.95),
    ),
  ];
}

async function measureMemory(folder: string, isQuick: boolean): Promise<readonly Row[]> {
  const count = isQuick ? 20_000 : 100_000;
  const scene = await openScene(folder);
  await scene.say('chunks 5000 0');
  const marks: number[] = [];
  const at = [count / 10, count];
  scene.onText(received => {
    const next = at[marks.length];
    if (next !== undefined && received >= next * pieceLength) marks.push(heapNow());
  });
  await scene.say(`chunks ${count} 0`);
  const [early = 0, late = 0] = marks;
  await scene.close();
  const text = (count * 0.9 * pieceLength) / 2 ** 20;
  const megabytes = (bytes: number) => bytes / 2 ** 20;
  return [
    alone('turn/memory, growth MB', megabytes(late - early), null, `of it ${text.toFixed(1)} MB are the text itself`),
    against('turn/memory, heap MB', megabytes(late), `after ${count / 10} pieces`, megabytes(early), 1.2),
  ];
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapNow(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What the extension is made of, without an editor around it. */
async function openScene(folder: string) {
  const work = join(folder, 'work');
  mkdirSync(work, { recursive: true });
  for (let n = 0; n < 500; n++) writeFileSync(join(work, `file${n}.ts`), `export const n = ${n};\n`.repeat(40));
  const history = await openHost(join(folder, 'history'));
  const ids = randomIds();
  let onPrompt: (at: number) => void = () => {};
  const program = acpProgram({
    ref: { id: 'chunks', name: 'Chunks' },
    open: () =>
      openChild(
        ownScript(process.execPath, agentFile, [], environmentFor(process.env, {}), work),
        systemClock,
        () => {},
      ).then(transport => onTheWire(transport, at => onPrompt(at))),
    clock: systemClock,
    clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
    homeFolder: work,
    newPermissionId: ids.message,
    onWarning: words => process.stderr.write(`${words}\n`),
  });
  const files = fileWatch({
    folders: () => [work],
    store: join(folder, 'kept'),
    own: [],
    clock: systemClock,
    editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
    onWarning: words => process.stderr.write(`${words}\n`),
  });
  const place = () => ({ cwd: work, alsoIn: [] });
  const ports = { history, clock: systemClock, ids, place, rules: noRules, judgePaths: judgeIn(), files };
  const conversation = new Conversation(ports, program, { id: ids.session() });
  let onText: (received: number) => void = () => {};
  const { webview } = heldWebview(({ event }) => {
    if (event.type === 'textAppended') onText(event.offset + event.text.length);
  });
  const failure = (_what: string, cause: unknown) => void process.stderr.write(`${String(cause)}\n`);
  const channel = new ChatChannel(webview, quietPorts(conversation, history, { failure }));
  await channel.show(conversation);
  await conversation.prepare();
  const over = () =>
    new Promise<void>(resolve => {
      if (!conversation.transcript.turn) return resolve();
      const stop = conversation.onDidChange(event => {
        if (event.type !== 'turnChanged' || event.turn) return;
        stop();
        resolve();
      });
    });
  return {
    history,
    ids,
    conversation,
    over,
    onText: (listener: (received: number) => void) => (onText = listener),
    nextPrompt: () => new Promise<number>(resolve => (onPrompt = resolve)),
    async say(text: string) {
      const sent = await conversation.send(text);
      if (!sent.sent) throw new Error(sent.words);
      await over();
    },
    async close() {
      channel.dispose();
      await conversation.leave();
      await program.stop();
      await history.close();
    },
  };
}

/** Tells when a prompt was given to the agent's input. */
function onTheWire(transport: Transport, onPrompt: (at: number) => void): Transport {
  const { readable, writable } = transport.stream;
  const tap = new TransformStream<never, never>({
    transform(message: { readonly method?: string }, controller) {
      if (message.method === 'session/prompt') onPrompt(performance.now());
      controller.enqueue(message as never);
    },
  });
  void tap.readable.pipeTo(writable as WritableStream<never>).catch(() => {});
  return { ...transport, stream: { readable, writable: tap.writable } };
}

/** The same agent behind the SDK, and nothing else. */
async function openSdk() {
  const child = spawn(process.execPath, [agentFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  let received = 0;
  const output = Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>;
  const connection = client({ name: 'bench' })
    .onNotification(methods.client.session.update, ({ params }) => {
      const { update } = params;
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        received += update.content.text.length;
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), output));
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
  return {
    async say(text: string) {
      received = 0;
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
      if (received === 0) throw new Error('the SDK gave nothing');
    },
    close() {
      connection.close();
      child.kill();
    },
  };
}
