// The one line that a screen reader is told by itself: a turn began or ended, a person is needed,
// something was copied. Promises: streaming text never goes through here.

import { useEffect } from 'preact/hooks';
import { createNews } from './news.ts';
import { usePanel } from './panel.ts';

export function Status() {
  const { store, said } = usePanel();
  useEffect(() => {
    const news = createNews();
    const stopHearing = store.onTranscript(news.hear);
    const stopDrawing = store.transcript.subscribe(transcript => {
      const words = transcript ? news.draw(transcript) : '';
      // The same words again are heard again only where they are not quite the same.
      if (words !== '') said.value = words === said.peek() ? `${words}\u00a0` : words;
    });
    return () => {
      stopHearing();
      stopDrawing();
    };
  }, []);
  return (
    <div class="hidden" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
