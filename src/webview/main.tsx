// The composition root of the webview: every part is made and tied to the others here, and nothing else is.

import './style.css';
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { createDraftKeeper } from './draftKeeper.ts';
import { createFormKeeper } from './formAnswer.ts';
import { nextFrame } from './frame.ts';
import { createOutbox } from './outbox.ts';
import { PanelContext, type MarkdownLexer, type Panel } from './panel.ts';
import { createStore } from './store.ts';
import { openWindow } from './vscodeApi.ts';

const saveAfter = 100;

const { post, saved, save } = openWindow();
const store = createStore({ post, later: nextFrame, session: saved.session });
const outbox = createOutbox(post);
const lexer = signal<MarkdownLexer | null>(null);
import('./markdown/lex.ts').then(
  module => void (lexer.value = module),
  (cause: unknown) =>
    console.error('The markdown lexer could not be loaded; words are shown as they were typed.', cause),
);
const panel: Panel = {
  store,
  outbox,
  post,
  lexer,
  forms: createFormKeeper(),
  saved,
  scroll: signal(saved.scroll),
  focusWanted: signal(document.hasFocus() ? 1 : 0),
  said: signal(''),
};
// Before the outbox: what was typed for the session that is left is on its way before the other's words come.
const draftKeeper = createDraftKeeper(post, run => setTimeout(run, saveAfter));
store.onEvent(draftKeeper.hear);
store.onEvent(outbox.hear);
store.onEvent(panel.forms.hear);
effect(() => draftKeeper.typed(outbox.kept.value));
store.onEvent(event => {
  if (event.type === 'focus') panel.focusWanted.value += 1;
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
