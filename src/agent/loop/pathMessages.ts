// A conversation of history as a model is told it: whose words, which tools with which results, in their order. Pure but for
// pictures, which are fetched. Promises: a tool call stands with its result, always; what another agent did is told as this
// agent's own tools would be; an answer that was stopped says so; a summary stands for what it covers.

import type { BlobRef, Block, Json, Message, SessionId, ToolCallBlock } from '../../model/message.ts';
import type { AssistantContent, ModelMessage, ToolResult, UserContent } from './model.ts';

export type FetchBlob = (session: SessionId, ref: BlobRef) => Promise<Uint8Array>;

/** All that one message of history becomes; it is left out only whole. */
export async function modelMessagesOf(message: Message, blob: FetchBlob): Promise<readonly ModelMessage[]> {
  if (message.role === 'assistant') return answered(message);
  const content = (await Promise.all(message.blocks.map(block => saidOf(message.session, block, blob)))).flat();
  if (content.length === 0) return [];
  const summary: readonly UserContent[] =
    message.role === 'summary' ? [{ type: 'text', text: 'What was said before, as a summary:' }] : [];
  return [{ role: 'user', content: [...summary, ...content] }];
}

async function saidOf(session: SessionId, block: Block, blob: FetchBlob): Promise<readonly UserContent[]> {
  switch (block.kind) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'image': {
      const { data, mime, name } = block;
      if (data === undefined) return [{ type: 'text', text: `[A picture: ${name ?? block.uri ?? mime}]` }];
      try {
        return [{ type: 'image', mime, data: data instanceof Uint8Array ? data : await blob(session, data) }];
      } catch {
        // It was in another history, or is damaged; that there was one is still told.
        return [{ type: 'text', text: `[A picture that is not there any more: ${name ?? mime}]` }];
      }
    }
    case 'resource':
      return [
        { type: 'text', text: block.text === undefined ? `[See ${block.uri}]` : `${block.uri}:\n\n${block.text}` },
      ];
    case 'audio':
    case 'video':
      return [{ type: 'text', text: `[A ${block.kind}: ${block.name ?? block.uri ?? block.mime}]` }];
    default:
      return [];
  }
}

function answered({ blocks, end }: Message): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  let content: AssistantContent[] = [];
  let results: ToolResult[] = [];
  const finish = () => {
    if (content.length > 0) messages.push({ role: 'assistant', content });
    if (results.length > 0) messages.push({ role: 'tool', results });
    content = [];
    results = [];
  };
  for (const block of blocks) {
    if (block.kind === 'text' && block.text.trim() !== '') {
      // What is said after a tool was used is said with its result known.
      if (results.length > 0) finish();
      content.push({ type: 'text', text: block.text });
    } else if (block.kind === 'toolCall') {
      const id = idOf(block, messages.length + results.length);
      const name = nameOf(block);
      content.push({ type: 'toolUse', id, name, input: inputOf(block) });
      results.push({
        id,
        name,
        text: resultOf(block),
        failed: block.status === 'failed' || block.status === 'cancelled',
      });
    }
  }
  const cut = cutWords(end?.reason);
  if (cut !== null && blocks.length > 0) {
    if (results.length > 0) finish();
    content.push({ type: 'text', text: cut });
  }
  finish();
  return messages;
}

function cutWords(reason: string | undefined): string | null {
  if (reason === 'cancelled') return '[The person stopped me here.]';
  return reason === undefined || reason === 'failed' ? '[My answer broke off here.]' : null;
}

/** Endpoints take letters, digits, `_` and `-`. */
function idOf({ callId }: ToolCallBlock, at: number): string {
  return /^[\w-]{1,64}$/.test(callId) ? callId : `call-${at}-${callId.replaceAll(/[^\w-]/g, '').slice(0, 40)}`;
}

function nameOf({ extra, tool }: ToolCallBlock): string {
  const meta = fieldsOf(fieldsOf(extra?.['_meta'])?.['throughline'])?.['tool'];
  const name = typeof meta === 'string' ? meta : tool;
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'other';
}

function inputOf({ input, title, output }: ToolCallBlock): Json {
  const fields = fieldsOf(input);
  if (!fields) return { what: title };
  const diff = output.map(fieldsOf).find(one => one?.['type'] === 'diff');
  // Of a file that was written, the text is kept once: in what was shown.
  const isWhole = typeof diff?.['newText'] === 'string' && !('content' in fields) && !('old' in fields);
  return isWhole && 'path' in fields ? { ...fields, content: diff['newText'] ?? '' } : (fields as Json);
}

export function resultOf({ raw, output, status }: ToolCallBlock): string {
  const told =
    typeof raw === 'string'
      ? raw
      : output
          .map(textOf)
          .filter(text => text !== '')
          .join('\n');
  if (told !== '') return told;
  if (raw !== undefined) return JSON.stringify(raw);
  return status === 'cancelled' ? '[It was stopped.]' : `[${status}]`;
}

function textOf(output: Json): string {
  const { type, content, path, output: printed, exit } = fieldsOf(output) ?? {};
  if (type === 'diff') return `Changed ${typeof path === 'string' ? path : 'a file'}.`;
  if (type === 'terminal') {
    const code = fieldsOf(exit)?.['code'];
    return `${typeof printed === 'string' ? printed : ''}${typeof code === 'number' && code !== 0 ? `\n[exit code ${code}]` : ''}`;
  }
  const text = fieldsOf(content)?.['text'];
  return typeof text === 'string' ? text : '';
}

function fieldsOf(value: Json | undefined): { readonly [field: string]: Json } | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [field: string]: Json })
    : undefined;
}
