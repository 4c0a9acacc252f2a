// What the person has to know before they go on: this conversation is not being saved, is in the trash, or is only
// read here. Promises: each says what is the matter in words and offers the one thing that mends it.

import { cleanText } from './transcript/cleanText.ts';
import { icon } from './icons.ts';
import { usePanel } from './panel.ts';

export function Banners() {
  const { store, post, outbox } = usePanel();
  const session = store.part('session').value ?? '';
  const unsaved = store.part('unsaved').value;
  const trashed = store.part('trashed').value;
  const { trusted } = store.place.value;
  const sendUnsaved = () => {
    post({ type: 'acceptUnsaved', session });
    // The words that were just refused are what the button is about.
    if (outbox.refusal.value?.text === null) outbox.send(session);
  };
  const otherVersion = store.link.value === 'otherVersion';
  return (
    <>
      {otherVersion && (
        <div class="banner bad" role="group" aria-label="Reload needed">
          {icon('warning')}
          <span>Throughline was updated. Reload the window to go on; nothing is lost.</span>
        </div>
      )}
      {unsaved && (
        <div class="banner bad" role="group" aria-label="Not saved">
          {icon('warning')}
          <span>
            <b>Not saved.</b> {cleanText(unsaved.words)}
          </span>
          {unsaved.accepted ? (
            <span class="dim">Sending unsaved</span>
          ) : (
            <button type="button" class="button" onClick={sendUnsaved}>
              Send unsaved
            </button>
          )}
        </div>
      )}
      {trashed && (
        <div class="banner" role="group" aria-label="In the trash">
          {icon('trash')}
          <span>This session is in the trash</span>
          <button type="button" class="button" onClick={() => post({ type: 'restoreSession', session })}>
            Restore
          </button>
        </div>
      )}
      {!trusted && (
        <div class="banner" role="group" aria-label="Restricted mode">
          {icon('lock')}
          <span>Restricted mode: only the built-in agent answers here, and it only reads</span>
          <button type="button" class="button" onClick={() => post({ type: 'manageTrust' })}>
            Manage trust
          </button>
        </div>
      )}
    </>
  );
}
