// The scout as a contender: at the other end of a stream in this process, as the extension has it.

import type { Message } from '../../../src/model/message.ts';
import { aboutScout, scoutRef } from '../../../src/agent/refs.ts';
import { quotesOf, report } from '../../../src/agent/scout/report.ts';
import { termsOf } from '../../../src/agent/scout/terms.ts';
import { diskFiles } from '../../../src/node/files/search.ts';
import { scoutTransport } from '../support/builtIn.ts';
import { never } from '../support/scriptedProgram.ts';
import type { Backstage, Contender, Said } from './contender.ts';

/** What there is to be said, without an agent between. */
const text: Said['text'] = async (path, prompt, folder) => {
  const terms = termsOf(prompt);
  return report(terms, await diskFiles.search(folder, terms, never), quotesOf(path, terms), path.length === 0);
};

const backstage = (project: string): Backstage => ({
  open: () => Promise.resolve(scoutTransport({ folders: () => [project] })),
  about: aboutScout,
  takesPath: true,
  // It has no model that is told anything: it is given the path with each prompt, and of that it looks at what others said.
  told(word, passed) {
    const prompts = passed.filter(({ method }) => method === 'session/prompt').map(({ params }) => params);
    const prompt = prompts.findLast(params => JSON.stringify(params?.['prompt']).includes(word));
    const { throughline } = (prompt?.['_meta'] ?? {}) as {
      readonly throughline?: { readonly path: readonly Message[] };
    };
    return JSON.stringify([throughline?.path.filter(({ role }) => role === 'user'), prompt?.['prompt']]);
  },
});

export const theScout: Contender = {
  name: 'the scout',
  id: scoutRef.id,
  setUp: (_t, project) => Promise.resolve(backstage(project)),
  answer: n => ({ prompt: `Where is zebra${n % 9}?`, text }),
  tour: () => 'Where is zebra3?',
  slow: 'Where are zebra1, zebra3, zebra5 and zebra7?',
  // In front of what is asked there is room for six words; what is noted is not looked for.
  note: (words, { prompt }) => `${prompt} ${words}`,
  can: {},
};
