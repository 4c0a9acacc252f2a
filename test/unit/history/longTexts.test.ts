// Very long texts on their way from the worker: whole, in parts, and with the thread that asks for them free meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Block } from '../../../src/model/message.ts';
import { LongTexts, putBack } from '../../../src/node/history/longTexts.ts';
import { sessionFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

const long = Array.from({ length: 1_000_000 }, (_, at) => `line ${at} \u{1f600}`).join('\n');
const mime = 'text/plain';

test('[J35] what is taken apart is put together, and what is short is left as it is', async () => {
  const texts = new LongTexts();
  const short = { messages: [{ blocks: [{ text: 'short' }] }], of: new Map([['a', 1]]) };
  assert.equal(texts.takeOut(1, short).value, short);
  const answer = {
    path: [{ blocks: [{ text: long, other: 'b' }] }, { output: [{ deep: [long, 'c'] }] }],
    bytes: new Uint8Array(3),
  };
  const { value, texts: places } = texts.takeOut(2, answer);
  assert.deepEqual(
    places.map(({ path }) => path.join('.')),
    ['path.0.blocks.0.text', 'path.1.output.0.deep.0'],
  );
  assert.ok(JSON.stringify(value).length < 1000);
  const sent = structuredClone(value);
  let parts = 0;
  await putBack(sent, places, (text, offset) => {
    parts++;
    return Promise.resolve(texts.part(2, text, offset));
  });
  assert.deepEqual(sent, answer);
  assert.ok(parts > 20);
  assert.equal(texts.part(2, 0, 0), '', 'nothing is kept of what was given');
});

test('[J35] a session with a text of many megabytes is given whole, before what came after it is told', async t => {
  const folder = temporaryFolder(t);
  const [mine, theirs] = [await openTestHistory(folder), await openTestHistory(folder)];
  const session = ids.session();
  const message = ids.message();
  const blocks: readonly Block[] = [
    { kind: 'text', mime, text: long },
    {
      kind: 'toolCall',
      mime,
      callId: 'c',
      title: 'Run',
      tool: 'execute',
      status: 'completed',
      locations: [],
      output: [long],
    },
  ];
  const end = { reason: 'end_turn', at: 1 } as const;
  await mine.append(session, [
    sessionFact(session),
    {
      type: 'message',
      session,
      message: { id: message, parent: null, role: 'assistant', created: 1, blocks, end },
    },
  ]);
  const heard: string[] = [];
  mine.onDidAppend(() => heard.push('told'));
  // What came before.
  await mine.sessions();
  heard.length = 0;
  const opening = mine.open(session).then(stored => {
    heard.push('opened');
    return stored;
  });
  await mine.append(session, [{ type: 'set', session, name: 'title', value: 'Long' }]);
  const stored = await opening;
  assert.deepEqual(stored?.path[0]?.blocks, blocks);
  while (!heard.includes('told')) await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(heard, ['opened', 'told']);
  assert.deepEqual((await theirs.messages([message]))[0]?.blocks, blocks);
});

test('[J35] a part that is not there any more is trouble, and not asked for again and again', async () => {
  let asked = 0;
  const gone = () => {
    asked++;
    return Promise.resolve('');
  };
  await assert.rejects(putBack({ text: '' }, [{ path: ['text'], length: 5 }], gone), /not there any more/);
  assert.equal(asked, 1);
});
