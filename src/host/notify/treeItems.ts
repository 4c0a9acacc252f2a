// Rows of the tree of sessions, and the texts around it.

import { ThemeIcon, TreeItem, TreeItemCollapsibleState, type Command, type ThemeColor, type TreeView } from 'vscode';
import { cleanLine, limits } from './outsideText.ts';

export interface TreeRow {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** One entry for each line. Where there is none, VS Code asks for the tooltip later. */
  readonly tooltip?: readonly string[];
  readonly icon?: { readonly name: string; readonly color?: ThemeColor };
  readonly folds?: 'collapsed' | 'expanded';
  readonly contextValue?: string;
  /** For a screen reader, where it is more than the label. */
  readonly spoken?: string;
  readonly command?: Command;
}

export function createTreeItem(row: TreeRow): TreeItem {
  const { id, label, description, tooltip, icon, folds, contextValue, spoken, command } = row;
  const { None, Collapsed, Expanded } = TreeItemCollapsibleState;
  const state = folds === undefined ? None : folds === 'expanded' ? Expanded : Collapsed;
  const item = new TreeItem(cleanLine(label, limits.label), state);
  item.id = id;
  if (contextValue !== undefined) item.contextValue = contextValue;
  if (description !== undefined) item.description = cleanLine(description, limits.label);
  if (icon) item.iconPath = new ThemeIcon(icon.name, icon.color);
  if (spoken !== undefined) item.accessibilityInformation = { label: cleanLine(spoken) };
  if (command) item.command = command;
  if (tooltip) setTooltip(item, tooltip);
  return item;
}

export function setTooltip(item: TreeItem, lines: readonly string[]): void {
  item.tooltip = lines.map(line => cleanLine(line)).join('\n');
}

/** Stands above the rows. An empty text takes it away. */
export function setViewMessage(view: TreeView<unknown>, text: string): void {
  view.message = cleanLine(text);
}

/** A number on the icon of the view; 0 shows none. */
export function setViewBadge(view: TreeView<unknown>, value: number, tooltip: string): void {
  view.badge = value === 0 ? undefined : { value, tooltip: cleanLine(tooltip) };
}
