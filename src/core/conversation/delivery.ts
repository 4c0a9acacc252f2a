// One prompt on its way: the rung from which it goes out, its record in history, the turn. Promises: the prompt is
// durable before the agent sees it; what the agent's session is about to learn is written as unknown with the same
// record, and as known with the record that ends the turn, where the agent itself said that it ended. What happened
// meanwhile to the conversation is its own matter: it is told of everything.

import type { Continuity } from '../../model/agentState.ts';
import type { Attached } from '../../model/attachment.ts';
import type { Message, MessageEnd, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Branches, TranscriptEvent } from '../../model/transcript.ts';
import type { AgentSession } from '../agents.ts';
import type { AgentAnswer, TurnDesk } from '../agentTurn.ts';
import type { FileWatch } from '../changes.ts';
import { longestInline } from '../history/blobs.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Approach } from './approach.ts';
import type { Asking } from './asking.ts';
import { blocksFor, type AttachedBlock, type AttachingPorts } from './attaching.ts';
import { bindingFact, type Binding } from './binding.ts';
import type { Climb, Rung } from './ladder.ts';
import { isCommand, partsOf, recordOf, seedAlone, type PromptRecord } from './prompt.ts';
import type { Saver } from './saver.ts';
import { titleOf } from './title.ts';
import { runTurn } from './turn.ts';

export interface Delivery {
  readonly session: SessionId;
  readonly text: string;
  readonly attached: readonly Attached[];
  /** Comes back with the message that the prompt becomes. */
  readonly request: string | undefined;
  /** The id that the prompt gets, where it was kept for it. */
  readonly message: MessageId | undefined;
  readonly way: Climb;
  /** What the panel said that the agent will know. */
  readonly shown: Continuity;
  /** Nothing of the session is in history yet. */
  readonly isFirst: boolean;
  /** It goes out although it cannot be saved. */
  readonly unsaved: boolean;
  /** Of the path, where it is another one than the panel shows; else null. */
  readonly branches: Branches | null;
}

export interface DeliveryPorts {
  readonly approach: Approach;
  readonly saver: Saver;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly asking: Pick<Asking, 'permission' | 'elicit'>;
  readonly files: FileWatch | null;
  readonly attaching: AttachingPorts;
  /** Makes the agent's session what the person set it to; what cannot be comes back in words. */
  readonly setAgain: (session: AgentSession, signal: AbortSignal) => Promise<readonly string[]>;
  /** What was chosen before the session was in history. */
  readonly optionFacts: () => readonly Fact[];
  readonly show: (event: TranscriptEvent) => void;
  readonly onSession: (session: AgentSession) => void;
  readonly onStored: () => void;
  readonly onBinding: (binding: Binding) => void;
  /** After the end, the files are looked at a last time; a window that goes waits for it. */
  readonly onSettling: (settled: Promise<unknown>) => void;
}

export interface Ended extends MessageEnd {
  readonly needsSignIn?: boolean;
}

/** The end of the turn; null where the window closed before it. */
export type Delivered = { readonly words: string } | { readonly ended: Promise<Ended | null> };

/** Resolves when the prompt is in history and on its way, or is not to be sent. Throws AgentError. */
export async function deliver(delivery: Delivery, ports: DeliveryPorts, signal: AbortSignal): Promise<Delivered> {
  const { session, text, request, way, isFirst } = delivery;
  const { saver, show } = ports;
  const rung = await ports.approach.find(way, delivery.shown, signal);
  if (!rung) return { words: 'It was not sent.' };
  if (signal.aborted) return { words: 'It was stopped before it was sent.' };
  ports.onSession(rung.session);
  const attached = await attachedTo(delivery, ports, signal);
  if ('words' in attached) return attached;
  const notices = await ports.setAgain(rung.session, signal);
  if (signal.aborted) return { words: 'It was stopped before it was sent.' };

  const now = ports.clock.now();
  const ends = {
    prompt: delivery.message ?? ports.ids.message(),
    answer: ports.ids.message(),
    parent: way.path.at(-1)?.id ?? null,
  };
  const { cwd } = way.place;
  const binding = bindingFor(way, rung);
  const record = recordOf({ session, text, attached, ...ends, agent: way.program.ref, cwd, now }, binding, isFirst);
  const facts = isFirst ? [...record.facts, ...ports.optionFacts()] : record.facts;
  if (delivery.unsaved) await saver.save(facts);
  else {
    const outcome = await saver.saveOrDrop(facts);
    if (outcome.kind !== 'saved') return { words: outcome.error.message };
  }
  ports.onStored();
  if (binding) ports.onBinding(binding);
  if (isFirst) show({ type: 'titleChanged', title: titleOf(text) });
  const { branches } = delivery;
  if (branches) show({ type: 'pathChanged', messages: way.path, branches, elsewhere: null });
  show({ type: 'continuityChanged', continuity: rung.continuity });
  show({ type: 'messageAdded', message: record.prompt, ...(request === undefined ? {} : { request }) });
  // The turn first, so that the empty answer is never seen without it: that would look interrupted.
  show({ type: 'turnChanged', turn: { message: record.answer.id, cancelling: signal.aborted } });
  show({ type: 'messageAdded', message: record.answer });
  return { ended: run(delivery, ports, { rung, record, attached, binding, notices }, signal) };
}

async function attachedTo(
  { attached, way: { program } }: Delivery,
  { attaching }: DeliveryPorts,
  signal: AbortSignal,
): Promise<readonly AttachedBlock[] | { readonly words: string }> {
  if (attached.length === 0) return [];
  const { abilities } = await program.start(signal);
  return blocksFor(attached, { name: program.ref.name, abilities }, attaching, signal);
}

interface Underway {
  readonly rung: Rung;
  readonly record: PromptRecord;
  readonly attached: readonly AttachedBlock[];
  readonly binding: Binding | null;
  readonly notices: readonly string[];
}

async function run(
  { session, text, way }: Delivery,
  { saver, clock, asking, files, show, onBinding, onSettling }: DeliveryPorts,
  { rung, record, attached, binding, notices }: Underway,
  signal: AbortSignal,
): Promise<Ended | null> {
  const { path } = way;
  const { id } = record.answer;
  let needsSignIn = false;
  const learnt = (answer: AgentAnswer): readonly Fact[] => {
    if (!binding) return auditOf(session, id, answer);
    const after: Binding = { ...binding, head: id, dirty: !answer.agreed };
    onBinding(after);
    return [bindingFact(session, after), ...auditOf(session, id, answer)];
  };
  const { end, late, settled } = await runTurn({
    session,
    message: id,
    async prompt(desk, aborts) {
      const answer = await send({ text, attached }, rung, path, desk, aborts);
      needsSignIn = answer.needsSignIn ?? false;
      return answer;
    },
    asking,
    files,
    notices,
    endFacts: learnt,
    saver,
    clock,
    show,
    signal,
  });
  onSettling(settled);
  if (end) show({ type: 'messageEnded', message: id, end });
  // It may agree after all, only later than a person should wait.
  void late?.then(answer => {
    if (answer.agreed) void saver.save(learnt(answer));
  });
  return end && { ...end, needsSignIn };
}

async function send(
  { text, attached }: { readonly text: string; readonly attached: readonly AttachedBlock[] },
  { session, seed }: Rung,
  path: readonly Message[],
  desk: TurnDesk,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  if (seed && isCommand(text)) {
    const told = await session.prompt({ parts: seedAlone(seed), path }, silentIn(desk), signal);
    if (told.reason !== 'end_turn') return told;
  }
  return session.prompt({ parts: partsOf(text, seed, attached), path }, desk, signal);
}

/** Nobody is shown or asked anything; what is written belongs to the turn all the same. */
function silentIn({ onWrite, onWriting }: TurnDesk): TurnDesk {
  return {
    onUpdate() {},
    ask: () => Promise.resolve(null),
    elicit: () => Promise.resolve({ action: 'cancel' }),
    onWrite,
    onWriting,
  };
}

/** Of one that is too long to be in an exported file, in characters: whatever they are, these fit. */
const keptOfSystemPrompt = 40_000;

/** The system prompt that was used last, for whoever wants to know; it goes with the answer where that is erased. */
function auditOf(session: SessionId, from: MessageId, { systemPrompt }: AgentAnswer): readonly Fact[] {
  if (systemPrompt === undefined) return [];
  // Half of a pair is no text for a file of its own.
  const whole = systemPrompt.replace(/\p{Surrogate}/gu, '\ufffd');
  const kept = whole.slice(0, keptOfSystemPrompt).replace(/[\uD800-\uDBFF]$/, '');
  const content =
    JSON.stringify(whole).length > longestInline
      ? `${kept}\n[${whole.length - kept.length} more characters are not kept.]`
      : whole;
  return [{ type: 'set', session, name: 'systemPrompt', value: { content }, from }];
}

/** An agent that is given the path has nothing of its own that could be bound. */
function bindingFor({ program, place, writer }: Climb, { session, from }: Rung): Binding | null {
  if (program.takesPath) return null;
  const head: MessageId | null = null;
  return { agent: program.ref.id, agentSession: session.id, from, head, dirty: true, cwd: place.cwd, owner: writer };
}
