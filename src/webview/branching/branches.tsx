// The branches of a message, where it has siblings, and what begins another one. Promises: the switcher is where there is
// something to switch and nowhere else; a switch by keyboard leaves the focus on the button that was pressed; what is not
// possible while a turn runs is disabled and does nothing.

import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { textOf, type Message, type MessageId } from '../../model/message.ts';
import { branchWords, canBranch, canMove, promptOf, type Side } from './branching.ts';
import { icon, type IconName } from '../icons.ts';
import { usePanel } from '../panel.ts';

export function Branches({ message }: { readonly message: MessageId }) {
  const { store } = usePanel();
  const ids = useComputed(() => store.part('branches').value?.beside[message]).value;
  return ids ? <Switcher ids={ids} message={message} words={branchWords(ids, message)} /> : null;
}

/** Where the path ends in the middle of another one: the message to come is a branch already. */
export function NewBranch() {
  const { store } = usePanel();
  const below = useComputed(() => store.part('branches').value?.below).value ?? [];
  const isFork = useComputed(() => {
    const at = store.part('forkedAt').value;
    return at !== undefined && at === store.part('messages').value?.at(-1)?.id;
  }).value;
  const isIdle = useComputed(() => canMove({ turn: store.part('turn').value ?? null })).value;
  if ((below.length === 0 && !isFork) || !isIdle) return null;
  const all = below.length + 1;
  return (
    <div class="newBranch">
      {icon('fork')}
      <span>The next message begins a branch</span>
      {below.length > 0 && <Switcher ids={below} message={null} words={`${all} of ${all}`} />}
    </div>
  );
}

interface SwitcherProps {
  readonly ids: readonly MessageId[];
  /** Null is what is to come, after all of them. */
  readonly message: MessageId | null;
  readonly words: string;
}

function Switcher({ ids, message, words }: SwitcherProps) {
  const { store, branching, said } = usePanel();
  const group = useRef<HTMLSpanElement>(null);
  const session = store.part('session').value ?? '';
  const isFree = useComputed(() => canMove({ turn: store.part('turn').value ?? null })).value;
  const at = message === null ? ids.length : ids.indexOf(message);
  const to: { readonly [side in Side]: MessageId | undefined } = { previous: ids[at - 1], next: ids[at + 1] };
  useLayoutEffect(() => {
    const side = message === null ? null : branching.takeFocus(message);
    if (side === null) return;
    const buttons = [...(group.current?.querySelectorAll('button') ?? [])];
    const wanted = side === 'previous' ? buttons[0] : buttons[1];
    (wanted?.disabled === false ? wanted : buttons.find(({ disabled }) => !disabled))?.focus({ preventScroll: true });
    said.value = `Branch ${words}`;
  }, [message]);
  const step = (side: Side, name: string, look: IconName) => (
    <button
      type="button"
      class={`iconButton ${side}`}
      aria-label={name}
      title={name}
      disabled={!isFree || to[side] === undefined}
      onClick={() => {
        const target = to[side];
        if (target !== undefined) branching.goTo(session, target, side);
      }}
    >
      {icon(look)}
    </button>
  );
  return (
    <span class="branches" role="group" aria-label="Branches" ref={group}>
      {step('previous', 'Previous branch', 'chevron')}
      <span class="branchWords">{words}</span>
      {step('next', 'Next branch', 'chevron')}
    </span>
  );
}

/** What a person can do with a message besides copying it. */
export function BranchActions({ message }: { readonly message: Message }) {
  const { store, branching, focusWanted } = usePanel();
  const session = store.part('session').value ?? '';
  const isFree = useComputed(() =>
    canBranch({
      turn: store.part('turn').value ?? null,
      elsewhere: store.part('elsewhere').value ?? null,
      trashed: store.part('trashed').value ?? false,
    }),
  ).value;
  const retry = () => {
    const prompt = promptOf(store.part('messages').value ?? [], message.id);
    if (!prompt) return;
    branching.retry(session, message, prompt);
    focusWanted.value += 1;
  };
  const fork = () => {
    branching.forkFrom(session, message.id);
    focusWanted.value += 1;
  };
  return (
    <>
      {message.role === 'user' && textOf(message) !== '' && (
        <Action name="Edit and resend" look="edit" isFree={isFree} press={() => branching.edit(message)} />
      )}
      {message.role === 'assistant' && message.parent !== null && (
        <Action name="Retry" look="retry" isFree={isFree} press={retry} />
      )}
      <Action name="Fork from here" look="fork" isFree={isFree} press={fork} />
    </>
  );
}

interface ActionProps {
  readonly name: string;
  readonly look: IconName;
  readonly isFree: boolean;
  readonly press: () => void;
}

function Action({ name, look, isFree, press }: ActionProps) {
  return (
    <button type="button" class="iconButton" aria-label={name} title={name} disabled={!isFree} onClick={press}>
      {icon(look)}
    </button>
  );
}
