// Two panels of one window on the same conversation: the channels of the host, each with what a page has behind it, and
// between them nothing but the messages.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { effect } from '@preact/signals';
import type { ChatChannel } from '../../../src/host/chat/chatChannel.ts';
import { SharedDrafts } from '../../../src/host/chat/sharedDrafts.ts';
import type { Intent } from '../../../src/model/intent.ts';
import type { Drafts } from '../../../src/node/drafts.ts';
import { createDraftKeeper } from '../../../src/webview/composing/draftKeeper.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { createStore } from '../../../src/webview/store.ts';
import { stage, type Stage } from '../conversation/stage.ts';
import { heldWebview, openTestChannel, openTestDrafts, quietPorts } from '../support/quietPanel.ts';

interface Page {
  readonly channel: ChatChannel;
  readonly store: ReturnType<typeof createStore>;
  readonly outbox: ReturnType<typeof createOutbox>;
  readonly keeper: ReturnType<typeof createDraftKeeper>;
  readonly post: (intent: Intent) => void;
  /** The person is writing here. */
  inUse: boolean;
}

function page(t: TestContext, { conversation, history, folder }: Stage, shared: SharedDrafts, drafts: Drafts): Page {
  // A message between two processes is a copy, and comes later.
  const { webview, say } = heldWebview(
    message => void setImmediate(() => page.store.receive(structuredClone(message))),
  );
  const ports = quietPorts(conversation, history, {
    readDraft: drafts.read,
    keepDraft: (session, text) => void drafts.keep(session, text),
    shared,
    failure: (_what, cause) => assert.fail(String(cause)),
  });
  const channel = openTestChannel(folder, webview, ports);
  const post = (intent: Intent) => void setImmediate(() => say(structuredClone(intent)));
  const store = createStore({ post, later: draw => void setImmediate(draw), session: null });
  const outbox = createOutbox(post, () => page.inUse);
  const keeper = createDraftKeeper(post, run => void setImmediate(run));
  store.onEvent(keeper.hear);
  store.onEvent(outbox.hear);
  t.after(effect(() => keeper.typed(outbox.kept.value)));
  const page: Page = { channel, store, outbox, keeper, post, inUse: false };
  store.start();
  return page;
}

async function twoPanels(t: TestContext) {
  const scene = await stage(t);
  const shared = new SharedDrafts();
  const drafts = openTestDrafts(scene.folder);
  const side = page(t, scene, shared, drafts);
  const editor = page(t, scene, shared, drafts);
  await until(() => [side, editor].every(({ store }) => store.link.value === 'live'));
  const type = (into: Page, words: string) => {
    for (const one of [side, editor]) one.inUse = one === into;
    into.outbox.draft.value = words;
  };
  return { ...scene, side, editor, drafts, type };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setImmediate(resolve));
}

test('[H51] what is asked in one panel and answered is in both, and each knows its own prompts', async t => {
  const { side, editor, type, agent, conversation, ended } = await twoPanels(t);
  type(editor, 'count');
  editor.outbox.send(conversation.session);
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'one two three' });
  // The other panel's next prompt waits in the queue that both show.
  type(side, 'and on');
  side.outbox.send(conversation.session);
  await until(() => editor.store.transcript.value?.queue[0]?.text === 'and on');
  await until(() => side.outbox.kept.value === '');
  turn.end({ reason: 'cancelled' });
  await ended();
  await until(() => [side, editor].every(({ store }) => store.transcript.value?.turn === null));
  for (const { store, outbox } of [side, editor]) {
    assert.deepEqual(store.transcript.value, conversation.transcript);
    assert.equal(outbox.kept.value, '');
    assert.equal(outbox.underway.value, null);
  }
});

test('[H51] a permission that is answered in one panel is gone from the other', async t => {
  const { side, editor, type, agent, conversation, ended } = await twoPanels(t);
  type(side, 'write it');
  side.outbox.send(conversation.session);
  const turn = await agent.nextTurn();
  turn.update({ type: 'toolCall', callId: 'w1', changes: { title: 'Write main.go', status: 'pending' } });
  const choices = [{ id: 'yes', name: 'Allow', kind: 'allow_once' } as const];
  const answered = turn.ask({
    id: 'permission1',
    callId: 'w1',
    title: 'Write main.go',
    tool: 'edit',
    locations: [],
    output: [],
    choices,
  });
  const asked = ({ store }: Page) => store.transcript.value?.permissions ?? [];
  await until(() => asked(side).length === 1 && asked(editor).length === 1);
  const answer = (choice: string) =>
    ({ type: 'answerPermission', session: conversation.session, permission: 'permission1', choice }) as const;
  editor.post(answer('yes'));
  assert.equal(await answered, 'yes');
  await until(() => asked(side).length === 0 && asked(editor).length === 0);
  // The press in the other panel that came too late changes nothing.
  side.post(answer('yes'));
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.deepEqual(side.store.transcript.value?.messages.length, 2);
});

test('[H51] [H52] a prompt that is refused comes back to the panel that sent it, and its words to both', async t => {
  const { side, editor, type, conversation, drafts } = await twoPanels(t);
  await conversation.setTrashed(true);
  type(editor, 'hello');
  editor.outbox.send(conversation.session);
  await until(() => editor.outbox.refusal.value !== null);
  assert.equal(editor.outbox.draft.value, 'hello');
  await until(() => side.outbox.draft.value === 'hello');
  assert.equal(side.outbox.refusal.value, null);
  await until(async () => (await drafts.read(conversation.session)) === 'hello');
});

test('[H52] what is typed in one panel stands in the other, unless the person writes there', async t => {
  const { side, editor, type, conversation, drafts } = await twoPanels(t);
  type(editor, 'half a');
  await until(() => side.outbox.draft.value === 'half a');
  // Words that were typed in the other panel are not taken away under the person's hands.
  editor.inUse = true;
  side.outbox.draft.value = 'half a sentence';
  await until(async () => (await drafts.read(conversation.session)) === 'half a sentence');
  assert.equal(editor.outbox.draft.value, 'half a');
  type(side, 'half a sentence, and more');
  await until(() => editor.outbox.draft.value === 'half a sentence, and more');
  assert.equal(await drafts.read(conversation.session), 'half a sentence, and more');
});

test('[H52] what is on its way stands in no other panel, and what is typed after it does', async t => {
  const { side, editor, type, agent, conversation, ended, drafts } = await twoPanels(t);
  type(editor, 'hello');
  await until(() => side.outbox.draft.value === 'hello');
  editor.outbox.send(conversation.session);
  await until(() => side.outbox.draft.value === '');
  const turn = await agent.nextTurn();
  await until(() => side.store.transcript.value?.messages.length === 2 && editor.outbox.kept.value === '');
  type(editor, 'next');
  await until(() => side.outbox.draft.value === 'next');
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.equal(await drafts.read(conversation.session), 'next');
  // A page that is made anew, as that of a hidden editor is, begins with the same words.
  side.channel.refresh();
  side.post({ type: 'ready', session: conversation.session });
  await until(() => side.store.link.value === 'live');
  assert.deepEqual([side.outbox.draft.value, editor.outbox.draft.value], ['next', 'next']);
});
