// The end of a run: the disk recovers, agents answer or are stopped, time passes, and then what is shown, what is kept and
// what persons wrote must fit together; the windows close in order, and the next one finds what waits.

import type { Message, MessageId } from '../../src/model/message.ts';
import type { FakeDisk } from './fakeDisk.ts';
import { wordsIn } from './fakeDisk.ts';
import type { Code } from './invariants.ts';
import { marksIn } from './ledger.ts';
import { agentIds, type Window } from './window.ts';
import type { World } from './world.ts';

/** So often at most an agent is let answer, or a turn is stopped, until nothing runs. */
const mostRounds = 80;

/** In milliseconds. An agent has a tenth of a second to answer it. */
const longestCancel = 1000;

export async function finish(world: World, answers: boolean): Promise<void> {
  world.step++;
  for (const { way } of world.living) {
    const { isHidden } = way;
    way.heal();
    // Files that come back are read like new ones.
    if (isHidden) way.tell();
  }
  const running = world.living.map(window => ({
    window,
    answer: window.conversation?.transcript.turn?.message ?? null,
  }));
  await world.settle();
  for (let round = 0; round < mostRounds && !isQuiet(world); round++) {
    for (const window of world.living) goOn(window, answers);
    await world.settle();
    await world.advance(200);
    for (const window of world.living) checkCancels(window, world.time.now);
  }
  // Longer than the longest time between two attempts, and than a window that is silent counts as alive.
  for (let seconds = 0; seconds < 200; seconds += 10) {
    await world.advance(10_000);
    // What waited for another window may have gone out only now.
    for (const window of world.living) goOn(window, answers);
    await world.settle();
    await world.advance(200);
  }
  await loadReleased(world);
  for (const window of world.living) checkQuiet(window, world.disk);
  for (const { window, answer } of running) if (answers && answer !== null) checkQueue(window, answer);
  const known = await leaveAll(world);
  await checkPrompts(world, known);
}

/** What was released has its messages again when it is asked for them. */
async function loadReleased(world: World): Promise<void> {
  const released = world.living.filter(({ conversation }) => conversation?.isReleased);
  for (const window of released) {
    const { conversation } = window;
    void window.watch('load', true, async () => conversation?.load());
  }
  await world.settle();
  await world.advance(1000);
  const { truth } = world.disk;
  const kept = truth.isThere ? truth.open(null, new Set(), '').path.length : 0;
  for (const { conversation, report } of released) {
    const isLoaded = conversation && !conversation.isReleased && conversation.transcript.messages.length > 0;
    if (!isLoaded && kept > 0) report('not-loaded', `${kept} messages are kept.`);
  }
}

function isQuiet({ living }: World): boolean {
  return living.every(({ conversation, calls, isOpening }) => {
    return !isOpening && calls.size === 0 && !conversation?.transcript.turn && !conversation?.transcript.held;
  });
}

function goOn(window: Window, answers: boolean): void {
  const { conversation } = window;
  if (!conversation) return;
  if (answers) {
    for (const id of agentIds) {
      const agent = window.agent(id);
      agent.manners = { ...agent.manners, starts: 'at once', opens: 'at once', closes: true };
      agent.letGo();
      for (const turn of agent.turns) turn.end({ reason: 'end_turn', agreed: true });
    }
  } else if (conversation.transcript.turn && ![...window.calls].some(({ name }) => name === 'cancel')) {
    void window.watch('cancel', false, () => conversation.cancel());
  }
  if (conversation.transcript.held) conversation.answerHeld(answers ? 'transcript' : 'cancel');
}

/** All that was asked of the disk is answered by now, so that only the agent can keep it waiting. */
function checkCancels({ calls, report }: Window, now: number): void {
  for (const { name, began } of calls) {
    if (name === 'cancel' && now - began > longestCancel) report('cancel-hangs', `It waits for ${now - began} ms.`);
  }
}

/** Of a window in which this turn ran when its agent began to answer everything. */
function checkQueue(window: Window, answer: MessageId): void {
  const { conversation, isGone, wasTrashed, report, ledger } = window;
  if (!conversation || isGone || wasTrashed) return;
  const { messages, turn, elsewhere } = conversation.transcript;
  // What a window that is gone left waits for the person.
  const queue = conversation.transcript.queue.filter(({ id }) => ledger.isFrom(window, id));
  const ends = [messages.find(({ id }) => id === answer), messages.at(-1)];
  const isWell = ends.every(isGood) && !turn && elsewhere === null;
  // Behind one that could not be sent the others wait, too.
  const hasTrouble = conversation.transcript.queue.some(({ trouble }) => trouble !== undefined);
  if (isWell && queue.length > 0 && !hasTrouble) {
    report('queue-stuck', `${queue.map(({ id }) => id).join()} wait.`);
  }
}

/** A summary without words is none, and the person says what goes out after it. */
function isGood(message: Message | undefined): boolean {
  if (message?.end?.reason !== 'end_turn') return false;
  return message.role !== 'summary' || lengthOf(message) > 0;
}

function checkQuiet(window: Window, disk: FakeDisk): void {
  const { conversation, calls, report, way } = window;
  if (!conversation) return;
  const { transcript } = conversation;
  if (transcript.turn) report('turn-left-running', `The turn of ${transcript.turn.message ?? 'no message'} runs on.`);
  for (const { name } of calls) report(name === 'cancel' ? 'cancel-hangs' : 'call-hangs', `${name} did not resolve.`);
  const refused = refusedBy(window);
  if (refused.size > 0 && window.warnings.size === 0) report('refusal-not-told', `${way.refused.length} facts.`);
  if (transcript.turn) return;
  const { title, trashed } = disk.truth.summary();
  if (disk.truth.isThere) {
    // One that history refused is shown, and the person was told.
    const isRefused = way.refused.some(fact => fact.type === 'set' && fact.name === 'title');
    if (title !== '' && title !== transcript.title && !isRefused) {
      report('title-differs', `“${transcript.title.slice(0, 40)}” is shown, “${title.slice(0, 40)}” is kept.`);
    }
    if (trashed !== transcript.trashed) report('trash-differs', `${trashed} is kept.`);
  }
  // The window whose record history refused lives and was told; nothing ends that answer before the window is gone.
  const isRefusedThere = disk.ways.some(way =>
    way.refused.some(fact => fact.type === 'end' && fact.message === transcript.elsewhere),
  );
  if (transcript.elsewhere !== null && !isRefusedThere)
    report('elsewhere-stays', `${transcript.elsewhere} is waited for.`);
  for (const shown of transcript.messages) {
    if (refused.has(shown.id) || disk.erased.has(shown.id)) continue;
    const code = differenceOf(shown, disk.truth.message(shown.id));
    if (code !== null)
      report(code, `${shown.role} ${shown.id}: ${sizesOf(shown)}, ${sizesOf(disk.truth.message(shown.id))}`);
  }
}

/** What is shown of a message against what is kept of it. */
function differenceOf(shown: Message, kept: Message | null): Code | null {
  if (!kept) return 'shown-not-saved';
  if (shown.end && !kept.end) return 'shown-not-saved';
  if (!shown.end && kept.end) return 'end-not-shown';
  if (shown.parent !== kept.parent || shown.role !== kept.role) return 'shown-differs';
  if (shown.end?.reason !== kept.end?.reason) return 'shown-differs';
  return blocksOf(shown) === blocksOf(kept) ? null : 'shown-differs';
}

/** After a window has closed in order on a disk that works. */
export function checkSaved({ conversation, report, ...window }: Window, disk: FakeDisk): void {
  const refused = new Set(window.way.refused.flatMap(fact => ('message' in fact ? [idOf(fact.message)] : [])));
  for (const shown of conversation?.transcript.messages ?? []) {
    if (refused.has(shown.id) || disk.erased.has(shown.id)) continue;
    const kept = disk.truth.message(shown.id);
    const isLess = !kept || (shown.end && !kept.end) || lengthOf(kept) < lengthOf(shown);
    if (isLess) report('lost-on-leave', `${shown.role} ${shown.id}: ${sizesOf(shown)}, ${sizesOf(kept)}`);
  }
}

async function leaveAll(world: World): Promise<ReadonlySet<string>> {
  const unsaved = new Set<string>();
  const windows = world.living;
  for (const window of windows) window.leave();
  await world.settle();
  await world.advance(5000);
  for (const window of windows) {
    if (!window.isGone) window.report('leave-hangs', 'The window waits for longer than its patience.');
  }
  for (const { way } of world.opened)
    for (const fact of way.refused) for (const mark of marksIn(wordsIn(fact))) unsaved.add(mark);
  return unsaved;
}

async function checkPrompts(world: World, unsaved: ReadonlySet<string>): Promise<void> {
  const { truth, erased } = world.disk;
  const inHistory = new Set<string>();
  for (const id of truth.ids) {
    const message = truth.message(id);
    if (message?.role !== 'user' || erased.has(id)) continue;
    for (const block of message.blocks) {
      if (block.kind === 'text') for (const mark of marksIn(block.text)) inHistory.add(mark);
    }
  }
  // Longer than a window that died counts as alive.
  await world.advance(20_000);
  const waiting = new Set<string>();
  if (truth.isThere) {
    world.open(0, 'own');
    await world.settle();
    const next = world.windows[0]?.conversation?.transcript.queue ?? [];
    for (const { text } of next) for (const mark of marksIn(text)) waiting.add(mark);
    world.windows[0]?.kill();
  }
  world.ledger.check(inHistory, waiting, unsaved, (code, words) => world.report(code, words));
}

function refusedBy({ way }: Window): ReadonlySet<MessageId> {
  return new Set(way.refused.flatMap(fact => ('message' in fact ? [idOf(fact.message)] : [])));
}

function idOf(message: MessageId | { readonly id: MessageId }): MessageId {
  return typeof message === 'string' ? message : message.id;
}

function blocksOf({ blocks }: Message): string {
  return JSON.stringify(blocks, (key, value: unknown) => (key === 'data' ? sizeOf(value) : value));
}

function sizeOf(data: unknown): unknown {
  if (data instanceof Uint8Array) return data.length;
  return typeof data === 'object' && data !== null && 'size' in data ? data.size : data;
}

function lengthOf(message: Message): number {
  return message.blocks.reduce((sum, block) => sum + ('text' in block ? (block.text?.length ?? 0) : 1), 0);
}

function sizesOf(message: Message | null): string {
  if (!message) return 'nothing is kept';
  return `${message.blocks.map(({ kind }) => kind).join(' ')} of ${lengthOf(message)}, end ${message.end?.reason ?? 'none'}`;
}
