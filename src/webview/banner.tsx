// What the person has to know before they go on: this conversation is not being saved, or the panel is of another version.
// Promises: each says what is the matter in words and offers the one thing that mends it. What is so for as long as the
// conversation is shown is in `placeBanners.tsx`.

import { cleanText } from './transcript/cleanText.ts';
import { icon } from './icons.ts';
import { usePanel } from './panel.ts';

export const updatedWords = 'Throughline was updated. Reload the window to go on; nothing is lost.';

export function Banners() {
  const { store, post, outbox, late } = usePanel();
  const session = store.part('session').value ?? '';
  const unsaved = store.part('unsaved').value;
  const warnings = store.part('warnings').value ?? [];
  const sendUnsaved = () => {
    post({ type: 'acceptUnsaved', session });
    // The words that were just refused are what the button is about.
    if (outbox.refusal.value?.text === null) outbox.send(session);
  };
  const otherVersion = store.link.value === 'otherVersion';
  return (
    <section class="banners" aria-label="Notices">
      {otherVersion && (
        <div class="banner bad" role="group" aria-label="Reload needed">
          {icon('warning')}
          <span>{updatedWords}</span>
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
      {warnings.length > 0 && (
        <div class="banner bad" role="group" aria-label="Warnings">
          {icon('warning')}
          <span>{cleanText(warnings.join(' '))}</span>
        </div>
      )}
      {late.value && <late.value.PlaceBanners />}
    </section>
  );
}
