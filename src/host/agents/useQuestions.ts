// What a person is asked before an entry of a remote's settings is used, and before a secret goes somewhere new. Pure.
// Promises: everything that decides what runs, where it goes and what it gets is in the question, and nothing is asked that
// can't be shown whole; a value of a secret is in no question.

import type { Question } from '../notify/messages.ts';
import { exactLength } from '../notify/outsideText.ts';
import { typedAs } from './adding/commandWords.ts';
import { shownDestination, type SecretDestination } from './secretDestination.ts';
import type { SecretQuestion } from './secrets.ts';
import { secretsOf, valuesOf, type EntryKind, type SettingsEntry, type WrittenValue } from './settingsEntry.ts';

/** What fits into a dialog of every system. */
const mostCharacters = 3000;
const mostLines = 40;
/** Destinations from before, the newest. */
const mostGiven = 3;

const titles: { readonly [kind in EntryKind]: string } = {
  agent: 'Use this agent?',
  model: 'Use this model server?',
  mcpServer: 'Use this MCP server?',
};

const why =
  'The settings of this remote may come from a file in the container or repository, and not from you. You’re asked again when this entry changes.';

/** Null where it can't be shown whole. */
export function entryQuestion(
  entry: SettingsEntry,
  givenFor: (secret: string) => readonly SecretDestination[],
): Question<'Use' | 'Don’t Use'> | null {
  const detail = [
    `Name: ${entry.name}`,
    ...reached(entry),
    ...valuesOf(entry).map(shownValue),
    ...secretsOf(entry).map(name => `Gets the secret “${name}”. ${givenWords(givenFor(name))}`),
  ];
  if (!fits(detail)) return null;
  return {
    severity: 'warning',
    text: titles[entry.kind],
    detail: [...detail, '', why],
    buttons: ['Use', 'Don’t Use'],
  };
}

/** Null where it can't be shown whole. */
export function secretQuestion({ name, givenFor, to }: SecretQuestion): Question<'Use'> | null {
  const target = to.kind === 'origin' ? to.origin : 'this program';
  const verb = to.kind === 'origin' ? 'Send' : 'Give';
  const detail = [
    givenWords(givenFor),
    to.kind === 'origin'
      ? `Now it would be sent to: ${to.origin}`
      : `Now it would be given to: ${shownDestination(to)}`,
  ];
  if (!fits(detail)) return null;
  const text = `${verb} the secret “${name}” to ${target}?`;
  return { severity: 'warning', text, detail: [...detail, '', 'Your settings name it there.'], buttons: ['Use'] };
}

function reached({ kind, value }: SettingsEntry): readonly string[] {
  switch (kind) {
    case 'agent':
      return [runs(value)];
    case 'model': {
      return [...address(value.url), ...modelsIn(value.models.map(({ id }) => id))];
    }
    case 'mcpServer':
      return value.kind === 'stdio' ? [runs(value)] : address(value.url);
  }
}

function runs({ command, args }: { readonly command: string; readonly args: readonly string[] }): string {
  return `Runs: ${typedAs(command, args)}`;
}

/** All of them go to the same server, so the first are enough. */
function modelsIn(ids: readonly string[]): readonly string[] {
  const more = ids.length > 10 ? ` and ${ids.length - 10} more` : '';
  return ids.length === 0 ? [] : [`Models: ${ids.slice(0, 10).join(', ')}${more}`];
}

/** The origin as well: there a name in other letters than it seems has its real spelling. */
function address(url: string): readonly string[] {
  return [`Address: ${url}`, `Server: ${new URL(url).origin}`];
}

function shownValue({ of, name, text }: WrittenValue): string {
  switch (of) {
    case 'variable':
      return `Variable: ${name}=${text}`;
    case 'header':
      return `Header: ${name}: ${text}`;
    case 'key':
      return `Key: ${text}`;
  }
}

function givenWords(givenFor: readonly SecretDestination[]): string {
  if (givenFor.length === 0) return 'You haven’t given it to anything yet.';
  const last = givenFor.slice(-mostGiven).map(to => cut(shownDestination(to)));
  const more = givenFor.length > mostGiven ? ` and ${givenFor.length - mostGiven} more` : '';
  return `You gave it for: ${last.join('; ')}${more}`;
}

/** Of what was agreed to before, the beginning is enough. */
function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function fits(detail: readonly string[]): boolean {
  if (detail.length > mostLines) return false;
  return detail.reduce((length, line) => length + exactLength(line), 0) <= mostCharacters;
}
