// A stretch of a conversation: its messages, or while it is far away a place of their height. Promises: it is drawn again
// only when one of its messages changed.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Permission } from '../../model/agentState.ts';
import type { Message as MessageOf, MessageId } from '../../model/message.ts';
import { messagesPerPage } from '../../model/portions.ts';
import { memo } from './memo.ts';
import { Message } from './message.tsx';
import type { Paging } from './paging.ts';

export interface PageProps {
  readonly page: number;
  readonly messages: readonly MessageOf[];
  readonly agentName: string;
  /** Null where it is drawn. */
  readonly height: number | null;
  readonly watch: Paging['watch'];
  /** Null where it is none of these messages, so that the page stays as it is. */
  readonly running: MessageId | null;
  /** It waits for a person. */
  readonly waiting: MessageId | null;
  readonly permissions: readonly Permission[];
}

/** The same one always, so that nothing is drawn again because of it. */
export const noPermissions: readonly Permission[] = [];

export const Page = memo((props: PageProps) => {
  const { page, messages, agentName, height, watch, running, waiting, permissions } = props;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (place.current ? watch(page, place.current) : undefined), [page, watch]);
  if (height !== null) return <div class="page" ref={place} style={{ height: `${height}px` }} />;
  return (
    <div class="page" ref={place}>
      {messages.map((message, at) => (
        <Message
          key={message.id}
          message={message}
          agentName={agentName}
          position={page * messagesPerPage + at + 1}
          running={running === message.id && message.end === undefined}
          waits={waiting === message.id}
          permissions={message.id === waiting ? permissions : noPermissions}
        />
      ))}
    </div>
  );
});
