// The one line that a screen reader is told by itself: a turn began, a turn ended, something was copied. Promises:
// streaming text never goes through here.

import { useEffect } from 'preact/hooks';
import type { Turn } from '../model/transcript.ts';
import { usePanel } from './panel.ts';
import { turnNews } from './words.ts';

export function Status() {
  const { store, said } = usePanel();
  useEffect(() => {
    let session: string | undefined;
    let turn: Turn | null = null;
    return store.transcript.subscribe(transcript => {
      if (!transcript) return;
      const news = session === transcript.session ? turnNews(turn, transcript) : undefined;
      session = transcript.session;
      turn = transcript.turn;
      if (news) said.value = news;
    });
  }, []);
  return (
    <div class="hidden" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
