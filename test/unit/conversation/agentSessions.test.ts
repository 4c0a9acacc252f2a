// Sessions that were begun with an agent elsewhere: a real process that keeps them, a real history that they come into,
// and the conversation that goes on.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { broughtInFacts } from '../../../src/core/conversation/broughtIn.ts';
import { broughtIn, offered, type AgentSessionsPorts } from '../../../src/host/agents/agentSessions.ts';
import { bindingsOf } from '../../../src/core/conversation/agentLink.ts';
import { resolveSession } from '../../../src/core/conversation/resumeAgentSession.ts';
import { textOf } from '../../../src/model/message.ts';
import { openTestHistory, temporaryFolder } from '../support/history.ts';
import { here, never, play, scripted, type Scripted } from '../support/scriptedProgram.ts';

interface Elsewhere {
  readonly ports: AgentSessionsPorts;
  readonly id: string;
  readonly program: Scripted;
}

/** An agent in which a person said two things in a terminal, and that was ended then. */
async function elsewhere(t: TestContext, ...flags: readonly string[]): Promise<Elsewhere> {
  const folder = temporaryFolder(t);
  const env = { SCRIPTED_HOME: join(folder, 'sessions') };
  const before = scripted(t, { env });
  const session = await (await before.start(never)).newSession(here, never);
  await play(session, 'say: one');
  await play(session, 'say: two');
  await before.stop();
  const program = scripted(t, { flags, env });
  const history = await openTestHistory(temporaryFolder(t));
  return { ports: { program, place: here, history, now: Date.now }, id: session.id, program };
}

test('[H95] a session of the agent comes in once, and the agent remembers it', async t => {
  const { ports, id, program } = await elsewhere(t, '--list', '--replay=ids');
  const { history } = ports;
  const page = await offered(ports, null, never);
  assert.deepEqual(
    page.sessions.map(one => [one.id, one.here]),
    [[id, null]],
  );
  const [listed] = page.sessions;
  assert.ok(listed);
  const session = await broughtIn(listed, ports, never);
  const stored = await history.open(session);
  assert.ok(stored);
  assert.deepEqual(
    stored.path.map(message => [message.role, textOf(message)]),
    [
      ['user', 'one'],
      ['assistant', 'one'],
      ['user', 'two'],
      ['assistant', 'one\n---\ntwo'],
    ],
  );
  assert.deepEqual([stored.origin, stored.title], ['agent:scripted', `About ${id}`]);
  assert.equal(stored.path.at(-1)?.blocks.at(-1)?.kind, 'toolCall');
  // Picked again, also by who asked before it came in, and after the agent was ended.
  assert.equal(await broughtIn(listed, ports, never), session);
  assert.equal((await offered(ports, null, never)).sessions[0]?.here, session);
  assert.equal((await history.sessions()).length, 1);
  const way = {
    program,
    place: here,
    path: stored.path,
    bindings: bindingsOf(stored),
    live: null,
    writer: history.writer,
    alive: new Set<string>(),
    fork: false,
    contextWindow: null,
  };
  assert.equal((await resolveSession(way, never)).continuity.kind, 'remembers');
  await program.stop();
  assert.equal((await resolveSession(way, never)).continuity.kind, 'remembers');
});

test('[H95] what was deleted permanently can be brought in again, as a session of its own', async t => {
  const { ports } = await elsewhere(t, '--list', '--close');
  const [listed] = (await offered(ports, null, never)).sessions;
  assert.ok(listed);
  const first = await broughtIn(listed, ports, never);
  await ports.history.erase(first);
  assert.equal((await offered(ports, null, never)).sessions[0]?.here, null);
  const second = await broughtIn(listed, ports, never);
  assert.notEqual(second, first);
  assert.equal((await ports.history.open(second))?.path.length, 4);
});

test('[H95] pages follow one another, and other folders are not offered', async t => {
  const { ports, id } = await elsewhere(t, '--list', '--page=1');
  const page = await offered(ports, null, never);
  assert.deepEqual([page.sessions.map(one => one.id), page.next], [[id], null]);
  const away = { ...ports, place: { cwd: '/', alsoIn: [] } };
  assert.deepEqual((await offered(away, null, never)).sessions, []);
});

const troubles: readonly (readonly [name: string, flags: readonly string[], words: RegExp])[] = [
  ['it does not list', [], /does not say which sessions it keeps/],
  ['it does not load', ['--list', '--no-load'], /cannot load a session/],
  ['it dies while it plays back', ['--list', '--load=die'], /ended|code 9/],
  ['it does not find it', ['--list', '--load=not-found'], /./],
];

test('[H96] whatever the agent cannot do is said in words, and nothing of the session is here', async t => {
  for (const [name, flags, words] of troubles) {
    await t.test(name, async inner => {
      const { ports } = await elsewhere(inner, ...flags);
      const whole = async () => {
        const [listed] = (await offered(ports, null, never)).sessions;
        assert.ok(listed);
        await broughtIn(listed, ports, never);
      };
      await assert.rejects(whole(), { name: 'AgentError', message: words });
      assert.deepEqual(await ports.history.sessions(), []);
    });
  }
});

test('[H96] a load that hangs ends with the person’s cancel', async t => {
  const { ports } = await elsewhere(t, '--list', '--load=hang');
  const [listed] = (await offered(ports, null, never)).sessions;
  assert.ok(listed);
  const stop = new AbortController();
  const loading = broughtIn(listed, ports, stop.signal);
  stop.abort();
  await assert.rejects(loading, { name: 'AgentError', code: 'cancelled' });
  assert.deepEqual(await ports.history.sessions(), []);
});

test('[H95] what an agent puts between the words of a person is nobody’s prompt, and what it leaves open is closed', () => {
  const user = (text: string, messageId: string | null = null) => ({ type: 'user', text, messageId }) as const;
  const said = (text: string) => ({ type: 'update', update: { type: 'text', text } }) as const;
  const call = { type: 'update', update: { type: 'toolCall', callId: 'c', changes: { title: 'Read' } } } as const;
  const listed = { id: 'x', cwd: '/', title: ' ', updated: 5000 };
  const to = { session: 's', agent: { id: 'a', name: 'A' }, listed, cwd: null, writer: 'w', now: 9000 };
  const parts = [
    user('<context>now</context>', 'm0'),
    user('Fix ', 'm1'),
    user('it', 'm1'),
    said('Done'),
    user('[Request interrupted by user]'),
    said('.'),
    call,
  ];
  const facts = broughtInFacts(parts, { ...to, messageId: at => `m${at}` }) ?? [];
  const messages = facts.flatMap(fact => (fact.type === 'message' ? [fact.message] : []));
  assert.deepEqual(
    messages.map(({ role, parent, created }) => [role, parent, created]),
    [
      ['user', null, 4999],
      ['assistant', 'm0', 5000],
    ],
  );
  assert.deepEqual(
    messages[1]?.blocks.map(block => (block.kind === 'text' ? block.text : block.kind === 'toolCall' && block.status)),
    ['Done.', 'cancelled'],
  );
  assert.deepEqual(
    facts.flatMap(fact => (fact.type === 'set' && fact.name === 'title' ? [fact.value] : [])),
    ['Fix it'],
  );
  assert.equal(broughtInFacts([user('<context>now</context>')], { ...to, messageId: String }), null);
});
