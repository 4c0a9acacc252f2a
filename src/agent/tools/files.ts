// Reading, editing and writing one file. Promises: through the client, which has the guard, the open editors and the watch
// over what a turn changed; the person is asked before something is written, and sees the change itself. What goes into a
// file that may hold secrets stands in the client's own question, and nowhere else.

import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { Lookup } from '../../core/ports.ts';
import { keepBeginning } from './bounded.ts';
import { absolute, shortened, type Place } from './place.ts';
import {
  countIn,
  notAllowed,
  objectOf,
  textIn,
  ToolTrouble,
  type Tool,
  type ToolInput,
  type ToolUsing,
} from './tool.ts';

const path = { type: 'string', description: 'Of the file: from the folder of the workspace, or absolute.' } as const;
/** Lines of one reading. */
const mostLines = 2000;

export const readFile: Tool = {
  name: 'read_file',
  description: `Reads a text file, with unsaved changes that an editor has. At most ${mostLines} lines at a time.`,
  changes: false,
  required: ['path'],
  input: objectOf(
    {
      path,
      line: { type: 'integer', description: 'The first line, counted from 1.' },
      limit: { type: 'integer', description: 'How many lines.' },
    },
    ['path'],
  ),
  show: (input, place) => shownFor('Read', 'read', input, place),
  async use(input, { place, client }) {
    const text = await client.readFile(pathOf(input, place));
    if (text === '') return { text: '[The file is empty, or there is none.]' };
    const lines = text.split('\n');
    const from = countIn(input, 'line') ?? 1;
    const count = Math.min(countIn(input, 'limit') ?? mostLines, mostLines);
    if (from > lines.length) throw new ToolTrouble(`The file has only ${lines.length} lines.`);
    const some = lines.slice(from - 1, from - 1 + count);
    const left = lines.length - (from - 1 + some.length);
    const told = left <= 0 ? '' : `\n[${left} more lines; read on from line ${from + some.length}]`;
    return { text: keepBeginning(some.join('\n'), 'Read fewer lines at a time.') + told };
  },
};

export const writeFile = (lookup: IsSecret): Tool => ({
  name: 'write_file',
  description:
    'Writes a whole text file: makes it, or replaces all of it. The person is asked. To change a part, edit it.',
  changes: true,
  required: ['path', 'content'],
  input: objectOf({ path, content: { type: 'string', description: 'All that the file is to hold.' } }, [
    'path',
    'content',
  ]),
  show: (input, place) => ({ ...shownFor('Write', 'edit', input, place), input: inputWithoutText(input) }),
  async use(input, using) {
    const file = pathOf(input, using.place);
    const content = textIn(input, 'content');
    return lookup.isSecret(file)
      ? writeSecret(file, content, using)
      : write(file, await before(file, using), content, using);
  },
});

type IsSecret = Pick<Lookup, 'isSecret'>;

export const editFile = (lookup: IsSecret): Tool => ({
  name: 'edit_file',
  description:
    'Replaces a text in a file by another. `old` must stand in the file exactly once, with its spaces and line ends, ' +
    'unless `all` is true; give enough lines around it. The person is asked.',
  changes: true,
  required: ['path', 'old', 'new'],
  input: objectOf(
    {
      path,
      old: { type: 'string', description: 'What is to be replaced, exactly as it stands in the file.' },
      new: { type: 'string', description: 'What is to stand there.' },
      all: { type: 'boolean', description: 'Replace it wherever it stands.' },
    },
    ['path', 'old', 'new'],
  ),
  show(input, place) {
    const shown = shownFor('Edit', 'edit', input, place);
    return lookup.isSecret(pathOf(input, place)) ? { ...shown, input: { path: textIn(input, 'path') } } : shown;
  },
  async use(input, using) {
    const file = pathOf(input, using.place);
    const text = await using.client.readFile(file);
    const old = endsLike(text, textIn(input, 'old'));
    const by = endsLike(text, textIn(input, 'new'));
    if (old === '') throw new ToolTrouble('`old` is empty. To make a file, write it.');
    if (old === by) throw new ToolTrouble('`old` and `new` are the same.');
    const times = text.split(old).length - 1;
    if (times === 0) throw new ToolTrouble('`old` does not stand in the file. Read it again: it may have changed.');
    if (times > 1 && input['all'] !== true)
      throw new ToolTrouble(`\`old\` stands in the file ${times} times. Give more lines around it, or set \`all\`.`);
    const changed = text.split(old).join(by);
    return lookup.isSecret(file) ? writeSecret(file, changed, using) : write(file, text, changed, using);
  },
});

async function write(file: string, old: string | null, text: string, { client, ask }: ToolUsing) {
  const diff: ToolCallContent = { type: 'diff', path: file, oldText: old, newText: text };
  if (!(await ask({ content: [diff] }))) return { text: notAllowed, failed: true };
  await client.writeFile(file, text);
  return { text: old === null ? 'The file is made.' : 'The file is written.', content: [diff] };
}

/** The client asks about it itself, with all that would be written. */
async function writeSecret(file: string, text: string, { client }: ToolUsing) {
  await client.writeFile(file, text);
  return { text: 'The file is written.' };
}

/** Null where there is none, as far as that can be told; what cannot be read may still be written. */
async function before(file: string, { client }: ToolUsing): Promise<string | null> {
  const text = await client.readFile(file).catch(() => '');
  return text === '' ? null : text;
}

/** Models write lines with one character at their end. */
function endsLike(file: string, text: string): string {
  return file.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

function pathOf(input: ToolInput, place: Place): string {
  return absolute(textIn(input, 'path'), place);
}

function shownFor(verb: string, kind: 'read' | 'edit', input: ToolInput, place: Place) {
  const file = pathOf(input, place);
  const line = countIn(input, 'line');
  return {
    title: `${verb} ${shortened(file, place)}`,
    kind,
    locations: [{ path: file, ...(line === null ? {} : { line }) }],
  };
}

/** The change is shown as one; the text need not be kept twice. */
function inputWithoutText({ content: _content, ...rest }: ToolInput): ToolInput {
  return rest;
}
