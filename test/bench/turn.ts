// A turn against its targets: what a streamed piece of text costs from the agent's output to the message for the webview,
// how long a prompt takes from Send to the wire, whether a very long answer makes memory grow, and whether a turn of a long
// conversation costs more than one of a short conversation. All of it with a real process as the agent, a real history on
// the disk, the real channel to the panel, and files that are watched.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { heapNow } from './heap.ts';
import { against, alone, interleave, Samples, type Row } from './measure.ts';
import { measureReleased } from './released.ts';
import { measureLength } from './turnLength.ts';
import { agentFile, openScene } from './turnScene.ts';

type Part = (folder: string, isQuick: boolean) => Promise<readonly Row[]>;

export const parts: { readonly [name: string]: Part } = {
  chunk: measureChunk,
  send: measureSend,
  memory: measureMemory,
  length: measureLength,
  released: measureReleased,
};

export async function measureTurn(isQuick: boolean, names: readonly string[], folder: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    process.stderr.write(`measuring ${name}\n`);
    rows.push(...((await parts[name]?.(join(folder, name), isQuick)) ?? []));
  }
  return rows;
}

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
