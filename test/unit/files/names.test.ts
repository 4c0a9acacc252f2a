// What a name alone says, on every platform: which files a person is asked about, and which paths have a second meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whySensitive } from '../../../src/node/files/sensitive.ts';
import { spelledIn } from '../../../src/node/files/spelling.ts';

const asked: readonly (readonly [path: string, uses: 'always' | 'written' | 'never'])[] = [
  ['.env', 'always'],
  ['a/.env.production', 'always'],
  ['.envrc', 'always'],
  ['.ENV', 'always'],
  ['.env. .', 'always'],
  ['.e\u200bnv', 'always'],
  ['．ｅｎｖ', 'always'],
  ['server.key', 'always'],
  ['a/cert.PEM', 'always'],
  ['id_ed25519', 'always'],
  ['.ssh/config', 'always'],
  ['.npmrc', 'always'],
  ['.aws/config', 'always'],
  ['.docker/config.json', 'always'],
  ['.git/config', 'always'],
  ['.git/hooks/pre-commit', 'always'],
  ['.GIT/HEAD', 'always'],
  ['sub/.git', 'always'],
  ['.vscode/settings.json', 'written'],
  ['.vscode/tasks.json', 'written'],
  ['.vscode/launch.json', 'written'],
  ['.VSCode/Settings.JSON', 'written'],
  ['a/b.code-workspace', 'written'],
  ['.mcp.json', 'written'],
  ['.claude/settings.json', 'written'],
  ['.github/workflows/ci.yml', 'written'],
  ['.husky/pre-commit', 'written'],
  ['.gitmodules', 'written'],
  ['.bashrc', 'written'],
  ['.zshenv', 'written'],
  ['.profile', 'written'],
  ['Microsoft.PowerShell_profile.ps1', 'written'],
  ['.config/fish/config.fish', 'written'],
  ['.gitignore', 'never'],
  ['.github/README.md', 'never'],
  ['environment.ts', 'never'],
  ['src/env.ts', 'never'],
  ['src/credentials.ts', 'never'],
  ['keys.md', 'never'],
  ['id_ed25519.pub', 'never'],
  ['settings.json', 'never'],
  ['git/config', 'never'],
];

test('[F1] a person is asked about secrets, and before something is written that makes programs run', async t => {
  for (const [path, uses] of asked) {
    const parts = ['ws', ...path.split('/')];
    const is = [whySensitive(parts, 'read') !== null, whySensitive(parts, 'write') !== null];
    await t.test(path, () => assert.deepEqual(is, [uses === 'always', uses !== 'never']));
  }
});

const onWindows: readonly (readonly [path: string, becomes: string])[] = [
  ['C:\\ws\\a.txt', 'C:\\ws\\a.txt'],
  ['c:/WS/sub/a.txt', 'C:\\ws\\sub\\a.txt'],
  ['C:\\ws\\.\\\\a.txt', 'C:\\ws\\a.txt'],
  ['\\\\server\\share\\ws\\a.txt', '\\\\server\\share\\ws\\a.txt'],
  ['D:\\RUNNER~1\\ws\\a.txt', 'D:\\RUNNER~1\\ws\\a.txt'],
  ['C:\\ws\\..\\b', 'it holds “..”'],
  ['C:\\ws-evil\\b', 'it is outside of the folders of this workspace'],
  ['\\\\evil\\share\\ws\\a.txt', 'it is outside of the folders of this workspace'],
  ['\\\\C:\\ws\\a.txt', 'it is outside of the folders of this workspace'],
  ['//evil/share/ws/a.txt', 'it is outside of the folders of this workspace'],
  ['\\\\?\\C:\\ws\\a.txt', 'it names a device'],
  ['//?/C:/ws/a.txt', 'it names a device'],
  ['\\\\.\\C:\\ws\\a.txt', 'it names a device'],
  ['\\\\.\\pipe\\x', 'it names a device'],
  ['\\??\\C:\\ws\\a.txt', 'it names a device'],
  ['C:ws\\a.txt', 'it is not absolute'],
  ['\\ws\\a.txt', 'it is not absolute'],
  ['/ws/a.txt', 'it is not absolute'],
  ['ws\\a.txt', 'it is not absolute'],
  ['~\\a.txt', 'it is not absolute'],
  ['file:///C:/ws/a.txt', 'it is an address and not a path'],
  ['C:\\ws\\.env::$DATA', 'it names a stream of a file'],
  ['C:\\ws\\a.txt:hidden', 'it names a stream of a file'],
  ['C:\\ws\\.git::$INDEX_ALLOCATION\\config', 'it names a stream of a file'],
  ['C:\\ws\\.env.', 'a name in it ends with a dot or a space'],
  ['C:\\ws\\.git \\config', 'a name in it ends with a dot or a space'],
  ['C:\\ws\\GIT~1\\config', 'it holds a short name'],
  ['C:\\ws\\SETTIN~1.JSO', 'it holds a short name'],
  ['C:\\ws\\NUL', 'it names a device'],
  ['C:\\ws\\con.txt', 'it names a device'],
  ['C:\\ws\\COM¹', 'it names a device'],
  ['C:\\ws\\LPT1 .txt', 'it names a device'],
  ['C:\\ws\\a*.txt', 'it holds a character that no name may have'],
  ['C:\\ws\\a\0', 'it holds a control character'],
];

test('[F1] on Windows a path has no second meaning, and no other server is asked', async t => {
  const folders = ['C:\\ws', '\\\\server\\share\\ws', 'D:\\RUNNER~1\\ws'];
  for (const [path, becomes] of onWindows)
    await t.test(path.replace('\0', '<NUL>'), () => {
      const spelled = spelledIn(path, folders, 'win32');
      assert.equal('words' in spelled ? spelled.words : spelled.path, becomes);
    });
});

test('[F1] on a Mac a folder is looked for by its name in any case, and elsewhere not', () => {
  const paths = (platform: 'darwin' | 'linux') => spelledIn('/Us\u0065\u0301r/WS/a', ['/us\u00e9r/ws'], platform);
  assert.deepEqual(paths('darwin'), { path: '/us\u00e9r/ws/a', folder: '/us\u00e9r/ws', parts: ['a'] });
  assert.ok('words' in paths('linux'));
});
