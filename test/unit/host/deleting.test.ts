// What is deleted permanently here, with a real history and the conversations of a window: nothing goes unasked, and what
// agents run for it ends.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { noRules } from '../support/noRules.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { draftsIn } from '../../../src/node/drafts.ts';
import { fileWatch } from '../../../src/node/files/changes/fileWatch.ts';
import { FixedClock } from '../support/clock.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { judgeIn } from '../support/judge.ts';
import { handed, person } from '../support/recordedVscode.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { settled } from '../conversation/stage.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { Conversations } = await import('../../../src/host/chat/conversations.ts');
const { erase, moveToTrash, restoredOf } = await import('../../../src/host/sessions/deleting.ts');
const { eraseBranch } = await import('../../../src/host/sessions/deletingBranch.ts');

/** A window with one session that is open, in which an agent answered on two branches, each with an agent session. */
async function scene(t: TestContext) {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const agent = new ScriptedAgent(false);
  const gone: string[] = [];
  const files = fileWatch({
    folders: () => [],
    store: temporaryFolder(t),
    own: [],
    clock: systemClock,
    editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
    onWarning: words => t.diagnostic(words),
  });
  t.after(() => files.close());
  const conversations = new Conversations({
    history: () => Promise.resolve(history),
    keeping: () => Promise.resolve({ history, rules: noRules, files }),
    agents: { get: () => Promise.resolve(agent) },
    clock: new FixedClock(),
    ids,
    place: () => ({ cwd: '/project', alsoIn: [] }),
    startsIn: () => null,
    attachedText: () => Promise.resolve(null),
    judgePaths: judgeIn(),
    isShown: () => false,
    onGone: () => Promise.resolve(),
  });
  const drafts = draftsIn(folder);
  const ports = {
    conversations,
    history: () => Promise.resolve(history),
    drafts,
    report: { failure: assert.fail, warn: assert.fail, info() {} },
    onErased: (session: string) => Promise.resolve(void gone.push(session)),
    agents: () => [],
    agent: () => Promise.reject(new Error('There is no such agent.')),
  };
  const conversation = await conversations.fresh(ids.session());
  const roots: string[] = [];
  for (const text of ['left', 'right']) {
    assert.deepEqual(await conversation.send(text, { parent: null }), { sent: true });
    (await agent.nextTurn()).end({ reason: 'end_turn' });
    await settled(conversation);
    roots.push(conversation.transcript.messages[0]?.id ?? '');
  }
  const { session } = conversation;
  await drafts.keep(session, 'typed');
  const summary = async () => (await history.sessions({ ids: [session] }))[0] ?? assert.fail();
  handed.length = 0;
  agent.ended.length = 0;
  t.after(() => (person.answer = () => undefined));
  return { folder, history, agent, gone, conversations, drafts, ports, conversation, session, summary, roots };
}

/** Presses the button of that name in the next question. */
function press(title: string, meanwhile: () => Promise<void> = () => Promise.resolve()): void {
  person.answer = async given => {
    const button = given.find(one => (one as { readonly title?: string }).title === title);
    if (button === undefined) return undefined;
    await meanwhile();
    return button;
  };
}

test('[H32] nothing is deleted permanently before the person confirmed it', async t => {
  const { ports, summary, history, session, agent, drafts, gone } = await scene(t);
  await erase([await summary()], ports);
  assert.ok(handed.length > 0, 'they were asked');
  assert.ok(await history.open(session));
  assert.deepEqual([agent.ended, gone, await drafts.read(session)], [[], [], 'typed']);
});

test('[H118] a session that is deleted permanently ends what its agents run, and is nowhere any more', async t => {
  const { ports, summary, history, session, agent, drafts, gone, conversations } = await scene(t);
  press('Delete Permanently');
  await erase([await summary()], ports);
  assert.deepEqual(agent.ended.toSorted(), ['session1', 'session2']);
  assert.equal(await history.open(session), undefined);
  assert.deepEqual([gone, await drafts.read(session), conversations.opened(session)], [[session], '', undefined]);
  await drafts.keep(session, 'typed late');
  assert.equal(await drafts.read(session), '');
});

test('[H32] an answer that is written is stopped before its session is deleted', async t => {
  const { ports, summary, history, session, agent, conversation } = await scene(t);
  await conversation.send('more');
  const turn = await agent.nextTurn();
  turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
  press('Delete Permanently');
  const watched: typeof history = {
    ...history,
    erase(...args) {
      assert.equal(turn.signal.aborted, true, 'it was stopped before');
      return history.erase(...args);
    },
  };
  await erase([await summary()], { ...ports, history: () => Promise.resolve(watched) });
  assert.equal(await history.open(session), undefined);
});

test('[H119] a session that was restored while the question stood is not deleted', async t => {
  const { ports, summary, history, session, agent } = await scene(t);
  await history.trash(session);
  const asked = await summary();
  press('Delete Permanently', () => history.restore(session));
  await erase([asked], ports);
  assert.ok(await history.open(session));
  assert.ok(agent.ended.every(words => words.startsWith('terminals of ')));
});

test('[H119] of what was in the trash, what another window restored meanwhile is known; what was alive before is not meant', async t => {
  const folder = temporaryFolder(t);
  const [mine, theirs] = [await openTestHistory(folder), await openTestHistory(folder)];
  const begun: string[] = [];
  for (const title of ['restored', 'trashed', 'alive']) {
    const session = ids.session();
    await mine.append(session, [sessionFact(session), userFact(session, ids.message(), null, title)]);
    if (title !== 'alive') await mine.trash(session);
    begun.push(session);
  }
  const asked = await mine.sessions();
  assert.deepEqual([...(await restoredOf(asked, mine))], []);
  while ((await theirs.sessions({ trashed: true })).length < 2) await setTimeout(20);
  await theirs.restore(begun[0] ?? '');
  while ((await mine.sessions({ trashed: true })).length > 1) await setTimeout(20);
  assert.deepEqual([...(await restoredOf(asked, mine))], [begun[0]]);
  assert.deepEqual([...(await restoredOf([], mine))], []);
});

test('[H118] a branch that is deleted permanently ends what agents run for it, and for no other', async t => {
  const { ports, summary, history, session, agent, roots } = await scene(t);
  const [left = '', right = ''] = roots;
  press('Delete Permanently');
  await eraseBranch({ summary: await summary(), from: left }, ports);
  assert.deepEqual(agent.ended, ['session1']);
  const rest = await history.tree(session);
  assert.ok(rest.some(({ id }) => id === right) && rest.every(({ id }) => id !== left));
});

test('[H32] nothing of a branch is deleted permanently before the person confirmed it', async t => {
  const { ports, summary, history, session, agent } = await scene(t);
  const before = await history.tree(session);
  await eraseBranch({ summary: await summary(), from: before[0]?.id ?? '' }, ports);
  assert.deepEqual([await history.tree(session), agent.ended], [before, []]);
});

test('[H32] a session that is open here is stopped on its way to the trash, and what its agents left running ends', async t => {
  const { ports, summary, conversation, agent, history, session } = await scene(t);
  await conversation.send('more');
  const turn = await agent.nextTurn();
  turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
  await moveToTrash([await summary()], ports);
  assert.equal(turn.signal.aborted, true);
  assert.ok(agent.ended.every(words => words.startsWith('terminals of ')) && agent.ended.length > 0);
  assert.equal((await history.open(session))?.trashed, true);
});
