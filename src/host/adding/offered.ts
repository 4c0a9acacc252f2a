// What is offered after `@` besides files: what is selected, problems, past sessions. Promises: what a person would be
// asked about is not among it; the session itself is not; of a past session only its title is read before it is sent.

import type { Uri } from 'vscode';
import type { SessionSummary } from '../../core/history/history.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { SessionId } from '../../model/message.ts';
import type { Guard } from '../../node/files/guard.ts';
import type { CompletionListPorts } from '../files/completionList.ts';
import type { Offered } from '../files/completions.ts';
import { once } from '../once.ts';
import { relativeTime } from '../sessions/sessionAge.ts';
import { titleWords } from '../sessions/sessionRows.ts';
import { sessionOf, tooMuch } from './chosenText.ts';
import { allProblems, editorInUse, selectedIn } from './inEditor.ts';
import { doubtAbout } from './mayBeAdded.ts';

export interface OfferedPorts {
  readonly guard: Guard;
  /** The same list as before where nothing changed. */
  readonly sessions: () => Promise<readonly SessionSummary[]>;
  readonly now: () => number;
}

const mostProblems = 50;

export function offeredIn({ guard, sessions, now }: OfferedPorts): CompletionListPorts['offered'] {
  const isFree = async (uri: Uri) => (await doubtAbout(uri, guard)) === null;
  const selected = async (): Promise<readonly Offered[]> => {
    const editor = editorInUse();
    if (!editor || !(await isFree(editor.document.uri))) return [];
    const fitting = selectedIn(editor).filter(({ name = '', text = '' }) => tooMuch(name, text) === null);
    return fitting.map(block => ({ block, more: 'selected in the editor' }));
  };
  const problems = async (): Promise<readonly Offered[]> => {
    const found = allProblems(mostProblems);
    const uris = new Map(found.map(({ uri }) => [uri.toString(), uri]));
    const free = new Map(await Promise.all([...uris].map(async ([key, uri]) => [key, await isFree(uri)] as const)));
    return found
      .filter(({ uri }) => free.get(uri.toString()))
      .map(({ block, problem }) => ({ block, more: problem.message.split('\n')[0] ?? '' }));
  };
  const past = (listed: readonly SessionSummary[], current: SessionId): readonly Offered[] => {
    // What is said in an incognito session stays out of those that are kept.
    const isShut = (id: SessionId) => id === current || (isIncognito(id) && !isIncognito(current));
    const said = listed.filter(({ id, trashed, messages }) => !isShut(id) && !trashed && messages > 0);
    return said.map(summary => ({
      block: sessionOf(summary.id, titleWords(summary)),
      more: `session · ${relativeTime(summary.active, now())}`,
    }));
  };
  return session => {
    const inEditor = once(async () => (await Promise.all([selected(), problems()])).flat());
    let listed: readonly SessionSummary[] = [];
    let before: readonly Offered[] = [];
    return async () => {
      const [here, all] = await Promise.all([inEditor(), sessions()]);
      if (all !== listed) [listed, before] = [all, past(all, session)];
      return [...here, ...before];
    };
  };
}
