// The system prompt that was used last in a session, which lies in a file of its own; an older version kept it in the
// metadata. For audit and for exports only.

import { goneWords } from '../../../core/history/blobs.ts';
import { formerSystemPromptKey } from './sessionSummary.ts';
import type { BlobRef, Json, SessionId } from '../../../model/message.ts';
import type { RecordStore } from './recordStore.ts';

export function lastSystemPrompt(store: RecordStore, session: SessionId): string | undefined {
  const [row] = store.db.all(
    `SELECT value FROM field WHERE session = ?1 AND value != 'null'
        AND (name = 'systemPrompt' AND of = '' OR name = 'metadata' AND of = ?2)
      ORDER BY h DESC LIMIT 1`,
    [session, formerSystemPromptKey],
  );
  return row && systemPromptIn(store, session, JSON.parse(String(row['value'])) as Json);
}

/** Undefined for what no version writes. */
export function systemPromptIn(store: RecordStore, session: SessionId, value: Json): string | undefined {
  const content = typeof value === 'object' && value !== null && 'content' in value ? value['content'] : value;
  if (typeof content === 'string') return content;
  if (!isRef(content)) return undefined;
  return store.blobs.text(session, content) ?? goneWords(content.size);
}

function isRef(value: unknown): value is BlobRef {
  if (typeof value !== 'object' || value === null || !('sha256' in value) || !('size' in value)) return false;
  return /^[0-9a-f]{64}$/.test(String(value.sha256)) && typeof value.size === 'number';
}
