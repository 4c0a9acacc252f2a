// The one door to `npm test`, `npm start` and `npm run test:repeat`, `test:mutations` and `test:fuzz` on a fresh clone: needs
// nothing but Node.js 20 and npm, so it is plain JavaScript without packages. It puts the run on a leash, installs the
// packages where they do not fit the lock, sees to it that the Node.js 24 among them runs, and hands over to the script of
// the command (`scripts` below) under that Node. It promises to say what it does, and to fail with one sentence about what is missing.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLeash } from './leash.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const modules = join(repository, 'node_modules');
const windows = process.platform === 'win32';
// Not the link to it in `.bin`: where npm does not run install scripts, that is never made.
const node24 = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node');
const scripts = {
  test: join('test', 'run.ts'),
  start: join('test', 'vscode', 'start.ts'),
  repeat: join('test', 'repeat.ts'),
  mutations: join('test', 'mutations', 'run.ts'),
  fuzz: join('test', 'fuzz', 'run.ts'),
};

/** @param {string} sentence */
function fail(sentence, printed = '') {
  if (printed.trim() !== '') {
    console.error(printed.trim().split('\n').slice(0, 30).join('\n') + '\n');
  }
  console.error(`✖ ${sentence}`);
  process.exit(1);
}

/**
 * Runs a program quietly to its end.
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder
 * @returns {Promise<{ code: number | string | null, printed: string }>}
 */
function quietly(program, args, folder) {
  return new Promise(resolve => {
    let printed = '';
    // On Windows npm is a `.cmd`, which only a shell can run. All arguments are constants.
    const child = spawn(program, args, {
      cwd: folder,
      shell: windows && program === 'npm',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', data => (printed += String(data)));
    child.stderr.on('data', data => (printed += String(data)));
    child.once('error', error => resolve({ code: error.message, printed }));
    child.once('close', (code, signal) => resolve({ code: code ?? signal, printed }));
  });
}

/** Whether every package that the lock names is there in that version. npm notes at its end what it has installed. */
function packagesFit() {
  const installed = join(modules, '.package-lock.json');
  if (!existsSync(installed)) {
    return false;
  }
  const { packages: wanted } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const { packages: found } = JSON.parse(readFileSync(installed, 'utf8'));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || found[path]?.version === version,
  );
}

async function installPackages() {
  if (packagesFit()) {
    return;
  }
  console.log('Installing packages… (first time: about a minute)');
  const started = Date.now();
  // The npm that runs this script, else the one on the path.
  const npm = process.env.npm_execpath?.match(/npm-cli\.c?js$/)
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const [program, ...args] = [...npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, printed } = await quietly(program, args, repository);
  if (code !== 0) {
    fail(
      /ENOENT/.test(String(code))
        ? 'npm is missing: install Node.js 20 or newer together with npm.'
        : /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(printed)
          ? 'The packages could not be installed: the npm registry cannot be reached from here.'
          : `The packages could not be installed: \`npm install\` ended with ${code}.`,
      printed,
    );
  }
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** The Node.js that VS Code itself ships, as an npm package: it is fetched by that package's install script. */
async function checkNode24() {
  const version = async () => (await quietly(node24, ['--version'], repository)).printed.trim();
  if ((await version()).startsWith('v24.')) {
    return;
  }
  // npm may be set not to run install scripts. This one is needed, and known.
  console.log('Fetching Node.js 24…');
  const { printed } = await quietly(process.execPath, ['installArchSpecificPackage.js'], join(modules, 'node'));
  if (!(await version()).startsWith('v24.')) {
    fail('Node.js 24 is missing: the npm package `node` has no build that runs on this machine.', printed);
  }
}

/** @param {string} script @param {string[]} args */
async function handOver(script, args) {
  const path = [dirname(node24), join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node24, [script, ...args], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      child.kill(signal);
      // What does not listen is ended by the leash as soon as this process is gone.
      setTimeout(() => process.exit(1), 8000).unref();
    });
  }
  child.once('error', error => fail(`${script} could not be started: ${error.message}.`));
  child.once('exit', (code, signal) =>
    process.exit(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 137)),
  );
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node.js 20.19 or newer is needed, and this is ${process.version}.`);
}
const [command = '', ...rest] = process.argv.slice(2);
const script = Object.entries(scripts).find(([name]) => name === command)?.[1];
if (script === undefined) {
  fail(`Usage: node test/bootstrap.mjs ${Object.keys(scripts).join('|')}`);
} else {
  startLeash();
  await installPackages();
  await checkNode24();
  await handOver(script, rest);
}
