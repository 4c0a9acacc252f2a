// The layout of the panel, from top to bottom. Before the first snapshot there is a quiet word, and only if it takes
// long enough to be noticed.

import { useComputed } from '@preact/signals';
import { Banners } from './banner.tsx';
import { NewBranch } from './branching/branches.tsx';
import { Composer } from './composing/composer.tsx';
import { Continuity } from './composing/continuity.tsx';
import { Header } from './header.tsx';
import { Held } from './asking/held.tsx';
import { usePanel } from './panel.ts';
import { Status } from './status.tsx';
import { Transcript } from './transcript/transcript.tsx';

export function App() {
  const { store } = usePanel();
  const known = useComputed(() => store.transcript.value !== undefined).value;
  if (!known) {
    const late = store.link.value === 'otherVersion';
    return (
      <div class="loading">
        {late ? 'Throughline was updated. Reload the window to go on; nothing is lost.' : 'Opening the conversation…'}
      </div>
    );
  }
  return (
    <div class="panel">
      <Header />
      <Banners />
      <Transcript />
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
