// What a subagent did, as a document to read: its messages beside the conversation, in their order. Promises: it is made
// from the history when it is opened, and changes nothing; whatever is not there is a sentence.

import { Range, Uri, ViewColumn, window, workspace } from 'vscode';
import type { History } from '../../core/history/history.ts';
import type { Message, MessageId, SessionId } from '../../model/message.ts';
import { schemes } from '../contributed.ts';
import { documentName } from '../notify/outsideText.ts';
import { messageWords } from './sessionText.ts';
import { traceName } from './traceName.ts';

export interface TraceOf {
  readonly session: SessionId;
  /** `subagent:<name>:<run>`. */
  readonly label: string;
}

/** At the message, where one is named. */
export async function openTrace(
  { session, label }: TraceOf,
  message: MessageId | null = null,
  toSide = false,
): Promise<void> {
  const path = `/${documentName(traceName(label), 'Subagent')}.md`;
  const uri = Uri.from({ scheme: schemes.trace, path, query: JSON.stringify({ session, label }) });
  const document = await workspace.openTextDocument(uri);
  const mark = message === null ? -1 : document.getText().indexOf(markOf(message));
  const at = document.positionAt(Math.max(0, mark));
  await window.showTextDocument(document, {
    preview: true,
    selection: new Range(at, at),
    ...(toSide ? { viewColumn: ViewColumn.Beside } : {}),
  });
}

export async function traceText(uri: Uri, history: () => Promise<Pick<History, 'list'>>): Promise<string> {
  try {
    const { session, label } = JSON.parse(uri.query) as TraceOf;
    const messages = await (await history()).list({ session, label, order: 'oldest' });
    if (messages.length === 0) return 'This is not in the history any more.\n';
    return [`# ${traceName(label)}\n`, ...messages.map(words)].join('\n');
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function words(message: Message): string {
  // The agent wrote its task, and no person.
  return messageWords(message, 'Task').replace('\n', ` ${markOf(message.id)}\n`);
}

/** Markdown shows nothing of it, and finds its heading by it. */
function markOf(message: MessageId): string {
  return `<!-- ${message} -->`;
}
