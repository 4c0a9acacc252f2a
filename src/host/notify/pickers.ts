// Lists to choose from. A row gets an icon by `iconPath`; `$(name)` in its text stays text. VS Code is shown copies of the
// rows, and each copy carries its row, so that who asks gets back the very row that was chosen.

import {
  window,
  type Disposable,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  type QuickPickOptions,
} from 'vscode';
import { cleanLine, limits } from './outsideText.ts';

export type PickOptions = Pick<QuickPickOptions, 'ignoreFocusOut' | 'matchOnDescription' | 'matchOnDetail'> & {
  readonly title: string;
  readonly placeHolder?: string;
};

/** Undefined where the person pressed Escape. */
export async function pickOne<Row extends QuickPickItem>(
  rows: readonly Row[],
  options: PickOptions,
): Promise<Row | undefined> {
  return (await window.showQuickPick(rows.map(shownRow), cleanOptions(options)))?.row;
}

/** What the person left checked; undefined where they pressed Escape. */
export async function pickSeveral<Row extends QuickPickItem>(
  rows: readonly Row[],
  options: PickOptions,
): Promise<readonly Row[] | undefined> {
  const picked = await window.showQuickPick(rows.map(shownRow), { ...cleanOptions(options), canPickMany: true });
  return picked?.map(({ row }) => row);
}

export interface PickerState<Row extends QuickPickItem> {
  readonly title?: string;
  readonly placeholder?: string;
  readonly rows?: readonly Row[];
  /** Some of the rows. */
  readonly selected?: readonly Row[];
  readonly buttons?: readonly QuickInputButton[];
  readonly busy?: boolean;
  readonly value?: string;
}

export type PickerOptions = Partial<
  Pick<QuickPick<QuickPickItem>, 'matchOnDescription' | 'matchOnDetail' | 'keepScrollPosition' | 'canSelectMany'>
>;

/** A list that changes while it is open. */
export class Picker<Row extends QuickPickItem> implements Disposable {
  private readonly pick = window.createQuickPick<ShownRow<Row>>();

  constructor(options: PickerOptions = {}) {
    Object.assign(this.pick, options);
  }

  /** Changes what is named, and leaves the rest as it is. */
  set({ title, placeholder, rows, selected, buttons, busy, value }: PickerState<Row>): void {
    const { pick } = this;
    if (title !== undefined) pick.title = cleanLine(title, limits.label);
    if (placeholder !== undefined) pick.placeholder = cleanLine(placeholder);
    if (buttons !== undefined) pick.buttons = buttons;
    if (busy !== undefined) pick.busy = busy;
    if (value !== undefined) pick.value = value;
    if (rows !== undefined) pick.items = rows.map(shownRow);
    if (selected !== undefined) {
      const wanted = new Set(selected);
      pick.selectedItems = pick.items.filter(({ row }) => wanted.has(row));
    }
  }

  get value(): string {
    return this.pick.value;
  }

  get busy(): boolean {
    return this.pick.busy;
  }

  get rows(): readonly Row[] {
    return this.pick.items.map(({ row }) => row);
  }

  get buttons(): readonly QuickInputButton[] {
    return this.pick.buttons;
  }

  get selected(): readonly Row[] {
    return this.pick.selectedItems.map(({ row }) => row);
  }

  /** The row on which the cursor is. */
  get active(): Row | undefined {
    return this.pick.activeItems[0]?.row;
  }

  onAccept(run: () => void): void {
    this.pick.onDidAccept(run);
  }

  onHide(run: () => void): void {
    this.pick.onDidHide(run);
  }

  onChangeValue(run: (value: string) => void): void {
    this.pick.onDidChangeValue(run);
  }

  onChangeSelection(run: (selected: readonly Row[]) => void): void {
    this.pick.onDidChangeSelection(items => run(items.map(({ row }) => row)));
  }

  onRowButton(run: (row: Row, button: QuickInputButton) => void): void {
    this.pick.onDidTriggerItemButton(({ item, button }) => run(item.row, button));
  }

  onButton(run: (button: QuickInputButton) => void): void {
    this.pick.onDidTriggerButton(run);
  }

  show(): void {
    this.pick.show();
  }

  hide(): void {
    this.pick.hide();
  }

  dispose(): void {
    this.pick.dispose();
  }
}

type ShownRow<Row> = QuickPickItem & { readonly row: Row };

function shownRow<Row extends QuickPickItem>(row: Row): ShownRow<Row> {
  const { kind, iconPath, picked, alwaysShow, buttons, label, description, detail } = row;
  return {
    row,
    label: cleanLine(label, limits.label),
    ...(description === undefined ? {} : { description: cleanLine(description, limits.label) }),
    ...(detail === undefined ? {} : { detail: cleanLine(detail) }),
    ...(kind === undefined ? {} : { kind }),
    ...(iconPath === undefined ? {} : { iconPath }),
    ...(picked === undefined ? {} : { picked }),
    ...(alwaysShow === undefined ? {} : { alwaysShow }),
    ...(buttons === undefined ? {} : { buttons }),
  };
}

function cleanOptions({ title, placeHolder, ...options }: PickOptions): QuickPickOptions {
  return {
    ...options,
    title: cleanLine(title, limits.label),
    ...(placeHolder === undefined ? {} : { placeHolder: cleanLine(placeHolder) }),
  };
}
