// A permission that is too long for the panel: what the host takes, and when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../../src/model/agentState.ts';
import { heldWebview, openTestChannel, quietPorts } from '../support/quietPanel.ts';
import { settled, stage } from '../conversation/stage.ts';

const asked: Permission = {
  id: 'permission1',
  callId: 'c1',
  title: 'Write go.sum',
  tool: 'edit',
  locations: [],
  output: [{ type: 'diff', path: '/project/go.sum', newText: 'a line\n'.repeat(4000) }],
  choices: [
    { id: 'yes', name: 'Allow', kind: 'allow_once' },
    { id: 'no', name: 'Reject', kind: 'reject_once' },
  ],
};

test('[W121] the host takes an answer that allows only after all of it was shown in an editor', async t => {
  const { conversation, agent, folder, history } = await stage(t);
  const opened: string[] = [];
  const failures: string[] = [];
  const editor = { shows: false };
  const ports = quietPorts(conversation, history, {
    openPermission(_session, { id }) {
      if (!editor.shows) return Promise.reject(new Error('The editor is closed.'));
      opened.push(id);
      return Promise.resolve();
    },
    failure: (_what, cause) => void failures.push(String(cause)),
  });
  const { webview, say } = heldWebview(() => {});
  openTestChannel(folder, webview, ports);
  const { session } = conversation;
  say({ type: 'ready', session: null });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const answer = turn.ask(asked);
  const shown = () => conversation.transcript.permissions[0];
  const until = async (isSo: () => boolean) => {
    const last = performance.now() + 10_000;
    while (!isSo()) {
      assert.ok(performance.now() < last, 'it did not happen');
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  await until(() => shown() !== undefined);
  const allow = { type: 'answerPermission', session, permission: asked.id, choice: 'yes' };
  const open = { type: 'openPermission', session, permission: asked.id };
  say(allow);
  say(open);
  await until(() => failures.length > 0);
  assert.ok(shown(), 'it is still asked');
  assert.equal(shown()?.opened, undefined, 'what could not be shown was not seen');
  editor.shows = true;
  say(allow);
  say(open);
  await until(() => shown()?.opened === true);
  assert.deepEqual(opened, [asked.id]);
  say(allow);
  assert.equal(await answer, 'yes');
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
});
