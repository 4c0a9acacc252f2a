// The sessions that the scripted agent keeps: files in the folder SCRIPTED_HOME, so that they outlive it, and SIGKILL;
// without one they are in its memory.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, option, Refusal, word, type Params, type Value } from './flags.ts';

export interface Saved {
  readonly id: string;
  readonly cwd: string;
  /** The folders beside it, as they came. */
  readonly also?: Value;
  readonly created: number;
  readonly messages: readonly { readonly role: 'user' | 'agent'; readonly texts: readonly string[] }[];
}

const memory = new Map<string, Saved>();

function file(id: string): string {
  return join(home ?? '', `${id}.json`);
}

export function read(id: string): Saved | undefined {
  if (!home) return memory.get(id);
  return existsSync(file(id)) ? (JSON.parse(readFileSync(file(id), 'utf8')) as Saved) : undefined;
}

export function save(session: Saved): void {
  if (!home) return void memory.set(session.id, session);
  mkdirSync(home, { recursive: true });
  writeFileSync(file(session.id), JSON.stringify(session));
}

export function known(id: Value | undefined): Saved {
  const found = typeof id === 'string' ? read(id) : undefined;
  if (!found) throw new Refusal(Number(option('gone') ?? -32002), 'Resource not found', { sessionId: id });
  return found;
}

/** By pages, where `--page` says how many are on one; those have entries between them that are broken. */
export function list({ cwd, cursor }: Params): object {
  const ids = home ? readdirSync(home).map(name => name.slice(0, -5)) : [...memory.keys()];
  const all = ids
    .map(known)
    .filter(session => cwd === undefined || session.cwd === cwd)
    .toSorted((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
  const page = Number(option('page') ?? all.length);
  const from = Number(word(cursor) || 0);
  const sessions = all.slice(from, from + page).map(({ id, cwd: folder, created }, at) => ({
    sessionId: id,
    cwd: folder,
    title: at === 0 ? `About ${id}` : null,
    updatedAt: at === 0 ? new Date(created).toISOString() : 'yesterday',
  }));
  if (option('page') === undefined) return { sessions };
  const broken = [null, 'x', { sessionId: 7, cwd: '/' }, { sessionId: 'no folder' }];
  return { sessions: [...broken, ...sessions], nextCursor: from + page < all.length ? String(from + page) : null };
}

export function remove(id: Value | undefined): object {
  const { id: found } = known(id);
  if (home) rmSync(file(found));
  memory.delete(found);
  return {};
}
