// From facts to messages. Promises: the facts of one message, given in the order of their writer, become that message
// as it stood after the last of them; facts of other messages are passed over. Facts that do not fit (a gap in a text)
// end that text where the gap is and mark it, so that nothing is invented and nothing that arrived is dropped; only
// what comes behind a gap that no damage leaves is.

import { asForeign, isForeign, type FileChange } from '../../model/changes.ts';
import type { Block, Message, MessageEnd } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';

/** A message while its facts are put together. */
interface Growing extends Omit<Message, 'blocks' | 'end'> {
  readonly blocks: Block[];
  end?: MessageEnd;
}

/** So many blocks of a message may be lost together. What comes behind a larger gap is not from its writer. */
export const largestGap = 1000;

export function assemble(facts: Iterable<Fact>): ReadonlyMap<string, Message> {
  const messages = new Map<string, Growing>();
  /** By how much a text with a gap is shorter than its writer knows it: what follows the gap fits again. */
  const short = new Map<string, number>();
  for (const fact of facts) {
    switch (fact.type) {
      case 'message':
        // Insert or ignore: a message has one writer and begins once, and a copy says the same again.
        if (!messages.has(fact.message.id)) {
          // A turn's changes come in facts of their own. Those that a message begins with came with an import.
          const blocks = fact.message.blocks.map(block => withForeign(block, () => true));
          messages.set(fact.message.id, { ...fact.message, blocks, session: fact.session });
        }
        break;
      case 'block':
        short.delete(`${fact.message} ${fact.at}`);
        setBlock(messages.get(fact.message), fact.at, () => withForeign(fact.block, isForeign));
        break;
      case 'text':
        setBlock(messages.get(fact.message), fact.at, block => {
          const old = block?.kind === 'text' || block?.kind === 'thought' ? block : null;
          const text = old?.text ?? '';
          const key = `${fact.message} ${fact.at}`;
          const offset = Math.max(0, fact.offset - (short.get(key) ?? 0));
          const whole = text.length < offset ? `${text}…` : text.slice(0, offset);
          if (text.length < offset) short.set(key, fact.offset - whole.length);
          return { ...old, kind: fact.kind, mime: fact.mime, text: whole + fact.text };
        });
        break;
      case 'end': {
        const message = messages.get(fact.message);
        if (message) message.end = fact.end;
        break;
      }
      case 'session':
      case 'set':
        break;
      default:
        // A fact of a later version: it stays in the journal, and this version has nothing to show of it.
        fact satisfies never;
    }
  }
  return messages;
}

/** Older versions didn't mark each change that they imported: those are marked here, for all who read. */
function withForeign(block: Block, is: (change: FileChange) => boolean): Block {
  if (block.kind !== 'changes') return block;
  return { ...block, files: block.files.map(one => (is(one) ? asForeign(one) : one)) };
}

const missing: Block = {
  kind: 'notice',
  mime: 'text/plain',
  severity: 'warning',
  text: 'A part of this message is missing.',
};

function setBlock(message: Growing | undefined, at: number, block: (old: Block | undefined) => Block): void {
  if (!message || at > message.blocks.length + largestGap) return;
  while (message.blocks.length < at) message.blocks.push(missing);
  message.blocks[at] = block(message.blocks[at]);
}
