// What was written while a turn ran and goes out after it, one line each. Promises: nothing of it is lost by a button:
// edited words go into the composer, before what stands there; taking back is a word of the person's own.

import type { Queued as QueuedPrompt } from '../../model/agentState.ts';
import { cleanLine } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

const longestTitle = 500;

export function Queue() {
  const { store, outbox, post, focusWanted } = usePanel();
  const session = store.part('session').value ?? '';
  const queue = store.part('queue').value ?? [];
  const isRunning = (store.part('turn').value ?? null) !== null;
  if (queue.length === 0) return null;
  // The button that was pressed goes away with its line; whoever pressed it is writing.
  const done = () => void (focusWanted.value += 1);
  const edit = (queued: QueuedPrompt) => {
    outbox.edit(session, queued);
    done();
  };
  const withdraw = (id: string) => {
    outbox.withdraw(session, id);
    done();
  };
  const sendNow = (id: string) => {
    post({ type: 'sendNow', session, id });
    done();
  };
  return (
    <div class="queue" role="group" aria-label="Queued">
      <div class="queueHead">{queueWords(queue.length, isRunning)}</div>
      <ol>
        {queue.map(queued => {
          const words = cleanLine(queued.text.slice(0, longestTitle));
          return (
            <li key={queued.id}>
              <span class="queueWhat">
                <span class="queueWords" title={words}>
                  {words}
                </span>
                {queued.trouble !== undefined && <span class="queueTrouble">{cleanLine(queued.trouble)}</span>}
              </span>
              {queued.attached && <span class="queueFacts">{attachedWords(queued.attached.length)}</span>}
              <Action name="Edit" look="edit" press={() => edit(queued)} />
              <Action name="Withdraw" look="fail" press={() => withdraw(queued.id)} />
              <Action
                name="Send now"
                title={isRunning ? 'Send now: stops this answer' : 'Send now'}
                look="send"
                press={() => sendNow(queued.id)}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

interface ActionProps {
  readonly name: string;
  readonly title?: string;
  readonly look: 'edit' | 'fail' | 'send';
  readonly press: () => void;
}

function Action({ name, title = name, look, press }: ActionProps) {
  return (
    <button type="button" class="iconButton" aria-label={name} title={title} onClick={press}>
      {icon(look)}
    </button>
  );
}

function attachedWords(count: number): string {
  return `+ ${count} attached`;
}

function queueWords(count: number, isRunning: boolean): string {
  if (!isRunning) return 'Not sent yet';
  return count === 1 ? 'Sent after this answer' : 'Sent after this answer, one by one';
}
