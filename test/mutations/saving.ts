// What a conversation promises about saving: everything that can be saved is, in its order, and turns and changes of what
// is shown exclude each other.

import type { Row } from './row.ts';

const saving = 'test/unit/conversation/saving.test.ts';
const storedQueue = 'test/unit/conversation/storedQueue.test.ts';
const queuedElsewhere = 'test/unit/conversation/queuedElsewhere.test.ts';
const phases = 'test/unit/conversation/phases.test.ts';
const turnGate = 'test/unit/conversation/turnGate.test.ts';

const saver: readonly Row[] = [
  {
    defence: 'What could not be saved is tried again on a timer',
    attacks: [],
    file: 'src/core/conversation/step.ts',
    text: 'save: step => step.set({ saving: { ...step.state.saving, isDue: true } }),',
    replacement: 'save: () => {},',
    tests: [saving],
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'The time between two attempts to save doubles',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'delay: Math.min(saving.delay * 2, longestRetry),',
    replacement: 'delay: firstRetry,',
    tests: [saving],
  },
  {
    defence: 'The time between two attempts to save begins anew after a success',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'waiting, job: null, delay: firstRetry }',
    replacement: 'waiting, job: null }',
    tests: [saving],
  },
  {
    defence: 'What could not be saved is tried a last time when the conversation is closed',
    attacks: [],
    file: 'src/core/conversation/closing.ts',
    text: 'signIn: null, saving: { ...saving, isDue: true } });',
    replacement: 'signIn: null });',
    tests: [saving],
  },
  {
    defence: 'Nothing is tried again on a timer after the close',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'if (waiting.length > 0 && !isClosing) step.act(',
    replacement: 'if (waiting.length > 0) step.act(',
    tests: [saving],
  },
  {
    defence: 'What is refused keeps nothing else from being saved',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: `  if (outcome.kind === 'retry') return putOff(step, outcome);
`,
    replacement: `  if (outcome.kind !== 'saved') return putOff(step, { kind: 'retry', error: outcome.error });
`,
    tests: [saving],
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'Of a record that is refused, the facts that are in order are saved',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: `  if (facts.length > 1)
`,
    replacement: `  if (facts.length > facts.length)
`,
    tests: [saving],
  },
  {
    defence: 'The person is told what is refused',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'for (const fact of facts) step.warn(',
    replacement: 'for (const fact of facts.slice(0, 0)) step.warn(',
    tests: [saving],
  },
  {
    defence: 'What could not be saved keeps its place before what comes later',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'const kept = step.state.saving.waiting.filter(entry => !entry.isNowOrNever);',
    replacement: 'const kept = step.state.saving.waiting.filter(entry => !entry.isNowOrNever).toReversed();',
    tests: [saving],
  },
  {
    defence: 'What was to be saved now or never is not kept for later',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'const kept = step.state.saving.waiting.filter(entry => !entry.isNowOrNever);',
    replacement: 'const kept = step.state.saving.waiting;',
    tests: [saving],
  },
  {
    defence: 'A disk that is full is tried again',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: "'disk-full': 'retry',",
    replacement: "'disk-full': 'refused',",
    tests: [saving],
  },
  {
    defence: 'A value that is too large is not tried again',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: "'too-large': 'refused',",
    replacement: "'too-large': 'retry',",
    tests: [saving],
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'Messages that are read from history are shown with what is not saved yet',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'if (facts.length === 0) return messages;',
    replacement: 'if (facts.length >= 0) return messages;',
    tests: [saving],
    only: 'what is not saved yet',
  },
];

const queue: readonly Row[] = [
  {
    defence: 'Each queued prompt stands in a field of its own',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: "name: 'queued', of: message, from: message, value };",
    replacement: "name: 'queued', of: 'queue', from: message, value };",
    tests: [storedQueue],
  },
  {
    defence: 'A picture in a queued prompt is kept beside its words',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: 'text, attached: value }), data };',
    replacement: 'text, attached: value }), data: data.slice(0, 0) };',
    tests: [storedQueue],
    only: 'a small picture',
  },
  {
    defence: 'A queued prompt that was taken back is gone from its own field',
    attacks: [],
    file: 'src/core/conversation/queueing.ts',
    text: `    return record(step, [], taken);
`,
    replacement: `    return record(step, [], []);
`,
    tests: [storedQueue],
  },
  {
    defence: 'A queued prompt that an older version left out of the list waits all the same',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: '...fields.filter(({ queued: { id } }) => !ids.has(id))',
    replacement: '...fields.filter(({ queued: { id } }) => ids.size === 0 && !ids.has(id))',
    tests: [storedQueue],
  },
  {
    defence: 'A queued prompt whose file is gone says so',
    attacks: [],
    file: 'src/core/conversation/storedQueue.ts',
    text: "return { ...kept, queued: { id: field, text: '', trouble: words } };",
    replacement: 'return { ...kept, queued: { id: field, text: words.slice(0, 0) } };',
    tests: [storedQueue],
  },
  {
    defence: 'What was queued goes with the message that it became when that is erased',
    attacks: [13],
    file: 'src/core/conversation/storedQueue.ts',
    text: "name: 'queued', of: message, from: message, value };",
    replacement: "name: 'queued', of: `q${position}`, value };",
    tests: [storedQueue],
    only: 'waited and was erased later',
  },
  {
    defence: 'What waits before the session is in history goes there with it',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: `  queuedSent(step);
  markStored(step);
`,
    replacement: `  queuedSent(step);
  step.set({ isStored: true });
`,
    tests: [storedQueue],
  },
  {
    defence: 'What waits goes to history with a first record that is found written later',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: `  markStored(step);
  step.save([{ type: 'end'`,
    replacement: `  step.set({ isStored: true });
  step.save([{ type: 'end'`,
    tests: ['test/unit/conversation/fuzz.test.ts'],
  },
  {
    defence: 'A queued prompt that could not be sent comes back with the reason',
    attacks: [],
    file: 'src/core/conversation/preparing.ts',
    text: `  if (plan.queued) giveBackQueued(step, plan.queued, sent.words);
`,
    replacement: '',
    tests: ['test/unit/conversation/questions.test.ts'],
  },
  {
    defence: 'A queued prompt leaves history with the record that makes it a message',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: '    ...(plan.queued ? sentFacts(step, plan.queued) : []),\n',
    replacement: '',
    tests: [storedQueue],
    only: 'one record makes a message',
  },
  {
    defence: 'A queued prompt in other words is another message',
    attacks: [],
    file: 'src/core/conversation/queueing.ts',
    text: 'keep(step, { ...kept, queued, message: step.given.newMessage(), field: null, isOwn: true });\n  showQueue(\n',
    replacement: 'keep(step, { ...kept, queued, field: null, isOwn: true });\n  showQueue(\n',
    tests: [queuedElsewhere],
  },
  {
    defence: 'The words that a queued prompt had before wait no more',
    attacks: [],
    file: 'src/core/conversation/queueing.ts',
    text: '  record(step, [id], taken);\n',
    replacement: '  record(step, [id], []);\n',
    tests: [storedQueue],
  },
  {
    defence: 'A prompt that another window sent waits here no more',
    attacks: [],
    file: 'src/core/conversation/following.ts',
    text: '  if (change.messages.length > 0) dropSentElsewhere(step, new Set(change.messages));\n',
    replacement: '',
    tests: [queuedElsewhere],
  },
  {
    defence: 'A prompt that another window sent does not come back when it is sent here as well',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: "  if (plan.queued && error.code === 'exists') return sentElsewhere(step, plan);\n",
    replacement: '',
    tests: [queuedElsewhere],
  },
  {
    defence: 'A store reads what others wrote before a prompt that waited becomes a message',
    attacks: [],
    file: 'src/node/history/store.ts',
    text: 'if (facts.some(isDequeued) || claims.length > 0)',
    replacement: 'if (claims.length > 0)',
    tests: ['test/unit/history/takenFirst.test.ts'],
  },
  {
    defence: 'A queued prompt that history refuses as a message waits on there',
    attacks: [],
    file: 'src/core/conversation/saving.ts',
    text: 'isLost ? withoutDequeuing(rest, entry.facts) : rest',
    replacement: 'isLost ? rest : rest',
    tests: [storedQueue],
    only: 'refuses as a message',
  },
];

const gate: readonly Row[] = [
  {
    defence: 'No turn begins while a branch is read',
    attacks: [],
    file: 'src/core/conversation/requests.ts',
    text: "switching: 'change',",
    replacement: "switching: 'rest',",
    tests: [turnGate],
  },
  {
    defence: 'No branch is changed while a turn runs',
    attacks: [],
    file: 'src/core/conversation/requests.ts',
    text: "return now === 'turn' ? step.reply(request.call) : beginMove(step, request);",
    replacement: 'return beginMove(step, request);',
    tests: [turnGate, 'test/unit/conversation/branching.test.ts'],
  },
  {
    defence: 'One turn runs at a time',
    attacks: [],
    file: 'src/core/conversation/requests.ts',
    text: "if (now === 'rest') return beginTurn(",
    replacement: "if (now !== 'closed') return beginTurn(",
    tests: ['test/unit/conversation/conversation.test.ts'],
    only: 'one turn at a time',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'A move that is asked for while another is under way is made after it',
    attacks: [],
    file: 'src/core/conversation/requests.ts',
    text: `if (now === 'change') return postpone(step, request);
      // Nothing`,
    replacement: `if (now === 'change') return step.reply(request.call);
      // Nothing`,
    tests: [turnGate],
    only: 'is done after it',
  },
  {
    defence: 'What throws in a panel ends no turn',
    attacks: [],
    file: 'src/core/conversation/conversation.ts',
    text: 'for (const listener of this.listeners) this.tell(listener, event);',
    replacement: 'for (const listener of this.listeners) listener(event);',
    tests: [turnGate],
    only: 'a panel that throws',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'A change that failed doesn’t keep the next one from being made',
    attacks: [],
    file: 'src/core/conversation/switching.ts',
    text: `  step.fail(request?.call ?? null, cause);
  settle(step);
`,
    replacement: `  step.fail(request?.call ?? null, cause);
`,
    tests: [turnGate],
    only: 'a branch that can’t be read',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'A phase follows only on one that leads to it',
    attacks: [],
    file: 'src/core/conversation/transition.ts',
    text: 'if (phase.name !== this.phase.name && !allowed.includes(phase.name))',
    replacement: 'if (phase.name !== this.phase.name && allowed.length < 0)',
    tests: [phases],
  },
  {
    defence: 'Text with a gap before it is not put into the transcript',
    attacks: [],
    file: 'src/core/conversation/growingTranscript.ts',
    text: ' && before.offset + before.text.length === next.offset',
    replacement: '',
    tests: ['test/unit/conversation/growingTranscript.test.ts'],
  },
  {
    defence: 'What throws in a step keeps nothing else from being done',
    attacks: [],
    file: 'src/core/conversation/conversation.ts',
    text: '    } finally {\n      this.isStepping = false;\n    }',
    replacement: '      this.isStepping = false;\n    } catch (cause) {\n      throw cause;\n    }',
    tests: [turnGate],
    only: 'what throws in a step',
    shows: 'hang',
    seconds: 30,
  },
  {
    defence: 'An agent that ignores a cancel is restarted',
    attacks: [],
    file: 'src/core/conversation/runningTurn.ts',
    text: "    step.act({ kind: 'restartAgent', program });\n",
    replacement: '',
    tests: ['test/unit/conversation/ignoredCancel.test.ts'],
  },
  {
    defence: 'What an agent that ignored a cancel knows is not gone on from',
    attacks: [],
    file: 'src/core/conversation/runningTurn.ts',
    text: '    if (step.state.link.session === turn.resolved.session) step.link({ session: null });\n',
    replacement: '',
    tests: ['test/unit/conversation/ignoredCancel.test.ts'],
  },
  {
    defence: 'An agent that answers a cancel late is not restarted',
    attacks: [],
    file: 'src/core/conversation/runningTurn.ts',
    text: '  ignored.delete(job);\n',
    replacement: '',
    tests: ['test/unit/conversation/ignoredCancel.test.ts'],
  },
];

export const savings: readonly Row[] = [...saver, ...queue, ...gate];
