// What a model is to the loop: it is given a conversation and the tools that there are, and answers in pieces. Every kind of
// model (an endpoint of the AI SDK, one of VS Code, the scout) comes through this. Promises of whoever implements one: the
// last piece is `end`, and there is none after it; what goes wrong is a ModelTrouble; it stops when the signal says so.

import type { Json, Message } from '../../model/message.ts';

export interface LanguageModel {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPiece>;
}

export interface ModelRequest {
  readonly system: string;
  /** Begins with a user's, and every tool use is followed by its result. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** The person's words that are answered, and all before them as history has it, for a model that takes it so. */
  readonly asked: string;
  readonly path: readonly Message[];
  /** How long it may think, where the person said so and it can be told. */
  readonly thinking?: ThinkingLevel;
}

export type ThinkingLevel = 'off' | 'low' | 'medium' | 'high';

/** As a person chooses them. */
export const thinkingNames: { readonly [level in ThinkingLevel]: string } = {
  off: 'Off',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};

export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly UserContent[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantContent[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

export type UserContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mime: string; readonly data: Uint8Array };

export type AssistantContent =
  | { readonly type: 'text'; readonly text: string }
  /** `own` is what the model wants back with it, as it came. */
  | { readonly type: 'thought'; readonly text: string; readonly own?: unknown }
  | ToolUse;

export interface ToolUse {
  readonly type: 'toolUse';
  /** The model's own, unique in its answer only. */
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly own?: unknown;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
  /** The same as data, for a model that takes it. */
  readonly data?: unknown;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: { readonly [key: string]: Json };
}

export type ModelPiece =
  | { readonly type: 'text' | 'thought'; readonly text: string }
  /** The thought that was told is whole. */
  | { readonly type: 'thoughtEnd'; readonly own: unknown }
  | ToolUse
  | { readonly type: 'end'; readonly reason: ModelEnd; readonly used: TokensUsed };

export type ModelEnd = 'stop' | 'toolUse' | 'length' | 'refused';

/** As far as the model tells. */
export interface TokensUsed {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly thought?: number;
}

export interface ModelInfo {
  /** Unique among all models of this window. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Of whom it is, where there are many. */
  readonly group: string;
  /** In tokens; null for one that has none. */
  readonly contextWindow: number | null;
  readonly images: boolean;
  /** What it can be told of how long it may think; none where it cannot. */
  readonly thinking?: readonly ThinkingLevel[];
  /** For a million tokens, where it is known. */
  readonly price?: { readonly input: number; readonly output: number; readonly currency: string };
}

/** Where models come from. */
export interface ModelSource {
  /**
   * Those that can be chosen, in the order in which they are to be shown; what cannot be reached is left out. The person may
   * have to agree before a server is asked: they are asked where `mayAsk`, because they just sent something.
   */
  list(signal: AbortSignal, mayAsk?: boolean): Promise<readonly ModelInfo[]>;
  /** Undefined where there is no such model here. Throws ModelTrouble. */
  open(id: string, signal: AbortSignal): Promise<OpenedModel | undefined>;
  /** Why some were left out when they were listed last, in sentences; empty where none was. */
  why?(): string;
}

export interface OpenedModel {
  readonly info: ModelInfo;
  readonly model: LanguageModel;
}

/** The same models, of which none is told more at once than so many tokens. */
export function withLimit(source: ModelSource, limit: () => number | null): ModelSource {
  const limited = (info: ModelInfo): ModelInfo => {
    const most = limit();
    const { contextWindow: window } = info;
    return most === null || window === null ? info : { ...info, contextWindow: Math.min(window, most) };
  };
  return {
    list: async (signal, mayAsk) => (await source.list(signal, mayAsk)).map(limited),
    async open(id, signal) {
      const opened = await source.open(id, signal);
      return opened && { ...opened, info: limited(opened.info) };
    },
    why: () => source.why?.() ?? '',
  };
}

/** As one source, in their order. */
export function allModels(sources: readonly ModelSource[]): ModelSource {
  return {
    async list(signal, mayAsk) {
      return (await Promise.all(sources.map(source => source.list(signal, mayAsk)))).flat();
    },
    async open(id, signal) {
      for (const source of sources) {
        const opened = await source.open(id, signal);
        if (opened) return opened;
      }
      return undefined;
    },
    why: () => sources.flatMap(source => source.why?.() || []).join(' '),
  };
}
