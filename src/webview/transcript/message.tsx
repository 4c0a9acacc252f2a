// One message: who, when, its blocks in order, and how it ended. Promises: it is drawn again only when the message
// itself or its place in the conversation changed.

import type { Permission } from '../../model/agentState.ts';
import type {
  Block,
  Json,
  Message as MessageOf,
  MessageId,
  TextBlock as Text,
  ThoughtBlock,
} from '../../model/message.ts';
import { textOf } from '../../model/message.ts';
import { Fragment, type ComponentChild } from 'preact';
import type { MoreTextProps } from './moreText.tsx';
import { BranchActions, Branches } from '../branching/branches.tsx';
import { changedIn } from '../changes/changed.ts';
import { CopyButton } from './copyButton.ts';
import { Editable } from '../branching/editable.tsx';
import { memo } from './memo.ts';
import { Ending, Notice, Unknown } from './notice.tsx';
import { usePanel } from '../panel.ts';
import { Plan } from './plan.tsx';
import { Summary } from './summary.tsx';
import { TextBlock } from './textBlock.tsx';
import { Thing } from './thing.tsx';
import { Thought } from './thought.tsx';
import { ToolCall } from '../tools/toolCall.tsx';
import { articleName, authorOf, endingOf, spanOf, timeOf } from '../words.ts';

export interface MessageProps {
  readonly message: MessageOf;
  readonly agentName: string;
  readonly position: number;
  /** The turn that runs now writes it. */
  readonly running: boolean;
  /** It waits for a person, so that it shows no sign of going on by itself. */
  readonly waits: boolean;
  /** What its tool calls wait for. */
  readonly permissions: readonly Permission[];
}

export const Message = memo(({ message, agentName, position, running, waits, permissions }: MessageProps) => {
  const late = usePanel().late.value;
  const ending = endingOf(message, running);
  const span = message.role === 'assistant' && message.end ? spanOf(message.end.at - message.created) : '';
  // What it changed stands at its end, wherever it came.
  const last = message.blocks.findLastIndex(block => block.kind !== 'changes');
  const files = changedIn(message);
  const speaks = message.blocks.some(block => block.kind === 'text' && block.text !== '');
  const quietEnd = message.blocks[last]?.kind !== 'text';
  if (message.role === 'summary') {
    return (
      <article
        class="message summary"
        aria-label={articleName(message, agentName, position)}
        data-message={message.id}
        tabIndex={-1}
      >
        <h2 class="hidden">Summary</h2>
        <Summary message={message} running={running} />
        {ending && <Ending ending={ending} message={message} />}
        <div class="summaryTools">
          <span class="actions">
            <BranchActions message={message} />
          </span>
          <Branches message={message.id} />
        </div>
      </article>
    );
  }
  return (
    <article
      class={running ? `message ${message.role} now` : `message ${message.role}`}
      aria-label={articleName(message, agentName, position)}
      data-message={message.id}
      tabIndex={-1}
    >
      <div class="meta">
        <h2>{authorOf(message, agentName)}</h2>
        <Time at={message.created} />
        {late && message.role === 'assistant' ? (
          <late.Took message={message} span={span} />
        ) : (
          span && <span class="span">{span}</span>
        )}
        <span class="space" />
        <span class="actions">
          {speaks && <CopyButton name="Copy" message={message} text={() => textOf(message)} />}
          <BranchActions message={message} />
        </span>
        <Branches message={message.id} />
      </div>
      <Editable message={message}>
        <div class="blocks">
          {message.blocks.map((block, at) =>
            block.kind === 'changes' ? null : (
              <Fragment key={`${at}${block.kind}`}>
                <BlockOf of={message.id} at={at} block={block} message={running} running={running && at === last} />
                {late &&
                  askedBy(block, permissions).map(permission => (
                    <late.PermissionNeeded key={permission.id} permission={permission} />
                  ))}
              </Fragment>
            ),
          )}
          {running && quietEnd && !waits && <div class="pulse" aria-hidden="true" />}
        </div>
      </Editable>
      {ending && <Ending ending={ending} message={message} />}
      {files.length > 0 && late && <late.Changes message={message.id} files={files} running={running} />}
    </article>
  );
});

function askedBy(block: Block, permissions: readonly Permission[]): readonly Permission[] {
  if (block.kind !== 'toolCall') return [];
  return permissions.filter(({ callId }) => callId === block.callId);
}

/** A message that streams is drawn every frame, and dates are slow to write out. */
const Time = memo(({ at }: { readonly at: number }) => {
  const { machine, full, short } = timeOf(at);
  return (
    <time dateTime={machine} title={full}>
      {short}
    </time>
  );
});

function withMore(shown: ComponentChild, { text, left }: Text | ThoughtBlock, of: MessageId, at: number) {
  if (!left) return shown;
  return (
    <>
      {shown}
      <More of={of} at={at} length={text.length} left={left} />
    </>
  );
}

function More(props: MoreTextProps) {
  const late = usePanel().late.value;
  return late && <late.MoreText {...props} />;
}

interface BlockProps {
  readonly of: MessageId;
  /** Its place in the message. */
  readonly at: number;
  readonly block: Block;
  readonly message: boolean;
  readonly running: boolean;
}

function BlockOf({ of, at, block, message, running }: BlockProps) {
  switch (block.kind) {
    case 'text':
      return withMore(
        <TextBlock of={of} at={at} block={block} running={running} unfinished={message} />,
        block,
        of,
        at,
      );
    case 'thought':
      return withMore(<Thought block={block} running={running} />, block, of, at);
    case 'toolCall':
      return <ToolCall message={of} at={at} block={block} running={message} />;
    case 'notice':
      return <Notice block={block} />;
    case 'plan':
      return <Plan block={block} />;
    case 'image':
    case 'audio':
    case 'video':
    case 'resource':
      return <Thing message={of} at={at} block={block} />;
    case 'unknown':
      return <Unknown value={block.value} />;
    default:
      // A kind of a later version is not understood, and is still shown.
      return <Unknown value={JSON.parse(JSON.stringify(block)) as Json} />;
  }
}
