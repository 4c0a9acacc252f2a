// Commands that an agent runs through its client: real ones, asked for by an agent in a process of its own.

import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandFor, wordsOf } from '../../../src/node/acp/terminals/commandFor.ts';
import { folderFor } from '../../../src/node/acp/terminals/folderFor.ts';
import { NewestText } from '../../../src/node/acp/terminals/newestText.ts';
import { terminal } from '../../agents/plays.ts';
import { temporaryFolder } from '../support/history.ts';
import { never } from '../support/scriptedProgram.ts';
import { deafFamily, gone, pidsIn, stage, until, type Answered } from './terminalsStage.ts';

const onPosix = { skip: process.platform === 'win32' ? 'there are no process groups on Windows' : false };
const node = process.execPath;

const commands: readonly (readonly [what: string, params: object, answer: Partial<Answered>])[] = [
  [
    'arguments as they are',
    { command: node, args: ['-e', 'console.log(process.argv.slice(1).join("|"))', '$(touch x)', 'a b', '*', ';'] },
    { output: '$(touch x)|a b|*|;\n', exitStatus: { exitCode: 0, signal: null } },
  ],
  [
    'a line for a shell',
    { command: 'echo one; echo two >&2; (echo three) && exit 7' },
    { output: 'one\ntwo\nthree\n', exitStatus: { exitCode: 7, signal: null } },
  ],
  ['a word alone', { command: 'true' }, { output: '', exitStatus: { exitCode: 0, signal: null } }],
  [
    'no input',
    { command: node, args: ['-e', 'process.stdin.on("end", () => console.log("end")).resume()'] },
    { output: 'end\n' },
  ],
  [
    'variables',
    { command: 'echo $MINE/$OTHER/$VSCODE_PID/$ELECTRON_RUN_AS_NODE', env: [{ name: 'MINE', value: 'a b' }] },
    { output: 'a b/other//\n' },
  ],
  [
    'both outputs, colours as they are',
    { command: node, args: ['-e', 'console.log("\\u001b[31mred\\u001b[0m\\u0007"); console.error("\\r50%")'] },
    { output: '\u001b[31mred\u001b[0m\u0007\n\r50%\n' },
  ],
  [
    'a character in pieces, with the other output in between',
    {
      command: node,
      args: [
        '-e',
        `const euro = Buffer.from('€'); const { stdout, stderr } = process; const later = ms => new Promise(r => setTimeout(r, ms));
         (async () => { stdout.write(euro.subarray(0, 1)); await later(60); stderr.write('x'); await later(60); stdout.write(euro.subarray(1)); })()`,
      ],
    },
    { output: 'x€' },
  ],
  ['half a character at the end', { command: 'printf "a\\342\\202"' }, { output: 'a�' }],
  ['the newest bytes', { command: 'printf "1234567890"', outputByteLimit: 4 }, { output: '7890', truncated: true }],
  ['the newest characters', { command: 'printf "€€€"', outputByteLimit: 7 }, { output: '€€', truncated: true }],
  ['no bytes', { command: 'printf "x"', outputByteLimit: 0 }, { output: '', truncated: true }],
  ['ended by a signal', { command: 'kill -9 $$' }, { exitStatus: { exitCode: null, signal: 'SIGKILL' } }],
  [
    'half a mebibyte in one go',
    { command: node, args: ['-e', 'process.stdout.write("x".repeat(524288))'] },
    { output: 'x'.repeat(524_288), truncated: false },
  ],
];

test('[A10] a command runs as it is, a line in a shell, and what it printed is answered', onPosix, async t => {
  const { ask } = await stage(t, { OTHER: 'other', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' });
  for (const [what, params, expected] of commands)
    await t.test(what, async () => {
      const { terminalId, message } = await ask('create', params);
      assert.equal(message, undefined);
      const exit = await ask('wait_for_exit', { terminalId });
      const answer = await ask('output', { terminalId });
      assert.deepEqual({ exitCode: exit.exitCode, signal: exit.signal }, answer.exitStatus);
      assert.deepEqual({ ...answer, ...expected }, answer);
      assert.deepEqual(await ask('release', { terminalId }), {});
    });
});

test('[A10] five megabytes are answered by their newest', onPosix, async t => {
  const { start, ask } = await stage(t);
  const terminalId = await start(
    'for (let n = 0; n < 500_000; n++) process.stdout.write(String(n).padStart(9) + "\\n")',
  );
  await ask('wait_for_exit', { terminalId });
  const { output = '', truncated } = await ask('output', { terminalId });
  assert.deepEqual([Buffer.byteLength(output), truncated], [1024 * 1024, true]);
  assert.ok(output.endsWith(' 499998\n   499999\n'));
});

test('[A10] what a command printed can be asked for while it runs', onPosix, async t => {
  const { start, ask } = await stage(t);
  const terminalId = await start('console.log("begun"); setInterval(() => {}, 1000)');
  const answer = await until(
    () => ask('output', { terminalId }),
    ({ output }) => output !== '',
  );
  assert.deepEqual(answer, { output: 'begun\n', truncated: false });
});

test('[A10] everybody who waits is told, also of a command that is killed', onPosix, async t => {
  const { run, ask } = await stage(t);
  const wait = terminal('wait_for_exit');
  const { text } = await run([
    { call: { method: 'terminal/create', params: { command: 'sleep 60' } } },
    { meanwhile: [wait] },
    { meanwhile: [wait] },
    terminal('kill'),
    wait,
    terminal('output'),
  ]);
  const exit = { exitCode: null, signal: 'SIGTERM' };
  assert.equal(text.split(JSON.stringify(exit)).length, 5, text);
  // The id stays valid.
  assert.deepEqual(await ask('kill', { terminalId: 'terminal1' }), {});
  assert.deepEqual(await ask('output', { terminalId: 'terminal1' }), {
    output: '',
    truncated: false,
    exitStatus: exit,
  });
});

test('[A10] a terminal is known to its own session, until it is released', onPosix, async t => {
  const { start, ask, agent, folder } = await stage(t);
  const other = await agent.newSession({ cwd: folder, alsoIn: [] }, never);
  const terminalId = await start('');
  const refused = { code: -32002, message: `There is no terminal “${terminalId}” in this session.` };
  for (const method of ['output', 'wait_for_exit', 'kill', 'release'])
    assert.deepEqual(await ask(method, { terminalId }, other), refused, method);
  assert.deepEqual(await ask('release', { terminalId }), {});
  for (const method of ['output', 'wait_for_exit', 'kill', 'release'])
    assert.deepEqual(await ask(method, { terminalId }), refused, method);
  assert.deepEqual(await ask('create', { sessionId: 'none', command: 'true' }), {
    code: -32602,
    message: 'There is no session “none”.',
  });
});

test('[A10] a session has at most 64 terminals', onPosix, async t => {
  const { run, ask } = await stage(t);
  const create = { call: { method: 'terminal/create', params: { command: 'true' } } };
  await run(Array.from({ length: 64 }, () => create));
  const refused = await ask('create', { command: 'true' });
  assert.deepEqual([refused.code, refused.message?.startsWith('This session has 64 terminals open')], [-32602, true]);
  await ask('release', { terminalId: 'terminal7' });
  assert.equal((await ask('create', { command: 'true' })).message, undefined);
});

const unstartable: readonly (readonly [params: object, words: RegExp])[] = [
  [{ command: 'no-such-command' }, /^“no-such-command” was not found on this machine\.$/],
  [{ command: 'no such command', args: ['x'] }, /was not found/],
  [{ command: './text' }, /^“\.\/text” may not be run on this machine\.$/],
  [{ command: ' ' }, /^There is no command to run\.$/],
  [{ command: 'true', args: ['\0'] }, /could not be started/],
  [{ command: 'true', env: [{ name: 'A', value: '\0' }] }, /could not be started/],
  [{ command: 'true', cwd: '/' }, /^No command runs in “\/”, because it is outside of the folders/],
  [{ command: 'true', args: ['x'.repeat(4_000_000)] }, /could not be started/],
];

test('[A10] a command that cannot start is refused in words', onPosix, async t => {
  const { ask, folder } = await stage(t);
  writeFileSync(join(folder, 'text'), 'no program', { mode: 0o644 });
  for (const [params, words] of unstartable) {
    const { code, message = '' } = await ask('create', params);
    assert.equal(typeof code, 'number');
    assert.match(message, words);
  }
  assert.deepEqual(await ask('create', { command: 'pwd' }), { terminalId: 'terminal7' });
});

test('[A10] a command runs where its folder really lies in one of the workspace', onPosix, async t => {
  const place = realpathSync(temporaryFolder(t));
  const [one, two, outside] = [join(place, 'one'), join(place, 'two'), join(place, 'outside')];
  for (const folder of [join(one, 'sub'), two, outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(one, 'file'), '');
  symlinkSync(outside, join(one, 'out'));
  symlinkSync(two, join(one, 'in'));
  symlinkSync(one, join(place, 'link'));
  const given: readonly (readonly [wanted: string | null, found: string | RegExp])[] = [
    [null, one],
    [join(one, 'sub'), join(one, 'sub')],
    [two, two],
    [join(one, 'in'), two],
    [join(place, 'link', 'sub'), join(one, 'sub')],
    [one, one],
    [outside, /outside of the folders/],
    [place, /outside of the folders/],
    [join(one, 'out'), /leads out of the folders/],
    [`${one}/../outside`, /^No command runs in/],
    [join(one, 'none'), /there is no such folder/],
    [join(one, 'file'), /there is no such folder/],
    ['sub', /^No command runs in “sub”/],
    [`${one}x`, /outside of the folders/],
  ];
  for (const [wanted, found] of given) {
    const folder = folderFor(wanted, [join(place, 'link'), two]);
    if (typeof found === 'string') assert.equal(await folder, found);
    else await assert.rejects(folder, { code: -32602, message: found }, String(wanted));
  }
  await assert.rejects(folderFor(null, []), { code: -32602, message: /No folder is open/ });
});

test('[A11] a command is killed with all that it started, deaf or not', onPosix, async t => {
  const { start, ask } = await stage(t);
  const terminalId = await start(deafFamily);
  const { output = '' } = await until(
    () => ask('output', { terminalId }),
    answer => pidsIn(answer.output ?? '').length === 2,
  );
  await ask('kill', { terminalId });
  assert.ok(await gone(pidsIn(output), 5000));
  assert.deepEqual((await ask('output', { terminalId })).exitStatus, { exitCode: null, signal: 'SIGKILL' });
});

test('[A11] what a command leaves behind goes when it ends', onPosix, async t => {
  const { ask } = await stage(t);
  const { terminalId } = await ask('create', { command: 'sleep 61 & echo pid $!' });
  await ask('wait_for_exit', { terminalId });
  const { output = '' } = await ask('output', { terminalId });
  assert.equal(pidsIn(output).length, 1);
  assert.ok(await gone(pidsIn(output), 5000));
});

test('[A10] what is started is for the platform', () => {
  const disk = { isFile: (file: string) => file === '/a b' || file === 'C:\\bin\\git.exe', read: () => '' };
  const env = { SHELL: '/usr/bin/zsh', PATH: 'C:\\bin', ComSpec: 'C:\\cmd.exe' };
  const inCmd = (line: string) => ['C:\\cmd.exe', '/d', '/s', '/c', `"${line}"`];
  const rows: readonly (readonly [
    platform: typeof process.platform,
    command: string,
    args: readonly string[],
    started: readonly string[],
  ])[] = [
    ['linux', 'ls', [], ['ls']],
    ['linux', 'ls', ['-l', 'a b'], ['ls', '-l', 'a b']],
    ['linux', 'ls -l', [], ['/usr/bin/zsh', '-c', 'exec 2>&1; ls -l']],
    ['linux', '/a b', [], ['/a b']],
    ['linux', '~/x', [], ['/usr/bin/zsh', '-c', 'exec 2>&1; ~/x']],
    ['win32', 'git', ['log', '%x%'], ['C:\\bin\\git.exe', 'log', '%x%']],
    ['win32', 'dir /b', [], inCmd('dir /b')],
    ['win32', 'npm', ['test', 'a b', 'say "x"'], inCmd('npm test "a b" "say ""x"""')],
  ];
  for (const [platform, command, args, started] of rows) {
    const { file, args: all } = commandFor(command, args, env, platform, disk);
    assert.deepEqual([file, ...all], started);
  }
  const shells = ['/bin/bash', '/usr/bin/fish', 'bash', ''];
  assert.deepEqual(
    shells.map(SHELL => commandFor('a b', [], { SHELL }, 'linux', disk).file),
    ['/bin/bash', '/bin/sh', '/bin/sh', '/bin/sh'],
  );
  assert.equal(wordsOf('git', ['commit', '-m', 'a b', '']), 'git commit -m "a b" ""');
});

test('[A10] the newest of a text are bytes of whole characters, whatever its pieces', () => {
  for (const size of [1, 3, 1000, 70_000, 200_000]) {
    const text = '€x'.repeat(50_000);
    const kept = new NewestText(100_000);
    for (let at = 0; at < text.length; at += size) kept.add(text.slice(at, at + size));
    for (const most of [0, 1, 2, 3, 4, 7, 65_536, 99_999, 100_000, 200_000]) {
      const bytes = Math.min(most, 100_000);
      const { text: newest, isWhole } = kept.newest(most);
      assert.ok(text.endsWith(newest) && !isWhole, `${size} ${most}`);
      assert.ok(Buffer.byteLength(newest) <= bytes && Buffer.byteLength(newest) > bytes - 3, `${size} ${most}`);
    }
  }
  const small = new NewestText(4);
  small.add('€');
  small.add('x');
  assert.deepEqual(small.newest(4), { text: '€x', isWhole: true });
  small.add('y');
  assert.deepEqual(small.newest(4), { text: 'xy', isWhole: false });
});
