// The conversation: its messages, following the end while the person is there. Promises: it is drawn again only when
// messages, the turn or the agent changed, and then only the messages that did; typing never reaches it.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Elicitation, Permission } from '../../model/agentState.ts';
import type { Message as MessageOf } from '../../model/message.ts';
import { EmptyState } from '../emptyState.tsx';
import { useHolding } from '../branching/holding.ts';
import { Jump } from './jump.tsx';
import { Message } from './message.tsx';
import { useMoves } from './moves.ts';
import { usePaging } from './paging.ts';
import { usePanel } from '../panel.ts';
import { Reaching } from '../asking/reaching.tsx';
import { stickToEnd, type Stick } from './stick.ts';

export function Transcript() {
  const { store, outbox, branching, saved, scroll, late: loaded } = usePanel();
  const late = loaded.value;
  const messages = store.part('messages').value ?? [];
  const turn = store.part('turn').value ?? null;
  const permissions = store.part('permissions').value ?? noPermissions;
  const elicitations = store.part('elicitations').value ?? noElicitations;
  const elsewhere = store.part('elsewhere').value ?? null;
  const session = store.part('session').value;
  const agentName = store.part('agent').value?.name ?? '';
  const following = useSignal(true);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stick = useRef<Stick>(null);

  // Only what the page before this one showed is found again as it was left.
  const booting = useRef(true);
  const restore = booting.current && session === saved.session ? saved.scroll : null;
  const wanted = restore ? messages.findIndex(message => message.id === restore.message) : -1;
  const { hidden, show } = usePaging(session, messages.length, wanted < 0 ? undefined : wanted);
  const moves = useMoves(messages, show, scroller, stick);

  useLayoutEffect(() => {
    const frame = scroller.current;
    if (!frame || !content.current) return undefined;
    const hold = stickToEnd(frame);
    stick.current = hold;
    if (!restore || !hold.toAnchor(restore)) hold.toEnd();
    booting.current = false;
    following.value = hold.scrolled();
    const watch = new ResizeObserver(() => hold.grown());
    watch.observe(content.current);
    watch.observe(frame);
    let asked = false;
    const onScroll = () => {
      following.value = hold.scrolled();
      if (asked) return;
      asked = true;
      setTimeout(() => {
        asked = false;
        scroll.value = hold.anchor();
      }, 250);
    };
    const ended = new AbortController();
    const quietly = { passive: true, signal: ended.signal };
    frame.addEventListener('scroll', onScroll, quietly);
    for (const hand of ['wheel', 'pointerdown', 'keydown']) frame.addEventListener(hand, hold.released, quietly);
    return () => {
      watch.disconnect();
      ended.abort();
    };
  }, [session]);

  // What is on its way in the place of a prompt is shown there, and what came of that prompt is another branch already.
  const replacing = branching.replacing.value;
  const replaced = messages.findIndex(message => message.id === replacing?.message);
  const shown = replaced < 0 ? messages : messages.slice(0, replaced);
  const drawn = { session, messages: shown, hidden };
  useHolding(scroller, stick, drawn, turn !== null || replaced >= 0, atEnd => void (following.value = atEnd));

  // Whoever sends wants to see what comes of it.
  const mine = messages.findLast(message => message.role === 'user')?.id;
  const mineBefore = useRef(mine);
  useEffect(() => {
    if (mine !== mineBefore.current && mine === messages.at(-1)?.id) stick.current?.toEnd();
    mineBefore.current = mine;
  }, [mine]);

  const isReaching = turn !== null && turn.message === null;
  useEffect(() => {
    if (isReaching && outbox.underway.peek() !== null) stick.current?.toEnd();
  }, [isReaching]);

  const jump = () => {
    stick.current?.toEnd();
    content.current?.querySelector('.permission, .ask')?.scrollIntoView({ block: 'nearest' });
  };

  const answer = messages.findLast(message => message.id === turn?.message);
  const begun = turn === null || isReaching || answer !== undefined;
  const beside = notIn(answer, permissions);
  return (
    <main class="conversation">
      {late && <late.FindBar scroller={scroller} reveal={moves.reveal} />}
      <div class="scroller" ref={scroller} role="region" aria-label="Conversation" tabIndex={0}>
        <div class="content" ref={content}>
          {messages.length === 0 && turn === null && <EmptyState />}
          {shown.slice(hidden).map((message, at) => (
            <Message
              key={message.id}
              message={message}
              agentName={agentName}
              position={hidden + at + 1}
              of={messages.length}
              running={(turn?.message ?? elsewhere) === message.id && message.end === undefined}
              waits={message === answer && permissions.length + elicitations.length > 0}
              permissions={message === answer ? permissions : noPermissions}
            />
          ))}
          {late && beside.map(permission => <late.PermissionNeeded key={permission.id} permission={permission} />)}
          {late && elicitations.map(elicitation => <late.Question key={elicitation.id} elicitation={elicitation} />)}
          {(isReaching || replaced >= 0) && <Reaching />}
          {!begun && <div class="pulse alone" aria-hidden="true" />}
        </div>
      </div>
      {!following.value && (
        <Jump
          words={permissions.length > 0 ? 'Permission needed' : elicitations.length > 0 ? 'Question' : 'Jump to latest'}
          press={jump}
        />
      )}
    </main>
  );
}

/** The same one always, so that nothing is drawn again because of it. */
const noPermissions: readonly Permission[] = [];
const noElicitations: readonly Elicitation[] = [];

/** Questions for calls that are not shown. */
function notIn(answer: MessageOf | undefined, permissions: readonly Permission[]): readonly Permission[] {
  if (permissions.length === 0) return noPermissions;
  const calls = new Set(answer?.blocks.map(block => (block.kind === 'toolCall' ? block.callId : undefined)));
  return permissions.filter(({ callId }) => !calls.has(callId));
}
