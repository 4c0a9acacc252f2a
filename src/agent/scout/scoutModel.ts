// The offline scout as a model of the loop: not an AI, and it says so. It looks for the words of a question in the files of
// the folder and in the conversation so far, and shows where they stand; what a person asks for in one of its few set forms
// it does with the same tools as any model. Promises: it works without keys and network, changes nothing unless it is told
// to in so many words, gives the same answer for the same files and question, and stops within one step when cancelled.

import type { FileSearch } from '../../core/ports.ts';
import type { Json } from '../../model/message.ts';
import type { LanguageModel, ModelInfo, ModelPiece, ModelRequest, ModelSource, ToolResult } from '../loop/model.ts';
import { fenced, inlineCode, introduction, quotesOf, report } from './report.ts';
import { termsOf } from './terms.ts';

export const scoutInfo: ModelInfo = {
  id: 'scout',
  name: 'Offline scout',
  description: 'Not an AI: looks for words, without network or keys',
  group: '',
  contextWindow: null,
  images: false,
};

export const scoutSource: ModelSource = {
  list: () => Promise.resolve([scoutInfo]),
  open: id => Promise.resolve(id === scoutInfo.id ? { info: scoutInfo, model: scoutModel } : undefined),
};

/** Milliseconds: long enough for the panel to draw between lines, too short to wait for. */
const linePause = 5;

export const scoutModel: LanguageModel = {
  async *stream(request, signal) {
    const offered = request.tools.map(({ name }) => name);
    const last = request.messages.at(-1);
    const order = orderIn(request.asked);
    if (last?.role === 'tool') yield* say(afterwards(request, last.results), signal);
    else if (order && !offered.includes(order.name)) yield* say(cannot(order.name, offered), signal);
    else if (order) {
      yield { type: 'toolUse', id: 'order', name: order.name, input: order.input };
      yield { type: 'end', reason: 'toolUse', used: {} };
    } else {
      const terms = isAboutItself(request.asked) ? [] : termsOf(request.asked);
      if (terms.length === 0) yield* say(introduction(offered), signal);
      else if (offered.includes('look_for_words')) {
        yield { type: 'toolUse', id: 'look', name: 'look_for_words', input: { terms } };
        yield { type: 'end', reason: 'toolUse', used: {} };
      } else yield* say(report(terms, null, quotesOf(request.path, terms), request.path.length === 0), signal);
    }
  },
};

/** A piece a line, so that an answer grows like any model's and can be stopped in the middle. */
async function* say(text: string, signal: AbortSignal): AsyncGenerator<ModelPiece> {
  for (const line of text.split(/(?<=\n)/)) {
    signal.throwIfAborted();
    yield { type: 'text', text: line };
    await new Promise<void>(resolve => setTimeout(resolve, linePause));
  }
  yield { type: 'end', reason: 'stop', used: {} };
}

function afterwards({ asked, path }: ModelRequest, [result]: readonly ToolResult[]): string {
  if (!result) return '';
  if (result.name === 'look_for_words') {
    const terms = termsOf(asked);
    return report(terms, result.data as FileSearch, quotesOf(path, terms), path.length === 0);
  }
  const order = orderIn(asked);
  if (result.failed || !order) return `${result.text}\n`;
  if (result.name === 'write_file' || result.name === 'edit_file') return `${result.text}\n`;
  const file = order.input['path'];
  const name = typeof file === 'string' ? file : '';
  const head = result.name === 'read_file' ? `${inlineCode(name)}:\n\n` : '';
  return `${head}${fenced(result.name === 'read_file' ? name : '', result.text)}\n`;
}

interface Order {
  readonly name: string;
  readonly input: { readonly [field: string]: Json };
}

const file = String.raw`["“\x60]?(?<path>[^\s"”\x60]*[./][^\s"”\x60]*?)["”\x60]?`;

const forms: readonly {
  readonly form: RegExp;
  readonly order: (words: { readonly [name: string]: string }) => Order;
}[] = [
  {
    form: new RegExp(String.raw`^(?:read|show|open) (?:me )?(?:the file )?${file}$`, 'i'),
    order: ({ path = '' }) => ({ name: 'read_file', input: { path } }),
  },
  {
    form: new RegExp(
      String.raw`^(?:write|create|make) (?:the file )?${file} ?(?:with|:)?[ \t]*\r?\n(?<text>[\s\S]+)$`,
      'i',
    ),
    order: ({ path = '', text = '' }) => ({ name: 'write_file', input: { path, content: contentOf(text) } }),
  },
  {
    form: new RegExp(String.raw`^replace "(?<old>[^"]+)" (?:with|by) "(?<by>[^"]*)" in ${file}$`, 'i'),
    order: ({ path = '', old = '', by = '' }) => ({ name: 'edit_file', input: { path, old, new: by } }),
  },
  {
    form: /^(?:list|ls)(?: (?:the )?files)?(?: (?:in|of))?(?: (?<path>[^\s"]+))?$/i,
    order: ({ path }) => ({ name: 'list_files', input: path === undefined ? {} : { path } }),
  },
  {
    form: /^(?:history:|search (?:the |my )?history for) *(?<words>.+)$/i,
    order: ({ words = '' }) => ({ name: 'search_history', input: { words } }),
  },
];

/** Null for a question, which is most of what a person says. */
function orderIn(asked: string): Order | null {
  const text = asked.trim();
  for (const { form, order } of forms) {
    const groups = form.exec(text)?.groups;
    if (groups) return order(groups);
    if (form.test(text)) return order({});
  }
  return null;
}

/** What stands in a block of code is meant without its fences. */
function contentOf(text: string): string {
  const inside = /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1];
  const content = inside ?? text;
  return content.endsWith('\n') ? content : `${content}\n`;
}

function isAboutItself(asked: string): boolean {
  return /^(what can you do|what are you|who are you|help|how (do|can) i connect .*|which models .*)\W*$/i.test(
    asked.trim(),
  );
}

function cannot(tool: string, offered: readonly string[]): string {
  const why =
    offered.length === 0
      ? 'no folder is open'
      : tool === 'write_file' || tool === 'edit_file'
        ? 'this workspace is restricted, so nothing is changed in it; trust it with “Workspaces: Manage Workspace Trust”'
        : 'there is nothing here to do it with';
  return `I cannot do this here: ${why}.\n`;
}
