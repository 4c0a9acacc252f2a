// What one panel asks for while a prompt is written: files that fit what was typed, and things to go with it. Promises:
// only the last question is looked for; what is not attached is said in words, also that an agent takes no pictures, as
// soon as that is known.

import type { Conversation } from '../../core/conversation/conversation.ts';
import type { IntentOf } from '../../model/intent.ts';
import type { HostEvent } from '../../model/wire.ts';
import type { Attachments, Complete, Taken } from './attachments.ts';

export interface AttachingPorts {
  /** Loaded when something is attached for the first time, or may have been. */
  readonly attachments: () => Promise<Attachments>;
  /** Whether the agent of this conversation does; it is started for it. Throws AgentError. */
  readonly takesImages: (conversation: Conversation) => Promise<boolean>;
}

export class Attaching {
  private completing = new AbortController();
  /** The list that was opened last. */
  private list: { readonly id: string; readonly complete: Complete } | null = null;
  private readonly ports: AttachingPorts;
  private readonly post: (event: HostEvent) => void;

  constructor(ports: AttachingPorts, post: (event: HostEvent) => void) {
    this.ports = ports;
    this.post = post;
  }

  async complete({ request, list, text, session }: IntentOf<'complete'>): Promise<void> {
    const attachments = await this.ports.attachments();
    this.completing.abort();
    const { signal } = (this.completing = new AbortController());
    if (this.list?.id !== list) this.list = { id: list, complete: attachments.openList(session) };
    const items = await this.list.complete(text, signal);
    if (!signal.aborted) this.post({ type: 'completions', request, items });
  }

  async attachUri({ request, uri }: IntentOf<'attachUri'>): Promise<void> {
    this.answer(request, await (await this.ports.attachments()).takeUri(uri));
  }

  async attachPicture({ request, name, base64 }: IntentOf<'attachPicture'>, conversation: Conversation): Promise<void> {
    this.answer(request, (await this.ports.attachments()).takePicture(name, base64));
    await this.doubt(request, conversation);
  }

  async keepAttached({ session, attached }: IntentOf<'keepAttached'>): Promise<void> {
    (await this.ports.attachments()).keepDraft(session, attached);
  }

  async keepQueued(id: string, { transcript }: Conversation): Promise<void> {
    const { attached } = transcript.queue.find(queued => queued.id === id) ?? {};
    if (attached) (await this.ports.attachments()).keep(attached);
  }

  /** An agent that cannot be reached says so when the prompt goes out. */
  private async doubt(request: string, conversation: Conversation): Promise<void> {
    const takes = await this.ports.takesImages(conversation).catch(() => true);
    if (takes) return;
    this.post({ type: 'notAttached', request, words: `${conversation.agent.name} takes no images.` });
  }

  private answer(request: string, taken: Taken): void {
    if ('words' in taken) this.post({ type: 'notAttached', request, words: taken.words });
    else this.post({ type: 'attached', request, attachment: taken.attachment });
  }
}
