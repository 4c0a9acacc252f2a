// The files that a turn changed, in VS Code's own diff editor: what was there on the left, what the turn left on the
// right. Promises: both sides are read-only documents made from the history; the right one is the file itself, which can
// be edited, while it still is what the turn left and lies in the workspace; nothing is written here.

import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import { statesOf, type FileChange, type FileState } from '../../model/changes.ts';
import type { BlobRef, MessageId, SessionId } from '../../model/message.ts';
import { schemes } from '../contributed.ts';
import { stateAt, textOfState, type Side } from './changeSide.ts';
import { showChanges, showDiff } from '../notify/titles.ts';

export interface ChangesViewPorts {
  /** The changes of the turn that this message answers with; none where there is no such message. */
  readonly changes: (session: SessionId, message: MessageId) => Promise<readonly FileChange[]>;
  readonly bytes: (session: SessionId, ref: BlobRef) => Promise<Uint8Array>;
}

export interface OpenedChanges {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly changes: readonly FileChange[];
}

export class ChangesView implements TextDocumentContentProvider {
  private readonly ports: ChangesViewPorts;

  constructor(ports: ChangesViewPorts) {
    this.ports = ports;
  }

  /** One as a diff, more in one list. */
  async open({ session, message, changes }: OpenedChanges): Promise<void> {
    const [only] = changes;
    if (only && changes.length === 1) await this.openChange(session, message, only);
    else await this.openAll(session, message, changes);
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const named = parse(uri);
    if (!named) return 'This address does not name a change.';
    const { session, message, side, is } = named;
    try {
      const changes = await this.ports.changes(session, message);
      const state = changes
        .filter(({ path }) => endings.some(ending => Uri.file(path + ending).path === uri.path))
        .map(change => stateAt(change, side))
        .find(one => nameOf(one) === is);
      if (!state) return 'This change is not in the history any more.';
      return (await this.text(session, state)).text;
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause);
    }
  }

  private async openChange(session: SessionId, message: MessageId, change: FileChange): Promise<void> {
    const [before, after] = await this.sides(session, message, change);
    await showDiff(before, after, `${basename(change.path)} (what the turn changed)`);
  }

  private async openAll(session: SessionId, message: MessageId, changes: readonly FileChange[]): Promise<void> {
    const rows = await Promise.all(
      changes.map(async change => [Uri.file(change.path), ...(await this.sides(session, message, change))] as const),
    );
    await showChanges(`${changes.length} files (what the turn changed)`, rows);
  }

  private async sides(session: SessionId, message: MessageId, change: FileChange): Promise<readonly [Uri, Uri]> {
    const { path } = change;
    const { before, after } = statesOf(change);
    const here = await fileStill(path, after);
    const [left, right] = await Promise.all([this.text(session, before), this.text(session, after)]);
    const address = (side: Side, isText: boolean) =>
      addressOf({ session, message, side, is: nameOf(stateAt(change, side)) }, path, isText);
    // The empty side of a picture must not be opened as a picture.
    const isLeftText = before.kind === 'absent' ? right.isFile : left.isFile;
    const isRightText = after.kind === 'absent' ? left.isFile : right.isFile;
    return [address('before', isLeftText), right.isFile && here ? here : address('after', isRightText)];
  }

  private text(session: SessionId, state: FileState) {
    return textOfState(state, ref => this.ports.bytes(session, ref));
  }
}

/** Which text a document of ours has. Each state of a file has its own, for VS Code keeps what it was once given. */
interface Named {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly side: Side;
  readonly is: string;
}

/** A sentence about a file is plain text; a notebook that is not on the disk cannot be opened as one. */
const endings = ['', '.txt', '.json'] as const;

/** The path is the file's, so that the document has its language. */
function addressOf({ session, message, side, is }: Named, path: string, isText: boolean): Uri {
  const ending: (typeof endings)[number] = !isText ? '.txt' : /\.ipynb$/i.test(path) ? '.json' : '';
  const query = new URLSearchParams({ session, message, side, is }).toString();
  return Uri.file(path + ending).with({ scheme: schemes.change, query });
}

function parse({ query }: Uri): Named | null {
  const fields = new URLSearchParams(query);
  const [session, message, side, is] = ['session', 'message', 'side', 'is'].map(name => fields.get(name) ?? '');
  if (!session || !message || !is || (side !== 'before' && side !== 'after')) return null;
  return { session, message, side, is };
}

function nameOf(state: FileState): string {
  return state.kind === 'file' ? state.is.sha256 : state.kind;
}

/** The file as the workspace spells it, while it has the very bytes that the turn left. */
async function fileStill(path: string, after: FileState): Promise<Uri | null> {
  // A path of a foreign history may lead anywhere: outside of the workspace the disk is not even asked.
  const uri = after.kind === 'file' ? await inWorkspace(path) : null;
  if (!uri || after.kind !== 'file') return null;
  try {
    if ((await stat(path)).size !== after.is.size) return null;
    const hash = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    return hash === after.is.sha256 ? uri : null;
  } catch {
    // It is gone, or may not be read: then it is no longer what the turn left.
    return null;
  }
}

async function inWorkspace(path: string): Promise<Uri | null> {
  for (const { uri } of workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') continue;
    const real = await realpath(uri.fsPath).catch(() => uri.fsPath);
    const below = relative(real, path);
    if (below !== '' && !isAbsolute(below) && below.split(sep)[0] !== '..')
      return Uri.joinPath(uri, ...below.split(sep));
  }
  return null;
}
