// What the public history says, of everything that it has, and whether that is what its records say by a way that does
// not go through SQL. Promises: every message is asked for in a list, and paths to the head and to some other ends.

import type { StoredSession, TreeNode } from '../../src/core/history/history.ts';
import { Tree } from '../../src/core/history/tree.ts';
import type { Message } from '../../src/model/message.ts';
import type { JournalRecord } from '../../src/model/record.ts';
import { shuffled } from '../unit/support/random.ts';
import type { Audit } from './audit.ts';
import { openEngine } from './engine.ts';
import { note, type Findings } from './findings.ts';
import { stateOf } from './ledger.ts';

export interface View {
  readonly fromSnapshot: boolean;
  readonly sessions: readonly SessionView[];
}

interface SessionView {
  readonly session: StoredSession;
  readonly list: readonly Message[];
  readonly tree: readonly TreeNode[];
  /** To ends that the head does not lead to. */
  readonly paths: readonly (readonly Message[])[];
}

/** As a fresh window has it. The ends are chosen by the numbers, the same in each view of the same sessions. */
export async function viewOf(folder: string, random: () => number, findings: Findings): Promise<View> {
  const { history } = await openEngine(folder);
  try {
    const sessions: SessionView[] = [];
    const listed = await history.sessions();
    for (const { id } of listed.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const session = await history.open(id);
      if (!session) {
        note(findings, 'lost', `session ${id} is listed and cannot be opened`);
        continue;
      }
      const list = await history.list({ session: id, order: 'oldest' });
      const parents = new Set(list.map(message => message.parent));
      const ends = list.filter(message => !parents.has(message.id));
      const paths: (readonly Message[])[] = [];
      for (const end of shuffled(ends, random).slice(0, 4)) paths.push((await history.open(id, end.id))?.path ?? []);
      sessions.push({ session, list, tree: await history.tree(id), paths });
    }
    return { sessions, fromSnapshot: history.recovery.fromSnapshot };
  } finally {
    await history.close();
  }
}

export function checkView({ sessions }: View, expected: Audit, findings: Findings): void {
  const fields = fieldsOf(expected.inOrder);
  for (const [id, messages] of expected.messages) {
    const view = sessions.find(one => one.session.id === id);
    if (!view) {
      note(findings, 'lost', `session ${id}`);
      continue;
    }
    const { session, list, tree, paths } = view;
    const field = (name: string, of = '') => fields.get(`${id} ${name} ${of}`);
    checkSame(list, [...messages.values()], `the list of ${id}`, findings);
    if (session.messages !== messages.size)
      note(findings, 'lost', `${session.messages} of ${messages.size} messages of ${id}`);
    const trashed = [...messages.keys()].filter(message => field('trashed', message) === true);
    const rows = [...messages.values()].map(message => ({ ...message, label: message.label ?? null }));
    const headed = new Tree(rows, trashed);
    const head = headed.headFrom((field('head') ?? null) as string | null);
    const right = { head, title: field('title') ?? '', trashed: field('trashed') === true };
    for (const key of ['head', 'title', 'trashed'] as const)
      if (session[key] !== right[key])
        note(findings, 'corrupt', `${key} of ${id}: ${session[key]}, not ${JSON.stringify(right[key])}`);
    checkPath(session.path, head, messages, findings);
    for (const path of paths) checkPath(path, path.at(-1)?.id ?? null, messages, findings);
    for (const node of tree)
      for (const key of ['name', 'note'] as const)
        if (node[key] !== (field(key, node.id) ?? null))
          note(findings, 'corrupt', `${key} of message ${node.id}: ${node[key]}`);
    if (tree.length !== messages.size)
      note(findings, 'lost', `${tree.length} of ${messages.size} in the tree of ${id}`);
  }
}

function checkSame(given: readonly Message[], right: readonly Message[], where: string, findings: Findings): void {
  const states = new Map(right.map(message => [message.id, stateOf(message)]));
  const seen = new Set<string>();
  for (const message of given) {
    if (seen.has(message.id)) note(findings, 'doubled', `${message.id} in ${where}`);
    seen.add(message.id);
    if (states.get(message.id) !== stateOf(message)) note(findings, 'corrupt', `${message.id} in ${where}`);
  }
  for (const id of states.keys()) if (!seen.has(id)) note(findings, 'lost', `${id} in ${where}`);
}

type Messages = ReadonlyMap<string, Message>;

function checkPath(path: readonly Message[], end: string | null, messages: Messages, findings: Findings): void {
  const right: Message[] = [];
  for (let at = messages.get(end ?? ''); at; at = messages.get(at.parent ?? '')) right.unshift(at);
  if (path.map(({ id }) => id).join() !== right.map(({ id }) => id).join())
    note(findings, 'dangling', `path to ${end}: ${path.length} of ${right.length} messages`);
  checkSame(path, right, `the path to ${end}`, findings);
}

/** What was set last, by session, name and what it is of. */
function fieldsOf(inOrder: readonly JournalRecord[]): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const fact of inOrder.flatMap(record => record.facts))
    if (fact.type === 'set') fields.set(`${fact.session} ${fact.name} ${fact.of ?? ''}`, fact.value);
  return fields;
}
