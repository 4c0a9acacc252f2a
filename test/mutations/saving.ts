// What a conversation promises about saving: everything that can be saved is, in its order, and turns and changes of what
// is shown exclude each other.

import type { Row } from './row.ts';

const saving = 'test/unit/conversation/saving.test.ts';
const storedQueue = 'test/unit/conversation/storedQueue.test.ts';
const turnGate = 'test/unit/conversation/turnGate.test.ts';

const saver: readonly Row[] = [
  {
    defence: 'What could not be saved is tried again on a timer',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: `      this.retryDelay = Math.min(this.retryDelay * 2, longestRetry);
      void this.flush();`,
    replacement: '      this.retryDelay = Math.min(this.retryDelay * 2, longestRetry);',
    tests: [saving],
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'The time between two attempts to save doubles',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: 'this.retryDelay = Math.min(this.retryDelay * 2, longestRetry);',
    replacement: 'this.retryDelay = firstRetry;',
    tests: [saving],
  },
  {
    defence: 'The time between two attempts to save begins anew after a success',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: '    this.retryDelay = firstRetry;\n',
    replacement: '',
    tests: [saving],
  },
  {
    defence: 'What could not be saved is tried a last time when the conversation is closed',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: '    this.isClosed = true;\n    await this.flush();\n',
    replacement: '    this.isClosed = true;\n',
    tests: [saving],
  },
  {
    defence: 'Nothing is tried again on a timer after the close',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: 'if (kept.length === 0 || this.isClosed) return;',
    replacement: 'if (kept.length === 0) return;',
    tests: [saving],
  },
  {
    defence: 'What is refused keeps nothing else from being saved',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: "if (outcome.kind === 'retry') return this.retryLater(outcome);",
    replacement: `if (outcome.kind === 'retry') return this.retryLater(outcome);
      if (outcome.kind === 'refused') return this.retryLater({ kind: 'retry', error: outcome.error });`,
    tests: [saving],
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'Of a record that is refused, the facts that are in order are saved',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: 'if (facts.length <= 1) return this.ports.onRefused(facts, error);',
    replacement: 'if (facts.length >= 1) return this.ports.onRefused(facts, error);',
    tests: [saving],
  },
  {
    defence: 'The person is told what is refused',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: 'if (facts.length <= 1) return this.ports.onRefused(facts, error);',
    replacement: 'if (facts.length <= 1) return;',
    tests: [saving],
  },
  {
    defence: 'What could not be saved keeps its place before what comes later',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: 'const kept = this.waiting.filter(entry => !entry.nowOrNever);',
    replacement: 'const kept = this.waiting.filter(entry => !entry.nowOrNever).toReversed();',
    tests: [saving],
  },
  {
    defence: 'What was to be saved now or never is not kept for later',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: 'const kept = this.waiting.filter(entry => !entry.nowOrNever);',
    replacement: 'const kept = this.waiting.filter(entry => entry.facts.length > 0);',
    tests: [saving],
  },
  {
    defence: 'A disk that is full is tried again',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: "'disk-full': 'retry',",
    replacement: "'disk-full': 'refused',",
    tests: [saving],
  },
  {
    defence: 'A value that is too large is not tried again',
    attacks: [],
    file: 'src/core/conversation/saver.ts',
    text: "'too-large': 'refused',",
    replacement: "'too-large': 'retry',",
    tests: [saving],
    shows: 'hang',
    seconds: 30,
  },
];

const queue: readonly Row[] = [
  {
    defence: 'A long queued prompt stands in a field of its own',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: 'if (more <= longestInList && length + more <= longestList) {',
    replacement: 'if (length + more <= longestList * 1000) {',
    tests: [storedQueue],
  },
  {
    defence: 'Many queued prompts of middle length never make the list too long',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: 'if (more <= longestInList && length + more <= longestList) {',
    replacement: 'if (more <= longestInList) {',
    tests: [storedQueue],
  },
  {
    defence: 'A picture in a queued prompt is never in the list',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: '  if (attached?.some(({ block }) => hasBytes(block.data))) return null;\n',
    replacement: '',
    tests: [storedQueue],
  },
  {
    defence: 'A queued prompt that was taken back is gone from its own field',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: '  for (const [id, { message }] of before) if (!apart.has(id)) setQueued(id, message, null);\n',
    replacement: '',
    tests: [storedQueue],
  },
  {
    defence: 'A queued prompt that an older version left out of the list waits all the same',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: 'return { queue: [...found, ...leftOut], apart };',
    replacement: 'return { queue: found, apart };',
    tests: [storedQueue],
  },
  {
    defence: 'A queued prompt whose file is gone says so',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: "return { message, queued: { id, text: '', trouble: words } };",
    replacement: 'return { message, queued: { id, text: words.slice(0, 0) } };',
    tests: [storedQueue],
  },
  {
    defence: 'What was queued goes with the message that it became when that is erased',
    attacks: [13],
    file: 'src/core/conversation/storedQueue.ts',
    text: "facts.push({ type: 'set', session, name: 'queued', of, from, value });",
    replacement:
      "facts.push({ type: 'set', session, name: 'queued', of, ...(value === null ? { from } : {}), value });",
    tests: [storedQueue],
    only: 'waited and was erased later',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'What waits before the session is in history goes there with it',
    attacks: [],
    file: 'src/core/conversation/queue.ts',
    text: 'if (this.ports.waiting().length > 0) this.record(this.ports.waiting());',
    replacement: '',
    tests: [storedQueue],
  },
  {
    defence: 'A queued prompt that could not be sent comes back with the reason',
    attacks: [],
    file: 'src/core/conversation/queue.ts',
    text: 'this.set(words === null ? waiting : [{ ...next, trouble: words }, ...waiting]);',
    replacement: 'this.set(waiting);',
    tests: [turnGate, 'test/unit/conversation/conversation.test.ts', 'test/unit/conversation/attaching.test.ts'],
  },
];

const gate: readonly Row[] = [
  {
    defence: 'No turn begins while a branch is read',
    attacks: [],
    file: 'src/core/conversation/turnGate.ts',
    text: '    while (this.changing) await this.changing;\n',
    replacement: '',
    tests: [turnGate],
  },
  {
    defence: 'No branch is changed while a turn runs',
    attacks: [],
    file: 'src/core/conversation/turnGate.ts',
    text: '    if (this.running) return false;\n',
    replacement: '',
    tests: [turnGate, 'test/unit/conversation/branching.test.ts'],
  },
  {
    defence: 'One turn runs at a time',
    attacks: [],
    file: 'src/core/conversation/turnGate.ts',
    text: '    if (this.running) return null;\n',
    replacement: '',
    tests: [turnGate, 'test/unit/conversation/conversation.test.ts'],
  },
  {
    defence: 'Each change waits for the one before it',
    attacks: [],
    file: 'src/core/conversation/turnGate.ts',
    text: '      await before;\n',
    replacement: '',
    tests: [turnGate],
  },
  {
    defence: 'A turn is over whatever throws at its end',
    attacks: [],
    file: 'src/core/conversation/turnGate.ts',
    text: `        try {
          after();
        } finally {
          resolve();
        }`,
    replacement: '        after();\n        resolve();',
    tests: [turnGate],
    only: 'is over whatever throws',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'A change that failed doesn’t keep the next one from being made',
    attacks: [],
    file: 'src/core/conversation/turnGate.ts',
    text: 'if (this.changing === over) this.changing = null;',
    replacement: 'if (this.changing === over && !before) this.changing = null;',
    tests: [turnGate, 'test/unit/conversation/branching.test.ts'],
    shows: 'hang',
    seconds: 30,
  },
];

export const savings: readonly Row[] = [...saver, ...queue, ...gate];
