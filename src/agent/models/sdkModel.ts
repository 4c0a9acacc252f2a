// A model at an endpoint, through the AI SDK: OpenAI's chat completions, which most servers speak, or Anthropic's messages.
// Promises: one request for one answer, without a retry of its own; keys are in the request and in nothing else, errors
// included. A bundle of its own, loaded when the first such model is asked.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  jsonSchema,
  streamText,
  type AssistantContent,
  type LanguageModel as SdkModel,
  type ModelMessage as SdkMessage,
} from 'ai';
import type { Json } from '../../model/message.ts';
import type { LanguageModel, ModelEnd, ModelMessage, ModelPiece, ModelRequest, OfferedTool } from '../loop/model.ts';
import { broken } from '../loop/trouble.ts';
import { sdkTrouble } from './sdkTrouble.ts';

// Its remarks on models that it does not know are for nobody: it would write them to the console.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export interface Endpoint {
  readonly speaks: 'openai' | 'anthropic';
  /** Without a slash at the end. */
  readonly url: string;
  /** Empty for a server that wants none. */
  readonly key: string;
  readonly headers: { readonly [name: string]: string };
  readonly fetch: typeof globalThis.fetch;
}

/** `who` is what a person calls it. */
export function sdkModel(endpoint: Endpoint, model: string, who: string): LanguageModel {
  return { stream: (request, signal) => stream(endpoint, sdkModelOf(endpoint, model), who, request, signal) };
}

async function* stream(
  endpoint: Endpoint,
  model: SdkModel,
  who: string,
  { system, messages, tools, thinking }: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPiece> {
  // What came with the parts of a thought: the model wants it back with the thought.
  const own = new Map<string, Own>();
  try {
    const { fullStream } = streamText({
      model,
      system,
      messages: messages.map(sdkMessageOf),
      tools: Object.fromEntries(tools.map(tool => [tool.name, sdkToolOf(tool)])),
      maxRetries: 0,
      ...(thinking ? { reasoning: thinking === 'off' ? 'none' : thinking } : {}),
      // What was told before is not paid for whole again; other servers are not told of it.
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      abortSignal: signal,
      // It would write it to the console otherwise; it comes as a part, too.
      onError() {},
    });
    for await (const part of fullStream) {
      switch (part.type) {
        case 'text-delta':
          yield { type: 'text', text: part.text };
          break;
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          own.set(part.id, joined(own.get(part.id), part.providerMetadata));
          if (part.type === 'reasoning-delta') yield { type: 'thought', text: part.text };
          if (part.type === 'reasoning-end') yield { type: 'thoughtEnd', own: own.get(part.id) };
          break;
        case 'tool-call': {
          const { toolCallId: id, toolName: name, input, providerMetadata } = part;
          yield {
            type: 'toolUse',
            id,
            name,
            input: input as Json,
            ...(providerMetadata ? { own: providerMetadata } : {}),
          };
          break;
        }
        case 'finish-step': {
          const { finishReason, usage } = part;
          const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
          yield {
            type: 'end',
            reason: endOf(finishReason),
            used: {
              ...known('input', inputTokens),
              ...known('output', outputTokens),
              ...known('cached', inputTokenDetails.cacheReadTokens),
              ...known('thought', outputTokenDetails.reasoningTokens),
            },
          };
          return;
        }
        case 'error':
          throw part.error;
        case 'abort':
          signal.throwIfAborted();
          break;
        default:
      }
    }
    signal.throwIfAborted();
    throw broken(who);
  } catch (cause) {
    signal.throwIfAborted();
    throw sdkTrouble(cause, who, endpoint, thinking);
  }
}

type Own = Readonly<Record<string, object>> | undefined;

function joined(before: Own, more: Own): Own {
  const names = Object.keys({ ...before, ...more });
  return names.length === 0
    ? undefined
    : Object.fromEntries(names.map(name => [name, { ...before?.[name], ...more?.[name] }]));
}

function sdkModelOf({ speaks, url, key, headers, fetch }: Endpoint, model: string): SdkModel {
  if (speaks === 'anthropic') {
    // Without a key it would look for one in the environment, which is not the person's word.
    const own = key === '' ? { authToken: 'none' } : { apiKey: key };
    return createAnthropic({ baseURL: url, ...own, headers: { ...headers }, fetch })(model);
  }
  const own = key === '' ? {} : { apiKey: key };
  return createOpenAICompatible({
    name: 'endpoint',
    baseURL: url,
    ...own,
    headers: { ...headers },
    includeUsage: true,
    fetch,
  })(model);
}

function sdkToolOf({ description, input }: OfferedTool) {
  return { description, inputSchema: jsonSchema(input as Parameters<typeof jsonSchema>[0]) };
}

function sdkMessageOf(message: ModelMessage): SdkMessage {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.content.map(part =>
          part.type === 'text'
            ? { type: 'text', text: part.text }
            : { type: 'file', mediaType: part.mime, data: part.data },
        ),
      };
    case 'assistant':
      return { role: 'assistant', content: message.content.map(sdkPartOf) };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, text, failed }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: failed ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>;

function sdkPartOf(part: AssistantMessage['content'][number]): Exclude<AssistantContent, string>[number] {
  const back = 'own' in part && part.own ? { providerOptions: part.own as Record<string, Record<string, never>> } : {};
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'thought':
      return { type: 'reasoning', text: part.text, ...back };
    case 'toolUse':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input, ...back };
  }
}

/** A reason that nobody knows is an end like any. */
function endOf(reason: string): ModelEnd {
  switch (reason) {
    case 'tool-calls':
      return 'toolUse';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refused';
    default:
      return 'stop';
  }
}

function known<Name extends string>(name: Name, count: number | undefined): { readonly [key in Name]?: number } {
  return count === undefined ? {} : ({ [name]: count } as { readonly [key in Name]: number });
}
