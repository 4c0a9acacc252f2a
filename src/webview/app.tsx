// The layout of the panel, from top to bottom. Before the first snapshot there is a quiet word, and only if it takes
// long enough to be noticed; where it takes too long, a way to ask again.

import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Banners, updatedWords } from './banner.tsx';
import { NewBranch } from './branching/branches.tsx';
import { Composer } from './composing/composer.tsx';
import { Continuity } from './composing/continuity.tsx';
import { Header } from './header.tsx';
import { Held } from './asking/held.tsx';
import { usePanel } from './panel.ts';
import { Status } from './status.tsx';
import { Transcript } from './transcript/transcript.tsx';

const patience = 10_000;

export function App() {
  const { store, sheet } = usePanel();
  const session = useComputed(() => store.transcript.value?.session).value;
  if (session === undefined) {
    return <Loading />;
  }
  // Whose conversation is drawn, for whoever looks from outside: drawing may be later than what is known.
  return (
    <div class="panel" data-session={session}>
      <Header />
      <Banners />
      <Transcript key={sheet.value} />
      <footer class="foot">
        <Held />
        <NewBranch />
        <Continuity />
        <Composer />
      </footer>
      <Status />
    </div>
  );
}

function Loading() {
  const { store } = usePanel();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isLong) return undefined;
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, [isLong]);
  const again = () => {
    setLong(false);
    store.start();
  };
  const isOther = store.link.value === 'otherVersion';
  return (
    <main class="loading">
      <p>{isOther ? updatedWords : isLong ? 'This takes longer than it should.' : 'Opening the conversation…'}</p>
      {isLong && !isOther && (
        <button type="button" class="button" onClick={again}>
          Try again
        </button>
      )}
    </main>
  );
}
