// What is said of an agent's memory: never more than its session holds, and a summary stands only for what was told whole.

import type { Row } from './row.ts';

const summarising = 'test/unit/conversation/summarising.test.ts';
const sessionRequest = 'test/unit/conversation/sessionRequest.test.ts';
const questions = 'test/unit/conversation/questions.test.ts';
const seeding = 'test/unit/conversation/seeding.test.ts';

/** A field of a request that decides what the agent will know. */
function decisive(field: string, text: string): Row {
  return {
    defence: `A session that was found ahead is used only for a request with the same ${field}`,
    attacks: [],
    file: 'src/core/conversation/sessionRequest.ts',
    text,
    replacement: `${text.slice(0, text.indexOf(':'))}: null,`,
    tests: [sessionRequest],
  };
}

export const knowing: readonly Row[] = [
  decisive('agent', 'program: ({ program }) => program,'),
  decisive('folder', 'place: ({ place }) => JSON.stringify(place),'),
  decisive('path', 'path: ({ path }) => path.map(({ id, end }) => (end ? id : `${id}…`)).join(),'),
  decisive(
    'bindings',
    'bindings: request => JSON.stringify(request.bindings.map(binding => [binding, isFree(binding, request)])),',
  ),
  decisive('window', 'writer: ({ writer }) => writer,'),
  decisive('fork', 'fork: ({ fork }) => fork,'),
  decisive('budget', 'budget: request => (request.program.takesPath ? null : JSON.stringify(budgetOf(request))),'),
  {
    defence: 'A session that was found ahead and is gone with its agent is looked for again',
    attacks: [],
    file: 'src/core/conversation/agentEffects.ts',
    text: `  if (agent.session(found.session.id) !== found.session) return resolveSession(request, signal);
`,
    replacement: '',
    tests: [sessionRequest],
  },
  {
    defence: 'A session that was opened ahead and never used is closed',
    attacks: [],
    file: 'src/core/conversation/agentLink.ts',
    text: `  if (ahead.found) closeUnused(step, ahead.found.session);
`,
    replacement: '',
    tests: [sessionRequest],
  },
  {
    defence: 'Who lives is asked before an agent session is used that another window bound',
    attacks: [],
    file: 'src/core/conversation/preparing.ts',
    text: 'if (link.bindings.every(({ owner }) => owner === step.given.writer)) return look',
    replacement: 'if (link.bindings.length >= 0) return look',
    tests: [questions],
    only: 'of a window that lives',
  },
  {
    defence: 'Where an agent knows less than was said, the person is asked before anything is sent',
    attacks: [],
    file: 'src/core/conversation/preparing.ts',
    text: 'if (rank(found.continuity) >= rank(plan.shown)) return',
    replacement: 'if (rank(found.continuity) >= 0) return',
    tests: [questions],
    only: 'where less is found',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'A summary says which messages its writer was not told whole',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: `    ...(leftOut.length > 0 ? { leftOut } : {}),
`,
    replacement: '',
    tests: [summarising],
  },
  {
    defence: 'The panel says how many messages a summary doesn’t stand for',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: 'leftOut.length === 0 ? [] : [leftOutWords(leftOut.length)];',
    replacement: 'leftOut.length >= 0 ? [] : [leftOutWords(leftOut.length)];',
    tests: [summarising],
  },
  {
    defence: 'A session that was told a part of the conversation doesn’t write the summary of all',
    attacks: [],
    file: 'src/core/conversation/preparing.ts',
    text: 'bindings: request.bindings.filter(({ from }) => from === null),',
    replacement: 'bindings: request.bindings,',
    tests: [summarising],
  },
  {
    defence: 'An agent that is given the path stands for no more of it than its model takes',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: 'if (request.program.takesPath) return notGiven(request, session.contextWindow).map(({ id }) => id);',
    replacement: 'if (request.program.takesPath) return [];',
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
    file: 'src/core/conversation/resumeAgentSession.ts',
    text: 'binding.head === head && !binding.dirty && isAsTold',
    replacement: '!binding.dirty && isAsTold',
    tests: [sessionRequest],
  },
  {
    defence: 'A session whose last turn never settled is not relied on',
    attacks: [],
    file: 'src/core/conversation/resumeAgentSession.ts',
    text: 'binding.head === head && !binding.dirty && isAsTold',
    replacement: 'binding.head === head && isAsTold',
    tests: [sessionRequest],
  },
  {
    defence: 'A live agent session that another window prompted last is not used',
    attacks: [],
    file: 'src/core/conversation/resumeAgentSession.ts',
    text: 'if (live && isOwn(binding, request)) return resolved(live);',
    replacement: 'if (live) return resolved(live);',
    tests: [sessionRequest],
  },
  {
    defence: 'A session that was told of an unfinished message is not said to remember it once it grew',
    attacks: [],
    file: 'src/core/conversation/resumeAgentSession.ts',
    text: '!binding.dirty && isAsTold(binding, path),',
    replacement: '!binding.dirty,',
    tests: [sessionRequest, 'test/unit/conversation/unfinished.test.ts'],
  },
  {
    defence: 'It is kept of which unfinished messages an agent session was told',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: '...(unfinished.length > 0 ? { unfinished } : {}) };',
    replacement: '};',
    tests: ['test/unit/conversation/unfinished.test.ts'],
  },
  {
    defence: 'A session that is found after it was given up is closed',
    attacks: [],
    file: 'src/core/conversation/step.ts',
    text: '  if (outcome.ok && !state.link.used.has(outcome.value.session)) closeUnused(step, outcome.value.session);\n',
    replacement: '',
    tests: [sessionRequest],
  },
];
