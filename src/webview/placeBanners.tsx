// What is so of this conversation as long as it is shown: nothing of it is kept, it is in the trash, or only read here.
// Promises: each says in words what that means, and offers the one thing that changes it.

import { cleanLine } from './transcript/cleanText.ts';
import { copyWords } from './copyWords.ts';
import { icon } from './icons.ts';
import { isIncognito } from '../model/incognito.ts';
import { usePanel } from './panel.ts';

export function PlaceBanners() {
  const { store, post } = usePanel();
  const session = store.part('session').value ?? '';
  const agent = cleanLine(store.part('agent').value?.name ?? '') || 'the agent';
  const copy = copyWords(agent, store.part('about').value ?? null, store.part('options').value ?? []);
  return (
    <>
      {isIncognito(session) && (
        <div class="banner" role="group" aria-label="Incognito">
          {icon('hidden')}
          <span>
            <b>Incognito.</b> Nothing is kept here, and it ends with this window. {copy}
          </span>
          <button type="button" class="button" onClick={() => post({ type: 'endSession', session })}>
            End session
          </button>
        </div>
      )}
      {store.part('trashed').value && (
        <div class="banner" role="group" aria-label="In the trash">
          {icon('trash')}
          <span>This session is in the trash</span>
          <button type="button" class="button" onClick={() => post({ type: 'restoreSession', session })}>
            Restore
          </button>
        </div>
      )}
      {!store.place.value.trusted && (
        <div class="banner" role="group" aria-label="Restricted mode">
          {icon('lock')}
          <span>Restricted mode: no agent starts here, and what answers only reads</span>
          <button type="button" class="button" onClick={() => post({ type: 'manageTrust' })}>
            Manage trust
          </button>
        </div>
      )}
    </>
  );
}
