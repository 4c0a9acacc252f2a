// Words that could not be sent, and why.

import { cleanText } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

export function Refused() {
  const { outbox } = usePanel();
  const refusal = outbox.refusal.value;
  if (!refusal) return null;
  return (
    <div class="banner bad refused" role="alert">
      {icon('warning')}
      <span>
        <b>Not sent.</b> {cleanText(refusal.words)}
        {refusal.text !== null && <q title={refusal.text}>{refusal.text}</q>}
      </span>
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
