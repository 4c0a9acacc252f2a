// Looking for words in all files of the folder, as the scout does: ranked by how rare each word is. What it found is also
// given as data.

import type { Files } from '../../core/ports.ts';
import { searchSummary, worthShowing } from '../scout/report.ts';
import { objectOf, ToolTrouble, type Tool } from './tool.ts';

export function lookForWords(files: Files): Tool {
  const description = 'Looks for words in the text files of the folder.';
  return {
    name: 'look_for_words',
    description,
    changes: false,
    required: [],
    input: objectOf({ terms: { type: 'array', items: { type: 'string' }, description: 'In lower case.' } }, ['terms']),
    show: input => ({
      title: `Search for ${termsIn(input)
        .map(term => `“${term}”`)
        .join(', ')}`,
      kind: 'search',
    }),
    async use(input, { place, client }) {
      const [folder] = place.folders;
      if (folder === undefined) throw new ToolTrouble('No folder is open.');
      const found = await files.search(folder, termsIn(input), client.signal);
      return {
        text: searchSummary(found),
        data: found,
        locations: worthShowing(found.hits).map(hit => ({ path: hit.path, line: hit.lines[0]?.line ?? 1 })),
      };
    },
  };
}

function termsIn({ terms }: { readonly [field: string]: unknown }): readonly string[] {
  return Array.isArray(terms) ? terms.filter((term): term is string => typeof term === 'string') : [];
}
