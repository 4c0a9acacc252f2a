// The one line that a screen reader is told by itself: a turn began or ended, a person is needed,
// something was copied. Promises: streaming text never goes through here.

import { useEffect } from 'preact/hooks';
import type { Transcript } from '../model/transcript.ts';
import { usePanel } from './panel.ts';
import { heldWords, permissionNews, questionNews } from './asking/questions.ts';
import { countOf, turnNews } from './words.ts';

export function Status() {
  const { store, said } = usePanel();
  useEffect(() => {
    let before: Transcript | undefined;
    return store.transcript.subscribe(transcript => {
      if (!transcript) return;
      const news = newsOf(before?.session === transcript.session ? before : undefined, transcript);
      before = transcript;
      // The same words again are heard again only where they are not quite the same.
      if (news !== '') said.value = news === said.peek() ? `${news}\u00a0` : news;
    });
  }, []);
  return (
    <div class="hidden" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}

/** Where a session is shown anew, what waits for the person is news, and how its turn stands is not. */
function newsOf(before: Transcript | undefined, now: Transcript): string {
  const news = [
    before && turnNews(before.turn, now),
    permissionNews(before?.permissions ?? [], now.permissions),
    questionNews(before?.elicitations ?? [], now.elicitations, now.agent.name),
    now.unsaved && now.unsaved.words !== before?.unsaved?.words ? `Not saved. ${now.unsaved.words}` : undefined,
    ...(now.warnings ?? []).filter(words => !before?.warnings?.includes(words)),
    now.held && now.held !== before?.held ? heldWords(now.held, now.agent.name, countOf(now)) : undefined,
  ];
  return news.filter(one => one !== undefined).join('. ');
}
