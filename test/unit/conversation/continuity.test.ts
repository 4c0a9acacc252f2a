// What the model at the other end really knows, against what the panel said that it would: a real agent process, a real
// history, and every way in which a conversation goes on. Each prompt carries a fact; the agent logs what its model got.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { noRules } from '../support/noRules.ts';
import { judgeIn } from '../support/judge.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { Continuity } from '../../../src/model/agentState.ts';
import type { MessageId } from '../../../src/model/message.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { scripted, type Scripted } from '../support/scriptedProgram.ts';
import { settled } from './stage.ts';

const patience = { timeout: 60_000 };

/** An agent with its own disk, and a conversation with it. */
class Scene {
  readonly folder: string;
  readonly home: string;
  readonly log: string;
  conversation: Conversation | null = null;
  private history: OpenedHistory | null = null;
  program: Scripted;
  private readonly t: TestContext;
  private readonly flags: readonly string[];

  constructor(t: TestContext, flags: readonly string[]) {
    this.t = t;
    this.flags = flags;
    this.folder = temporaryFolder(t);
    this.home = join(temporaryFolder(t), 'sessions');
    this.log = join(temporaryFolder(t), 'log');
    this.program = this.agent();
  }

  /** A process of the agent, on the same disk. */
  agent(id = 'scripted'): Scripted {
    const env = { SCRIPTED_HOME: this.home, SCRIPTED_LOG: this.log };
    return scripted(this.t, { flags: this.flags, env, program: { ref: { id, name: id } } });
  }

  /** As a window that is opened has it. */
  async open(): Promise<Conversation> {
    const history = await openTestHistory(this.folder);
    this.history = history;
    const session = this.conversation?.session;
    const stored = session === undefined ? undefined : await history.open(session);
    const ports = {
      history,
      clock: systemClock,
      ids,
      place: () => ({ cwd: this.folder, alsoIn: [] }),
      rules: noRules,
      judgePaths: judgeIn(),
      files: null,
    };
    this.conversation = new Conversation(ports, this.program, stored ? { stored } : { id: ids.session() });
    return this.conversation;
  }

  /** The window goes, and the agent with it. */
  async reload(): Promise<Conversation> {
    await this.conversation?.leave();
    await this.history?.close();
    await this.program.stop();
    this.program = this.agent();
    return this.open();
  }

  /** Says a fact, and gives what the panel said before and what the model knew when it answered. */
  async say(fact: string, parent?: MessageId | null, fork = false): Promise<Told> {
    const conversation = this.conversation ?? (await this.open());
    await conversation.prepare();
    const shown = await stable(conversation);
    const options = parent === undefined ? {} : { parent, fork };
    assert.deepEqual(await conversation.send(`Remember ${fact}.`, options), { sent: true });
    await settled(conversation);
    const lines = readFileSync(this.log, 'utf8').trim().split('\n');
    return { shown, model: lines.at(-1) ?? '', answer: conversation.transcript.messages.at(-1)?.id ?? '' };
  }
}

interface Told {
  readonly shown: Continuity;
  readonly model: string;
  readonly answer: MessageId;
}

/** What the line says once it is not being found out any more. */
function stable(conversation: Conversation): Promise<Continuity> {
  const { continuity } = conversation.transcript;
  if (continuity.kind !== 'checking') return Promise.resolve(continuity);
  return new Promise(resolve => {
    const stop = conversation.onDidChange(event => {
      if (event.type !== 'continuityChanged' || event.continuity.kind === 'checking') return;
      stop();
      resolve(event.continuity);
    });
  });
}

/** The person's words with these facts are in the model's input, each once; of others there is no trace. */
function knows(model: string, facts: readonly string[]): void {
  // What it repeats of a seed is its answer, not the person's words.
  const said = model.replaceAll(/<conversation‑history>.*?<\/conversation‑history>/g, '');
  const told = [...said.matchAll(/(?:"|\[User\]\\n)Remember (fact[A-Z])/g)].flatMap(([, fact]) => fact ?? []);
  assert.deepEqual(told.toSorted(), facts.toSorted(), model);
  // The agent repeats what it knows, and its answers are told as well.
  const traces = new Set([...model.matchAll(/fact[A-Z]/g)].map(([fact]) => fact));
  assert.deepEqual([...traces].toSorted(), facts.toSorted(), model);
}

const agents: readonly {
  readonly what: string;
  readonly flags: readonly string[];
  readonly after: Continuity['kind'];
}[] = [
  { what: 'that resumes', flags: ['--resume'], after: 'remembers' },
  { what: 'that loads, with a replay before its answer', flags: [], after: 'remembers' },
  { what: 'that loads, with a replay after its answer', flags: ['--replay=after'], after: 'remembers' },
  { what: 'that puts its own words into the replay', flags: ['--replay=context'], after: 'remembers' },
  { what: 'that can do neither', flags: ['--no-load'], after: 'reseeded' },
  { what: 'that says it cannot when it is asked', flags: ['--load=not-supported'], after: 'reseeded' },
];

for (const { what, flags, after } of agents) {
  test(
    `[C1] with an agent ${what}, the model knows the path after a reload, and the line said so`,
    patience,
    async t => {
      const scene = new Scene(t, flags);
      assert.equal((await scene.say('factA')).shown.kind, 'fresh');
      const live = await scene.say('factB');
      assert.equal(live.shown.kind, 'remembers', JSON.stringify(live.shown));
      knows(live.model, ['factA', 'factB']);
      await scene.reload();
      const reloaded = await scene.say('factC');
      assert.equal(reloaded.shown.kind, after);
      knows(reloaded.model, ['factA', 'factB', 'factC']);
      const again = await scene.say('factD');
      assert.equal(again.shown.kind, 'remembers');
      knows(again.model, ['factA', 'factB', 'factC', 'factD']);
      // What was replayed is not in history.
      assert.equal(scene.conversation?.transcript.messages.length, 8);
      assert.doesNotMatch(JSON.stringify(scene.conversation?.transcript.messages), /"Old"|session_context/);
    },
  );
}

test('[C1] an agent that deleted its session is told the path again', patience, async t => {
  for (const flags of [['--resume'], []]) {
    const scene = new Scene(t, flags);
    await scene.say('factA');
    await scene.reload();
    for (const name of readdirSync(scene.home)) rmSync(join(scene.home, name));
    const told = await scene.say('factB');
    assert.deepEqual(
      [told.shown.kind, 'why' in told.shown && told.shown.why],
      ['reseeded', 'the agent no longer has this conversation'],
    );
    knows(told.model, ['factA', 'factB']);
  }
});

test('[C1] an agent whose session went on in a terminal is told the path again, and why', patience, async t => {
  const scene = new Scene(t, []);
  await scene.say('factA');
  await scene.reload();
  const [name = ''] = readdirSync(scene.home);
  const saved = JSON.parse(readFileSync(join(scene.home, name), 'utf8')) as { messages: unknown[] };
  saved.messages.push({ role: 'user', texts: ['Remember factZ.'] }, { role: 'agent', texts: ['Yes.'] });
  writeFileSync(join(scene.home, name), JSON.stringify(saved));
  const told = await scene.say('factB');
  assert.deepEqual(
    [told.shown.kind, 'why' in told.shown && told.shown.why],
    ['reseeded', 'the agent’s session went on elsewhere'],
  );
  knows(told.model, ['factA', 'factB']);
});

test('[C1] a branch is never sent to a session that knows another', patience, async t => {
  for (const flags of [['--resume'], ['--no-load'], ['--resume', '--fork']]) {
    const scene = new Scene(t, flags);
    const first = await scene.say('factA');
    const left = await scene.say('factB');
    const right = await scene.say('factC', first.answer, true);
    knows(right.model, ['factA', 'factC']);
    knows((await scene.say('factD')).model, ['factA', 'factC', 'factD']);
    // Alternating between the two.
    knows((await scene.say('factE', left.answer)).model, ['factA', 'factB', 'factE']);
    const back = scene.conversation?.transcript.messages.at(-1)?.id;
    knows((await scene.say('factF', right.answer)).model, ['factA', 'factC', 'factF']);
    knows((await scene.say('factG', back)).model, ['factA', 'factB', 'factE', 'factG']);
    knows((await scene.say('factH', null)).model, ['factH']);
    await scene.reload();
    knows((await scene.say('factI')).model, ['factH', 'factI']);
  }
});

test('[C1] a change of the agent in the middle, and back', patience, async t => {
  const scene = new Scene(t, ['--resume']);
  await scene.say('factA');
  const [one, other] = [scene.program, scene.agent('other')];
  await scene.conversation?.setAgent(other);
  const second = await scene.say('factB');
  assert.equal(second.shown.kind, 'reseeded');
  knows(second.model, ['factA', 'factB']);
  await scene.conversation?.setAgent(one);
  const third = await scene.say('factC');
  assert.equal(third.shown.kind, 'reseeded');
  knows(third.model, ['factA', 'factB', 'factC']);
});

test('[C1] a turn that did not end leaves nothing to rely on', patience, async t => {
  const scene = new Scene(t, ['--resume']);
  await scene.say('factA');
  const conversation = scene.conversation;
  assert.ok(conversation);
  await conversation.send('play: crash');
  await settled(conversation);
  assert.equal(conversation.transcript.messages.at(-1)?.end?.reason, 'failed');
  const told = await scene.say('factB');
  assert.deepEqual(
    [told.shown.kind, 'why' in told.shown && told.shown.why],
    ['reseeded', 'its last answer did not end properly'],
  );
  knows(told.model, ['factA', 'factB']);
});

test('[C1] a turn that was cut off with its window says that, and not that the agent knows another branch', async t => {
  const scene = new Scene(t, ['--resume']);
  await scene.say('factA');
  await scene.conversation?.send(`play: ${JSON.stringify([{ say: 'half of it' }, { wait: 60_000 }])}`);
  while (!JSON.stringify(scene.conversation?.transcript.messages.at(-1)?.blocks).includes('half of it'))
    await setTimeout(20);
  await scene.reload();
  const told = await scene.say('factB');
  assert.deepEqual(
    [told.shown.kind, 'why' in told.shown && told.shown.why],
    ['reseeded', 'its last answer did not end properly'],
  );
  knows(told.model, ['factA', 'factB']);
  assert.match(told.model, /half of it\\n\[interrupted here\]/);
  const next = await scene.say('factC');
  assert.equal(next.shown.kind, 'remembers');
});
