// Looking for words in all sessions of this workspace.

import { objectOf, textIn, ToolTrouble, type Tool } from './tool.ts';

/** What is found, a paragraph for each place, the newest first. */
export type SearchHistory = (words: string) => Promise<readonly string[]>;

export function searchHistory(search: SearchHistory): Tool {
  return {
    name: 'search_history',
    description:
      'Looks for words in what was said in earlier sessions of this workspace, with this agent or with others.',
    changes: false,
    anywhere: true,
    required: ['words'],
    input: objectOf({ words: { type: 'string', description: 'All of them must stand there.' } }, ['words']),
    show: input => ({ title: `Search the history for “${textIn(input, 'words').slice(0, 80)}”`, kind: 'search' }),
    async use(input) {
      const words = textIn(input, 'words').trim();
      if (words === '') throw new ToolTrouble('`words` is empty.');
      const found = await search(words);
      return { text: found.length === 0 ? '[That was never said here.]' : found.join('\n\n') };
    },
  };
}
