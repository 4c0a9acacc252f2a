// What git says has changed, through the API of VS Code's own git extension. Only what is used of it is described here.

import { extensions, Uri } from 'vscode';

interface GitChange {
  readonly uri: Uri;
  readonly status: number;
}

export interface GitRepository {
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
  };
  diffWithHEAD(path: string): Promise<string>;
  diffIndexWithHEAD(path: string): Promise<string>;
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: Uri): GitRepository | null;
}

/** A file of which something is to be told; `staged` is what the index has of it. */
export interface ChangedFile {
  readonly uri: Uri;
  readonly staged: boolean;
}

const untracked = 7;

/** Null where git is not there: it is turned off, or does not run in Restricted Mode. */
export async function git(): Promise<GitApi | null> {
  const extension = extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  if (!extension) return null;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    // It is turned off.
    return null;
  }
}

/** Of every repository of the window, each file once. */
export function allChanges({ repositories }: GitApi): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { state } of repositories) {
    const { workingTreeChanges, untrackedChanges = [], mergeChanges, indexChanges } = state;
    for (const { uri } of [...workingTreeChanges, ...untrackedChanges, ...mergeChanges])
      files.set(uri.toString(), { uri, staged: false });
    for (const { uri } of indexChanges)
      if (!files.has(uri.toString())) files.set(uri.toString(), { uri, staged: true });
  }
  return [...files.values()];
}

/** What a menu of the source control view hands over: resources, or groups of them. */
export function changesIn(args: readonly unknown[]): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  const add = (state: unknown, group: string) => {
    if (typeof state !== 'object' || state === null || !('resourceUri' in state)) return;
    if (!(state.resourceUri instanceof Uri)) return;
    // Git's own type of the group, which stands at each of its resources: 1 is the index.
    const isStaged = group === 'index' || ('resourceGroupType' in state && state.resourceGroupType === 1);
    files.set(state.resourceUri.toString(), { uri: state.resourceUri, staged: isStaged });
  };
  for (const one of args.flat()) {
    if (typeof one !== 'object' || one === null) continue;
    if ('resourceStates' in one && Array.isArray(one.resourceStates))
      for (const state of one.resourceStates) add(state, 'id' in one && typeof one.id === 'string' ? one.id : '');
    else add(one, '');
  }
  return [...files.values()];
}

/** Empty where nothing of it is text; null for a file that git does not know yet. */
export async function diffOf(api: GitApi, { uri, staged }: ChangedFile): Promise<string | null> {
  const repository = api.getRepository(uri);
  if (!repository) return '';
  const { workingTreeChanges, untrackedChanges = [] } = repository.state;
  const isNew = [...workingTreeChanges, ...untrackedChanges].some(
    change => change.status === untracked && change.uri.toString() === uri.toString(),
  );
  if (isNew && !staged) return null;
  return staged ? repository.diffIndexWithHEAD(uri.fsPath) : repository.diffWithHEAD(uri.fsPath);
}
