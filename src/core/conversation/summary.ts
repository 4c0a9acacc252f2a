// "Summarise, then continue": an agent writes down shortly what was said, and that stands in the tree for all of it from
// then on.

import type { PromptPart } from '../agentTurn.ts';
import type { Seed } from './seeding.ts';

const wanted =
  'Write a summary of this conversation for whoever goes on with it and has nothing else: what the person wants; what ' +
  'was decided, and why; what was done to which files; what was found out that should not have to be found out again; ' +
  'what is left to do. Keep names, paths, numbers and commands as they are. Use no tools. Answer with the summary only.';

export function summaryPrompt(seed: Seed | null): readonly PromptPart[] {
  const words: PromptPart = { type: 'text', text: wanted };
  return seed ? [{ type: 'text', text: seed.text }, words] : [words];
}
