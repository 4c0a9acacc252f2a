// The model loop: asks the model, shows what it says as it comes, does what it wants done with tools, and asks again with
// what came of that, until it ends. Promises: one answer of the model and the results of its tools are in what it is told
// next, always together; after so many steps the person is asked whether it goes on; a cancel ends it with the next piece;
// trouble is thrown as ModelTrouble, with all that came before it shown.

import type { Client } from '../client.ts';
import type { AssistantContent, ModelMessage, ModelRequest, OpenedModel, TokensUsed, ToolUse } from './model.ts';
import { troubleIn } from './trouble.ts';
import { useTool, type ToolUseDesk } from './toolUse.ts';

export interface Turn extends ToolUseDesk {
  readonly opened: OpenedModel;
  /** What is asked at each step, made from what was said in this turn so far. Throws ModelTrouble where it cannot fit. */
  readonly request: (since: readonly ModelMessage[]) => Promise<ModelRequest>;
  /** How many answers of the model before the person is asked whether it goes on. */
  readonly steps: number;
  readonly after: (milliseconds: number, run: () => void) => () => void;
  /** After each answer of the model. */
  readonly onUsed: (used: TokensUsed) => Promise<void>;
}

export type TurnEnd = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal';

/** Milliseconds before the model is asked again, where its server had trouble before it said anything. */
const patience = [500, 2000];

export async function runTurn(turn: Turn): Promise<TurnEnd> {
  const { client, steps } = turn;
  const said: ModelMessage[] = [];
  for (let step = 1; ; step++) {
    const { content, reason } = await answer(turn, await turn.request(said));
    const uses = content.filter(part => part.type === 'toolUse');
    if (content.length > 0) said.push({ role: 'assistant', content });
    if (uses.length === 0) {
      if (reason === 'length') return 'max_tokens';
      return reason === 'refused' ? 'refusal' : 'end_turn';
    }
    const results = [];
    for (const use of uses) {
      client.signal.throwIfAborted();
      results.push(await useTool(use, turn));
    }
    said.push({ role: 'tool', results });
    if (step % steps === 0 && !(await goesOn(client, turn.newId(), step))) return 'max_turn_requests';
  }
}

interface Answered {
  readonly content: readonly AssistantContent[];
  readonly reason: string;
}

/** Once more, where the server had trouble and nothing was shown yet. */
async function answer(turn: Turn, request: ModelRequest): Promise<Answered> {
  const { client, after } = turn;
  for (let tries = 0; ; tries++) {
    const begun = { any: false };
    try {
      return await stream(turn, request, begun);
    } catch (cause) {
      const wait = patience[tries];
      if (begun.any || wait === undefined || troubleIn(cause)?.code !== 'server') throw cause;
      await pause(after, wait, client.signal);
    }
  }
}

async function stream(
  { opened, client, onUsed }: Turn,
  request: ModelRequest,
  begun: { any: boolean },
): Promise<Answered> {
  const content: (Exclude<AssistantContent, ToolUse> | ToolUse)[] = [];
  let reason = 'stop';
  for await (const piece of opened.model.stream(request, client.signal)) {
    client.signal.throwIfAborted();
    begun.any = true;
    const last = content.at(-1);
    switch (piece.type) {
      case 'text':
      case 'thought': {
        if (piece.text === '') break;
        const goesOn = last?.type === piece.type && !('own' in last);
        if (goesOn) content[content.length - 1] = { ...last, text: last.text + piece.text };
        else content.push({ type: piece.type, text: piece.text });
        const sessionUpdate = piece.type === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
        await client.say({ sessionUpdate, content: { type: 'text', text: piece.text } });
        break;
      }
      case 'thoughtEnd':
        if (!piece.own) break;
        if (last?.type === 'thought' && !('own' in last)) content[content.length - 1] = { ...last, own: piece.own };
        // One that it keeps to itself has no words.
        else content.push({ type: 'thought', text: '', own: piece.own });
        break;
      case 'toolUse':
        content.push(piece);
        break;
      case 'end':
        ({ reason } = piece);
        await onUsed(piece.used);
    }
  }
  return { content, reason };
}

/** The person's to say, as every step may cost. */
async function goesOn(client: Client, toolCallId: string, steps: number): Promise<boolean> {
  const title = `Go on after ${steps} steps`;
  const call = { toolCallId, title, kind: 'other' as const };
  const isAllowed = await client.ask(call, 'Go on', 'Stop here');
  await client.say({ sessionUpdate: 'tool_call_update', toolCallId, status: isAllowed ? 'completed' : 'failed' });
  return isAllowed;
}

function pause(after: Turn['after'], milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      forget();
      reject(signal.reason as Error);
    };
    const forget = after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
