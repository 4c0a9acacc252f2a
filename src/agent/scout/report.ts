// What the scout says: what it is, and what it found for the words of a question. Pure. Promises: the same words for the same
// files and question; what a file holds cannot end the block that shows it.

import type { FileHit, FileSearch } from '../../core/ports.ts';
import { textOf, type Message } from '../../model/message.ts';

const mostFiles = 6;
const mostQuotes = 3;

/** What it can do here, with these tools. */
export function introduction(tools: readonly string[]): string {
  const has = (tool: string) => tools.includes(tool);
  return [
    'I am the offline scout. I am **not an AI**: I look for the words of your question in ',
    has('look_for_words')
      ? 'the files of this folder and in this conversation.\n'
      : 'this conversation (no folder is open).\n',
    '\nAsk with words that would stand in the text, for example:\n\n',
    '- `where is the retry limit`\n',
    '- `"connection refused"` (in quotes: exactly these words)\n',
    has('read_file') ? '- `read src/main.ts` shows a file\n' : '',
    has('list_files') ? '- `list src` lists the files of a folder\n' : '',
    has('search_history') ? '- `history: words` looks for words in all your sessions\n' : '',
    has('write_file')
      ? '- `write notes.md` with the text below it writes a file; `replace "old" with "new" in notes.md` changes one\n'
      : '',
    '\nTo talk to an AI, connect a model with “Throughline: Connect a Model…” (OpenAI, Anthropic, OpenRouter, Ollama, ',
    'LM Studio, vLLM and others), or choose another agent with “Throughline: Select Agent…”.\n',
  ].join('');
}

export function searchSummary({ hits, filesRead, cutShort }: FileSearch): string {
  const lines = hits.reduce((sum, hit) => sum + hit.count, 0);
  const more = cutShort ? ', and there are more files than I read' : '';
  return `${count(lines, 'line')} in ${count(hits.length, 'file')}; ${count(filesRead, 'file')} read${more}`;
}

export function report(
  terms: readonly string[],
  found: FileSearch | null,
  said: readonly string[],
  first: boolean,
): string {
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
export function worthShowing(hits: readonly FileHit[]): readonly FileHit[] {
  return hits.filter(hit => hit.weight >= 0.4).slice(0, mostFiles);
}

function fileSection({ name, lines, count: matching }: FileHit): string {
  if (lines.length === 0) return `\n${inlineCode(name)}: the name matches\n`;
  const body = lines.map(({ line, text }) => `${String(line).padStart(4)}  ${text}`).join('\n');
  const rest = matching > lines.length ? `, the best ${lines.length} of ${matching} lines` : '';
  return `\n${inlineCode(name)}${rest}\n\n${fenced(name, body)}\n`;
}

/** As a block of code that nothing in it can end. */
export function fenced(name: string, body: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  const language = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? '';
  return `${fence}${language}\n${body}\n${fence}`;
}

/** What others said; the scout's own reports would only echo. */
export function quotesOf(path: readonly Message[], terms: readonly string[]): readonly string[] {
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

export function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}
