// Sessions and turns of an agent: what it says and asks belongs to the session that it names, and to a turn that runs.

import type { Row } from './row.ts';

const openSessions = 'test/unit/agents/openSessions.test.ts';
const session = 'test/unit/agents/session.test.ts';

export const turns: readonly Row[] = [
  {
    defence: 'A cancel takes back every question that is open',
    attacks: [11],
    file: 'src/node/acp/promptTurn.ts',
    text: 'this.isStopped = true;\n    this.noMoreQuestions.abort();',
    replacement: 'this.isStopped = true;',
    tests: ['test/unit/agents/permission.test.ts'],
    only: 'a cancel answers the open question',
    shows: 'hang',
    seconds: 15,
  },
  {
    defence: 'What an agent says of another session is not in this one',
    attacks: [19],
    file: 'src/node/acp/openSessions.ts',
    text: 'const session = this.sessions.get(id);\n    if (session) return session.take(update);',
    replacement: 'const session = this.sessions.get(id) ?? this.all[0];\n    if (session) return session.take(update);',
    tests: [session],
    only: 'what an agent says of another session',
  },
  {
    defence: 'Of what an agent says of a session that nobody knows yet a bounded number is kept',
    attacks: [14, 19],
    file: 'src/node/acp/openSessions.ts',
    text: 'if (kept.length < mostUpdates) kept.push(update);',
    replacement: 'kept.push(update);',
    tests: [openSessions],
  },
  {
    defence: 'An agent that speaks of more and more sessions takes no more memory than a bound',
    attacks: [14, 19],
    file: 'src/node/acp/openSessions.ts',
    text: '} else if (this.early.size < mostUnknown) this.early.set',
    replacement: '} else this.early.set',
    tests: [openSessions],
  },
  {
    defence: 'Nothing is kept of sessions that nobody waits for',
    attacks: [14, 19],
    file: 'src/node/acp/openSessions.ts',
    text: '    if (this.expected === 0) return;\n',
    replacement: '',
    tests: [openSessions],
  },
  {
    defence: 'Where no turn of its session runs an agent can’t write or run a command',
    attacks: [27],
    file: 'src/node/acp/turnRule.ts',
    text: "if (turn === 'none') return noTurn;",
    replacement: '',
    tests: ['test/unit/agents/turnRule.test.ts'],
  },
  {
    defence: 'In a turn that was stopped nothing is begun',
    attacks: [27],
    file: 'src/node/acp/turnRule.ts',
    text: "return need === 'running turn' && turn === 'stopped' ? turnStopped : null;",
    replacement: 'return null;',
    tests: ['test/unit/agents/turnRule.test.ts'],
  },
  {
    defence: 'A session that isn’t open here can do nothing',
    attacks: [19, 27],
    file: 'src/node/acp/turnRule.ts',
    text: 'if (!isKnown) return `There is no session “${session}”.`;',
    replacement: '',
    tests: ['test/unit/agents/turnRule.test.ts'],
  },
  {
    defence: 'A write checks that its turn still runs right before it is made',
    attacks: [27],
    file: 'src/node/acp/promptTurn.ts',
    text: `    this.expectRunning();
    const { onWrite, onWriting }`,
    replacement: '    const { onWrite, onWriting }',
    tests: ['test/unit/agents/turnRule.test.ts', 'test/unit/agents/turnWrites.test.ts'],
  },
];
