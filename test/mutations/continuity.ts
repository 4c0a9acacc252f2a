// What is said of an agent's memory: never more than its session holds, and a summary stands only for what was told whole.

import type { Row } from './row.ts';

const summarising = 'test/unit/conversation/summarising.test.ts';
const approach = 'test/unit/conversation/approach.test.ts';
const seeding = 'test/unit/conversation/seeding.test.ts';

/** A field of a request that decides what the agent will know. */
function decisive(field: string, text: string): Row {
  return {
    defence: `A session that was found ahead is used only for a request with the same ${field}`,
    attacks: [],
    file: 'src/core/conversation/approach.ts',
    text,
    replacement: `${text.slice(0, text.indexOf(':'))}: null,`,
    tests: [approach],
  };
}

export const knowing: readonly Row[] = [
  decisive('agent', 'program: ({ program }) => program,'),
  decisive('folder', 'place: ({ place }) => JSON.stringify(place),'),
  decisive('path', 'path: ({ path }) => path.map(({ id, end }) => (end ? id : `${id}…`)).join(),'),
  decisive(
    'bindings',
    'bindings: way => JSON.stringify(way.bindings.map(binding => [binding, isFree(binding, way)])),',
  ),
  decisive('window', 'writer: ({ writer }) => writer,'),
  decisive('fork', 'fork: ({ fork }) => fork,'),
  decisive('budget', 'budget: way => (way.program.takesPath ? null : JSON.stringify(budgetOf(way))),'),
  {
    defence: 'A session that was found ahead and is gone with its agent is looked for again',
    attacks: [],
    file: 'src/core/conversation/approach.ts',
    text: 'if (agent.session(rung.session.id) !== rung.session) return climb(way, signal);',
    replacement: '',
    tests: [approach],
  },
  {
    defence: 'A session that was opened ahead and never used is closed',
    attacks: [],
    file: 'src/core/conversation/approach.ts',
    text: '      rung => rung.session.close(),\n      () => {},',
    replacement: '      () => {},\n      () => {},',
    tests: [approach],
  },
  {
    defence: 'Where an agent knows less than was said, the person is asked before anything is sent',
    attacks: [],
    file: 'src/core/conversation/approach.ts',
    text: 'if (rank(found.continuity) >= rank(shown)) return found;',
    replacement: 'if (rank(found.continuity) >= 0) return found;',
    tests: [approach],
  },
  {
    defence: 'A summary says which messages its writer was not told whole',
    attacks: [],
    file: 'src/core/conversation/summarising.ts',
    text: '    ...(leftOut.length > 0 ? { leftOut } : {}),\n',
    replacement: '',
    tests: [summarising],
  },
  {
    defence: 'The panel says how many messages a summary doesn’t stand for',
    attacks: [],
    file: 'src/core/conversation/summarising.ts',
    text: '  if (leftOut === 0) return [];',
    replacement: '  if (leftOut >= 0) return [];',
    tests: [summarising],
  },
  {
    defence: 'A session that was told a part of the conversation doesn’t write the summary of all',
    attacks: [],
    file: 'src/core/conversation/summarising.ts',
    text: 'bindings: way.bindings.filter(({ from }) => from === null),',
    replacement: 'bindings: way.bindings,',
    tests: [summarising],
  },
  {
    defence: 'An agent that is given the path stands for no more of it than its model takes',
    attacks: [],
    file: 'src/core/conversation/summarising.ts',
    text: 'if (way.program.takesPath) return notGiven(way, session.contextWindow).map(({ id }) => id);',
    replacement: 'if (way.program.takesPath) return [];',
    tests: [summarising],
  },
  {
    defence: 'What a summary doesn’t stand for is told to later agents as well',
    attacks: [],
    file: 'src/core/conversation/seeding.ts',
    text: '(index > last || out.has(id)) && role',
    replacement: 'index > last && role',
    tests: [seeding, summarising],
  },
  {
    defence: 'A message that is told only in part counts as left out',
    attacks: [],
    file: 'src/core/conversation/seeding.ts',
    text: '    if (isCut) cut.push(message.id);\n',
    replacement: '',
    tests: [seeding, summarising],
  },
  {
    defence: 'The opening of a transcript that is told only in part counts as left out',
    attacks: [],
    file: 'src/core/conversation/seeding.ts',
    text: 'whole === null || (!whole.isCut && told[0] === whole.text) ? []',
    replacement: 'whole === null || told.length > 0 ? []',
    tests: [seeding, summarising],
  },
  {
    defence: 'Nothing that was said ends a transcript early',
    attacks: [],
    file: 'src/core/conversation/seeding.ts',
    text: "text.replaceAll(/<(\\/?)conversation-history/gi, '<$1conversation‑history')",
    replacement: 'text',
    tests: [seeding],
  },
  {
    defence: 'A binding is used only for the very message at which its session stands',
    attacks: [],
    file: 'src/core/conversation/ladder.ts',
    text: 'binding.head === head && !binding.dirty,',
    replacement: '!binding.dirty,',
    tests: [approach],
  },
  {
    defence: 'A session whose last turn never settled is not relied on',
    attacks: [],
    file: 'src/core/conversation/ladder.ts',
    text: 'binding.head === head && !binding.dirty,',
    replacement: 'binding.head === head,',
    tests: [approach],
  },
];
