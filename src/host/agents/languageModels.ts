// The language models of VS Code, as a source of the built-in agent's loop. Promises: a model is asked only to answer what a
// person sent, so that VS Code's own question for consent comes from what they did; whatever it refuses with is said in
// words; a cancel goes on to the model. Which models there are is told by other extensions, and may take them a while.

import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
  type LanguageModelChat,
} from 'vscode';
import type {
  LanguageModel,
  ModelInfo,
  ModelMessage,
  ModelPiece,
  ModelRequest,
  ModelSource,
} from '../../agent/loop/model.ts';
import { ModelTrouble, troubleOf } from '../../agent/loop/trouble.ts';
import type { Json } from '../../model/message.ts';

const prefix = 'vscode/';
/** Milliseconds that other extensions may take to tell their models. */
const patience = 3000;

export function isOfVscode(id: string): boolean {
  return id.startsWith(prefix);
}

export const vscodeModels: ModelSource = {
  async list() {
    return (await chatModels()).map(infoOf);
  },
  async open(id) {
    if (!isOfVscode(id)) return undefined;
    const model = (await chatModels()).find(one => idOf(one) === id);
    return model && { info: infoOf(model), model: modelOf(model) };
  },
};

async function chatModels(): Promise<readonly LanguageModelChat[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly LanguageModelChat[]>(resolve => {
    timer = setTimeout(() => resolve([]), patience);
  });
  try {
    return await Promise.race([lm.selectChatModels(), late]);
  } catch {
    // Where VS Code has none of its chat, there are no models.
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function idOf({ vendor, id }: LanguageModelChat): string {
  return `${prefix}${vendor}/${id}`;
}

function infoOf(model: LanguageModelChat): ModelInfo {
  const { name, vendor, maxInputTokens } = model;
  return {
    id: idOf(model),
    name,
    description: '',
    group: `VS Code: ${vendor}`,
    contextWindow: maxInputTokens > 0 ? maxInputTokens : null,
    // It does not say so beforehand; a model that takes none says so when it is asked.
    images: true,
  };
}

function modelOf(model: LanguageModelChat): LanguageModel {
  return { stream: (request, signal) => stream(model, request, signal) };
}

async function* stream(
  model: LanguageModelChat,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPiece> {
  signal.throwIfAborted();
  const source = new CancellationTokenSource();
  const stop = () => source.cancel();
  signal.addEventListener('abort', stop, { once: true });
  const messages = messagesOf(request);
  try {
    const response = await model.sendRequest(
      messages,
      {
        justification: 'To answer what you sent in the chat of Throughline.',
        tools: request.tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })),
      },
      source.token,
    );
    let written = '';
    let uses = 0;
    for await (const part of response.stream) {
      signal.throwIfAborted();
      if (part instanceof LanguageModelTextPart) {
        written += part.value;
        yield { type: 'text', text: part.value };
      } else if (part instanceof LanguageModelToolCallPart) {
        uses++;
        yield { type: 'toolUse', id: part.callId, name: part.name, input: part.input as Json };
      }
    }
    // One that was told to stop may simply end.
    signal.throwIfAborted();
    const used = await tokensOf(model, messages, written, source);
    yield { type: 'end', reason: uses > 0 ? 'toolUse' : 'stop', used };
  } catch (cause) {
    signal.throwIfAborted();
    throw troubleFrom(cause, model.name);
  } finally {
    signal.removeEventListener('abort', stop);
    source.dispose();
  }
}

/** By the model's own count; it says nothing of what it used by itself. */
async function tokensOf(
  model: LanguageModelChat,
  messages: readonly LanguageModelChatMessage[],
  written: string,
  { token }: CancellationTokenSource,
): Promise<{ readonly input?: number; readonly output?: number }> {
  try {
    const counts = await Promise.all(messages.map(message => model.countTokens(message, token)));
    const output = written === '' ? 0 : await model.countTokens(written, token);
    return { input: counts.reduce((sum, count) => sum + count, 0), output };
  } catch {
    // It cannot count; the answer is as good without.
    return {};
  }
}

/** There is no message of the system: what is told before everything stands in the first of the person's. */
function messagesOf({ system, messages }: ModelRequest): LanguageModelChatMessage[] {
  return [LanguageModelChatMessage.User(system), ...messages.map(messageOf)];
}

function messageOf(message: ModelMessage): LanguageModelChatMessage {
  switch (message.role) {
    case 'user':
      return LanguageModelChatMessage.User(
        message.content.map(part =>
          part.type === 'text'
            ? new LanguageModelTextPart(part.text)
            : LanguageModelDataPart.image(part.data, part.mime),
        ),
      );
    case 'assistant':
      return LanguageModelChatMessage.Assistant(
        message.content.flatMap((part): (LanguageModelTextPart | LanguageModelToolCallPart)[] => {
          if (part.type === 'thought') return [];
          if (part.type === 'text') return [new LanguageModelTextPart(part.text)];
          return [new LanguageModelToolCallPart(part.id, part.name, part.input as object)];
        }),
      );
    case 'tool':
      return LanguageModelChatMessage.User(
        message.results.map(({ id, text }) => new LanguageModelToolResultPart(id, [new LanguageModelTextPart(text)])),
      );
  }
}

function troubleFrom(cause: unknown, name: string): ModelTrouble {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof LanguageModelError ? cause.code : '';
  switch (code) {
    case 'NoPermissions':
      return new ModelTrouble(
        'refused',
        `You did not allow Throughline to use ${name}. VS Code asks again when you send the next message.`,
      );
    case 'NotFound':
      return new ModelTrouble('noModel', `${name} is not there any more. Choose another model.`);
    case 'Blocked':
      return new ModelTrouble(
        'tooOften',
        `${name} may not be used now: ${message || 'its limit is reached'}. Try again in a while.`,
      );
    default:
      return troubleOf(name, { status: 0, message, kind: code, retryAfter: null });
  }
}
