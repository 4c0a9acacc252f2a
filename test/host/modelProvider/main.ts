// An extension that gives VS Code two language models and a tool. `echo` says what it was told; `script` follows the orders
// of a prompt, as the model servers of the tests do. What each was told is kept and handed out, so that a test can look.

import * as vscode from 'vscode';
import { hasOrder, replyTo, type Heard } from '../../agents/models/script.ts';

/** What another extension of the same host has of this one. */
export interface ModelProvider {
  readonly requests: readonly ToldRequest[];
}

export interface ToldRequest {
  /** With tools: not a title, nor a summary. */
  readonly isMain: boolean;
  /** The text of the message whose order was followed. */
  readonly order: string;
  readonly messages: string;
}

type Message = vscode.LanguageModelChatRequestMessage;
type Tell = vscode.Progress<vscode.LanguageModelResponsePart>;

const capabilities = { toolCalling: true, imageInput: true };
const about = { version: '1', maxOutputTokens: 1000, capabilities };
const models = [
  { ...about, id: 'script', name: 'Script', family: 'script', maxInputTokens: 50_000_000 },
  { ...about, id: 'echo', name: 'Echo', family: 'echo', maxInputTokens: 9000 },
];

const requests: ToldRequest[] = [];

/** With what is no text. */
function wholeOf({ content }: Message): string {
  return content
    .map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : JSON.stringify(part)))
    .join('');
}

function textOf({ content }: Message): string {
  return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

function untilCancelled(token: vscode.CancellationToken): Promise<void> {
  return new Promise(resolve => {
    if (token.isCancellationRequested) resolve();
    token.onCancellationRequested(() => resolve());
  });
}

async function echo(
  messages: readonly Message[],
  tools: readonly vscode.LanguageModelChatTool[],
  progress: Tell,
  token: vscode.CancellationToken,
): Promise<void> {
  const texts = messages.map(wholeOf);
  const last = texts.at(-1);
  if (last === 'blocked') throw vscode.LanguageModelError.Blocked('the limit of today');
  if (last === 'breaks') throw new Error('Out of memory');
  if (last === 'use a tool') {
    progress.report(new vscode.LanguageModelToolCallPart('call1', tools[0]?.name ?? '', { path: 'a.txt' }));
    return;
  }
  progress.report(new vscode.LanguageModelTextPart('You said: '));
  if (last === 'hang') return untilCancelled(token);
  progress.report(new vscode.LanguageModelTextPart(texts.join(' | ')));
}

function heardIn(messages: readonly Message[], tools: readonly vscode.LanguageModelChatTool[]): Heard {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  const at = messages.findLastIndex(message => message.role === User && hasOrder(textOf(message)));
  const message = messages[at];
  return {
    order: message ? textOf(message) : '',
    answered: messages.slice(at + 1).filter(({ role }) => role === Assistant).length,
    tools: tools.map(({ name, inputSchema }) => {
      const { required = [] } = (inputSchema ?? {}) as { readonly required?: readonly string[] };
      return { name, required };
    }),
  };
}

let calls = 0;

async function follow(
  messages: readonly Message[],
  offered: readonly vscode.LanguageModelChatTool[],
  progress: Tell,
  token: vscode.CancellationToken,
): Promise<void> {
  const heard = heardIn(messages, offered);
  requests.push({ isMain: offered.length > 0, order: heard.order, messages: JSON.stringify(messages.map(wholeOf)) });
  const { pieces, tool, open } = replyTo(heard);
  for (const piece of pieces) {
    if (token.isCancellationRequested) return;
    progress.report(new vscode.LanguageModelTextPart(piece));
  }
  if (open) return untilCancelled(token);
  if (tool) progress.report(new vscode.LanguageModelToolCallPart(`call_${++calls}`, tool.name, tool.input));
}

export function activate({ subscriptions }: vscode.ExtensionContext): ModelProvider {
  subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('throughline-test', {
      provideLanguageModelChatInformation: () => models,
      provideLanguageModelChatResponse: ({ id }, messages, { tools = [] }, progress, token) =>
        (id === 'echo' ? echo : follow)(messages, tools, progress, token),
      provideTokenCount: (_model, text) => Promise.resolve((typeof text === 'string' ? text : wholeOf(text)).length),
    }),
    vscode.lm.registerTool<{ readonly words: string }>('throughline_test_reverse', {
      invoke: ({ input }) =>
        new vscode.LanguageModelToolResult([
          new vscode.LanguageModelTextPart(input.words.split('').toReversed().join('')),
        ]),
    }),
  );
  return { requests };
}
