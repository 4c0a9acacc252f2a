// An agent that asks by a form or for an address to be opened: what the person is shown, and what goes back on the wire.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { AgentSession, AskPerson } from '../../../src/core/agents.ts';
import type { Elicitation, ElicitationAnswer } from '../../../src/model/agentState.ts';
import { elicitations } from '../../../src/node/acp/elicitation.ts';
import { temporaryFolder } from '../support/history.ts';
import { here, never, quietDesk, scripted, textOf } from '../support/scriptedProgram.ts';

const newId = () => 'q';

async function newSession(t: TestContext, env = {}): Promise<AgentSession> {
  const program = scripted(t, { env, program: { handlers: desk => elicitations(desk, { newId }) } });
  return (await program.start(never)).newSession(here, never);
}

interface Asked {
  /** What the agent said, which is what it was answered. */
  readonly text: string;
  readonly shown: readonly Elicitation[];
}

async function asked(session: AgentSession, play: string, answer: AskPerson, signal = never): Promise<Asked> {
  const shown: Elicitation[] = [];
  const updates: Parameters<typeof quietDesk.onUpdate>[0][] = [];
  const desk = {
    ...quietDesk,
    onUpdate: (update: (typeof updates)[number]) => void updates.push(update),
    elicit: (elicitation: Elicitation, until: AbortSignal) => {
      shown.push(elicitation);
      return answer(elicitation, until);
    },
  };
  await session.prompt({ parts: [{ type: 'text', text: `play: ${play}` }], path: [] }, desk, signal);
  return { text: textOf(updates), shown };
}

const says =
  (answer: ElicitationAnswer): AskPerson =>
  async () =>
    answer;
const accept = (content: Extract<ElicitationAnswer, { action: 'accept' }>['content']) =>
  says({ action: 'accept', content });
/** Nobody answers; it ends with its signal. */
const silent: AskPerson = () => new Promise(() => {});

const answers: readonly { readonly what: string; readonly answer: AskPerson; readonly back: object }[] = [
  {
    what: 'all of it',
    answer: accept({ name: 'Ada', size: 4, colour: 'g', extras: ['leg'], sure: false, secret: 'x' }),
    back: {
      action: 'accept',
      content: { name: 'Ada', size: 4, colour: 'g', extras: ['leg'], sure: false, secret: 'x' },
    },
  },
  {
    what: 'what is optional and empty is left out, and so is what was not asked',
    answer: accept({ name: 'Ada', secret: '', extras: [], sure: true, more: 'x' }),
    back: { action: 'accept', content: { name: 'Ada', sure: true } },
  },
  { what: 'something too short', answer: accept({ name: 'A', sure: true }), back: { action: 'cancel' } },
  { what: 'something missing', answer: accept({ name: 'Ada' }), back: { action: 'cancel' } },
  { what: 'none of the choices', answer: accept({ name: 'Ada', sure: true, colour: 'b' }), back: { action: 'cancel' } },
  { what: 'no', answer: says({ action: 'decline' }), back: { action: 'decline' } },
  { what: 'nothing', answer: says({ action: 'cancel' }), back: { action: 'cancel' } },
  { what: 'trouble', answer: () => Promise.reject(new Error('no desk')), back: { action: 'cancel' } },
];

test('[A15] only what the person accepted, and fits, goes back', async t => {
  const session = await newSession(t);
  for (const { what, answer, back } of answers)
    await t.test(what, async () => assert.deepEqual(JSON.parse((await asked(session, 'form', answer)).text), back));
});

test('[A15] a form is shown as its fields in their order, with clean words, and what is unknown as a text', async t => {
  const { shown } = await asked(await newSession(t), 'form', says({ action: 'decline' }));
  const [one] = shown;
  assert.deepEqual([one?.id, one?.message, one?.asks.kind], ['q', 'How shall it be built?', 'form']);
  const fields = one?.asks.kind === 'form' ? one.asks.fields : [];
  assert.deepEqual(
    fields.map(({ name, title, required, input }) => [name, title, required, input.kind]),
    [
      ['name', 'Name', true, 'text'],
      ['size', 'size', false, 'number'],
      ['colour', 'colour', false, 'one'],
      ['extras', 'extras', false, 'many'],
      ['sure', 'sure', true, 'yesNo'],
      ['secret', 'secret', false, 'text'],
    ],
  );
});

test('[A15] a form without fields is a message to accept', async t => {
  const { text, shown } = await asked(await newSession(t), 'form without fields', accept({}));
  assert.deepEqual(shown[0]?.asks, { kind: 'form', fields: [] });
  assert.equal(text, '{"action":"accept","content":{}}');
});

test('[A15] an address is shown with its host, and is accepted or not', async t => {
  const session = await newSession(t);
  const { text, shown } = await asked(session, 'address', accept({}));
  assert.deepEqual(shown[0]?.asks, { kind: 'url', url: 'https://example.com/device?code=1', host: 'example.com' });
  assert.equal(text, '{"action":"accept"}');
  assert.equal((await asked(session, 'address', says({ action: 'decline' }))).text, '{"action":"decline"}');
});

const addresses = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'vscode://x/y',
  'https://me:secret@example.com/',
  'https://google.com@example.com/',
  'no address',
  '',
];

test('[A15] other addresses, and questions of a new kind, are declined unseen', async t => {
  const session = await newSession(t);
  const declined = { text: '{"action":"decline"}', shown: [] };
  for (const url of addresses) {
    const params = { mode: 'url', message: 'Look', elicitationId: 'e', url };
    const play = JSON.stringify([{ call: { method: 'elicitation/create', params } }]);
    assert.deepEqual(await asked(session, play, accept({})), declined, url);
  }
  assert.deepEqual(await asked(session, 'question of a new mode', accept({})), declined);
});

test('[A15] an address that the agent says is done is not asked for any more', async t => {
  const session = await newSession(t);
  let withdrawn: AbortSignal | null = null;
  const answer: AskPerson = (_, signal) => {
    withdrawn = signal;
    return new Promise(resolve => signal.addEventListener('abort', () => resolve({ action: 'cancel' })));
  };
  assert.equal((await asked(session, 'address that is done', answer)).text, '{"action":"accept"}');
  assert.equal((withdrawn as AbortSignal | null)?.aborted, true);
});

test('[A15] a question that the agent takes back is closed, and the turn goes on', async t => {
  let withdrawn: AbortSignal | null = null;
  const answer: AskPerson = (_, signal) => {
    withdrawn = signal;
    return silent(_, signal);
  };
  const { text, shown } = await asked(await newSession(t), 'form taken back', answer);
  assert.equal(shown.length, 1);
  assert.match(text, /"action":"cancel"|-32800/);
  assert.match(text, / on$/);
  assert.equal((withdrawn as AbortSignal | null)?.aborted, true);
});

test('[A15] where nobody is there to answer, it is cancelled at once', async t => {
  const session = await newSession(t);
  const accepts = accept({ name: 'Ada', sure: true });
  assert.deepEqual(await asked(session, 'form for nobody', accepts), { text: '{"action":"cancel"}', shown: [] });
});

test('[A15] [A21] a question outside of a turn of its session is refused unseen', async t => {
  const session = await newSession(t);
  const text = '{"code":-32602,"message":"There is no session “none”."}';
  assert.deepEqual(await asked(session, 'form of a stranger', silent), { text, shown: [] });
  const { shown } = await asked(session, 'form after the answer', silent);
  // The agent has its refusal when it answers this.
  await asked(session, 'hello', silent);
  assert.deepEqual(shown, []);
});

test('[A15] a cancel of the turn answers what is open', async t => {
  const log = join(temporaryFolder(t), 'log');
  const session = await newSession(t, { SCRIPTED_LOG: log });
  const cancel = new AbortController();
  const answer: AskPerson = (_, signal) => {
    cancel.abort();
    return silent(_, signal);
  };
  const { shown } = await asked(session, 'form', answer, cancel.signal);
  assert.equal(shown.length, 1);
  // The agent has its answer when it takes the next prompt.
  await asked(session, 'hello', silent);
  assert.match(readFileSync(log, 'utf8'), /"called":"elicitation\/create","result":\{"action":"cancel"\}/);
});

test('[A15] questions are offered to the agent only where there is somebody to answer them', async t => {
  const offered = async (session: AgentSession) =>
    (JSON.parse((await asked(session, 'client capabilities', silent)).text) as { elicitation?: object }).elicitation;
  assert.deepEqual(await offered(await newSession(t)), { form: {}, url: {} });
  assert.equal(await offered(await (await scripted(t).start(never)).newSession(here, never)), undefined);
});
