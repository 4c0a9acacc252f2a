// The list that opens while a command or a file is typed. Promises: it is open only while the caret is in such a word
// and something fits; it follows each letter at once, and an answer to an earlier question is not shown; Escape closes it until another word is begun; what
// is taken stands in the box as if it had been typed.

import { signal, type ReadonlySignal } from '@preact/signals';
import type { AgentCommand } from '../../model/agentState.ts';
import type { Attachment, AttachmentKind } from '../../model/attachment.ts';
import type { Intent } from '../../model/intent.ts';
import type { SessionId } from '../../model/message.ts';
import type { HostEvent } from '../../model/wire.ts';
import { commandChoices, fileChoices, fittingFiles, type Choice } from './choices.ts';
import { completingAt, withTaken, type Completing, type Edited } from './completing.ts';

export interface CompleterPorts {
  readonly session: () => SessionId;
  readonly commands: () => readonly AgentCommand[];
  /** The agent's name. */
  readonly agent: () => string;
  readonly post: (intent: Intent) => void;
  readonly attach: (attachment: Attachment) => void;
  /** Makes this the text of the box. */
  readonly write: (edited: Edited) => void;
}

export interface OpenList {
  readonly at: Completing;
  readonly choices: readonly Choice[];
  readonly active: number;
}

export interface Completer {
  readonly list: ReadonlySignal<OpenList | null>;
  /** The text and the caret are these now. */
  readonly see: (text: string, caret: number) => void;
  /** Whether the key was the list's. */
  readonly key: (key: string) => boolean;
  readonly take: (at: number) => void;
  readonly close: () => void;
  readonly hear: (event: HostEvent) => void;
}

export function createCompleter(ports: CompleterPorts): Completer {
  const list = signal<OpenList | null>(null);
  let text = '';
  let current: Completing | null = null;
  /** Where the person closed it. */
  let closedAt: number | null = null;
  let request = '';
  /** As long as one list may be open, whatever is typed. */
  let opened = '';
  let count = 0;
  // A page that is made anew begins to count again.
  const born = crypto.getRandomValues(new Uint32Array(2)).join('.');

  const show = (at: Completing, choices: readonly Choice[], chosen?: string) => {
    const active = Math.max(0, chosen === undefined ? 0 : choices.findIndex(({ key }) => key === chosen));
    list.value = choices.length === 0 ? null : { at, choices, active };
  };
  const stop = () => {
    current = null;
    request = '';
    opened = '';
    list.value = null;
  };
  const move = (by: number) => {
    const open = list.value;
    if (!open) return;
    const { length } = open.choices;
    list.value = { ...open, active: (open.active + by + length) % length };
  };
  const take = (index: number) => {
    const open = list.value;
    const choice = open?.choices[index];
    if (!open || !choice) return;
    const { take: taken } = choice;
    const words =
      taken.kind === 'ours' ? '' : taken.kind === 'words' ? taken.words : mentionOf(taken.attachment.kind, choice.name);
    const edited = withTaken(text, open.at, words);
    text = edited.text;
    stop();
    ports.write(edited);
    if (taken.kind === 'attach') ports.attach(taken.attachment);
    else if (taken.kind === 'ours') ports.post(taken.command.intent(ports.session(), ''));
  };
  const close = () => {
    closedAt = current?.from ?? null;
    stop();
  };

  return {
    list,
    take,
    close,
    see(now, caret) {
      text = now;
      const at = completingAt(now, caret);
      if (!at) {
        closedAt = null;
        return stop();
      }
      if (at.from === closedAt) return;
      closedAt = null;
      const isGoingOn = current?.kind === at.kind && current.from === at.from;
      const isSame = isGoingOn && current?.typed === at.typed;
      if (!isGoingOn) stop();
      current = at;
      if (isSame) {
        if (list.value) list.value = { ...list.value, at };
        return;
      }
      if (at.kind === 'command') return show(at, commandChoices(ports.commands(), at.typed, ports.agent()));
      // Of what is there, what still fits can be taken while the answer is on its way.
      if (list.value) show(at, fittingFiles(list.value.choices, at.typed));
      request = `@${born}-${count++}`;
      opened ||= request;
      ports.post({ type: 'complete', session: ports.session(), request, list: opened, text: at.typed });
    },
    key(key) {
      if (!list.value) return false;
      if (key === 'ArrowDown') move(1);
      else if (key === 'ArrowUp') move(-1);
      else if (key === 'Enter' && isWritten(list.value, text)) {
        close();
        return false;
      } else if (key === 'Enter' || key === 'Tab') take(list.value.active);
      else if (key === 'Escape') close();
      else return false;
      return true;
    },
    hear(event) {
      if (event.type === 'snapshot') stop();
      if (event.type !== 'completions' || event.request !== request || current?.kind !== 'file') return;
      // Somebody who went down the list already stays where they are.
      const chosen = list.value && list.value.active > 0 ? list.value.choices[list.value.active]?.key : undefined;
      show(current, fileChoices(event.items), chosen);
    },
  };
}

/** As it stands in the sentence that is being written. */
function mentionOf(kind: AttachmentKind, name: string): string {
  if (kind === 'session') return `“${name}”`;
  return kind === 'problem' ? name : `@${name}`;
}

/** It stands there already, word for word: Enter is the box's. */
function isWritten({ at, choices, active }: OpenList, text: string): boolean {
  const taken = choices[active]?.take;
  return taken?.kind === 'words' && taken.words === text.slice(at.from, at.to);
}
