// The composition root of the webview: every part is made and tied to the others here, and nothing else is.

import './style.css';
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { createBranching } from './branching/branching.ts';
import { keepKeysInBoxes } from './composing/boxKeys.ts';
import { createDraftKeeper } from './composing/draftKeeper.ts';
import { createFormKeeper } from './asking/formAnswer.ts';
import { nextFrame, paceOfPage } from './frame.ts';
import { createOutbox } from './composing/outbox.ts';
import { PanelContext, type Highlighter, type LateFile, type MarkdownLexer, type Panel } from './panel.ts';
import { createNamedFiles } from './transcript/namedFiles.ts';
import { createPictures } from './transcript/pictures.ts';
import { createStore } from './store.ts';
import { openWindow } from './vscodeApi.ts';

const saveAfter = 100;

const { post, saved, save } = openWindow();
const wanted = saved.scroll && { message: saved.scroll.message };
const store = createStore({ post, later: paceOfPage(), session: saved.session, ...wanted });
const outbox = createOutbox(post, () => document.hasFocus());
const lexer = signal<MarkdownLexer | null>(null);
import('./markdown/lex.ts').then(
  module => void (lexer.value = module),
  (cause: unknown) =>
    console.error('The markdown lexer could not be loaded; words are shown as they were typed.', cause),
);
const late = signal<LateFile | null>(null);
import('./late.ts').then(
  module => void (late.value = module),
  (cause: unknown) =>
    console.error('A part of the panel could not be loaded: questions, terminals and finding.', cause),
);
const highlighter = signal<Highlighter | null>(null);
// Nothing that is seen first waits for it.
requestIdleCallback(
  () =>
    void import('./highlight/highlight.ts').then(
      module => void (highlighter.value = module),
      (cause: unknown) => console.error('The colours of code could not be loaded.', cause),
    ),
  { timeout: 2000 },
);
const panel: Panel = {
  store,
  outbox,
  branching: createBranching(post, nextFrame),
  post,
  lexer,
  highlighter,
  late,
  pictures: createPictures(post),
  namedFiles: createNamedFiles(post),
  forms: createFormKeeper(),
  saved,
  scroll: signal(saved.scroll),
  sheet: signal(0),
  focusWanted: signal(document.hasFocus() ? 1 : 0),
  goTo: signal(null),
  findWanted: signal(0),
  said: signal(''),
};
// Before the outbox: what was typed for the session that is left is on its way before the other's words come.
const draftKeeper = createDraftKeeper(post, run => setTimeout(run, saveAfter));
store.onEvent(draftKeeper.hear);
store.onEvent(outbox.hear);
store.onEvent(panel.branching.hear);
store.onEvent(panel.forms.hear);
store.onEvent(panel.pictures.hear);
store.onEvent(panel.namedFiles.hear);
effect(() => draftKeeper.typed(outbox.kept.value));
store.onEvent(event => {
  if (event.type !== 'focus') return;
  const { on } = event;
  panel.goTo.value = on && on !== 'find' ? { on } : null;
  if (on === 'find') panel.findWanted.value += 1;
  else if (!on) panel.focusWanted.value += 1;
});

let timer: ReturnType<typeof setTimeout> | undefined;
let unsaved = saved;
const saveNow = () => {
  clearTimeout(timer);
  timer = undefined;
  save(unsaved);
  draftKeeper.flush();
};
const session = store.part('session');
effect(() => {
  unsaved = { session: session.value ?? saved.session, scroll: panel.scroll.value };
  timer ??= setTimeout(saveNow, saveAfter);
});
addEventListener('pagehide', saveNow);
document.addEventListener('visibilitychange', saveNow);

keepKeysInBoxes(document);
addEventListener('message', message => store.receive(message.data));
const root = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
root.id = 'root';
render(
  <PanelContext.Provider value={panel}>
    <App />
  </PanelContext.Provider>,
  root,
);
store.start();
