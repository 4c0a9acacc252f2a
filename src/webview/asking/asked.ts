// What a permission would allow, drawn whole: nothing is cut, nothing runs out of its box, and what is long says how long.
// Without JSX, so that a test can read what is drawn.

import { h, type ComponentChild, type FunctionComponent } from 'preact';
import type { Permission } from '../../model/agentState.ts';
import { exactLine } from '../../model/exactText.ts';
import { extentOf, partsOf, type WholeLine, type WholeOutput } from '../../model/permissionParts.ts';
import type { PermissionFit } from '../../model/permissionSize.ts';
import { cautionWords } from './review.ts';

/** Of the names of files, where the rest is in an editor. */
const longestFiles = 2000;

/** What `Fold` draws. */
export interface Folding {
  readonly line: ComponentChild;
  readonly inside: () => ComponentChild;
  readonly opens: boolean;
}

/** Of what is too long for a panel only the warning and the files: the rest is read in an editor. */
export function asked(permission: Permission, fit: PermissionFit, fold: FunctionComponent<Folding>): ComponentChild[] {
  const caution = cautionWords(permission);
  const warning = caution === null ? [] : [h('div', { class: 'caution', key: 'caution' }, caution)];
  if (fit !== 'panel') {
    const files = permission.locations.map(({ path }) => exactLine(path));
    const isShort = files.length > 0 && files.join('').length <= longestFiles;
    return isShort ? [...warning, listOf('Files', files)] : warning;
  }
  const { places, command, circumstances, outputs, input, hasMore } = partsOf(permission);
  return [
    ...warning,
    ...(places.length === 0 ? [] : [listOf('Files', places)]),
    ...(command === null ? [] : textOf(command, 'Command', 'asked')),
    ...(circumstances.length === 0 ? [] : [listOf('How it runs', circumstances)]),
    ...outputs.flatMap((output, at) => (output.kind === 'text' ? textOf(output.text, 'Text') : [diffOf(output, at)])),
    ...(input === null ? [] : [h(fold, { key: 'input', ...inputOf(input, command !== null, hasMore) })]),
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

function inputOf(input: string, isRest: boolean, opens: boolean): Folding {
  const name = isRest ? 'All of the input' : 'Input';
  return { line: h('span', { class: 'lineWords' }, name), inside: () => textOf(input, name), opens };
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
