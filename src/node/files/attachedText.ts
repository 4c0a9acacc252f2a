// The text of a file that a person attached, to be sent with the prompt. Promises: what the guard would not give an
// agent without a question is not read; the text of the open editor counts, unsaved words included; null for whatever
// is not a text of at most 256 KB: then the file is only named.

import { fileURLToPath } from 'node:url';
import type { OpenEditors } from '../../core/files.ts';
import { readText, steadily } from './diskText.ts';
import type { Guard } from './guard.ts';

const mostBytes = 256 * 1024;

export function attachedTextFrom(
  guard: Guard,
  editors: Pick<OpenEditors, 'openText'>,
): (uri: string, signal: AbortSignal) => Promise<string | null> {
  return async (uri, signal) => {
    try {
      const guarded = await guard.resolve(fileURLToPath(uri), 'read');
      if (guarded.kind !== 'inside' || signal.aborted) return null;
      const { real } = guarded;
      const text = (await editors.openText(real)) ?? (await steadily(() => readText(real)))?.text ?? null;
      return text === null || Buffer.byteLength(text) > mostBytes ? null : text;
    } catch {
      // No text, not readable, or gone: the agent is told its name and finds out itself.
      return null;
    }
  };
}
