// The offline scout: not an AI, and it says so. It looks for the words of a question in the files of the folder and in
// the conversation so far, and shows where they stand. Promises: it works without keys and network, reads only, gives
// the same answer for the same files and question, and stops within one step when it is cancelled.

import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { FileHit, Files, FileSearch } from '../core/ports.ts';
import { textOf, type Message } from '../model/message.ts';
import { termsOf } from './terms.ts';

export interface Question {
  readonly text: string;
  readonly folder: string;
  /** The conversation before this question. */
  readonly path: readonly Message[];
  readonly signal: AbortSignal;
}

/** Milliseconds: long enough for the panel to draw between lines, too short to wait for. */
const linePause = 5;
const mostFiles = 6;
const mostQuotes = 3;

export async function* scout(question: Question, files: Files): AsyncGenerator<SessionUpdate> {
  const terms = termsOf(question.text);
  if (terms.length === 0) {
    yield* say(introduction(question.folder));
    return;
  }
  const said = quotesOf(question.path, terms);
  let found: FileSearch | null = null;
  if (question.folder !== '') {
    const toolCallId = `search-${question.path.length}`;
    const title = `Search for ${terms.map(term => `“${term}”`).join(', ')}`;
    yield { sessionUpdate: 'tool_call', toolCallId, title, kind: 'search', status: 'in_progress', rawInput: { terms } };
    found = await files.search(question.folder, terms, question.signal);
    yield {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      locations: worthShowing(found.hits).map(hit => ({ path: hit.path, line: hit.lines[0]?.line ?? 1 })),
      content: [{ type: 'content', content: { type: 'text', text: searchSummary(found) } }],
    };
  }
  yield* say(report(terms, found, said, question.path.length === 0));
}

/** A chunk a line, so that an answer grows like any agent's and can be stopped in the middle. */
async function* say(text: string): AsyncGenerator<SessionUpdate> {
  for (const line of text.split(/(?<=\n)/)) {
    yield { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: line } };
    await new Promise<void>(resolve => setTimeout(resolve, linePause));
  }
}

function introduction(folder: string): string {
  return [
    'I am the offline scout. I am **not an AI**: I look for the words of your question in ',
    folder === '' ? 'this conversation (no folder is open).\n' : 'the files of this folder and in this conversation.\n',
    '\nAsk with words that would stand in the text, for example:\n\n',
    '- `where is the retry limit`\n',
    '- `"connection refused"` (in quotes: exactly these words)\n',
  ].join('');
}

function searchSummary({ hits, filesRead, cutShort }: FileSearch): string {
  const lines = hits.reduce((sum, hit) => sum + hit.count, 0);
  const more = cutShort ? ', and there are more files than I read' : '';
  return `${count(lines, 'line')} in ${count(hits.length, 'file')}; ${count(filesRead, 'file')} read${more}`;
}

function report(terms: readonly string[], found: FileSearch | null, said: readonly string[], first: boolean): string {
  const words = terms.map(term => inlineCode(term)).join(', ');
  const parts: string[] = [];
  if (found && found.hits.length > 0) {
    const shown = worthShowing(found.hits);
    const more = found.hits.length - shown.length;
    parts.push(`${count(found.hits.length, 'file')} ${found.hits.length === 1 ? 'matches' : 'match'} ${words}.\n`);
    for (const hit of shown) parts.push(fileSection(hit));
    if (more > 0) parts.push(`\nAnd ${count(more, 'file')} more, with less of it.\n`);
  } else if (found) {
    parts.push(`Nothing in ${count(found.filesRead, 'file')} matches ${words}.\n`);
  }
  if (said.length > 0)
    parts.push(`\nEarlier in this conversation:\n\n${said.map(line => `> ${line}\n>\n`).join('')}\n`);
  if (!found && said.length === 0)
    parts.push(`Nothing in this conversation matches ${words}, and no folder is open.\n`);
  if (first) parts.push('\n*I match words; I do not understand them.*\n');
  return parts.join('');
}

/** Not every file that has one common word of the question. */
function worthShowing(hits: readonly FileHit[]): readonly FileHit[] {
  return hits.filter(hit => hit.weight >= 0.4).slice(0, mostFiles);
}

function fileSection({ name, lines, count: matching }: FileHit): string {
  if (lines.length === 0) return `\n${inlineCode(name)}: the name matches\n`;
  const body = lines.map(({ line, text }) => `${String(line).padStart(4)}  ${text}`).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  const language = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? '';
  const rest = matching > lines.length ? `, the best ${lines.length} of ${matching} lines` : '';
  return `\n${inlineCode(name)}${rest}\n\n${fence}${language}\n${body}\n${fence}\n`;
}

/** What others said; the scout's own reports would only echo. */
function quotesOf(path: readonly Message[], terms: readonly string[]): readonly string[] {
  const quotes: string[] = [];
  for (const message of path.toReversed()) {
    if (message.agent?.id === 'scout') continue;
    for (const line of textOf(message).split('\n')) {
      const lower = line.toLowerCase();
      if (quotes.length < mostQuotes && terms.some(term => lower.includes(term)))
        quotes.push(line.trim().slice(0, 240));
    }
  }
  return quotes;
}

function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}
