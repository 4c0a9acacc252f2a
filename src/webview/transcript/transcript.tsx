// The conversation: its messages, following the end while the person is there. Promises: it is drawn again only when
// messages, the turn or the agent changed, and then only the messages that did; typing never reaches it.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Elicitation, Permission } from '../../model/agentState.ts';
import type { Message as MessageOf, MessageId } from '../../model/message.ts';
import { EmptyState } from '../emptyState.tsx';
import { useHolding } from '../branching/holding.ts';
import { Jump } from './jump.tsx';
import { useMoves } from './moves.ts';
import { noPermissions, Page } from './page.tsx';
import { cutIntoPages, usePaging, type Pages } from './paging.ts';
import { usePanel } from '../panel.ts';
import { Reaching } from '../asking/reaching.tsx';
import { useFollowing } from './following.ts';

export function Transcript() {
  const { store, outbox, branching, post, saved, sheet, late: loaded } = usePanel();
  const late = loaded.value;
  const messages = store.part('messages').value ?? [];
  const earlier = store.part('earlier').value ?? 0;
  const turn = store.part('turn').value ?? null;
  const permissions = store.part('permissions').value ?? noPermissions;
  const elicitations = store.part('elicitations').value ?? noElicitations;
  const elsewhere = store.part('elsewhere').value ?? null;
  const session = store.part('session').value;
  const agentName = store.part('agent').value?.name ?? '';
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);

  // Only what the page before this one showed is found again as it was left.
  const booting = useRef(sheet.peek() === 0);
  const restore = booting.current && session === saved.session ? saved.scroll : null;
  const wanted = restore ? messages.findIndex(message => message.id === restore.message) : -1;
  const place = wanted < 0 ? undefined : earlier + wanted;
  const { following, stick } = useFollowing(scroller, content, session, restore, placed(booting));
  const paging = usePaging(session, earlier + messages.length, earlier, place, scroller);
  const moves = useMoves(messages, at => paging.show(earlier + at), scroller, stick);

  // Finding reads all of it.
  const allWanted = useSignal(false);
  useLayoutEffect(() => void (allWanted.value = false), [session]);
  const lacks = earlier > 0 && (paging.lacks || allWanted.value);
  useEffect(() => {
    if (lacks && session !== undefined) post({ type: 'wantEarlier', session, first: earlier });
  }, [session, lacks, earlier, messages[0]]);

  const spare = allWanted.value ? null : paging.spare;
  useEffect(() => {
    if (spare === null) return undefined;
    const idle = requestIdleCallback(() => store.letGo(spare), { timeout: 2000 });
    return () => cancelIdleCallback(idle);
  }, [session, spare]);

  // What is on its way in the place of a prompt is shown there, and what came of that prompt is another branch already.
  const replacing = branching.replacing.value;
  const replaced = messages.findIndex(message => message.id === replacing?.message);
  const shown = replaced < 0 ? messages : messages.slice(0, replaced);
  const cut = useRef<Pages<MessageOf>>({ first: 0, pages: [] });
  const { first, pages } = (cut.current = cutIntoPages(shown, earlier, cut.current));
  useHolding(
    scroller,
    stick,
    { session, first: earlier, messages: shown },
    turn !== null || replaced >= 0,
    atEnd => void (following.value = atEnd),
  );

  // Whoever sends wants to see what comes of it.
  const mine = messages.findLast(message => message.role === 'user')?.id;
  // No closure here may name `messages`: what listens for long would hold those of its first drawing.
  const last = messages.at(-1)?.id;
  const mineBefore = useRef(mine);
  useEffect(() => {
    if (mine !== mineBefore.current && mine === last) stick.current?.toEnd();
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
  const isWaiting = permissions.length + elicitations.length > 0;
  return (
    <main class="conversation">
      {late && <late.FindBar scroller={scroller} reveal={moves.reveal} onOpen={() => void (allWanted.value = true)} />}
      <div class="scroller" ref={scroller} role="region" aria-label="Conversation" tabIndex={0}>
        <div class="content" ref={content}>
          {messages.length === 0 && turn === null && <EmptyState />}
          {[...unread(first), ...pages].map((of, page) => (
            <Page
              key={page}
              page={page}
              messages={of}
              agentName={agentName}
              height={of.length > 0 && paging.isDrawn(page) ? null : paging.heightOf(page)}
              watch={paging.watch}
              running={idIn(of, turn?.message ?? elsewhere)}
              waiting={isWaiting ? idIn(of, answer?.id) : null}
              permissions={isWaiting && idIn(of, answer?.id) ? permissions : noPermissions}
            />
          ))}
          {late && beside.map(permission => <late.PermissionNeeded key={permission.id} permission={permission} />)}
          {late && elicitations.map(elicitation => <late.Question key={elicitation.id} elicitation={elicitation} />)}
          {(isReaching || replaced >= 0) && <Reaching />}
          {!begun && <div class="pulse alone" aria-hidden="true" />}
        </div>
      </div>
      {late && (
        <late.FreshSheet
          rests={following.value && turn === null && !isWaiting}
          left={paging.left}
          count={earlier + messages.length}
          scroller={scroller}
        />
      )}
      <Jump
        isAway={!following.value}
        words={permissions.length > 0 ? 'Permission needed' : elicitations.length > 0 ? 'Question' : 'Jump to latest'}
        press={jump}
      />
    </main>
  );
}

/** Apart, so that it holds nothing else. */
function placed(booting: { current: boolean }): () => void {
  return () => void (booting.current = false);
}

const noElicitations: readonly Elicitation[] = [];

/** Pages of which nothing is here yet. */
function unread(count: number): readonly (readonly MessageOf[])[] {
  return Array.from({ length: count }, () => noMessages);
}

const noMessages: readonly MessageOf[] = [];

/** Null where no message of the page is this one. */
function idIn(page: readonly MessageOf[], id: MessageId | null | undefined): MessageId | null {
  return id && page.some(message => message.id === id) ? id : null;
}

/** Questions for calls that are not shown. */
function notIn(answer: MessageOf | undefined, permissions: readonly Permission[]): readonly Permission[] {
  if (permissions.length === 0) return noPermissions;
  const calls = new Set(answer?.blocks.map(block => (block.kind === 'toolCall' ? block.callId : undefined)));
  return permissions.filter(({ callId }) => !calls.has(callId));
}
