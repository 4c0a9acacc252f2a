// The language models of VS Code as the built-in agent has them: those of an extension that is installed beside ours
// (`../modelProvider`).

import assert from 'node:assert/strict';
import type { ModelPiece, ModelRequest } from '../../../src/agent/loop/model.ts';
import type { ToolUsing } from '../../../src/agent/tools/tool.ts';
import { editorTools } from '../../../src/host/agents/editorTools.ts';
import { vscodeModels } from '../../../src/host/agents/languageModels.ts';
import { test } from './index.ts';

const id = 'vscode/throughline-test/echo';
const { signal: never } = new AbortController();

function saying(words: string): ModelRequest {
  const tools = [{ name: 'read_file', description: 'Reads', input: { type: 'object', properties: {} } }];
  const messages = [{ role: 'user', content: [{ type: 'text', text: words }] }] as const;
  return { system: 'Be brief.', messages, tools, asked: words, path: [] };
}

/** An extension may take a while to tell its models. */
async function opened() {
  for (let tries = 0; tries < 100; tries++) {
    const found = await vscodeModels.open(id, never);
    if (found) return found;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return assert.fail(`There is no ${id}.`);
}

async function piecesOf(request: ModelRequest, signal = never): Promise<readonly ModelPiece[]> {
  const { model } = await opened();
  const pieces: ModelPiece[] = [];
  for await (const piece of model.stream(request, signal)) pieces.push(piece);
  return pieces;
}

test('[A60] the models that other extensions give VS Code can be chosen, with their windows', async () => {
  const { info } = await opened();
  assert.deepEqual([info.name, info.group, info.contextWindow], ['Echo', 'VS Code: throughline-test', 9000]);
  assert.ok((await vscodeModels.list(never)).some(one => one.id === id));
  assert.equal(await vscodeModels.open('vscode/throughline-test/none', never), undefined);
  assert.equal(await vscodeModels.open('Other/model', never), undefined);
});

test('[A60] it is told all, answers in pieces, uses tools, and counts its tokens', async () => {
  const request = saying('Hello');
  const pieces = await piecesOf({
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: [{ type: 'toolUse', id: 'c0', name: 'read_file', input: { path: 'b' } }] },
      { role: 'tool', results: [{ id: 'c0', name: 'read_file', text: 'what is in b', failed: false }] },
    ],
  });
  const text = pieces.flatMap(piece => (piece.type === 'text' ? [piece.text] : [])).join('');
  assert.match(text, /^You said: Be brief\. \| Hello \| .*c0.* \| .*what is in b/);
  const end = pieces.at(-1);
  assert.ok(
    end?.type === 'end' && end.reason === 'stop' && (end.used.input ?? 0) > 0 && end.used.output === text.length,
  );
  const [use, last] = await piecesOf(saying('use a tool'));
  assert.deepEqual(use, { type: 'toolUse', id: 'call1', name: 'read_file', input: { path: 'a.txt' } });
  assert.ok(last?.type === 'end' && last.reason === 'toolUse');
});

test('[A60] what it refuses with is said in words, and a cancel ends it', async () => {
  await assert.rejects(piecesOf(saying('blocked')), { name: 'ModelTrouble', message: /Echo .*the limit of today/ });
  await assert.rejects(piecesOf(saying('breaks')), { name: 'ModelTrouble', message: /Echo .*Out of memory/ });
  const abort = new AbortController();
  const { model } = await opened();
  const pieces = model.stream(saying('hang'), abort.signal)[Symbol.asyncIterator]();
  assert.deepEqual((await pieces.next()).value, { type: 'text', text: 'You said: ' });
  abort.abort();
  await assert.rejects(pieces.next(), { name: 'AbortError' });
});

test('[A61] a tool of another extension is used when the person allows it, and not otherwise', async () => {
  await opened();
  const tool = editorTools().find(({ name }) => name === 'throughline_test_reverse') ?? assert.fail('no such tool');
  assert.ok(tool.changes && tool.description === 'Turns words around');
  const use = (allows: boolean) =>
    tool.use({ words: 'abc' }, {
      place: { folders: [] },
      client: { signal: never },
      update: () => Promise.resolve(),
      ask: () => Promise.resolve(allows),
    } as unknown as ToolUsing);
  assert.equal((await use(true)).text, 'cba');
  const refused = await use(false);
  assert.ok(refused.failed && /did not allow/.test(refused.text));
});
