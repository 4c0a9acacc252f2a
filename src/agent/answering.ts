// One prompt to the built-in agent, from what the client sends to what it is answered: opens the model, gathers what it is
// told, runs the loop, counts what was used. Promises: what a person attached is told as it is, or it is said that it
// could not be; what had to be left out of the conversation is said; the prompt of the system goes back for audit.

import type { AgentContext, ContentBlock, PromptRequest, PromptResponse } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import {
  fitted,
  leastSummary,
  notYetSummarised,
  reserveFor,
  roomFor,
  roomForSummary,
  type FittingWay,
} from '../core/conversation/fitting.ts';
import { tokensOf } from '../core/conversation/tokens.ts';
import type { AgentRef, Message } from '../model/message.ts';
import { clientFor, type Client } from './client.ts';
import { compacted } from './loop/compaction.ts';
import { told } from './loop/fit.ts';
import type {
  ModelInfo,
  ModelRequest,
  ModelSource,
  OpenedModel,
  ThinkingLevel,
  TokensUsed,
  UserContent,
} from './loop/model.ts';
import type { FetchBlob } from './loop/pathMessages.ts';
import { guidanceFor, systemPrompt } from './loop/systemPrompt.ts';
import { ModelTrouble, troubleIn } from './loop/trouble.ts';
import { runTurn } from './loop/turn.ts';
import { absolute, type Place } from './tools/place.ts';
import type { Tool } from './tools/tool.ts';

export interface AnsweringPorts {
  readonly agent: AgentRef;
  readonly models: ModelSource;
  /** Of the workspace, absolute; empty where none is open, whatever a session was opened with. */
  readonly folders: () => readonly string[];
  /** A restricted workspace is only read. */
  readonly mayChange: () => boolean;
  /** Those that this model is offered; asked anew for each prompt. */
  readonly tools: (model: ModelInfo) => readonly Tool[];
  readonly blob: FetchBlob;
  readonly newId: () => string;
  readonly after: (milliseconds: number, run: () => void) => () => void;
  /** Answers of the model before the person is asked whether it goes on. */
  readonly steps: () => number;
  /** What is done with a conversation that does not fit: its middle is left out, or it is summarised. */
  readonly whenLong: () => 'leaveOut' | 'summarise';
  /** How many of the newest messages stay as they are in any case. */
  readonly newestKept: () => number;
}

/** Of a session, as far as it is known. */
export interface Spent {
  cost: { amount: number; currency: string } | null;
  /** Tokens, by the model's own count. */
  context: number;
  /** The system prompt that was told last. */
  system: string;
}

export interface Prompted {
  readonly params: PromptRequest;
  readonly client: AgentContext;
  readonly folders: readonly string[];
  readonly model: string | null;
  readonly thinking: ThinkingLevel | null;
  readonly spent: Spent;
  readonly signal: AbortSignal;
}

export async function answerPrompt(prompted: Prompted, ports: AnsweringPorts): Promise<PromptResponse> {
  const { params, signal } = prompted;
  const opened = await open(prompted.model, ports.models, signal);
  const client = clientFor(prompted.client, params.sessionId, signal);
  const place: Place = { folders: ports.folders().length === 0 ? [] : prompted.folders };
  const tools = ports
    .tools(opened.info)
    .filter(({ changes, anywhere }) => (anywhere || place.folders.length > 0) && (!changes || ports.mayChange()));
  const prompt = promptOf(params.prompt, opened.info);
  if (prompt.words !== null) await client.say({ sessionUpdate: 'notice', severity: 'warning', title: prompt.words });
  const sums = { input: 0, output: 0, cached: 0, thought: 0 };
  const onUsed = async (used: TokensUsed) => {
    for (const key of ['input', 'output', 'cached', 'thought'] as const) sums[key] += used[key] ?? 0;
    await tellUse(prompted, opened.info, used);
  };
  const path = pathOf(params._meta);
  const kept = { agent: ports.agent.id, newest: ports.newestKept() };
  const way = { ...kept, summary: await summaryOf(path, kept, { opened, client, onUsed }, ports) };
  const { thinking } = prompted;
  const request = requests(
    {
      opened,
      client,
      place,
      tools,
      path,
      way,
      prompt: prompt.content,
      asked: askedIn(params.prompt),
      // What another model was set to is not for one that cannot be told.
      thinking: thinking !== null && opened.info.thinking?.includes(thinking) ? { thinking } : {},
    },
    ports,
  );
  const stopReason = await runTurn({
    opened,
    client,
    place,
    tools,
    request: since => request.next(since),
    newId: ports.newId,
    after: ports.after,
    steps: ports.steps(),
    onUsed,
  });
  const usage = {
    totalTokens: sums.input + sums.output,
    inputTokens: sums.input,
    outputTokens: sums.output,
    ...(sums.cached > 0 ? { cachedReadTokens: sums.cached } : {}),
    ...(sums.thought > 0 ? { thoughtTokens: sums.thought } : {}),
  };
  return {
    stopReason,
    ...(usage.totalTokens > 0 ? { usage } : {}),
    ...auditOf(prompted.spent, request.system()),
  } as PromptResponse;
}

/** Where it is another than the last. */
function auditOf(spent: Spent, systemPrompt: string): Pick<PromptResponse, '_meta'> {
  if (systemPrompt === spent.system) return {};
  spent.system = systemPrompt;
  return { _meta: { throughline: { systemPrompt } } };
}

async function open(model: string | null, models: ModelSource, signal: AbortSignal): Promise<OpenedModel> {
  const connect = 'Connect one with “Throughline: Connect a Model…”';
  if (model === null) {
    const why = models.why?.() ?? '';
    const what = why === '' ? 'No model can be reached.' : `No model can be reached. ${why}`;
    throw new ModelTrouble('noModel', `${what} ${connect}, or choose another agent.`);
  }
  const opened = await models.open(model, signal);
  if (!opened)
    throw new ModelTrouble('noModel', `The model “${model}” is not there any more. ${connect}, or choose another.`);
  return opened;
}

interface Summarising {
  readonly opened: OpenedModel;
  readonly client: Client;
  readonly onUsed: (used: TokensUsed) => Promise<void>;
}

/** Of all of the path, written now, where it does not fit, a person wants that, and there is room for one; null otherwise. */
async function summaryOf(
  path: readonly Message[],
  way: FittingWay,
  { opened, client, onUsed }: Summarising,
  ports: AnsweringPorts,
): Promise<string | null> {
  const { contextWindow: window } = opened.info;
  if (window === null || ports.whenLong() !== 'summarise') return null;
  if (fitted(path, roomFor(window), way).left === 0) return null;
  const most = Math.floor(Math.min(window * 0.15, roomForSummary(path, roomFor(window), way)));
  if (most < leastSummary) return null;
  const { before, messages } = notYetSummarised(path, way);
  try {
    const compacting = { opened, window, most, client, blob: ports.blob, id: ports.newId(), onUsed };
    return await compacted(before, messages, compacting);
  } catch (cause) {
    client.signal.throwIfAborted();
    const why = troubleIn(cause)?.message ?? 'The model wrote none.';
    const told = {
      sessionUpdate: 'notice',
      severity: 'warning',
      title: `No summary could be written. ${why}`,
    } as const;
    await client.say(told);
    return null;
  }
}

interface Asking {
  readonly opened: OpenedModel;
  readonly client: Client;
  readonly place: Place;
  readonly tools: readonly Tool[];
  readonly path: readonly Message[];
  readonly way: FittingWay;
  readonly prompt: readonly UserContent[];
  readonly asked: string;
  readonly thinking: Pick<ModelRequest, 'thinking'>;
}

/** Each request of one turn. */
function requests(asking: Asking, { blob }: AnsweringPorts) {
  const { opened, client, place, path, way, prompt, asked, thinking } = asking;
  const { contextWindow: window, name: who } = opened.info;
  const tools = asking.tools.map(({ name, description, input }) => ({ name, description, input }));
  const guidanceRoom =
    window === null ? 8000 : Math.max(200, reserveFor(window) - tokensOf(JSON.stringify(tools)) - 600);
  let system = '';
  return {
    system: () => system,
    async next(since: ModelRequest['messages']): Promise<ModelRequest> {
      // The scout needs none.
      const guidance =
        window === null ? [] : await guidanceFor(place, touchedIn(path, since, place), file => client.readFile(file));
      system = systemPrompt(place, guidance, guidanceRoom, tools.length > 0);
      const { messages } = await told({ path, prompt, tools, window, way, blob, who }, system, since);
      return { system, messages, tools, asked, path, ...thinking };
    },
  };
}

/** The files that the newest messages are about, and those of this turn. */
function touchedIn(path: readonly Message[], since: ModelRequest['messages'], place: Place): readonly string[] {
  const before = path
    .slice(-6)
    .flatMap(({ blocks }) => blocks.flatMap(block => (block.kind === 'toolCall' ? block.locations : [])))
    .map(one => one.path);
  const uses = since.flatMap(message => (message.role === 'assistant' ? message.content : []));
  const now = uses.flatMap(use => {
    const file = use.type === 'toolUse' ? (use.input as { readonly path?: unknown } | null)?.path : undefined;
    return typeof file === 'string' ? [absolute(file, place)] : [];
  });
  return [...before, ...now].slice(-20);
}

async function tellUse({ params, client, spent }: Prompted, info: ModelInfo, used: TokensUsed): Promise<void> {
  const { input = 0, output = 0 } = used;
  if (info.contextWindow === null || input + output === 0) return;
  spent.context = input + output;
  if (info.price) {
    const { price } = info;
    const amount = (input * price.input + output * price.output) / 1_000_000;
    const before = spent.cost?.currency === price.currency ? spent.cost.amount : 0;
    spent.cost = { amount: before + amount, currency: price.currency };
  }
  await client.notify(methods.client.session.update, {
    sessionId: params.sessionId,
    update: {
      sessionUpdate: 'usage_update',
      used: spent.context,
      size: info.contextWindow,
      ...(spent.cost ? { cost: spent.cost } : {}),
    },
  });
}

function promptOf(
  blocks: readonly ContentBlock[],
  { images, name }: ModelInfo,
): { readonly content: readonly UserContent[]; readonly words: string | null } {
  let left = 0;
  const content = blocks.flatMap((block): readonly UserContent[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text }];
      case 'image':
        if (images) return [{ type: 'image', mime: block.mimeType, data: bytesOf(block.data) }];
        left++;
        return [{ type: 'text', text: '[A picture that this model cannot see]' }];
      case 'resource':
        return 'text' in block.resource
          ? [{ type: 'text', text: `${block.resource.uri}:\n\n${block.resource.text}` }]
          : [{ type: 'text', text: `[See ${block.resource.uri}]` }];
      case 'resource_link':
        return [{ type: 'text', text: `[See ${block.uri}]` }];
      default:
        return [];
    }
  });
  const words = left === 0 ? null : `${name} takes no pictures, so it was not given ${left === 1 ? 'yours' : 'them'}.`;
  return { content, words };
}

/** The person's own words; what they attached comes after. */
function askedIn(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
}

function pathOf(meta: unknown): readonly Message[] {
  const path = (meta as { throughline?: { path?: unknown } } | undefined)?.throughline?.path;
  return Array.isArray(path) ? (path as readonly Message[]) : [];
}
