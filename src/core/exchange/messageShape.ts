// Schemas of a message and its blocks as they stand in a file that somebody else wrote. Contract: what is let through has
// the fields of its type in `model/message.ts` and no others; JSON that an agent made may be any JSON. Content is not judged.

import * as z from 'zod/mini';
import type { FileChange } from '../../model/changes.ts';
import type { Block, Json, Message } from '../../model/message.ts';

const longestWords = 500;

const text = z.string();
const maybe = z.exactOptional;
const maybeText = maybe(text);
const anyJson = z.custom<Json>(value => value !== undefined);
/** The id becomes part of the names of files. */
export const messageId = z.string().check(z.regex(/^[0-9a-z]{1,64}$/));
export const agentRef = z.object({ id: text, name: z.pipe(text, z.transform(cleanWords)) });

/** Stops at the first wrong item: zod's own array keeps an issue of each, and a file can have half a million of them. */
function listOf<Item>(item: z.ZodMiniType<Item>) {
  const parseEach = (list: readonly unknown[], { issues }: z.core.ParsePayload): readonly Item[] => {
    const items: Item[] = [];
    for (const one of list) {
      const { data, error } = item.safeParse(one);
      if (error) {
        issues.push({ code: 'custom', input: one });
        break;
      }
      items.push(data);
    }
    return items;
  };
  return z.pipe(z.custom<readonly unknown[]>(Array.isArray), z.transform(parseEach));
}

const blobRef = z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)), size: z.int() });
const fileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('file'), is: blobRef, content: maybe(blobRef) }),
  z.object({ kind: z.literal('unknown') }),
]);
const fileStates = { before: fileState, after: fileState };
const fileChange = z.object({
  path: text,
  ...fileStates,
  lines: maybe(z.object({ added: z.number(), removed: z.number() })),
  seen: z.enum(['written', 'told', 'disk']),
  // An older version exports what a newer one imported with its real states here.
  foreign: maybe(z.object(fileStates)),
});

const extra = maybe(z.custom<{ readonly [key: string]: Json }>(isObject));

function blockShape<Kind extends Block['kind'], Shape extends z.core.$ZodShape>(kind: Kind, shape: Shape) {
  return z.object({ kind: z.literal(kind), mime: text, ...shape, extra });
}

const media = { data: maybe(blobRef), uri: maybeText, name: maybeText };

const blocks = {
  text: blockShape('text', { text }),
  thought: blockShape('thought', { text }),
  toolCall: blockShape('toolCall', {
    callId: text,
    title: text,
    tool: text,
    status: z.enum(['pending', 'in_progress', 'completed', 'failed', 'cancelled']),
    locations: listOf(z.object({ path: text, line: maybe(z.number()) })),
    input: maybe(anyJson),
    output: z.custom<readonly Json[]>(Array.isArray),
    raw: maybe(anyJson),
    permission: maybe(z.object({ choice: z.nullable(text), allowed: z.boolean(), byRule: maybe(z.literal(true)) })),
  }),
  plan: blockShape('plan', {
    entries: listOf(
      z.object({
        content: text,
        priority: z.enum(['high', 'medium', 'low']),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
  }),
  image: blockShape('image', media),
  audio: blockShape('audio', media),
  video: blockShape('video', media),
  resource: blockShape('resource', { uri: text, name: maybeText, text: maybeText, data: maybe(blobRef) }),
  notice: blockShape('notice', { severity: z.enum(['info', 'warning', 'error']), text }),
  changes: blockShape('changes', { files: listOf(fileChange) }),
  unknown: blockShape('unknown', { value: anyJson }),
} satisfies { readonly [Kind in Block['kind']]: z.ZodMiniType<Block & { readonly kind: Kind }> };

const maybeNumber = maybe(z.number());
const message = z.object({
  id: messageId,
  parent: z.nullable(messageId),
  role: z.enum(['user', 'assistant', 'summary']),
  created: z.number(),
  agent: maybe(agentRef),
  label: maybeText,
  covers: maybe(messageId),
  leftOut: maybe(listOf(messageId)),
  blocks: z.custom<readonly unknown[]>(Array.isArray),
  end: maybe(
    z.object({
      reason: z.enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'failed']),
      at: z.number(),
      detail: maybeText,
      usage: maybe(
        z.object({
          inputTokens: maybeNumber,
          outputTokens: maybeNumber,
          cachedTokens: maybeNumber,
          thoughtTokens: maybeNumber,
          cost: maybe(z.object({ amount: z.number(), currency: text })),
        }),
      ),
    }),
  ),
});

/** The message without its blocks, which are read one by one. Null where it is none. */
export function messageIn(value: unknown): Omit<Message, 'session'> | null {
  const { data } = message.safeParse(value);
  return data ? inOrderOf(value, { ...data, blocks: [] }) : null;
}

/** Null where it is none. */
export function blockIn(value: unknown): Block | null {
  const kind = isObject(value) ? String(value['kind']) : '';
  if (!Object.hasOwn(blocks, kind)) return null;
  const { data } = blocks[kind as Block['kind']].safeParse(value);
  if (data?.kind === 'changes') return inOrderOf(value, { ...data, files: data.files.map(asItCame) });
  return data ? inOrderOf(value, data) : null;
}

function asItCame({ foreign, ...file }: FileChange): FileChange {
  return { ...file, ...foreign };
}

/** With the fields in the order of the file, so that a later export of the same content has the same bytes. */
function inOrderOf<Parsed extends object>(value: unknown, parsed: Parsed): Parsed {
  const names = Object.keys(value as object).filter(name => Object.hasOwn(parsed, name));
  return Object.fromEntries(names.map(name => [name, parsed[name as keyof Parsed]])) as Parsed;
}

export function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without what would turn a list around or hide in it. */
export function cleanWords(words: string): string {
  // More is never shown, and may be megabytes.
  const start = words.slice(0, longestWords * 2 + 2);
  const clean = start.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u{e0000}-\u{e007f}]/gu, ' ');
  const characters = clean.length > longestWords ? Array.from(clean) : [];
  return characters.length > longestWords ? `${characters.slice(0, longestWords - 1).join('')}…` : clean;
}
