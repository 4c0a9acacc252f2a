// The calm first screen: what this is, what the agent at hand can do, and a few ways to begin; for a person who has no
// agent of their own yet, the way to one comes first, and where no folder is open, a press leads to one. Promises: an
// example puts its words into the composer and never sends them.

import { cleanLine, cleanText } from './transcript/cleanText.ts';
import { icon } from './icons.ts';
import { isIncognito } from '../model/incognito.ts';
import { usePanel } from './panel.ts';

export function EmptyState() {
  const { store, outbox, post, focusWanted } = usePanel();
  const agent = store.part('agent').value;
  if (!agent) return null;
  const about = store.part('about').value;
  const words = about ? cleanText(about.words) : `${cleanLine(agent.name)} answers here.`;
  const isUnkept = isIncognito(store.part('session').value ?? '');
  const isUnsaved = isUnkept || (store.part('unsaved').value ?? null) !== null;
  const { folder, agentWanted, notes } = store.place.value;
  // Without a folder there is nothing that they could be asked about.
  const examples = folder === null ? [] : (about?.examples.map(cleanLine) ?? []);
  const kept = isUnkept ? unkeptWords : keptWords(isUnsaved, folder);
  const choose = (example: string) => {
    outbox.draft.value = example;
    focusWanted.value += 1;
  };
  const connect = agentWanted && (
    <button
      type="button"
      class="button primary"
      title="Any agent that speaks the Agent Client Protocol"
      onClick={() => post({ type: 'connectAgent' })}
    >
      Connect an agent…
    </button>
  );
  return (
    <section class="empty" aria-label="Getting started">
      {icon('thread')}
      <h2>{isUnkept ? 'Nothing is kept' : isUnsaved ? 'Not kept for now' : 'Conversations that are kept'}</h2>
      <p>{kept}</p>
      {!isUnsaved && notes?.map(words => <p key={words}>{words}</p>)}
      {folder === null ? (
        <div class="ways">
          {connect}
          <button type="button" class="button" onClick={() => post({ type: 'openFolder' })}>
            Open a folder…
          </button>
        </div>
      ) : (
        connect
      )}
      <p class="dim">{words}</p>
      {examples.length > 0 && (
        <ul class="examples" aria-label="Examples">
          {examples.map(example => (
            <li key={example}>
              <button type="button" class="example" onClick={() => choose(example)}>
                {example}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="dim keys">
        <kbd>/</kbd> for commands, <kbd>@</kbd> for {folder === null ? 'past sessions' : 'files and past sessions'}
      </p>
    </section>
  );
}

const unkeptWords = 'What is said here is in the memory of this window only, until you end the session.';

function keptWords(isUnsaved: boolean, folder: string | null): string {
  if (isUnsaved) return 'What is said here is not saved until the history can be opened again.';
  if (folder !== null)
    return 'Everything said here is saved in this workspace as it arrives, and stays until you delete it.';
  return 'Everything said here is saved as it arrives, and stays until you delete it. No folder is open, so there are no files to ask about yet.';
}
