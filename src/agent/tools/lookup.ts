// Listing files, and looking for a text in them. Promises: what they find is in the folders of the workspace and is no
// secret; what is too much is cut, with a word on it.

import type { Lookup } from '../../core/ports.ts';
import { absolute, isAbsolute, shortened, type Place } from './place.ts';
import { objectOf, textIn, ToolTrouble, type Tool, type ToolInput } from './tool.ts';

const under = { type: 'string', description: 'A folder; without it, the whole workspace.' } as const;
const glob = { type: 'string', description: 'Only files like this, as `*.ts` or `src/**/*.css`.' } as const;

export function listFiles(lookup: Lookup): Tool {
  return {
    name: 'list_files',
    description: 'Lists the files of the workspace, without those that version control ignores.',
    changes: false,
    required: [],
    input: objectOf({ path: under, glob }, []),
    show: (input, place) => ({ title: `List ${told(input, place) || 'files'}`, kind: 'search' }),
    async use(input, { place, client }) {
      const at = whereOf(input, place);
      const { names, cutShort } = await lookup.list(at.folder, at, client.signal);
      if (names.length === 0) return { text: '[There are no files like this.]' };
      const more = cutShort ? '\n[There are more. List a folder, or files of one kind.]' : '';
      return { text: names.map(name => prefixed(at.folder, name, place)).join('\n') + more };
    },
  };
}

export function searchFiles(lookup: Lookup): Tool {
  return {
    name: 'search_files',
    description:
      'Looks for a text in the files of the workspace, without those that version control ignores, and gives the lines ' +
      'with their numbers. Fast, also in large folders.',
    changes: false,
    required: ['text'],
    input: objectOf(
      {
        text: { type: 'string', description: 'What is looked for, in one line.' },
        pattern: { type: 'boolean', description: 'It is a regular expression (of Rust).' },
        matchCase: { type: 'boolean', description: 'Capitals count.' },
        path: under,
        glob,
      },
      ['text'],
    ),
    show: (input, place) => {
      const where = told(input, place);
      return {
        title: `Search for “${textIn(input, 'text').slice(0, 80)}”${where === '' ? '' : ` in ${where}`}`,
        kind: 'search',
      };
    },
    async use(input, { place, client }) {
      const text = textIn(input, 'text');
      if (text === '') throw new ToolTrouble('`text` is empty.');
      if (/[\r\n]/.test(text)) throw new ToolTrouble('`text` must be one line.');
      const at = whereOf(input, place);
      const query = { ...at, text, isPattern: input['pattern'] === true, matchCase: input['matchCase'] === true };
      const { lines, cutShort } = await lookup.find(at.folder, query, client.signal);
      if (lines.length === 0) return { text: '[It stands nowhere.]' };
      const more = cutShort ? '\n[There are more. Look for something rarer, or in one folder.]' : '';
      const found = lines.map(({ name, line, text: words }) => `${prefixed(at.folder, name, place)}:${line}: ${words}`);
      const locations = lines
        .slice(0, 20)
        .map(({ name, line }) => ({ path: absolute(name, { folders: [at.folder] }), line }));
      return { text: found.join('\n') + more, locations };
    },
  };
}

/** In which of the folders, and where below it. */
function whereOf(input: ToolInput, { folders }: Place) {
  const [first] = folders;
  if (first === undefined) throw new ToolTrouble('No folder is open.');
  const path = textIn(input, 'path');
  const folder = isAbsolute(path)
    ? folders.find(one => path === one || path.startsWith(`${one}/`) || path.startsWith(`${one}\\`))
    : first;
  if (folder === undefined) throw new ToolTrouble(`“${path}” is in none of the folders: ${folders.join(', ')}.`);
  const below = isAbsolute(path) ? path.slice(folder.length + 1) : path;
  return { folder, under: below === '' ? null : below, glob: textIn(input, 'glob') || null };
}

/** Names of another folder than the first are told whole. */
function prefixed(folder: string, name: string, place: Place): string {
  return folder === place.folders[0] ? name : absolute(name, { folders: [folder] });
}

function told(input: ToolInput, place: Place): string {
  const path = textIn(input, 'path');
  return [path === '' ? '' : shortened(absolute(path, place), place), textIn(input, 'glob')]
    .filter(one => one !== '')
    .join(' ');
}
