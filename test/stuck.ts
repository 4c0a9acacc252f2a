// Watches a run of `node --test` for what the runner itself waits on for ever: a file whose process does not end (its own
// limits are of single tests), and what a file that has ended left behind with the runner's pipes. Says what there is to
// know about it, then ends it, so that the run goes on, and fails in minutes with a name instead of in silence.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processOf, processes } from './processes.mjs';
import type { Process } from './processes.mjs';

/** Far more than the longest file takes on a slow machine. What a file left behind may still be on its way out. */
const usual = { longest: 360_000, grace: 30_000, lookEvery: 2000 };
/** Longer than a process needs that can still answer. */
const answersWithin = 4000;
const noAnswer = '  Its JavaScript does not answer.';

interface Watched {
  readonly file: Process;
  readonly since: number;
  /** What it started, as far as it was seen. */
  family: readonly Process[];
  goneSince?: number;
}

/** In ms. */
interface Limits {
  /** Of a file. */
  readonly longest: number;
  /** Of what a file started, after it. */
  readonly grace: number;
  readonly lookEvery: number;
}

/** Looks after the files of one runner until it is told that the runner has ended. */
export async function endStuck(
  runner: number,
  over: AbortSignal,
  { longest, grace, lookEvery }: Limits = usual,
  say: (words: string) => void = console.log,
): Promise<void> {
  const watched = new Map<string, Watched>();
  while (!over.aborted) {
    await delay(lookEvery, undefined, { signal: over }).catch(() => {});
    const all = processes();
    const now = performance.now();
    for (const file of all.filter(({ parent, command }) => parent === runner && /\.test\.m?[jt]s\b/.test(command))) {
      const known = watched.get(nameOf(file)) ?? { file, since: now, family: [] };
      known.family = [...known.family.filter(one => lives(one, all)), ...below(file, all, known.family)];
      watched.set(nameOf(file), known);
    }
    for (const [name, one] of watched) {
      if (lives(one.file, all)) {
        if (now - one.since < longest || over.aborted) continue;
        const where = await whereItIs(one.file);
        say(`✖ It did not end in ${Math.round(longest / 1000)} s: ${fileOf(one.file)}\n${where}`);
        end([one.file, ...one.family]);
        watched.delete(name);
        continue;
      }
      one.goneSince ??= now;
      const left = one.family.filter(each => lives(each, all));
      if (left.length === 0) watched.delete(name);
      else if (now - one.goneSince >= grace && !over.aborted) {
        say(`✖ It left behind what it had started: ${fileOf(one.file)}\n${left.map(commandOf).join('\n')}`);
        end(left);
        watched.delete(name);
      }
    }
  }
}

const nameOf = ({ pid, start }: Process): string => `${pid}/${start}`;
const fileOf = ({ command }: Process): string =>
  /\S+\.test\.m?[jt]s/.exec(command.split(' ').toReversed().join(' '))?.[0] ?? command;
const commandOf = ({ pid, command }: Process): string => `  ${pid} ${command.slice(0, 200)}`;

function lives(one: Process, all: readonly Process[]): boolean {
  return all.some(({ pid, start }) => pid === one.pid && start === one.start);
}

/** What stands below it now and was not known. */
function below(root: Process, all: readonly Process[], known: readonly Process[]): Process[] {
  const pids = new Set([root.pid]);
  const found: Process[] = [];
  for (let before = -1; before !== pids.size;) {
    before = pids.size;
    for (const one of all) {
      if (!pids.has(one.parent) || pids.has(one.pid)) continue;
      pids.add(one.pid);
      if (!known.some(other => nameOf(other) === nameOf(one))) found.push(one);
    }
  }
  return found;
}

function end(these: readonly Process[]): void {
  for (const one of these) {
    try {
      if (processOf(one.pid)?.start === one.start) process.kill(one.pid, 'SIGKILL');
    } catch {
      // It has ended in this moment.
    }
  }
}

/** In words: what its JavaScript does or waits for, and what its threads wait for. */
async function whereItIs(file: Process): Promise<string> {
  const threads = `  Threads:\n${threadsOf(file.pid)}`;
  try {
    // Node.js opens its inspector then, on a thread of its own, whatever the main thread does.
    process.kill(file.pid, 'SIGUSR1');
    const words = await Promise.race([asked(file), delay(answersWithin, noAnswer)]);
    return `${words}\n${threads}`;
  } catch (cause) {
    return `  It cannot be asked: ${String(cause)}\n${threads}`;
  }
}

/** Only one process at a time has this door. */
const inspector = 'http://127.0.0.1:9229/json/list';
const handles = `[
  ...process.getActiveResourcesInfo(),
  ...process._getActiveHandles().map(one => [one.constructor.name, one.spawnfile, one.remotePort, one.fd].filter(Boolean).join(' ')),
].join(', ')`;

/** What it holds open, and where it is, if it runs. */
async function asked(file: Process): Promise<string> {
  let address: string | undefined;
  while (!address) {
    await delay(100);
    const response = await fetch(inspector).catch(() => null);
    const doors = ((await response?.json()) ?? []) as { webSocketDebuggerUrl: string; url: string }[];
    address = doors.find(({ url }) => url.endsWith(fileOf(file)))?.webSocketDebuggerUrl;
  }
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the inspector did not open')));
  });
  const tell = (id: number, method: string, params = {}) => socket.send(JSON.stringify({ id, method, params }));
  try {
    const told: string[] = [];
    const scripts = new Map<string, string>();
    const frameOf = ({ functionName, location: { scriptId, lineNumber } }: Frame): string =>
      `    ${functionName || '(nameless)'} ${scripts.get(scriptId)}:${lineNumber + 1}`;
    socket.addEventListener('message', ({ data }) => {
      const { id, method, result, params } = JSON.parse(String(data)) as Told;
      if (id === 1) told.push(`  It holds open: ${result?.result?.value || 'nothing'}`);
      if (method === 'Debugger.scriptParsed') scripts.set(params?.scriptId ?? '', params?.url ?? '');
      if (method === 'Debugger.paused')
        told.push(`  It runs:\n${(params?.callFrames ?? []).slice(0, 20).map(frameOf).join('\n')}`);
    });
    tell(1, 'Runtime.evaluate', { expression: handles });
    await delay(answersWithin / 4);
    tell(2, 'Debugger.enable');
    // It stops where it runs JavaScript, and nowhere while it waits.
    tell(3, 'Debugger.pause');
    await delay(answersWithin / 4);
    return told.join('\n') || noAnswer;
  } finally {
    socket.close();
  }
}

/** What the inspector says, as far as it is listened to. */
interface Told {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly result?: { readonly value?: string } };
  readonly params?: { readonly callFrames?: readonly Frame[]; readonly scriptId?: string; readonly url?: string };
}

interface Frame {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/** Name, state and what the kernel says it waits for, of each thread; on Linux only. */
function threadsOf(pid: number): string {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map(task => {
        const of = (what: string) => readFileSync(`/proc/${pid}/task/${task}/${what}`, 'utf8').trim();
        const stat = of('stat');
        return `    ${of('comm')}: ${stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)} ${of('wchan')}`;
      })
      .join('\n');
  } catch {
    return '    (not known on this system)';
  }
}
