// Words that could not be sent, why, and what helps.

import { cleanText } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

export function Refused() {
  const { outbox, post } = usePanel();
  const refusal = outbox.refusal.value;
  if (!refusal) return null;
  return (
    <div class="banner bad refused" role="alert">
      {icon('warning')}
      <span>
        <b>Not sent.</b> {cleanText(refusal.words)}
        {refusal.text !== null && <q title={refusal.text}>{refusal.text}</q>}
      </span>
      {refusal.noAgent && (
        <button type="button" class="button" onClick={() => post({ type: 'selectAgent' })}>
          Choose another agent…
        </button>
      )}
      {refusal.text !== null && (
        <button type="button" class="button" onClick={outbox.restore}>
          Put back
        </button>
      )}
      <button type="button" class="iconButton" aria-label="Dismiss" title="Dismiss" onClick={outbox.dismiss}>
        {icon('fail')}
      </button>
    </div>
  );
}
