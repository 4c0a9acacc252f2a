// "Summarise, then continue": an agent writes down shortly what was said, and that stands in the tree for all of it from
// then on. Promises: it is streamed, saved and stopped like any answer; the agent is given no way to do anything else; it
// stands only for messages that its writer was told whole;
// where it does not come to a good end, the conversation stands where it stood.

import type { Message, MessageEnd, MessageId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Branches } from '../../model/transcript.ts';
import type { AgentAnswer, PromptPart, TurnDesk } from '../agentTurn.ts';
import type { Asking } from './asking.ts';
import { bindingFact, type Binding } from './binding.ts';
import type { Delivered, DeliveryPorts } from './delivery.ts';
import { notGiven, type Climb, type Rung } from './ladder.ts';
import { wholeBudget } from './seeding.ts';
import { runTurn } from './turn.ts';

export interface Summarising {
  readonly way: Climb;
  readonly session: string;
  readonly unsaved: boolean;
  /** Of the path, to come back to where there is no summary in the end. */
  readonly branches: Branches;
}

const wanted =
  'Write a summary of this conversation for whoever goes on with it and has nothing else: what the person wants; what ' +
  'was decided, and why; what was done to which files; what was found out that should not have to be found out again; ' +
  'what is left to do. Keep names, paths, numbers and commands as they are. Use no tools. Answer with the summary only.';

/** Resolves when it is under way, or cannot be. Throws AgentError. */
export async function summarise(
  { way, session, unsaved, branches }: Summarising,
  ports: DeliveryPorts,
  signal: AbortSignal,
): Promise<Delivered> {
  const head = way.path.at(-1)?.id;
  if (head === undefined) return { words: 'There is nothing to summarise yet.' };
  const { saver, show } = ports;
  const whole: Climb = {
    ...way,
    // One that began with a transcript was told as much as that held.
    bindings: way.bindings.filter(({ from }) => from === null),
    budget: wholeBudget(way.contextWindow),
  };
  const rung = await ports.approach.find(whole, { kind: 'fresh' }, signal);
  if (!rung || signal.aborted) return { words: 'It was not summarised.' };
  ports.onSession(rung.session);
  const now = ports.clock.now();
  const agent = way.program.ref;
  const id = ports.ids.message();
  const leftOut = untold(way, rung);
  const message: Message = {
    id,
    session,
    parent: head,
    role: 'summary',
    created: now,
    agent,
    covers: head,
    ...(leftOut.length > 0 ? { leftOut } : {}),
    blocks: [],
  };
  const facts: readonly Fact[] = [
    { type: 'message', session, message },
    { type: 'set', session, name: 'head', value: id, from: id },
    ...forgotten(way, rung).map(binding => bindingFact(session, binding)),
  ];
  const outcome = unsaved ? await saver.save(facts) : await saver.saveOrDrop(facts);
  if (outcome.kind !== 'saved' && !unsaved) return { words: outcome.error.message };
  for (const binding of forgotten(way, rung)) ports.onBinding(binding);
  show({ type: 'turnChanged', turn: { message: id, cancelling: signal.aborted } });
  show({ type: 'messageAdded', message });
  return { ended: run({ way, rung, id, head, session, branches, leftOut: leftOut.length }, ports, signal) };
}

interface Underway {
  readonly way: Climb;
  readonly rung: Rung;
  readonly id: MessageId;
  readonly head: MessageId;
  readonly session: string;
  readonly branches: Branches;
  readonly leftOut: number;
}

async function run(
  { way, rung, id, head, session, branches, leftOut }: Underway,
  { saver, clock, show, onSettling }: DeliveryPorts,
  signal: AbortSignal,
): Promise<MessageEnd | null> {
  let hasWords = false;
  const prompt = (desk: TurnDesk, aborts: AbortSignal): Promise<AgentAnswer> => {
    const heard: TurnDesk = {
      ...desk,
      onUpdate(update) {
        hasWords ||= update.type === 'text' && update.text.trim() !== '';
        desk.onUpdate(update);
      },
    };
    return rung.session.prompt({ parts: partsFor(rung), path: way.path }, heard, aborts);
  };
  const turn = {
    session,
    message: id,
    prompt,
    asking: nothing,
    files: null,
    notices: noticesOf(leftOut),
    saver,
    clock,
    show,
    signal,
  };
  const { end, settled } = await runTurn({ ...turn, endFacts: () => [] });
  onSettling(settled);
  // What it was told only for this is not what the conversation goes on from.
  await rung.session.close();
  if (!end) return null;
  show({ type: 'messageEnded', message: id, end });
  if (end.reason === 'end_turn' && hasWords) return end;
  await saver.save([{ type: 'set', session, name: 'head', value: head }]);
  show({ type: 'pathChanged', messages: way.path, branches, elsewhere: null });
  return { ...end, reason: end.reason === 'cancelled' ? 'cancelled' : 'failed' };
}

/** What the writer of the summary is not told, or not to its end. */
function untold(way: Climb, { session, seed }: Rung): readonly MessageId[] {
  if (way.program.takesPath) return notGiven(way, session.contextWindow).map(({ id }) => id);
  return seed?.leftOut ?? [];
}

function noticesOf(leftOut: number): readonly string[] {
  if (leftOut === 0) return [];
  return [
    `This summary doesn’t stand for ${leftOut === 1 ? 'one message' : `${leftOut} messages`} that didn’t fit whole.`,
  ];
}

function partsFor({ seed }: Rung): readonly PromptPart[] {
  const words: PromptPart = { type: 'text', text: wanted };
  return seed ? [{ type: 'text', text: seed.text }, words] : [words];
}

/** An agent's session that is asked for a summary knows more than the path from then on. */
function forgotten({ bindings, program }: Climb, { session }: Rung): readonly Binding[] {
  return bindings
    .filter(({ agent, agentSession }) => agent === program.ref.id && agentSession === session.id)
    .map(binding => ({ ...binding, dirty: true }));
}

const nothing: Pick<Asking, 'permission' | 'elicit'> = {
  permission: () => Promise.resolve({ choice: null, answer: { choice: null, allowed: false } }),
  elicit: () => Promise.resolve({ action: 'cancel' }),
};
