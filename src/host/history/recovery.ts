// Where this window's history belongs, and how an older one comes back: the window's folders are noted with the history,
// an empty window is offered, once, what seems to be its own, and "Recover History…" shows all that this machine knows.
// Promises: what is recovered is copied, the old one stays as it is, and the numbers before and after are said.

import { existsSync } from 'node:fs';
import { commands, Uri, workspace, type Memento, type QuickPickItem } from 'vscode';
import type { History } from '../../core/history/history.ts';
import { gitRootOf } from '../../node/gitRoot.ts';
import { adopt, type Adopted } from '../../node/history/home/adopt.ts';
import { claimHome, type ServedFolder } from '../../node/history/home/home.ts';
import { adoptable, knownHistories, noteHistory, type KnownHistory } from '../../node/history/home/knownHistories.ts';
import { sizeWords } from './sizeWords.ts';
import { relativeTime } from '../sessions/sessionAge.ts';
import type { Report } from '../report.ts';
import { showError, showInfo, showWarning } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';
import { showProgress } from '../notify/progress.ts';

export interface RecoveryPorts {
  readonly folder: string;
  readonly globalFolder: string;
  readonly history: () => Promise<History>;
  /** What has been offered here is not offered again. */
  readonly state: Memento;
  readonly report: Report;
  readonly now: () => number;
  readonly newId: () => string;
  readonly newWriter: () => string;
}

const offeredKey = 'offeredHistories';

export class Recovery {
  private readonly ports: RecoveryPorts;

  constructor(ports: RecoveryPorts) {
    this.ports = ports;
  }

  /** Once the history is open: notes whose it is, and offers an older one where this one is empty. */
  async begin(): Promise<void> {
    const { folder, globalFolder, history, now, newId, report } = this.ports;
    try {
      const served = await servedFolders();
      const home = await claimHome(folder, served, { now: now(), newId });
      await noteHistory(globalFolder, home, folder, now());
      // A window without a folder belongs to nobody's past.
      if (served.length === 0) return;
      const sessions = (await (await history()).sessions()).length;
      const known = sessions > 0 ? [] : await knownHistories(globalFolder);
      const [likely] = adoptable(known, { id: home.id, served, sessions }, isThere);
      if (likely?.reasons.some(reason => reason !== 'folder-gone')) await this.offer(likely.history);
    } catch (cause) {
      report.warn('This history could not be noted among those of this machine.', cause);
    }
  }

  /** All that this machine knows, to choose from. */
  async recover(): Promise<void> {
    const { folder, globalFolder, now } = this.ports;
    const known = (await knownHistories(globalFolder)).filter(one => one.folder !== folder);
    // What can be had stands before what is empty or gone.
    const items = known
      .toSorted((one, other) => Number(canBeHad(other)) - Number(canBeHad(one)))
      .map(history => itemOf(history, now()));
    if (items.length === 0) {
      void showInfo('No other history is known on this machine.');
      return;
    }
    const picked = await pickOne(items, {
      title: 'Recover which history?',
      placeHolder: 'Its sessions are copied into this workspace; the old history stays as it is',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (!picked) return;
    if (!picked.history.there) {
      void showWarning(`This history cannot be recovered: its folder ${picked.history.folder} is gone.`);
    } else if (picked.history.sessions === 0) {
      void showInfo('There are no sessions in this history.');
    } else await this.adopt(picked.history);
  }

  private async offer(history: KnownHistory): Promise<void> {
    const { state, now } = this.ports;
    const offered = state.get<readonly string[]>(offeredKey, []);
    if (offered.includes(history.id)) return;
    await state.update(offeredKey, [...offered, history.id]);
    const words = `${count(history.sessions, 'session')} of “${nameOf(history)}”, last used ${ago(history.last, now())}, may belong to this workspace.`;
    const choice = await showInfo(words, 'Bring Them Here', 'Not Now');
    if (choice === 'Bring Them Here') await this.adopt(history);
  }

  private async adopt(from: KnownHistory): Promise<void> {
    const { folder, newWriter, report } = this.ports;
    const title = `Copying the history of “${nameOf(from)}”`;
    try {
      const adopted = await showProgress({ title, cancellable: true }, (report, signal) => {
        let last = 0;
        return adopt(from.folder, folder, {
          newWriter,
          signal,
          onProgress({ done, files }) {
            report({ message: `${done} of ${files} files`, increment: ((done - last) / files) * 100 });
            last = done;
          },
        });
      });
      const show = adopted.sessionsAfter > adopted.sessionsBefore ? ['Show Sessions'] : [];
      // Not awaited: the command is done, and the notification stays for as long as it likes.
      void showInfo(recoveredWords(adopted), ...show).then(choice => {
        if (choice) void commands.executeCommand('throughline.sessions.focus');
      });
      if (adopted.left.length > 0) report.warn(`Left in the old history: ${adopted.left.join(', ')}.`);
    } catch (cause) {
      // Its words are about saving a conversation, which is not what was tried.
      report.warn('A history could not be copied.', cause);
      void showError(
        'The history could not be copied whole. What was copied is here, the old one is as it was, and trying again goes on from there.',
      );
    }
  }
}

export function recoveredWords({ sessionsBefore, sessionsAfter, cancelled, left }: Adopted): string {
  const came = sessionsAfter - sessionsBefore;
  const now = sessionsBefore === 0 ? '' : `: ${count(sessionsBefore, 'session')} before, ${sessionsAfter} now`;
  const missing = left.length === 0 ? '' : ` ${count(left.length, 'file')} could not be copied; the log says which.`;
  if (cancelled)
    return `Stopped after ${count(came, 'session')} came here${now}. “Recover History…” goes on from there.`;
  if (came === 0) return `All of its sessions were here already. The old history stays as it was.${missing}`;
  return `${count(came, 'session')} came here${now}. The old history stays as it was.${missing}`;
}

function itemOf(history: KnownHistory, now: number): QuickPickItem & { readonly history: KnownHistory } {
  const size = history.there ? `${count(history.sessions, 'session')} · ${sizeWords(history.bytes)}` : 'folder is gone';
  return {
    history,
    label: nameOf(history),
    description: `${size} · ${ago(history.last, now)}`,
    detail: history.folders.map(({ uri }) => Uri.parse(uri).fsPath).join(', ') || 'Windows without a folder',
  };
}

function canBeHad({ there, sessions }: KnownHistory): boolean {
  return there && sessions > 0;
}

function nameOf({ folders }: KnownHistory): string {
  return folders.map(({ name }) => name).join(', ') || 'Empty window';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function ago(time: number, now: number): string {
  const words = relativeTime(time, now);
  return words === 'now' ? 'just now' : / (min|h|d)$/.test(words) ? `${words} ago` : words;
}

function servedFolders(): Promise<readonly ServedFolder[]> {
  const folders = workspace.workspaceFolders ?? [];
  return Promise.all(
    folders.map(async ({ uri, name }) => ({
      uri: uri.toString(),
      name,
      // git runs in trusted folders only: a repository can make it run other programs.
      gitRoot: uri.scheme === 'file' && workspace.isTrusted ? await gitRootOf(uri.fsPath) : null,
    })),
  );
}

/** Of another machine, or of a kind of folder that cannot be asked for here, nobody says that it is gone. */
function isThere(uri: string): boolean {
  const parsed = Uri.parse(uri);
  return parsed.scheme !== 'file' || existsSync(parsed.fsPath);
}
