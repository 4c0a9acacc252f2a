// "Search History": a list of its own over titles and everything that was said, on all branches. Promises: titles answer
// with the keystroke, what was said as soon as the engine has it; an answer to words that were changed since is not shown;
// any text is words; what the index does not have (tool output, thoughts) is read from the disk on request, or where
// nothing was found, with progress, and stops when it is not wanted any more.

import { commands, QuickPickItemKind, ThemeIcon, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { History, SessionSummary } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import type { SearchFilter } from '../../core/history/searchFilter.ts';
import { FullScan } from './fullScan.ts';
import { queryOf, toggled } from './searchQuery.ts';
import { hintRows, hitRows, offerRows, titleRows, type SearchRow } from './searchRows.ts';
import { Picker } from '../notify/pickers.ts';

export interface SearchPickerPorts {
  readonly list: () => Promise<readonly SessionSummary[]>;
  readonly history: () => Promise<Pick<History, 'search' | 'scan'>>;
  readonly clock: Clock;
  /** What the key to open to the side does while the list is open. */
  readonly keys: SearchKeys;
  readonly open: (hit: NonNullable<SearchRow['hit']>, toSide: boolean) => Promise<void>;
  readonly failure: (what: string, cause: unknown) => void;
}

export interface SearchKeys {
  toSide: (() => void) | null;
}

interface Item extends QuickPickItem {
  readonly row?: SearchRow;
  readonly act?: 'more' | 'scan' | 'stop';
}

const pageSize = 80;
const mostTitles = 20;
/** Where nothing is typed, so that what can narrow the search is in view below them. */
const mostRecent = 7;
/** Where nothing was found and nothing more is typed, everything is looked through. */
const scanAfter = 700;
/** The keybinding to open to the side, and nothing else, looks at it. */
const openKey = 'throughline.searchIsOpen';

const side: QuickInputButton = { iconPath: new ThemeIcon('split-horizontal'), tooltip: 'Open to the Side' };
const narrow: QuickInputButton = { iconPath: new ThemeIcon('filter'), tooltip: 'Narrow the Search…' };
const without: QuickInputButton = { iconPath: new ThemeIcon('archive'), tooltip: 'Leave Out the Archive' };
const withArchive: QuickInputButton = { iconPath: new ThemeIcon('archive'), tooltip: 'Search the Archive Too' };
const withTrash: QuickInputButton = { iconPath: new ThemeIcon('trash'), tooltip: 'Search the Trash Too' };
const noTrash: QuickInputButton = { iconPath: new ThemeIcon('trash'), tooltip: 'Leave Out the Trash' };

/** Resolves when the list is closed and what was chosen is shown. */
export async function searchPicker(text: string, ports: SearchPickerPorts): Promise<void> {
  const { clock, failure } = ports;
  const sessions = await ports.list();
  // Before anything is typed, so that a search is on its way with the keystroke.
  const history = await ports.history();
  // VS Code leaves nothing out: what does not fit is left out already. It marks what it finds.
  const picker = new Picker<Item>({ matchOnDetail: true, keepScrollPosition: true });
  const scan = new FullScan((...args) => history.scan(...args));
  let found: readonly SearchRow[] | null = null;
  let isMore = false;
  let limit = pageSize;
  let isHinting = false;
  let searching: string | null = null;
  let stopWaiting = () => {};

  const show = () => {
    const now = clock.now();
    const typed = picker.value;
    const query = queryOf(typed, now);
    const isEmpty = typed.trim() === '';
    setButtons(query.filter);
    if (isHinting) {
      picker.set({ rows: section('Narrow the search', hintRows(typed).map(itemOf)) });
      return;
    }
    const offers = offerRows(typed, query, sessions);
    const rows = found ?? titleRows(sessions, query, now, isEmpty ? mostRecent : mostTitles);
    const known = new Set(rows.flatMap(({ hit }) => hit?.message ?? []));
    const scanned = hitRows(scan.hits, typed, now).filter(({ hit }) => hit?.message && !known.has(hit.message));
    const hasWords = query.words.trim() !== '';
    const items = [
      ...section('Narrow the search', offers.map(itemOf)),
      ...section(isEmpty ? 'Recent sessions' : 'Found', rows.map(itemOf)),
      ...section('Narrow the search', (isEmpty ? hintRows(typed) : []).map(itemOf)),
      ...(isMore && found ? [action('more', 'Show more', 'older ones')] : []),
      ...(hasWords && (found || scan.state !== 'no') ? scanItems(scanned) : []),
    ];
    picker.set({
      rows: items,
      busy: searching !== null || scan.state === 'runs',
      title: scan.state === 'runs' ? `Search History: reading everything, ${percent()}` : 'Search History',
    });
  };
  /** Where nothing changes they stay: whoever is about to press one does not lose it. */
  const setButtons = ({ noArchive, trash }: SearchFilter) => {
    const wanted = [narrow, noArchive ? withArchive : without, trash ? noTrash : withTrash];
    if (wanted.some((button, at) => picker.buttons[at] !== button)) picker.set({ buttons: wanted });
  };
  const percent = () => `${Math.floor((100 * scan.bytesRead) / Math.max(1, scan.bytes))} %`;
  const scanItems = (rows: readonly SearchRow[]): Item[] => {
    if (scan.state === 'no') {
      return [
        ...section('', [action('scan', 'Search everything', 'tool output and thoughts too, read from the disk')]),
      ];
    }
    const more = rows.length === 0 ? 'nothing more' : `${rows.length} more`;
    const end: Item =
      rows.length === 0 && found?.length === 0 && scan.state === 'done'
        ? { label: 'Nothing was found', description: 'in titles, on any branch, or in what tools said' }
        : { label: scan.state === 'stopped' ? 'Stopped' : 'Everything was read', description: more };
    const state: Item[] =
      scan.state === 'runs'
        ? [action('stop', 'Stop', `everything is being read, ${percent()}`)]
        : [{ ...end, alwaysShow: true }];
    return section('Everything', [...rows.map(itemOf), ...state]);
  };
  /** One at a time: what was typed meanwhile is searched for when it is over. */
  const search = async (): Promise<void> => {
    const typed = picker.value;
    if (searching !== null) return;
    searching = typed;
    try {
      const { words, filter } = queryOf(typed, clock.now());
      const { hits, more } = await history.search(words, { limit, titles: mostTitles, filter });
      if (picker.value !== typed) return;
      found = hitRows(hits, typed, clock.now());
      isMore = more;
      if (hits.length === 0 && words.trim() !== '') stopWaiting = clock.after(scanAfter, everything);
    } catch (cause) {
      failure('What was said could not be searched.', cause);
    } finally {
      searching = null;
      if (picker.value !== typed) again();
      else show();
    }
  };
  const isAsked = () => {
    const { words, filter } = queryOf(picker.value, clock.now());
    return words.trim() !== '' || Object.keys(filter).length > 0;
  };
  const again = () => {
    stopWaiting();
    scan.stop();
    scan.clear();
    found = null;
    isMore = false;
    if (isAsked()) void search();
    show();
  };
  const everything = () => {
    const { words, filter } = queryOf(picker.value, clock.now());
    // Quotes hold a phrase together in the index; here everything is one.
    const wanted = words.replaceAll('"', '').trim();
    scan.start(wanted, filter, show).catch((cause: unknown) => failure('Not everything could be searched.', cause));
    show();
  };
  const typed = () => {
    isHinting = false;
    limit = pageSize;
    again();
  };
  const type = (value: string) => {
    picker.set({ value });
    typed();
  };
  const act = ({ act: wanted, row }: Item): void => {
    if (wanted === 'scan') everything();
    else if (wanted === 'stop') scan.stop();
    else if (wanted === 'more') {
      limit *= 4;
      void search();
    } else if (row?.typed !== undefined) type(row.typed);
  };

  picker.set({ placeholder: 'Search titles and everything that was said, on all branches', value: text });
  again();
  const chosen = await new Promise<{ readonly row: SearchRow; readonly toSide: boolean } | undefined>(resolve => {
    const choose = (item: Item | undefined, toSide: boolean) => {
      if (!item) return;
      // The key to open to the side is about what was found, and about nothing else.
      if (!item.row?.hit) return toSide ? undefined : act(item);
      resolve({ row: item.row, toSide });
      picker.hide();
    };
    const toSide = () => choose(picker.active, true);
    ports.keys.toSide = toSide;
    void commands.executeCommand('setContext', openKey, true);
    picker.onChangeValue(typed);
    picker.onAccept(() => choose(picker.selected[0], false));
    picker.onRowButton(row => choose(row, true));
    picker.onButton(button => {
      if (button === without || button === withArchive) type(toggled(picker.value, 'without:archive'));
      else if (button === withTrash || button === noTrash) type(toggled(picker.value, 'with:trash'));
      else {
        isHinting = !isHinting;
        show();
      }
    });
    picker.onHide(() => {
      resolve(undefined);
      // Another search may have been opened over this one.
      if (ports.keys.toSide !== toSide) return;
      ports.keys.toSide = null;
      void commands.executeCommand('setContext', openKey, false);
    });
    picker.show();
  });
  stopWaiting();
  scan.stop();
  picker.dispose();
  if (chosen?.row.hit) await ports.open(chosen.row.hit, chosen.toSide);
}

function section(label: string, items: readonly Item[]): Item[] {
  return items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
}

function action(act: NonNullable<Item['act']>, label: string, description: string): Item {
  const icons = { more: 'chevron-down', scan: 'search', stop: 'debug-stop' };
  return { act, label, description, iconPath: new ThemeIcon(icons[act]), alwaysShow: true };
}

function itemOf(row: SearchRow): Item {
  return {
    row,
    label: row.label,
    description: row.description,
    ...(row.detail === undefined ? {} : { detail: row.detail }),
    iconPath: new ThemeIcon(row.icon),
    alwaysShow: true,
    ...(row.hit ? { buttons: [side] } : {}),
  };
}
