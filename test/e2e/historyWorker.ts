// Ends the history worker of a window from outside, as a bug or a lack of memory would: through the inspector of the
// extension host, which VS Code opens on a signal.

import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '../processes.mjs';
import type { Server } from '../vscode/server.ts';

const inspector = 'http://127.0.0.1:9229/json/list';

/** Ends every history worker of the extension hosts of this server; gives how many there were. */
export async function killHistoryWorkers(server: Server): Promise<number> {
  const all = processes();
  const servers = all.filter(({ command }) => command.includes(server.home)).map(({ pid }) => pid);
  const hosts = all.filter(({ parent, command }) => servers.includes(parent) && /--type=extensionHost/.test(command));
  let killed = 0;
  for (const { pid } of hosts) killed += await killIn(pid);
  return killed;
}

async function killIn(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await addressOf());
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector did not open.')));
  });
  const tell = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ id, method, params }));
  try {
    const sessions: string[] = [];
    const answered = new Promise<void>(resolve => {
      socket.addEventListener('message', ({ data }) => {
        const { id, method, params } = JSON.parse(String(data)) as Told;
        // VS Code runs workers of its own.
        if (method === 'NodeWorker.attachedToWorker' && params?.workerInfo.url.endsWith('/dist/history.js'))
          sessions.push(params.sessionId);
        if (id === 1) resolve();
      });
    });
    tell(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    await answered;
    // The workers that stand in for these come under sessions of their own.
    const running = [...sessions];
    for (const sessionId of running) {
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'process.exit(1)' } });
      tell(2, 'NodeWorker.sendMessageToWorker', { sessionId, message });
    }
    while (socket.bufferedAmount > 0) await delay(10);
    return running.length;
  } finally {
    tell(3, 'NodeWorker.disable', {});
    socket.close();
  }
}

async function addressOf(): Promise<string> {
  for (;;) {
    const response = await fetch(inspector).catch(() => null);
    const [target] = ((await response?.json()) ?? []) as { readonly webSocketDebuggerUrl: string }[];
    if (target) return target.webSocketDebuggerUrl;
    await delay(50);
  }
}

/** What the inspector says, as far as it is listened to. */
interface Told {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly workerInfo: { readonly url: string };
  };
}
