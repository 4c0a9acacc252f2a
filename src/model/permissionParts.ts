// Everything that a permission would allow, as texts in which nothing is hidden or left out: for the panel, and for the
// document that is opened where the panel is too small.

import type { Permission } from './agentState.ts';
import { exactLine, exactText } from './exactText.ts';
import type { Json } from './message.ts';

export interface WholeLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

export type WholeOutput =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'diff';
      readonly path: string;
      /** All of both texts. */
      readonly lines: readonly WholeLine[];
      /** How much changes, in words. */
      readonly extent: string;
    };

export interface PermissionParts {
  /** Files, but for those that the title or a change names. */
  readonly places: readonly string[];
  /** With its arguments. */
  readonly command: string | null;
  /** Where it would run, with which environment, and what else the input says in a few words, one line each. */
  readonly circumstances: readonly string[];
  readonly outputs: readonly WholeOutput[];
  /** The raw input; null where there is none. */
  readonly input: string | null;
  /** The raw input says something that stands nowhere else. */
  readonly hasMore: boolean;
}

export function partsOf({ title, locations, input, output }: Permission): PermissionParts {
  const run = runIn(input);
  const outputs = output.map(wholeOutput);
  const changed = new Set(outputs.flatMap(one => (one.kind === 'diff' ? [one.path] : [])));
  const places = locations
    .filter(({ path }) => !changed.has(exactLine(path)))
    .map(({ path, line }) => exactLine(line === undefined ? path : `${path}:${line}`))
    .filter(place => !exactLine(title).includes(place));
  const elsewhere = new Set<Json>([title, ...locations.map(({ path }) => path), ...output.flatMap(textsIn)]);
  return {
    places,
    command: run.command,
    circumstances: run.circumstances,
    outputs,
    input: input === undefined ? null : exactText(typeof input === 'string' ? input : JSON.stringify(input, null, 2)),
    hasMore: input !== undefined && !isShown(input, run.fields, elsewhere),
  };
}

/** As a text to read in an editor. Every line says by its beginning what it is, and none is too long to be drawn. */
export function permissionDocument(permission: Permission): string {
  const { places, command, circumstances, outputs, input } = partsOf(permission);
  const plain = (name: string, text: string) => [
    ...heading(name),
    ...text.split('\n').flatMap(line => rows('  ', line)),
    '',
  ];
  const parts = [
    ...plain('Permission', exactText(permission.title)),
    ...(places.length > 0 ? plain('Files', places.join('\n')) : []),
    ...(command === null ? [] : plain('Command', command)),
    ...(circumstances.length === 0 ? [] : plain('Runs', circumstances.join('\n'))),
    ...outputs.flatMap(output => {
      if (output.kind === 'text') return plain('Text', output.text);
      const lines = output.lines.flatMap(({ kind, text }) => rows(marks[kind], text));
      return [...heading(`${output.path} (${output.extent})`), ...lines, ''];
    }),
    ...(input === null ? [] : plain('Input', input)),
  ];
  return `${parts.join('\n')}\n`;
}

/** Of what is longer than its box; null where all of it is seen at once. */
export function extentOf(text: string): string | null {
  const lines = text.split('\n').length;
  if (lines <= 6 && text.length <= 300) return null;
  const [wide, high] = [text.length.toLocaleString(), lines.toLocaleString()];
  return lines === 1 ? `${wide} characters` : `${high} lines, ${wide} characters`;
}

const marks = { same: '  ', added: '+ ', removed: '- ' };
/** An editor wraps no line by itself, and draws no very long one to its end. */
const longestRow = 120;

/** As the head of a part of a patch, which an editor colors. */
function heading(name: string): readonly string[] {
  return [...rows('@@ ', name), ''];
}

function rows(mark: string, text: string): readonly string[] {
  if (text.length <= longestRow) return [mark + text];
  const found: string[] = [];
  const letters = Array.from(text);
  for (let at = 0; at < letters.length; at += longestRow)
    found.push(`${at === 0 ? mark : `${mark.trimEnd()}↪`.padStart(2)}${letters.slice(at, at + longestRow).join('')}`);
  return found;
}

interface Run {
  readonly command: string | null;
  readonly circumstances: readonly string[];
  /** The fields of the input that are in it. */
  readonly fields: ReadonlySet<string>;
}

const noRun: Run = { command: null, circumstances: [], fields: new Set() };
const folderFields = ['cwd', 'workdir', 'workingDirectory', 'working_directory'];
/** They say nothing about what would be done. */
const describing: ReadonlySet<string> = new Set(['description', 'timeout', 'title']);

/** What would be run, where the input says so in a way that many agents share. */
function runIn(input: Json | undefined): Run {
  const given = fieldsOf(input);
  const { command, args, env } = given;
  const fields = new Set<string>();
  const list = textsOf(args);
  let line: string;
  if (typeof command === 'string' && command !== '') {
    line = list === null || list.length === 0 ? command : [command, ...list].map(quoted).join(' ');
    if (list !== null) fields.add('args');
  } else {
    const parts = textsOf(command);
    if (parts === null || parts.length === 0) return noRun;
    line = parts.map(quoted).join(' ');
  }
  fields.add('command');
  const folders = folderFields.flatMap(name => {
    const folder = given[name];
    return typeof folder === 'string' ? [[name, folder] as const] : [];
  });
  const variables = variablesIn(env);
  for (const [name] of folders) fields.add(name);
  if (variables !== null) fields.add('env');
  const others = Object.entries(given).filter(
    ([name, value]) => !fields.has(name) && !describing.has(name) && isShort(value),
  );
  for (const [name] of others) fields.add(name);
  const circumstances = [
    ...folders.map(([, folder]) => `in ${exactLine(quoted(folder))}`),
    ...(variables ?? []).map(([name, value]) => `with ${exactLine(quoted(name))}=${exactLine(quoted(value))}`),
    ...others.map(([name, value]) => `${exactLine(quoted(name))}: ${exactLine(JSON.stringify(value))}`),
  ];
  return { command: exactText(line), circumstances, fields };
}

/** It can be read on a line of its own. */
function isShort(value: Json): boolean {
  return typeof value === 'string' ? value.length <= 200 : typeof value !== 'object' || value === null;
}

/** A word is its own text where no shell would read it as anything else; else it is written as JSON. */
function quoted(part: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(part) ? part : JSON.stringify(part);
}

/** As an object, or as ACP has it, a list of names and values; null where it is anything else. */
function variablesIn(env: Json | undefined): readonly (readonly [string, string])[] | null {
  if (env === undefined || env === null) return null;
  const pairs = Array.isArray(env)
    ? (env as readonly Json[]).map(one => [fieldsOf(one)['name'], fieldsOf(one)['value']] as const)
    : Object.entries(fieldsOf(env));
  const texts = pairs.flatMap(([name, value]) =>
    typeof name === 'string' && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return texts.length === pairs.length && typeof env === 'object' ? texts : null;
}

function isShown(input: Json, fields: ReadonlySet<string>, elsewhere: ReadonlySet<Json>): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return elsewhere.has(input);
  return Object.entries(input).every(
    ([name, value]) =>
      fields.has(name) || elsewhere.has(value as Json) || (describing.has(name) && typeof value !== 'object'),
  );
}

function wholeOutput(value: Json): WholeOutput {
  const { type, path, oldText, newText } = fieldsOf(value);
  if (type === 'diff' && typeof path === 'string' && typeof newText === 'string')
    return wholeDiff(path, typeof oldText === 'string' ? oldText : null, newText);
  const text = textIn(value);
  return {
    kind: 'text',
    text: exactText(text ?? (typeof value === 'string' ? value : JSON.stringify(value, null, 2))),
  };
}

/** One changed stretch with everything around it. Linear, so that it may run while the panel is drawn. */
function wholeDiff(path: string, before: string | null, after: string): WholeOutput {
  const old = linesOf(exactText(before ?? ''));
  const now = linesOf(exactText(after));
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const lines = [
    ...now.slice(0, head).map(text => ({ kind: 'same', text }) as const),
    ...old.slice(head, old.length - tail).map(text => ({ kind: 'removed', text }) as const),
    ...now.slice(head, now.length - tail).map(text => ({ kind: 'added', text }) as const),
    ...now.slice(now.length - tail).map(text => ({ kind: 'same', text }) as const),
  ];
  return { kind: 'diff', path: exactLine(path), lines, extent: extentOfChange(before, after, lines) };
}

function extentOfChange(before: string | null, after: string, lines: readonly WholeLine[]): string {
  const count = (kind: WholeLine['kind']) => lines.filter(line => line.kind === kind).length;
  const [added, removed] = [count('added'), count('removed')];
  const words = (number: number) => `${number.toLocaleString()} ${number === 1 ? 'line' : 'lines'}`;
  // What is there now, only the disk knows.
  if (before === null) return `${words(added)}, the whole new content`;
  if (added + removed > 0) return `${words(added)} added, ${removed.toLocaleString()} removed`;
  return before === after ? 'no change' : 'only line ends change';
}

/** The texts of an output that are shown as they are. */
function textsIn(value: Json): readonly Json[] {
  const { type, path, oldText, newText } = fieldsOf(value);
  const isDiff = type === 'diff' && typeof path === 'string' && typeof newText === 'string';
  return isDiff ? [path, newText, ...(typeof oldText === 'string' ? [oldText] : [])] : [textIn(value) ?? value];
}

function textIn(value: Json): string | null {
  const { type, content, text } = fieldsOf(value);
  const inside = type === 'content' ? fieldsOf(content) : fieldsOf(value);
  if (type !== 'content' && typeof text !== 'string') return null;
  return inside['type'] === 'text' && typeof inside['text'] === 'string' ? inside['text'] : null;
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function textsOf(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const list = value as readonly Json[];
  return list.every(part => typeof part === 'string') ? list : null;
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {};
}
