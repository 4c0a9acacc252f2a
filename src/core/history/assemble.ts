// From facts to messages. Promises: the facts of one message, given in the order of their writer, become that message
// as it stood after the last of them; facts of other messages are passed over. Facts that do not fit (a gap in a text)
// end that text where the gap is and mark it, so that nothing is invented and nothing that arrived is dropped.

import { asForeign, isForeign, type FileChange } from '../../model/changes.ts';
import type { Block, Message } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';

export function assemble(facts: Iterable<Fact>): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>();
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
        change(messages, fact.message, message => ({
          ...message,
          blocks: setBlock(message.blocks, fact.at, withForeign(fact.block, isForeign)),
        }));
        break;
      case 'text':
        change(messages, fact.message, message => {
          const block = message.blocks[fact.at];
          const old = block?.kind === 'text' || block?.kind === 'thought' ? block : null;
          const text = old?.text ?? '';
          const key = `${fact.message} ${fact.at}`;
          const offset = Math.max(0, fact.offset - (short.get(key) ?? 0));
          const whole = text.length < offset ? `${text}…` : text.slice(0, offset);
          if (text.length < offset) short.set(key, fact.offset - whole.length);
          const grown = { ...old, kind: fact.kind, mime: fact.mime, text: whole + fact.text };
          return { ...message, blocks: setBlock(message.blocks, fact.at, grown) };
        });
        break;
      case 'end':
        change(messages, fact.message, message => ({ ...message, end: fact.end }));
        break;
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

function change(messages: Map<string, Message>, id: string, edit: (message: Message) => Message): void {
  const message = messages.get(id);
  if (message) messages.set(id, edit(message));
}

function setBlock(blocks: readonly Block[], at: number, block: Block): readonly Block[] {
  const filled = [...blocks];
  while (filled.length < at) {
    filled.push({
      kind: 'notice',
      mime: 'text/plain',
      severity: 'warning',
      text: 'A part of this message is missing.',
    });
  }
  filled[at] = block;
  return filled;
}
