// The extension around one conversation, for the benches of a turn: a real process as the agent, a real history on the
// disk, the real channel to the panel, and files that are watched.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noRules } from '../unit/support/noRules.ts';
import { Conversation } from '../../src/core/conversation/conversation.ts';
import type { ConversationStart } from '../../src/core/conversation/terms.ts';
import type { History } from '../../src/core/history/history.ts';
import { ChatChannel } from '../../src/host/chat/chatChannel.ts';
import type { SessionId } from '../../src/model/message.ts';
import { openChild } from '../../src/node/acp/childProcess.ts';
import { environmentFor } from '../../src/node/acp/commandLine.ts';
import { ownScript } from '../unit/support/ownScript.ts';
import { acpProgram } from '../../src/node/acp/program.ts';
import type { Transport } from '../../src/node/acp/transport.ts';
import { systemClock } from '../../src/node/clock.ts';
import { fileWatch } from '../../src/node/files/changes/fileWatch.ts';
import { randomIds } from '../../src/node/ids.ts';
import { judgeIn } from '../unit/support/judge.ts';
import { heldWebview, quietPorts } from '../unit/support/quietPanel.ts';
import { openHost } from './engine.ts';
import type { Turn } from './workload.ts';

export const agentFile = fileURLToPath(new URL('./chunkAgent.ts', import.meta.url));

/**
 * What the extension is made of, without an editor around it. With turns, the conversation is the session of these turns,
 * and follows history as in the extension.
 */
export async function openScene(folder: string, turns: readonly Turn[] = []) {
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
  const conversation = new Conversation(ports, program, await startOf(history, turns, ids.session()));
  const following = new Set<Promise<boolean>>();
  if (turns.length > 0) {
    history.onDidAppend(change => {
      const followed = conversation.follow(change).finally(() => following.delete(followed));
      following.add(followed);
    });
  }
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
    /** All that was told of the appends so far is followed. */
    async followed() {
      await history.alive();
      await Promise.all(following);
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

async function startOf(history: History, turns: readonly Turn[], id: SessionId): Promise<ConversationStart> {
  for (const { session, facts } of turns) await history.append(session, facts);
  const stored = turns[0] && (await history.open(turns[0].session));
  return stored ? { stored } : { id };
}
