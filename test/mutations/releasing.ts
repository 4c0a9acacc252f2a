// Conversations that nobody sees: nothing of them is lost by being released.

import type { Row } from './row.ts';

const releasing = 'test/unit/conversation/releasing.test.ts';

export const releases: readonly Row[] = [
  {
    defence: 'Nothing is released that is not saved',
    attacks: [],
    file: 'src/core/conversation/releasing.ts',
    text: `    saving.waiting.length === 0 &&
`,
    replacement: '',
    tests: [releasing],
  },
  {
    defence: 'Nothing is released while a prompt waits',
    attacks: [],
    file: 'src/core/conversation/releasing.ts',
    text: `    transcript.queue.length === 0 &&
`,
    replacement: '',
    tests: [releasing],
  },
  {
    defence: 'Nothing is released while something runs',
    attacks: [],
    file: 'src/core/conversation/releasing.ts',
    text: `    phase.name === 'idle' &&
`,
    replacement: '',
    tests: [releasing],
  },
  {
    defence: 'What was released is read again before a prompt goes out',
    attacks: [],
    file: 'src/core/conversation/requests.ts',
    text: "  released: 'change',",
    replacement: "  released: 'rest',",
    tests: [releasing],
  },
  {
    defence: 'What was released is read again at the branch that was shown',
    attacks: [],
    file: 'src/core/conversation/releasing.ts',
    text: '{ head, isLoading: true }',
    replacement: '{ head: null, isLoading: true }',
    tests: [releasing],
  },
  {
    defence: 'Whoever goes to a branch that another window writes looks for that window again',
    attacks: [],
    file: 'src/core/conversation/switching.ts',
    text: '    awaitWriter(step, writing);\n',
    replacement: '',
    tests: ['test/unit/conversation/fuzz.test.ts'],
  },
  {
    defence: 'A summary without words stands for nothing',
    attacks: [],
    file: 'src/core/conversation/seeding.ts',
    text: " && textOf(message).trim() !== ''",
    replacement: '',
    tests: ['test/unit/conversation/seeding.test.ts'],
  },
];
