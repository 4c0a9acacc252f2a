// The side bar against its targets, in a real VS Code, on a history of 1,000 sessions with 10,000 branches and 100,000
// messages: activation beside an empty extension, the first drawing of the tree and its refresh on a commit beside a tree
// that knows its rows by heart, the search picker beside the engine's own search. Each host is a fresh VS Code; what runs
// first in it turns from host to host. What runs inside of it is test/host/suite/sidebarBench.ts.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import type { Fact } from '../../src/model/record.ts';
import { answerFact, setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import { randomFrom } from '../unit/support/random.ts';
import { folderOf, list, writeSettings } from '../vscode/person.ts';
import { repository, sampleWorkspace } from '../vscode/places.ts';
import { launcher } from '../vscode/launching.ts';
import { BulkJournal, openEngine } from './engine.ts';
import { seed } from './fixture.ts';
import { against, alone, Samples, type Row } from './measure.ts';
import { journalIn, type SidebarRun } from '../host/sidebarTerms.ts';

export const parts = { sidebar: true } as const;

interface Size {
  readonly hosts: number;
  readonly rounds: number;
  readonly sessions: number;
  readonly messages: number;
  readonly branches: number;
}
// An even number, so that each is the first as often as the other.
const full: Size = { hosts: 6, rounds: 20, sessions: 1000, messages: 100, branches: 10 };
const quick: Size = { hosts: 2, rounds: 6, sessions: 1000, messages: 20, branches: 10 };

const words = ['retry', 'warehouse order', 'sandw', 'gateway timeout'];
const vocabulary =
  'the of const return await index value name error path file import test number retry order warehouse gateway timeout ' +
  'sandwich journal branch session message block stored read written again before back from disk slow fast why how';

export async function measureSidebar(
  isQuick: boolean,
  _parts: readonly string[],
  parent: string,
): Promise<readonly Row[]> {
  const size = isQuick ? quick : full;
  const samples = new Samples();
  const workspace = join(parent, 'workspace');
  const userData = join(parent, 'user-data');
  cpSync(sampleWorkspace, workspace, { recursive: true });
  // A chat that is seen at once would activate the extension before anything can be measured.
  writeSettings(userData, { settings: { 'workbench.secondarySideBar.defaultVisibility': 'hidden' } });
  const host = await hostIn(parent, workspace, userData);
  await host({ folder: null, oursFirst: true, rounds: 0 });
  const folder = dirname(journalOf(userData));
  await fill(folder, size);
  for (let at = 0; at < size.hosts; at++) {
    const found = await host({ folder, oursFirst: at % 2 === 0, rounds: size.rounds });
    for (const [name, values] of Object.entries(found)) for (const value of values) samples.add(name, value);
  }
  const half = (name: string) => samples.median(name);
  const most = (name: string) => `p90 ${samples.quantile(name, 0.9).toFixed(1)}`;
  const id = `sidebar/${(size.sessions * size.messages) / 1000}k`;
  const [ours, bare] = ['refresh ours', 'refresh bare'];
  return [
    against(`${id}/activation ms`, half('activation ours'), 'an empty extension', half('activation empty'), 1.5),
    against(`${id}/first drawing of the tree ms`, half('paint ours'), 'a tree by heart', half('paint bare')),
    alone(`${id}/first drawing of the tree, alone ms`, half('paint ours'), 150),
    alone(`${id}/of it, listing the sessions ms`, half('sessions listed')),
    alone(`${id}/opening the history before it ms`, half('history opened')),
    against(`${id}/refresh on a commit ms`, half(ours), 'a bare event', half(bare), 3, most(ours)),
    against(
      `${id}/picker, first results ms`,
      half('picker ours'),
      'the engine',
      half('picker engine'),
      2,
      most('picker ours'),
    ),
  ];
}

type Given = Pick<SidebarRun, 'folder' | 'oursFirst' | 'rounds'>;

async function hostIn(parent: string, workspace: string, userData: string) {
  const bundle = join(parent, 'sidebar.cjs');
  const entry = join(repository, 'test', 'host', 'suite', 'sidebarBench.ts');
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    outfile: bundle,
  });
  const results = join(parent, 'samples.json');
  const extensions = join(parent, 'extensions');
  const empty = { publisher: 'bench', name: 'empty', version: '0.0.1' };
  cpSync(join(repository, 'test', 'host', 'emptyExtension'), join(extensions, folderOf(empty)), { recursive: true });
  list(extensions, empty);
  // Whoever is activated first in a host pays for what the host does only then: that is neither of the two.
  const first = { ...empty, name: 'first' };
  mkdirSync(join(extensions, folderOf(first)));
  const manifest = {
    ...first,
    main: './main.js',
    activationEvents: ['onCommand:bench.neither'],
    engines: { vscode: '*' },
  };
  writeFileSync(join(extensions, folderOf(first), 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(extensions, folderOf(first), 'main.js'), 'exports.activate = () => {};\n');
  list(extensions, first);
  return async (given: Given): Promise<Readonly<Record<string, readonly number[]>>> => {
    const run: SidebarRun = { ...given, results, home: userData, writer: ids.writer(), words };
    let printed = '';
    const keep = { write: (data: unknown) => (printed += String(data)) } as unknown as NodeJS.WriteStream;
    writeFileSync(results, '');
    try {
      await runTests({
        ...(process.env['THROUGHLINE_DESKTOP'] ? {} : { vscodeExecutablePath: launcher() }),
        extensionDevelopmentPath: repository,
        extensionTestsPath: bundle,
        launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
        extensionTestsEnv: { SIDEBAR_BENCH: JSON.stringify(run) },
        stdout: keep,
        stderr: keep,
      });
    } catch (cause) {
      throw new Error(`The host did not measure. ${printed}`, { cause });
    }
    return JSON.parse(readFileSync(results, 'utf8')) as Readonly<Record<string, readonly number[]>>;
  };
}

/** Sessions of a line of messages, with branches at its end; the index and the full-text index are made and saved. */
async function fill(folder: string, { sessions, messages, branches }: Size): Promise<void> {
  mkdirSync(join(folder, 'journal'), { recursive: true });
  const random = randomFrom(seed);
  const all = vocabulary.split(' ');
  const text = (count: number) => Array.from({ length: count }, () => all[Math.floor(random() * all.length)]).join(' ');
  const journal = new BulkJournal(folder);
  const newest = Date.now();
  for (let at = 0; at < sessions; at++) {
    const session = ids.session();
    const created = newest - at * 3_600_000;
    const facts: Fact[] = [
      { type: 'session', session, created, agent: { id: 'bench', name: 'Bench agent' } },
      setFact(session, 'title', text(6)),
    ];
    let parent: string | null = null;
    const known: string[] = [];
    for (let n = 0; n < messages; n++) {
      const [id, when] = [ids.message(), created + n];
      if (n % 2 === 0) facts.push(userFact(session, id, parent, text(30), when));
      else {
        const said = { kind: 'text', mime: 'text/markdown', text: text(30) } as const;
        const end = { reason: 'end_turn', at: when, usage: { inputTokens: 900, outputTokens: 90 } } as const;
        facts.push(answerFact(session, id, parent, { created: when, blocks: [said], end }));
      }
      known.push(id);
      // The last ones stand beside each other.
      if (n < messages - branches) parent = id;
    }
    // As long as what an agent's session is said to know.
    facts.push(setFact(session, 'binding', { known }, { of: 'bench' }));
    journal.add({ session, title: '', facts, messages: [], first: true });
  }
  journal.close();
  const engine = await openEngine(folder);
  await engine.search('first');
  engine.snapshot();
  engine.close();
}

function journalOf(userData: string): string {
  const found = journalIn(userData);
  if (found === null) throw new Error('the extension made no history');
  return found;
}
