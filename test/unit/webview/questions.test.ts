// What the panel says where a person is needed: permissions, and prompts that are held back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Held, Permission, PermissionChoice } from '../../../src/model/agentState.ts';
import type { Json, PermissionAnswer } from '../../../src/model/message.ts';
import {
  answerWords,
  choiceWords,
  commandIn,
  extentOf,
  heldWords,
  permissionNews,
  permissionTitle,
  ruleWords,
} from '../../../src/webview/asking/questions.ts';
import { shownOutput } from '../../../src/webview/tools/toolOutput.ts';
import { exactText } from '../../../src/webview/transcript/cleanText.ts';
import { isAimed, settleTime } from '../../../src/webview/transcript/settled.ts';
import { turnNews } from '../../../src/webview/words.ts';
import { transcript } from './fixture.ts';

const permission: Permission = {
  id: 'p',
  callId: 'c',
  title: 'npm test',
  tool: 'execute',
  locations: [],
  output: [],
  choices: [],
};

test('[W19] a permission is named by what would be done', () => {
  const rows = [
    ['execute', 'npm test', 'Run npm test'],
    ['edit', 'Edit main.ts\n', 'Edit main.ts'],
    ['edit', 'Edit \u001b[31mmain.ts', 'Edit ⟦U+001B⟧[31mmain.ts'],
    ['execute', 'ls\nrm -rf /', 'Run ls ⏎ rm -rf /'],
    ['edit', 'Edit gpj.\u202ets', 'Edit gpj.⟦U+202E⟧ts'],
    ['other', '', 'other'],
    ['', '', 'Use a tool'],
  ] as const;
  for (const [tool, title, expected] of rows) assert.equal(permissionTitle({ tool, title }), expected);
});

test('[W19] a choice keeps the agent’s own name, and its effect is told from its kind', () => {
  const rows: readonly (readonly [PermissionChoice['kind'], string, string, string])[] = [
    ['allow_once', 'Yes', 'Yes', 'allow: Allows this once'],
    ['allow_always', 'Yes, and\nnever ask', 'Yes, and never ask', 'allow: Allows this from now on'],
    ['reject_once', 'Allow', 'Allow', 'reject: Rejects this once'],
    ['reject_always', '', 'Rejects this from now on', 'reject: Rejects this from now on'],
    ['unknown', 'Hm', 'Hm', 'unknown: The agent does not say what this does'],
    ['of a later version' as 'unknown', 'Hm', 'Hm', 'unknown: The agent does not say what this does'],
  ];
  for (const [kind, given, name, rest] of rows) {
    const words = choiceWords({ id: 'x', kind, name: given });
    assert.deepEqual([words.name, `${words.look}: ${words.effect}`], [name, rest]);
  }
});

test('[W19] a tool call says what was answered', () => {
  const rows: readonly (readonly [PermissionAnswer, string])[] = [
    [{ choice: 'Yes, always', allowed: true }, 'Allowed: Yes, always'],
    [{ choice: 'No\u202e', allowed: false }, 'Rejected: No⟦U+202E⟧'],
    [{ choice: 'Allow once', allowed: true }, 'Allow once'],
    [{ choice: 'Always allow npm', allowed: true }, 'Always allow npm'],
    [{ choice: 'Allow', allowed: false }, 'Rejected: Allow'],
    [{ choice: '', allowed: true }, 'Allowed'],
    [{ choice: null, allowed: false }, 'Not answered'],
    [{ choice: 'Yes', allowed: true, byRule: true }, 'Allowed by your rule'],
  ];
  for (const [answer, expected] of rows) assert.equal(answerWords(answer), expected);
});

test('[W24] our own “always” says what the rule would allow', () => {
  assert.equal(ruleWords('run go\u001b[1m test\n')?.name, 'Always run go⟦U+001B⟧[1m test here');
  assert.equal(ruleWords(`allow “${'x'.repeat(100)}”`)?.name, 'Always allow exactly this here');
  assert.match(ruleWords('x')?.effect ?? '', /take it back with “Throughline: Allow Rules…”/);
  assert.equal(ruleWords(undefined), null);
  assert.equal(ruleWords(' '), null);
});

test('[W19] the command is taken out of the input where it is one', () => {
  const rows: readonly (readonly [Json | undefined, string | null])[] = [
    [{ command: 'rm -r x', cwd: '/' }, 'rm -r x'],
    [{ command: ['bash', '-c', 'ls'] }, 'bash -c ls'],
    [{ command: ['bash', '-c', 'ls; rm x', ''] }, 'bash -c "ls; rm x" ""'],
    [{ command: ['a"b', "it's"] }, '"a\\"b" "it\'s"'],
    [{ command: 'ls\u200b \u001b[8mrm' }, 'ls⟦U+200B⟧ ⟦U+001B⟧[8mrm'],
    [{ command: ['bash', 1] }, null],
    [{ command: '' }, null],
    [['command'], null],
    ['command', null],
    [undefined, null],
  ];
  for (const [input, expected] of rows) assert.equal(commandIn(input), expected);
});

test('[W93] a command is there to its end, and says how long it is where not all is seen at once', () => {
  const long = `${'echo words\n'.repeat(4000)}rm -rf /`;
  assert.equal(commandIn({ command: long }), long);
  assert.equal(extentOf(long), '4,001 lines, 44,008 characters');
  assert.equal(extentOf('x'.repeat(301)), '301 characters');
  assert.equal(extentOf('npm test\nnpm run lint'), null);
});

test('[W93] a change that is decided about shows what cannot be seen, one that was made is only clean', () => {
  const diff = { type: 'diff', path: 'a\u202e.ts', oldText: '', newText: 'if (a\u200b) {\u001b[31m' };
  const decided = shownOutput(diff, exactText);
  assert.ok(decided.kind === 'diff');
  assert.deepEqual(
    [decided.path, decided.lines.map(({ text }) => text)],
    ['a⟦U+202E⟧.ts', ['if (a⟦U+200B⟧) {⟦U+001B⟧[31m']],
  );
  const made = shownOutput(diff);
  assert.ok(made.kind === 'diff');
  assert.deepEqual(
    made.lines.map(({ text }) => text),
    ['if (a\u200b) {'],
  );
});

test('[W19] a question is told once, when it comes', () => {
  const other = { ...permission, id: 'q', title: 'npm ci' };
  assert.equal(permissionNews([], [permission]), 'Permission needed: Run npm test');
  assert.equal(permissionNews([permission], [permission, other]), 'Permission needed: Run npm ci');
  assert.equal(permissionNews([permission, other], [permission]), undefined);
});

test('[W19] a press in the first moment after the buttons appeared does not answer', () => {
  assert.equal(isAimed(Infinity, 5000), false, 'not on the screen yet');
  assert.equal(isAimed(5000, 4990), false, 'pressed before, handled after');
  assert.equal(isAimed(5000, 5000 + settleTime - 1), false);
  assert.equal(isAimed(5000, 5000 + settleTime), true);
});

test('[W20] a prompt that is held back says why', () => {
  const rows: readonly (readonly [Held, string])[] = [
    [
      { kind: 'less', found: { kind: 'reseeded', messages: 2, of: 4, tokens: 900 } },
      'Claude would know less than was shown. Reseeded: 2 of 4 messages, about 900 tokens. Send anyway?',
    ],
    [
      { kind: 'less', found: { kind: 'fresh' } },
      'Claude would know less than was shown. Fresh: the agent does not know the 4 messages above. Send anyway?',
    ],
    [{ kind: 'hangs' }, 'Claude does not answer.'],
    [{ kind: 'failed', words: 'It \u001b[1mdied.\n' }, 'It died.'],
    [{ kind: 'failed', words: '' }, 'Claude could not be asked.'],
  ];
  for (const [held, expected] of rows) assert.equal(heldWords(held, 'Claude', 4), expected);
});

test('[W22] an agent that wants to know who asks says so, and why the last try failed', () => {
  const methods = [{ id: 'm', name: 'Sub\u001b[1mscription', description: '', kind: 'agent' }] as const;
  const rows: readonly (readonly [string | null, string | null, string])[] = [
    [null, null, 'Sign in to Claude to get an answer.'],
    [null, 'No\u001b[1mbody.', 'Sign in to Claude to get an answer. Nobody.'],
    ['m', 'old', 'Signing in with Subscription…'],
    ['gone', null, 'Signing in with gone…'],
  ];
  for (const [trying, words, expected] of rows)
    assert.equal(heldWords({ kind: 'signIn', methods, trying, words }, 'Claude', 0), expected);
});

test('[W20] an agent that is being reached is news, and so is its answer', () => {
  const reaching = { message: null, cancelling: false };
  const answering = { message: 'a', cancelling: false };
  const at = (turn: typeof transcript.turn) => ({ ...transcript, turn });
  assert.equal(turnNews(null, at(reaching)), 'Reaching Offline scout');
  assert.equal(turnNews(reaching, at({ ...reaching, cancelling: true })), undefined);
  assert.equal(turnNews(reaching, at(answering)), 'Offline scout is answering');
  assert.equal(turnNews(reaching, at(null)), undefined, 'nothing was sent');
  assert.equal(turnNews(answering, at(null)), 'Answer interrupted');
});
