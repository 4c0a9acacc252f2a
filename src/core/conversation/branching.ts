// The branches of one conversation: which one is shown, and how a new one begins beside what is there. Promises: nothing
// that was said is changed or lost by it; a move is in history before it is shown, and goes through the turn gate, so that
// what is sent meanwhile goes out from where it led, and nothing moves while a turn runs. What a prompt is sent with, and how, is left to the conversation.

import { textOf, type Message, type MessageId, type SessionId } from '../../model/message.ts';
import type { Attached } from '../../model/attachment.ts';
import type { Fact } from '../../model/record.ts';
import { noBranches, type Branches, type Transcript, type TranscriptEvent } from '../../model/transcript.ts';
import type { SessionHistory } from '../history/history.ts';
import { Tree } from '../history/tree.ts';
import type { SendOptions, Sent } from './terms.ts';

export interface BranchingPorts {
  readonly session: SessionId;
  readonly history: Pick<SessionHistory, 'open' | 'tree' | 'branches'>;
  readonly state: () => Transcript;
  readonly isStored: () => boolean;
  /** Makes a change while no turn runs, or none. */
  readonly change: (step: () => Promise<void>) => Promise<boolean>;
  readonly save: (facts: readonly Fact[]) => Promise<unknown>;
  readonly show: (event: TranscriptEvent) => void;
  readonly send: (text: string, options: SendOptions) => Promise<Sent>;
  /** What was found out for the head before is not for this one. */
  readonly onMoving: () => void;
  readonly onMoved: () => void;
}

export interface Way {
  readonly path: readonly Message[];
  readonly branches: Branches;
}

export const busy: Sent = { sent: false, words: 'An answer is being written. Wait for it, or stop it.' };
const gone: Sent = { sent: false, words: 'That message is not in what is shown any more.' };

export class Branching {
  private forkedAt: MessageId | null = null;
  private readonly ports: BranchingPorts;

  constructor(ports: BranchingPorts) {
    this.ports = ports;
  }

  /** The person asked for a fork, and the next prompt begins it: an agent that copies what it knows goes on with a copy. */
  get isFork(): boolean {
    return this.forkedAt !== null && this.forkedAt === this.ports.state().messages.at(-1)?.id;
  }

  /** Shows the branch through this message that was written to last. */
  goTo(message: MessageId): Promise<void> {
    return this.move(async () => {
      const tree = new Tree(await this.ports.history.tree(this.ports.session));
      if (tree.rows.has(message) && !tree.isTrashed(message)) await this.moveTo(tree.lastLeafBelow(message));
    });
  }

  /** The next prompt answers this message, whatever answers it already. */
  forkFrom(message: MessageId): Promise<void> {
    return this.move(async () => {
      await this.moveTo(message);
      this.forkedAt = message;
      this.ports.show({ type: 'forked', message });
      this.ports.onMoved();
    });
  }

  setHead(head: MessageId | null): Promise<void> {
    return this.move(() => this.moveTo(head));
  }

  /** Sends other words in the place of a prompt; what was attached to it stays. */
  async edit(message: MessageId, text: string, request: string): Promise<Sent> {
    const prompt = this.ports.state().messages.find(({ id, role }) => id === message && role === 'user');
    return prompt ? this.sendAgain(prompt, text, request) : gone;
  }

  /** Sends the prompt again that this message answers. */
  async retry(message: MessageId, request: string): Promise<Sent> {
    const { messages } = this.ports.state();
    const at = messages.findIndex(({ id }) => id === message);
    const prompt = messages.slice(0, at + 1).findLast(({ role }) => role === 'user');
    return prompt ? this.sendAgain(prompt, textOf(prompt), request) : gone;
  }

  /** The path to a message, for a prompt that answers it. Throws HistoryError. */
  async wayTo(message: MessageId | null): Promise<Way> {
    const { session, history } = this.ports;
    if (message === null) return { path: [], branches: (await history.branches(session, null)) ?? noBranches };
    const stored = await history.open(session, message);
    return { path: stored?.path ?? [], branches: stored?.branches ?? noBranches };
  }

  private async sendAgain(prompt: Message, text: string, request: string): Promise<Sent> {
    const attached = attachedTo(prompt);
    const more = attached.length > 0 ? { attached } : {};
    return this.ports.send(text, { request, parent: prompt.parent, ...more });
  }

  private async move(step: () => Promise<void>): Promise<void> {
    const { isStored, change } = this.ports;
    if (isStored()) await change(step);
  }

  private async moveTo(head: MessageId | null): Promise<void> {
    const { session, history, save, show, onMoving, onMoved } = this.ports;
    const stored = head === null ? undefined : await history.open(session, head);
    const { path, branches } = stored ?? (await this.wayTo(null));
    onMoving();
    this.forkedAt = null;
    await save([{ type: 'set', session, name: 'head', value: head }]);
    show({ type: 'pathChanged', messages: path, branches, elsewhere: stored?.writing ?? null });
    onMoved();
  }
}

function attachedTo(prompt: Message): readonly Attached[] {
  return prompt.blocks.flatMap((block, at) =>
    block.kind === 'resource' || block.kind === 'image' || block.kind === 'audio' || block.kind === 'video'
      ? [{ id: `${prompt.id}:${at}`, block }]
      : [],
  );
}
