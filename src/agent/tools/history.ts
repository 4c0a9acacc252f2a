// Looking for words in all sessions of this workspace.

import { objectOf, textIn, ToolTrouble, type Tool } from './tool.ts';

export interface FoundInHistory {
  /** A paragraph for each place, the newest first. */
  readonly places: readonly string[];
  /** There are more places than these. */
  readonly more: boolean;
  /** Null where there was no word to search for. */
  readonly searched: { readonly sessions: number; readonly messages: number } | null;
}

export type SearchHistory = (words: string) => Promise<FoundInHistory>;

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
      const { places, more, searched } = await search(words);
      if (places.length === 0) return { text: nothingFound(searched) };
      const rest = more ? ['[There are more places. Search for more words to find fewer.]'] : [];
      return { text: [...places, ...rest].join('\n\n') };
    },
  };
}

/** That nothing was found does not mean that it was never said, and a model must not be told so. */
function nothingFound(searched: FoundInHistory['searched']): string {
  if (!searched) return '[Nothing found: there is no word in this that can be searched for.]';
  const sessions = searched.sessions === 1 ? '1 session' : `${searched.sessions} sessions`;
  const messages = searched.messages === 1 ? '1 message' : `${searched.messages} messages`;
  return (
    `[Nothing found for these words. The titles of ${sessions} and the text of ${messages} were searched for places that ` +
    'have all of the words. It may have been said in other words, in a message that is still being written, in the output ' +
    'of a tool, or in a session that is in the trash.]'
  );
}
