// What must be true of a conversation, each with a code that stays: what is looked at after every move is here, what is
// looked at when all has settled is in `atTheEnd.ts`.

import type { Message, MessageId } from '../../src/model/message.ts';
import { textOf } from '../../src/model/message.ts';
import type { Transcript } from '../../src/model/transcript.ts';
import type { FakeSession, FakeTurn, Heard } from './fakeSession.ts';
import type { Window } from './window.ts';

/** Each code of a violation, and what it means. */
export const codes = {
  'permission-left-open': 'A question of a turn is still open after the turn ended.',
  'late-question-open': 'A question that an agent asked after its answer is open, and no turn runs.',
  'turn-left-running': 'A turn did not end although the agent, the disk and time gave it all that it needs.',
  'cancel-hangs': 'A cancel did not resolve within a second although the disk works.',
  'queue-stuck': 'A turn ended well, and what waits behind it was not sent.',
  'leave-hangs': 'A window that closes still waited after its patience.',
  'call-hangs': 'A call did not resolve although the agent, the disk and time gave it all that it needs.',
  'timer-after-leave': 'A timer was left after the window had closed.',
  'shown-not-saved': 'A message is shown whole, without word that it is not saved, and is not in history.',
  'shown-differs': 'A message is shown with other blocks than history has, and nothing says so.',
  'end-not-shown': 'A message ended, and the window goes on showing it without its end.',
  'unsaved-stays': 'Something is still not saved, and shown so, although the disk has worked for long.',
  'refusal-not-told': 'History refused a part of a message, and nobody was told.',
  'lost-on-leave': 'A window closed in order on a disk that works, and something of its turn is not in history.',
  'title-differs': 'The title that is shown is another one than history has.',
  'trash-differs': 'The panel shows a session of the trash as if it was not there, or the other way round.',
  'elsewhere-stays': 'Nothing runs anywhere, and the panel still waits for another window to end its turn.',
  'turn-not-on-path': 'The message that a turn answers with is not among those that are shown.',
  'queued-prompt-lost': 'A prompt that waited was neither sent nor waits, and nobody took it back.',
  'queued-prompt-lost-beside': 'As before, and another window wrote down what waits in it afterwards.',
  'queued-before-saved-lost': 'A prompt that waited in a session that never got to history went with its window.',
  'accepted-prompt-lost': 'A prompt that was said to be sent is not in history.',
  'queued-sent-twice': 'A prompt that waited reached an agent more than once, from windows that live.',
  'sent-twice-after-stall':
    'A prompt that waited was sent by its window, which was silent for a while, and by another.',
  'sent-again-after-crash': 'A prompt that waited was sent, its window died, and the next one sent it again.',
  'prompt-sent-twice': 'A prompt that was sent directly reached an agent more than once.',
  'changed-words-lost': 'The words of a waiting prompt were changed, and the old ones were sent.',
  'out-of-sight-taken-for-erased': 'A session that is out of sight for a while was told as gone for ever.',
  'remembers-unheard': 'A prompt went to an agent that was said to remember messages of which it was not told.',
  'remembers-another-branch': 'A prompt went to an agent that was said to remember just this path, and knows more.',
  'summary-covers-untold': 'A summary stands for a message that its writer was not told whole.',
  'said-fresh-and-is-not': 'A prompt went out as the first one and there was a path before it.',
  'shown-remembers-unheard': 'The panel says that the agent remembers, and no session of it was told all of the path.',
  'path-not-given': 'An agent that takes the path was given another one than is shown.',
  'prompt-without-turn': 'A prompt reached an agent while no turn was shown.',
  'two-turns': 'A prompt reached an agent while another turn of the window had not ended.',
  'event-does-not-fit': 'An event does not fit the transcript before it.',
  'changed-without-event': 'The transcript is another one than its events make.',
  'unhandled-rejection': 'A promise was rejected that nobody waited for.',
  'thrown-in-timer': 'A timer threw.',
  'thrown-in-call': 'A call threw, or rejected with what it does not promise.',
  'released-halfway': 'A conversation refused to be released, and let messages go.',
  'not-loaded': 'The disk works, the conversation was loaded, and history has messages that it does not show.',
  'never-quiet': 'Something goes on without end although nothing more is done.',
} as const satisfies Record<string, string>;

export type Code = keyof typeof codes;

/** With this begins the id of a question that an agent asks when it has ended the turn, which the port does not allow. */
export const late = 'late-';

export const isCode = (text: string): text is Code => Object.hasOwn(codes, text);

/** What is cheap enough to be looked at after each move. */
export function checkStep(window: Window): void {
  const { conversation, report } = window;
  if (!conversation) return;
  const { transcript } = conversation;
  if (transcript !== window.seen) {
    if (window.seen !== null) report('changed-without-event', 'The transcript changed and no event said so.');
    window.seen = transcript;
  }
  if (transcript === window.checked) return;
  window.checked = transcript;
  const { turn, permissions, elicitations, continuity } = transcript;
  const open = [...permissions, ...elicitations];
  if (!turn && open.length > 0) {
    const wereLate = open.every(({ id }) => id.startsWith(late));
    report(wereLate ? 'late-question-open' : 'permission-left-open', `${open.map(({ id }) => id).join()} is open.`);
  }
  if (turn && turn.message !== null && !transcript.messages.some(({ id }) => id === turn.message)) {
    report('turn-not-on-path', `${turn.message} is not shown.`);
  }
  const { program } = window;
  // What history refused may have been told to the agent, and is told to the person.
  const isRefused = window.around.disk.ways.some(way => way.refused.length > 0);
  if (!turn && continuity.kind === 'remembers' && !program.takesPath && !isRefused) {
    const path = transcript.messages;
    const knows = program.heardAll().some(heard => missingIn(heard, path) === null);
    if (!knows) report('shown-remembers-unheard', `No session of ${program.ref.id} was told all of the path.`);
  }
}

/** A prompt is at the agent, synchronously: what is shown now is what the person was told of it. */
export function checkPrompt(window: Window, turn: FakeTurn, session: FakeSession): void {
  const { conversation, report } = window;
  if (!conversation) return;
  const { transcript } = conversation;
  const answer = transcript.turn?.message ?? null;
  if (answer === null) return report('prompt-without-turn', 'A prompt reached the agent outside of a turn.');
  const { underWay } = window;
  if (underWay && underWay.answer !== answer && underWay.turn.isOpen && !underWay.turn.signal.aborted) {
    report('two-turns', `${underWay.answer} was being answered when the prompt of ${answer} was sent.`);
  }
  window.underWay = { turn, answer };
  const at = transcript.messages.findIndex(({ id }) => id === answer);
  const message = transcript.messages[at];
  if (!message) return;
  const isSummary = message.role === 'summary';
  const before = transcript.messages.slice(0, isSummary ? at : at - 1);
  if (session.agent.takesPath) checkGivenPath(window, turn, before);
  else if (isSummary) checkSummary(window, turn, session.heard, message, before);
  else checkMemory(window, session, before, transcript);
  session.answers(turn, isSummary ? null : (transcript.messages[at - 1]?.id ?? null), answer);
}

function checkGivenPath(window: Window, { prompt }: FakeTurn, before: readonly Message[]): void {
  const isSame =
    prompt.path.length === before.length && prompt.path.every((message, at) => message.id === before[at]?.id);
  if (!isSame) window.report('path-not-given', `It was given ${prompt.path.length} messages of ${before.length}.`);
}

/**
 * A message is told where the prompt has each of its texts whole, or where it was the session's own turn. What an earlier
 * summary on the path stands for is told by that summary.
 */
function checkSummary(
  window: Window,
  { prompt }: FakeTurn,
  heard: Heard,
  summary: Message,
  before: readonly Message[],
): void {
  const told = prompt.parts.map(part => (part.type === 'text' ? part.text : '')).join('\n');
  const leftOut = new Set(summary.leftOut);
  const from = before.findLastIndex(({ role, end }) => role === 'summary' && end?.reason === 'end_turn');
  for (const message of before.slice(from + 1)) {
    if (message.role === 'summary' || leftOut.has(message.id) || heard.get(message.id) === null) continue;
    const isTold = message.blocks.every(block => block.kind !== 'text' || told.includes(block.text.trim()));
    if (!isTold) window.report('summary-covers-untold', `${summary.id} stands for ${message.id}.`);
  }
}

function checkMemory(
  window: Window,
  session: FakeSession,
  before: readonly Message[],
  { continuity }: Transcript,
): void {
  const { report } = window;
  const { heard } = session;
  // What others wrote and was not read yet can't be known; a slow disk tells it late.
  const { disk } = window.around;
  // What history refused was told to the person, and may have been told to the agent.
  if (disk.ways.some(way => way.refused.length > 0)) return;
  if (window.way.isSlow || window.way.isHidden || disk.isUnsure || disk.ways.some(way => way.stalledUntil > 0)) return;
  if (continuity.kind === 'fresh' && before.length > 0) {
    report('said-fresh-and-is-not', `${before.length} messages come before the prompt.`);
  }
  if (continuity.kind !== 'remembers') return;
  const missing = missingIn(
    heard,
    before.map(message => longerOf(message, window.kept(message.id))),
  );
  if (missing !== null) report('remembers-unheard', `It was not told ${missing}.`);
  const path = new Set(before.map(({ id }) => id));
  const more = [...heard.keys()].find(id => !path.has(id) && !window.isErased(id));
  if (more !== undefined) report('remembers-another-branch', `It knows ${more}, which is not on the path.`);
}

/** What another window wrote meanwhile is a part of the path, too, whether it is shown here or not. */
function longerOf(shown: Message, kept: Message | null): Message {
  return kept && textOf(kept).length > textOf(shown).length ? kept : shown;
}

/** The first message of a path that was not heard as it is now; null where all were. */
export function missingIn(heard: Heard, path: readonly Message[]): MessageId | null {
  for (const message of path) {
    const told = heard.get(message.id);
    if (told === undefined || (told !== null && told !== textOf(message))) return message.id;
  }
  return null;
}
