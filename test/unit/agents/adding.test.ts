// Adding an agent: what is typed of it, what is agreed to before it is fetched, and what is said after it was tried.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentError } from '../../../src/core/agentError.ts';
import { abilityWords, troubleOf } from '../../../src/host/agents/adding/agentWords.ts';
import { commandWords, typedAs } from '../../../src/host/agents/adding/commandWords.ts';
import { noAbilities } from '../support/scriptedAgent.ts';

for (const [typed, words] of [
  ['agent', ['agent']],
  ['  agent   --acp  ', ['agent', '--acp']],
  ['"/my agents/one" acp', ['/my agents/one', 'acp']],
  ['agent --say \'it is\' ""', ['agent', '--say', 'it is', '']],
  ['agent a\\ b "c \\" d" \'e \\ f\'', ['agent', 'a b', 'c " d', 'e \\ f']],
  ['C:\\tools\\agent.exe --acp', ['C:\\tools\\agent.exe', '--acp']],
  ['agent $HOME `id` | cat && true', ['agent', '$HOME', '`id`', '|', 'cat', '&&', 'true']],
  ['', null],
  ['   ', null],
  ['agent "open', null],
  ['""', null],
] as const)
  test(`[H120] ${JSON.stringify(typed)} is taken apart as a terminal would, without a shell`, () => {
    const found = commandWords(typed);
    assert.deepEqual(found && [found.command, ...found.args], words);
    if (found) assert.deepEqual(commandWords(typedAs(found.command, found.args)), found);
  });

test('[H120] what an agent can do is said so that a person knows what it means for them', () => {
  assert.deepEqual(abilityWords(noAbilities), [
    'Forgets its sessions when it stops; Throughline then gives it the conversation again.',
  ]);
  const authMethods = [{ id: 'a', name: 'Browser', description: '', kind: 'agent' }] as const;
  assert.deepEqual(abilityWords({ ...noAbilities, load: true, list: true, fork: true, images: true, authMethods }), [
    'Resumes its sessions after a restart.',
    'Lists its sessions from elsewhere, so that you can continue them here.',
    'Can fork a session.',
    'Accepts images.',
    'Signs you in with: Browser.',
  ]);
});

for (const [cause, sentence, hint, signIn] of [
  [
    new AgentError('cannot-start', '“x” was not found on this machine.'),
    'An Agent does not answer. “x” was not found on this machine.',
    /is installed and spelled/,
    false,
  ],
  [new AgentError('sign-in', 'Who are you?'), 'An Agent runs, and needs you to sign in.', /asked to sign in/, true],
  [
    new AgentError('cannot-start', 'An Agent speaks version 2 of the Agent Client Protocol, and …'),
    'An Agent speaks version 2 of the Agent Client Protocol, and …',
    /“--acp”/,
    false,
  ],
  [
    new AgentError('cannot-start', 'An Agent could not be started. It ended with 7: no licence'),
    'An Agent could not be started. It ended with 7: no licence',
    /the log has the rest/,
    false,
  ],
] as const)
  test(`[H122] “${cause.message}” is told with what to do about it`, () => {
    const trouble = troubleOf('An Agent', cause);
    assert.equal(trouble.sentence, sentence);
    assert.match(trouble.hint, hint);
    assert.equal(trouble.signIn, signIn);
  });
