// In which of a window's folders a session works: a person chooses where it begins. Promises: nothing is asked where there is
// only one; what is chosen for a new session is where the next new one begins too.

import { ThemeIcon, type Memento } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { folderNames, type NamedFolder } from '../folderNames.ts';
import { namedFolders } from '../windowPlace.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';

const lastKey = 'workFolder';

/** Where new sessions begin; null is the first folder. */
export function lastFolder(state: Memento): string | null {
  return state.get<string>(lastKey) ?? null;
}

/** For a conversation in which nothing was said yet. */
export async function chooseFolder(conversation: Conversation, state: Memento): Promise<void> {
  const chosen = await pickFolder('Where does this session work?', conversation.cwd);
  if (chosen === undefined) return;
  if (conversation.setFolder(chosen)) await state.update(lastKey, chosen);
  else {
    const words =
      'Something was said in this session already, so it goes on where it works. Begin a new one to choose.';
    void showInfo(words);
  }
}

/** Undefined where the person chose none. */
export async function pickFolder(title: string, current: string | null): Promise<string | undefined> {
  const folders = namedFolders();
  if (folders.length < 2) return folders[0]?.path;
  const items = folderItems(folders, current);
  const placeHolder = 'Commands run there and names of files begin there; the agent may use the other folders as well';
  return (await pickOne(items, { title, placeHolder, matchOnDescription: true }))?.path;
}

export function folderItems(folders: readonly NamedFolder[], current: string | null) {
  const names = folderNames(folders);
  return folders.map(({ path, name }) => ({
    path,
    label: names.get(path) ?? name,
    description: path === current ? `${path} · now` : path,
    iconPath: new ThemeIcon(path === current ? 'check' : 'folder'),
  }));
}
