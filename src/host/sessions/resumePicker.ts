// "Resume Session": a list to type in. Titles answer at once, what was said a moment after the last letter. Promises: an
// answer to words that were changed since is not shown; Enter opens a hit at its own branch; a session can be put into the
// trash from its row, and the list stays.

import { commands, QuickPickItemKind, ThemeIcon, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { History, SessionSummary } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { hitRows, titleRows, type ResumeRow } from './resumeRows.ts';
import { showInfo } from '../notify/messages.ts';
import { Picker } from '../notify/pickers.ts';

export interface ResumePickerPorts {
  readonly list: () => Promise<readonly SessionSummary[]>;
  readonly history: () => Promise<Pick<History, 'search'>>;
  readonly clock: Clock;
  readonly open: (session: SessionId, leaf: MessageId | null) => Promise<void>;
  /** To the trash; an incognito one ends. */
  readonly remove: (session: SessionId) => Promise<void>;
  readonly failure: (what: string, cause: unknown) => void;
}

interface Item extends QuickPickItem {
  readonly row?: ResumeRow;
  /** Leads to the search of the history, with what is typed. */
  readonly search?: true;
}

const searchAfter = 150;
const mostHits = 50;
const openButton: QuickInputButton = { iconPath: new ThemeIcon('go-to-file'), tooltip: 'Open' };
const deleteButton: QuickInputButton = { iconPath: new ThemeIcon('trash'), tooltip: 'Delete Session' };

const nothingFound: Item = {
  search: true,
  label: 'Nothing was found. Search the whole history…',
  description: 'tool output and thoughts too',
  iconPath: new ThemeIcon('search'),
  alwaysShow: true,
};

const elsewhereButton: QuickInputButton = {
  iconPath: new ThemeIcon('cloud-download'),
  tooltip: 'Continue a Session of an Agent…',
};

/** Resolves when the list is closed and what was chosen is shown. */
export async function resumePicker(ports: ResumePickerPorts): Promise<void> {
  const { clock, failure } = ports;
  let sessions = await ports.list();
  if (!sessions.some(({ trashed }) => !trashed)) {
    void showInfo('There are no sessions yet.');
    return;
  }
  const picker = new Picker<Item>({ keepScrollPosition: true });
  let hits: readonly ResumeRow[] = [];
  let stopWaiting = () => {};
  const show = () => {
    const titles = titleRows(sessions, picker.value, clock.now()).map(row => itemOf(row, true));
    const said = hits.map(row => itemOf(row, false));
    const between: Item[] = said.length > 0 ? [{ label: 'What was said', kind: QuickPickItemKind.Separator }] : [];
    const isNothing = titles.length + said.length === 0 && !picker.busy;
    picker.set({ rows: [...titles, ...between, ...said, ...(isNothing ? [nothingFound] : [])] });
  };
  const search = async (typed: string): Promise<void> => {
    try {
      const found = await (await ports.history()).search(typed, { limit: mostHits });
      if (picker.value !== typed) return;
      hits = hitRows(found.hits, clock.now());
    } catch (cause) {
      failure('What was said could not be searched.', cause);
    } finally {
      if (picker.value === typed) {
        picker.set({ busy: false });
        show();
      }
    }
  };
  const typed = (value: string) => {
    stopWaiting();
    hits = [];
    const wanted = value.trim() !== '';
    picker.set({ busy: wanted });
    if (wanted) stopWaiting = clock.after(searchAfter, () => void search(value));
    show();
  };
  const remove = async (session: SessionId): Promise<void> => {
    await ports.remove(session);
    sessions = await ports.list();
    hits = hits.filter(hit => hit.session !== session);
    show();
  };
  picker.set({
    title: 'Resume which session?',
    placeholder: 'Type to search titles and what was said',
    buttons: [elsewhereButton],
  });
  show();
  const chosen = await new Promise<ResumeRow | undefined>(resolve => {
    const choose = (item: Item | undefined) => {
      if (item?.search) void commands.executeCommand('throughline.searchHistory', picker.value);
      if (!item?.row) return;
      resolve(item.row);
      picker.hide();
    };
    picker.onChangeValue(typed);
    picker.onAccept(() => choose(picker.selected[0]));
    picker.onRowButton((item, button) => {
      if (button === openButton) choose(item);
      else if (item.row) remove(item.row.session).catch(cause => failure('The session could not be deleted.', cause));
    });
    picker.onButton(() => {
      picker.hide();
      void commands.executeCommand('throughline.continueAgentSession');
    });
    picker.onHide(() => resolve(undefined));
    picker.show();
  });
  stopWaiting();
  picker.dispose();
  if (chosen) await ports.open(chosen.session, chosen.leaf);
}

function itemOf(row: ResumeRow, isSession: boolean): Item {
  return {
    row,
    label: row.label,
    description: row.description,
    ...(row.snippet === undefined ? {} : { detail: row.snippet }),
    iconPath: new ThemeIcon(!isSession ? 'search' : isIncognito(row.session) ? 'eye-closed' : 'comment-discussion'),
    // What does not fit is left out already.
    alwaysShow: true,
    buttons: isSession ? [openButton, deleteButton] : [openButton],
  };
}
