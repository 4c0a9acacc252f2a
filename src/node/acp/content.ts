// ACP's content blocks in both directions: what an agent shows besides text, as an update, and the parts of a prompt as
// the agent gets them. Promises: nothing that the person attached is left out in silence.

import type { ContentBlock } from '@agentclientprotocol/sdk';
import { AgentError } from '../../core/agentError.ts';
import type { AgentAbilities } from '../../core/agents.ts';
import type { AgentUpdate, PromptPart } from '../../core/agentTurn.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';

/** Undefined for what has not the shape that ACP gives it. */
export function contentOf(content: Fields): AgentUpdate | undefined {
  switch (content['type']) {
    case 'image':
    case 'audio': {
      const [data, mime] = [textOf(content['data']), textOf(content['mimeType'])];
      if (data === undefined || data === '' || mime === undefined) return undefined;
      return { type: 'media', kind: content['type'], mime, data: bytesOf(data) };
    }
    case 'resource_link': {
      const uri = textOf(content['uri']);
      if (uri === undefined) return undefined;
      const name = textOf(content['title']) ?? textOf(content['name']);
      const mime = textOf(content['mimeType']) ?? 'application/octet-stream';
      return { type: 'resource', uri, mime, ...(name === undefined ? {} : { name }) };
    }
    case 'resource': {
      const { uri, mimeType, text, blob } = fieldsOf(content['resource']) ?? {};
      if (typeof uri !== 'string') return undefined;
      if (typeof text === 'string') return { type: 'resource', uri, mime: textOf(mimeType) ?? 'text/plain', text };
      if (typeof blob !== 'string') return undefined;
      return { type: 'resource', uri, mime: textOf(mimeType) ?? 'application/octet-stream', data: bytesOf(blob) };
    }
    default:
      return undefined;
  }
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** Throws AgentError where the agent takes no pictures or sounds; a file that it cannot be given as such goes as text. */
export function contentBlocks(
  parts: readonly PromptPart[],
  { images, audio, embedded }: AgentAbilities,
  name: string,
): ContentBlock[] {
  return parts.map((part): ContentBlock => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'image':
      case 'audio':
        if (!(part.type === 'image' ? images : audio))
          throw new AgentError('not-supported', `${name} takes no ${part.type === 'image' ? 'images' : 'sound'}.`);
        return { type: part.type, mimeType: part.mime, data: Buffer.from(part.data).toString('base64') };
      case 'resource': {
        const { uri, name: shown, mime: mimeType, text } = part;
        return embedded
          ? { type: 'resource', resource: { uri, mimeType, text } }
          : { type: 'text', text: `${uri.startsWith('throughline:') ? (shown ?? uri) : uri}:\n\n${fenced(text)}` };
      }
      case 'link':
        return { type: 'resource_link', uri: part.uri, name: part.name };
    }
  });
}

/** Nothing in the text ends it early. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
