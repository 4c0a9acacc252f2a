// Entries of the status bar.

import { StatusBarAlignment, ThemeColor, window, type Disposable } from 'vscode';
import { cleanLine, limits } from './outsideText.ts';

export interface StatusText {
  /** These are the only icons that the status bar shows. */
  readonly icon: 'bell-dot' | 'loading~spin';
  readonly text: string;
  /** One entry for each line. */
  readonly tooltip: readonly string[];
  readonly spoken: string;
  readonly isWarning: boolean;
}

export interface StatusItem extends Disposable {
  /** Null takes the entry away until there is something to show. */
  readonly show: (shown: StatusText | null) => void;
}

export function createStatusItem(id: string, name: string, command: string): StatusItem {
  const item = window.createStatusBarItem(id, StatusBarAlignment.Left, 10);
  item.name = name;
  item.command = command;
  return {
    show(shown) {
      if (!shown) return item.hide();
      const { icon, text, tooltip, spoken, isWarning } = shown;
      item.text = `$(${icon}) ${cleanLine(text, limits.label)}`;
      item.tooltip = tooltip.map(line => cleanLine(line, limits.label)).join('\n');
      item.accessibilityInformation = { label: cleanLine(spoken), role: 'button' };
      item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
      item.show();
    },
    dispose: () => item.dispose(),
  };
}
