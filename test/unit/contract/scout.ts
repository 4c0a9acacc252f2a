// The built-in agent as a contender: at the other end of a stream in this process, as the extension has it.

import type { Message } from '../../../src/model/message.ts';
import { scout } from '../../../src/agent/scout.ts';
import { aboutScout, scoutRef } from '../../../src/agent/scoutRef.ts';
import { serveBuiltInAgent } from '../../../src/agent/serve.ts';
import { memoryStreams } from '../../../src/node/acp/memoryStream.ts';
import { memoryTransport } from '../../../src/node/acp/transport.ts';
import { diskFiles } from '../../../src/node/files/search.ts';
import { ids } from '../support/history.ts';
import { never } from '../support/scriptedProgram.ts';
import type { Backstage, Contender, Said } from './contender.ts';

/** What the scout itself says to it, asked without a stream between. */
const text: Said['text'] = async (path, prompt, folder) => {
  const pieces: string[] = [];
  for await (const update of scout({ text: prompt, folder, path, signal: never }, diskFiles))
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
      pieces.push(update.content.text);
  return pieces.join('');
};

const backstage: Backstage = {
  open() {
    const [ours, theirs] = memoryStreams();
    const served = serveBuiltInAgent(theirs, { files: diskFiles, newSessionId: ids.session });
    return Promise.resolve(memoryTransport(ours, () => served.close()));
  },
  about: aboutScout,
  takesPath: true,
  // It has no model: it is given the path with each prompt, and of that it looks at what others said.
  told(word, passed) {
    const prompts = passed.filter(({ method }) => method === 'session/prompt').map(({ params }) => params);
    const prompt = prompts.findLast(params => JSON.stringify(params?.['prompt']).includes(word));
    const { throughline } = (prompt?.['_meta'] ?? {}) as {
      readonly throughline?: { readonly path: readonly Message[] };
    };
    return JSON.stringify([throughline?.path.filter(({ role }) => role === 'user'), prompt?.['prompt']]);
  },
};

export const theScout: Contender = {
  name: 'the scout',
  id: scoutRef.id,
  setUp: () => Promise.resolve(backstage),
  answer: n => ({ prompt: `Where is zebra${n % 9}?`, text }),
  tour: () => 'Where is zebra3?',
  slow: 'Where are zebra1, zebra3, zebra5 and zebra7?',
  // In front of what is asked there is room for six words; what is noted is not looked for.
  note: (words, { prompt }) => `${prompt} ${words}`,
  can: {},
};
