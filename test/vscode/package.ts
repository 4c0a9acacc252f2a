// Builds for production and packs `out/throughline.vsix`, the file that people install and that the end-to-end tests
// install too. vsce runs the build itself, as the `vscode:prepublish` of package.json, so that nobody can pack or
// publish an old one. It promises that vsce had nothing to say against the package: a warning fails. What is in it is
// decided by `.vscodeignore` and checked by test/package/vsix.test.ts.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { out, repository, vsixFile } from './places.ts';

mkdirSync(out, { recursive: true });
const vsce = join(repository, 'node_modules', '@vscode', 'vsce', 'vsce');
// There is no public repository yet, so relative links in the README cannot be made into addresses.
const without = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
const args = ['package', ...without, '--out', vsixFile];
const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, ...args], {
  cwd: repository,
  encoding: 'utf8',
  // Without a terminal vsce asks nothing; what it would ask about is a warning, and fails.
  stdio: ['ignore', 'pipe', 'pipe'],
});
const printed = stripVTControlCharacters(`${stdout}${stderr}`).trim();
// vsce's own warnings only: the `npm warn` lines of a build that it starts are about the settings of the machine.
if (status !== 0 || /^\s*WARNING\b/m.test(printed)) {
  console.error(`${printed}\n✖ The package was not made as it should be: see what vsce says above.`);
  process.exit(1);
}
console.log(
  `Packaged ${relative(process.cwd(), vsixFile)}: ${/\([^()]*files?, [^()]*\)/.exec(printed)?.[0] ?? printed}`,
);
