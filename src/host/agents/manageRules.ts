// "Allow Rules…": all that is allowed always in this workspace, one line for each, to take back one or all. A rule that is
// removed here counts no more from the moment in which its line is gone.

import { QuickPickItemKind, ThemeIcon, type QuickInputButton, type QuickPickItem } from 'vscode';
import { isInUse } from '../../core/conversation/allowRules.ts';
import type { KeptRule, WorkspaceRules } from './rules.ts';
import { Picker } from '../notify/pickers.ts';

interface RuleItem extends QuickPickItem {
  readonly rule?: KeptRule;
  readonly all?: true;
}

export interface ManageRulesPorts {
  readonly rules: WorkspaceRules;
  /** As the person knows the agent with that id. */
  readonly agentName: (id: string) => string;
}

const removeButton: QuickInputButton = { iconPath: new ThemeIcon('trash'), tooltip: 'Remove' };

const notInUse = 'No longer used: it allowed more than a rule can now. You’re asked again.';

/** Resolves when it is closed. */
export function manageRules({ rules, agentName }: ManageRulesPorts): Promise<void> {
  const picker = new Picker<RuleItem>({ matchOnDescription: true, keepScrollPosition: true });
  const show = () => picker.set({ rows: ruleItems(rules.all(), agentName) });
  picker.set({ title: 'Always allowed in this workspace', placeholder: 'Remove a rule to be asked again' });
  show();
  return new Promise<void>(resolve => {
    picker.onRowButton(({ rule }) => {
      if (rule) rules.remove(rule);
      show();
    });
    picker.onAccept(() => {
      // Enter on a rule does nothing: what takes it back is its button.
      if (!picker.selected.some(({ all }) => all)) return;
      rules.removeAll();
      show();
    });
    picker.onHide(() => resolve());
    picker.show();
  }).finally(() => picker.dispose());
}

export function ruleItems(rules: readonly KeptRule[], agentName: (id: string) => string): RuleItem[] {
  if (rules.length === 0) {
    const detail = 'Choosing “Always” when an agent asks for permission adds a rule here.';
    return [{ label: 'Nothing is always allowed in this workspace.', detail }];
  }
  const lines = rules.map((rule): RuleItem => ({
    rule,
    label: agentName(rule.agent),
    description: `${visible(rule.words)} · since ${new Date(rule.added).toLocaleDateString()}`,
    ...(isInUse(rule) ? {} : { detail: notInUse }),
    buttons: [removeButton],
  }));
  return [
    ...lines,
    { label: '', kind: QuickPickItemKind.Separator },
    { label: 'Remove all', iconPath: new ThemeIcon('clear-all'), all: true },
  ];
}

/** Nothing in a command breaks the line, hides, or turns it around. */
function visible(words: string): string {
  return words
    .replaceAll(/\r\n|\r|\n/g, ' ⏎ ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, one => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
