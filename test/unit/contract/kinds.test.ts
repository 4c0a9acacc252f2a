// Every kind of `session/update` that ACP has, and every kind of content in it, from an agent in a process of its own to
// what a person sees and what is in history. That none is missing is asked of the protocol's own schema.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { Step } from '../../agents/plays.ts';
import { rows } from './kinds.ts';
import { play, theScripted } from './scripted.ts';
import { Window } from './window.ts';

for (const flags of new Set(rows.map(row => row.flags?.join(' ') ?? '')))
  test(`[A1] an update of each kind is seen and kept as what it is ${flags}`, { timeout: 60_000 }, async group => {
    const window = await Window.open(group, theScripted('', flags === '' ? [] : [flags]));
    for (const [at, { kind, updates, after = [], blocks = [], shows = {}, ...row }] of rows.entries()) {
      if ((row.flags?.join(' ') ?? '') !== flags) continue;
      await group.test(`${at}: ${kind}`, async () => {
        const told = updates.map((more): Step => ({ update: { sessionUpdate: kind, ...more } }));
        const answer = await window.say(play([...told, ...after]));
        assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
        assert.equal(answer.blocks.length, blocks.length, JSON.stringify(answer.blocks));
        assert.partialDeepStrictEqual(answer.blocks, blocks);
        assert.partialDeepStrictEqual(window.conversation.transcript, shows);
      });
    }
    await window.isKept();
  });

test('[A1] there is a row for each kind of update, content and tool that the protocol has', () => {
  type Kinds = { readonly oneOf?: readonly Kind[]; readonly anyOf?: readonly Kind[] };
  type Kind = {
    readonly const?: string;
    readonly properties?: { readonly [field: string]: { readonly const?: string } };
  };
  const file = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
  const { $defs } = createRequire(import.meta.url)(file) as { readonly $defs: { readonly [name: string]: Kinds } };
  const told = JSON.stringify(rows);
  for (const name of ['SessionUpdate', 'ContentBlock', 'ToolCallContent', 'ToolKind', 'ToolCallStatus']) {
    const { oneOf = [], anyOf = [] } = $defs[name] ?? {};
    const kinds = [...oneOf, ...anyOf].flatMap(
      kind => kind.const ?? Object.values(kind.properties ?? {}).flatMap(({ const: value }) => value ?? []),
    );
    assert.ok(kinds.length > 2, name);
    for (const kind of kinds) assert.ok(told.includes(`"${kind}"`), `${name} ${kind}`);
  }
});
