// What a permission would allow, drawn whole: nothing is cut, nothing runs out of its box, and what is long says how long.
// Without JSX, so that a test can read what is drawn.

import { h, type ComponentChild } from 'preact';
import type { Permission } from '../../model/agentState.ts';
import { extentOf, partsOf, type WholeLine, type WholeOutput } from '../../model/permissionParts.ts';
import type { PermissionFit } from '../../model/permissionSize.ts';
import { cautionWords } from './review.ts';

/** Of what is too long for a panel only the warning: the rest is read in an editor. */
export function asked(permission: Permission, fit: PermissionFit): ComponentChild[] {
  const caution = cautionWords(permission);
  const warning = caution === null ? [] : [h('div', { class: 'caution', key: 'caution' }, caution)];
  if (fit !== 'panel') return warning;
  const { places, command, circumstances, outputs, input, hasMore } = partsOf(permission);
  return [
    ...warning,
    ...(places.length === 0 ? [] : [listOf('Files', places)]),
    ...(command === null ? [] : textOf(command, 'Command', 'asked')),
    ...(circumstances.length === 0 ? [] : [listOf('How it runs', circumstances)]),
    ...outputs.flatMap((output, at) => (output.kind === 'text' ? textOf(output.text, 'Text') : [diffOf(output, at)])),
    ...(input === null ? [] : [inputOf(input, command === null ? 'Input' : 'All of the input', hasMore)]),
  ];
}

function listOf(name: string, lines: readonly string[]): ComponentChild {
  const rows = lines.map((line, at) => h('li', { key: at }, line));
  return h('ul', { class: 'places', key: name, 'aria-label': name, tabIndex: lines.length > 5 ? 0 : undefined }, rows);
}

function textOf(text: string, name: string, look?: string): ComponentChild[] {
  const extent = extentOf(text);
  const label = extent === null ? name : `${name}, ${extent}`;
  return [
    h('pre', { class: look, tabIndex: 0, 'aria-label': label }, text),
    extent !== null && h('div', { class: 'extent' }, extent),
  ];
}

function inputOf(input: string, name: string, isOpen: boolean): ComponentChild {
  return h('details', { class: 'rest', key: 'input', open: isOpen }, h('summary', null, name), textOf(input, name));
}

type Diff = Extract<WholeOutput, { readonly kind: 'diff' }>;

function diffOf({ path, lines, extent }: Diff, at: number): ComponentChild {
  return h(
    'div',
    { class: 'codeBlock', key: at },
    h(
      'div',
      { class: 'codeHead' },
      h('span', { class: 'codeLanguage' }, path),
      h('span', { class: 'changed' }, extent),
    ),
    h('pre', { tabIndex: 0, 'aria-label': `${path}, ${extent}` }, stretchesOf(lines).map(drawn)),
  );
}

const marks = { same: ' ', added: '+', removed: '−' };
/** Lines around a change that are always in view. */
const around = 3;

/** Lines in view, or those that did not change, which are folded. */
interface Stretch {
  readonly isFolded: boolean;
  readonly lines: readonly WholeLine[];
}

function stretchesOf(lines: readonly WholeLine[]): readonly Stretch[] {
  const first = lines.findIndex(({ kind }) => kind !== 'same');
  const last = lines.findLastIndex(({ kind }) => kind !== 'same');
  // A few lines more take no more room than to say that they are folded.
  const before = first - around > around ? first - around : 0;
  const from = first === -1 ? lines.length : before;
  const after = last + 1 + around < lines.length - around ? last + 1 + around : lines.length;
  const to = last === -1 ? lines.length : after;
  const stretches = [
    { isFolded: true, lines: lines.slice(0, from) },
    { isFolded: false, lines: lines.slice(from, to) },
    { isFolded: true, lines: lines.slice(to) },
  ];
  return stretches.filter(stretch => stretch.lines.length > 0);
}

function drawn({ isFolded, lines }: Stretch, at: number): ComponentChild {
  const rows = lines.map(({ kind, text }, row) => h('div', { key: row, class: kind }, `${marks[kind]} ${text}`));
  if (!isFolded) return rows;
  const words = `${lines.length.toLocaleString()} unchanged ${lines.length === 1 ? 'line' : 'lines'}`;
  return h('details', { key: at, class: 'unchanged' }, h('summary', null, words), rows);
}
