// What is added from elsewhere in the window, on its way to a panel: one that stands, one that does not yet, one of several.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { addToShown } from '../../../src/host/chat/addToShown.ts';
import { terminalOf } from '../../../src/host/adding/chosenText.ts';
import type { ChatPanels } from '../../../src/host/chat/chatPanels.ts';
import type { ChatView } from '../../../src/host/chat/chatView.ts';
import type { Attachment } from '../../../src/model/attachment.ts';
import type { HostMessage } from '../../../src/model/wire.ts';
import { heldWebview, openTestChannel, quietPorts } from '../support/quietPanel.ts';
import { stage } from '../conversation/stage.ts';

async function panel(t: TestContext) {
  const { folder, conversation, history } = await stage(t);
  const posted: HostMessage[] = [];
  const { webview, say } = heldWebview(message => posted.push(message));
  const ports = quietPorts(conversation, history, {
    failure: (what, cause) => assert.fail(`${what} ${String(cause)}`),
  });
  const channel = openTestChannel(folder, webview, ports);
  const attachments = await ports.attachments();
  const make = (text: string) => attachments.takeText(terminalOf('bash', text));
  /** What stands in the composer of the page, by the events that it got. */
  const chips = () =>
    posted.reduce<readonly string[]>((names, { event }) => {
      if (event.type === 'snapshot') return (event.attached ?? []).map(({ id }) => id);
      return event.type === 'added' ? [...new Set([...names, ...event.attachments.map(({ id }) => id)])] : names;
    }, []);
  const until = async (shown: () => boolean) => {
    while (!shown()) await new Promise(resolve => setImmediate(resolve));
  };
  return { channel, say, make, chips, until, posted, attachments, session: conversation.session };
}

test('[H71] what is added before the page stands, and after, is in its composer, which takes the focus', async t => {
  const { channel, say, make, chips, until, posted, attachments, session } = await panel(t);
  const [early, late] = [make('one'), make('two')];
  await channel.add([early]);
  say({ type: 'ready', session: null });
  await until(() => posted.at(-1)?.event.type === 'focus');
  assert.deepEqual(chips(), [early.id]);
  await channel.add([late]);
  assert.deepEqual(chips(), [early.id, late.id]);
  // The page was hidden and is made anew.
  posted.length = 0;
  say({ type: 'ready', session });
  await until(() => posted.length > 0);
  assert.deepEqual(chips(), [early.id, late.id]);
  assert.deepEqual(
    attachments.named(chips())?.map(({ block }) => block.kind === 'resource' && block.text),
    ['one', 'two'],
  );
});

test('[H71] of the chats that are seen it goes to the one that was used last, else the view is opened', async () => {
  const added: string[] = [];
  const given: readonly Attachment[] = [];
  const where = async (view: number | null, ...panels: readonly number[]) => {
    const chat = {
      inView: view === null ? null : { usedAt: view },
      add: () => Promise.resolve(added.push('view')),
    } as unknown as ChatView;
    const editors = {
      inView: panels.map(usedAt => ({ usedAt })),
      addTo: ({ usedAt }: { readonly usedAt: number }) => Promise.resolve(added.push(`editor ${usedAt}`)),
    } as unknown as ChatPanels;
    await addToShown(given, chat, editors);
    return added.splice(0).join();
  };
  assert.equal(await where(null), 'view');
  assert.equal(await where(0), 'view');
  assert.equal(await where(null, 0), 'editor 0');
  assert.equal(await where(2, 1, 3), 'editor 3');
  assert.equal(await where(4, 1, 3), 'view');
});
