// Files that an agent names in its words, as `src/a.ts:12`. Promises: what is found is looked for in the conversation's own
// text, the same each time, so that a panel names one by its place in that list and never sends a path; only what is a file
// in a folder of the workspace is told, and what is opened is looked at once more by whoever opens it.

import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Location, Message, MessageId } from '../../model/message.ts';
import type { NamedFile } from '../../model/wire.ts';
import type { Guard } from '../../node/files/guard.ts';

export interface Mention extends Location {
  /** As they stand in the text. */
  readonly words: string;
}

const longestText = 200_000;
const longestWords = 300;
const most = 100;
/** Not in the middle of a word or of an address; a folder or an ending is what makes a word a file. */
const named =
  /(?<![\w/.:@%+~-])((?:\.{0,2}\/)?(?:[\w.@+-]+\/)*[\w.@+-]*\w)(?::(\d{1,7})(?::\d{1,7})?|#L(\d{1,7}))?(?![\w/@])/g;

/** Each once, in the order of the text. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [words, path = '', line, anchor] of text.slice(0, longestText).matchAll(named)) {
    if (words.length > longestWords || !/\/|\w\.[a-z]\w{0,9}$/i.test(path) || found.has(words)) continue;
    const at = Number(line ?? anchor ?? 0);
    found.set(words, { words, path, ...(at > 0 && { line: at }) });
    if (found.size === most) break;
  }
  return [...found.values()];
}

/** Of an answer that is whole; empty for everything else. */
export function mentionsAt(
  messages: readonly Message[],
  { message, block: at }: { readonly message: MessageId; readonly block: number },
): readonly Mention[] {
  const found = messages.find(({ id }) => id === message);
  const block = found?.blocks[at];
  return found?.role === 'assistant' && block?.kind === 'text' ? mentionsIn(block.text) : [];
}

/** Those of them that are files; `folders` are those of the workspace. */
export async function filesNamed(
  mentions: readonly Mention[],
  folders: readonly string[],
  guard: Guard,
): Promise<readonly NamedFile[]> {
  const found = await Promise.all(
    mentions.map(async ({ words, path }, at) =>
      (await fileNamed(path, folders, guard)) === null ? [] : [{ at, words }],
    ),
  );
  return found.flat();
}

/** Null where it is none. Of several folders a name may begin with that of the folder. */
export async function fileNamed(path: string, folders: readonly string[], guard: Guard): Promise<string | null> {
  const inside = folders.flatMap(folder =>
    path.startsWith(`${basename(folder)}/`) ? [join(folder, path), join(folder, '..', path)] : [join(folder, path)],
  );
  for (const one of path.startsWith('/') ? [path] : inside) {
    const found = await guard.resolve(one, 'read');
    if (found.kind === 'refused') continue;
    const about = await stat(found.real).catch(() => null);
    if (about?.isFile()) return found.real;
  }
  return null;
}
