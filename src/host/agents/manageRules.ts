// "Allow Rules…": all that is allowed always in this workspace, one line for each, to take back one or all. A rule that is
// removed here counts no more from the moment in which its line is gone.

import { QuickPickItemKind, ThemeIcon, window, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { KeptRule, WorkspaceRules } from './rules.ts';

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

/** Resolves when it is closed. */
export function manageRules({ rules, agentName }: ManageRulesPorts): Promise<void> {
  const pick = window.createQuickPick<RuleItem>();
  const show = () => {
    pick.items = ruleItems(rules.all(), agentName);
  };
  pick.title = 'Always allowed in this workspace';
  pick.placeholder = 'Remove a rule to be asked again';
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  show();
  return new Promise<void>(resolve => {
    pick.onDidTriggerItemButton(({ item: { rule } }) => {
      if (rule) rules.remove(rule);
      show();
    });
    pick.onDidAccept(() => {
      // Enter on a rule does nothing: what takes it back is its button.
      if (!pick.selectedItems.some(({ all }) => all)) return;
      rules.removeAll();
      show();
    });
    pick.onDidHide(() => resolve());
    pick.show();
  }).finally(() => pick.dispose());
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
    buttons: [removeButton],
  }));
  return [...lines, { label: '', kind: QuickPickItemKind.Separator }, { label: '$(clear-all) Remove all', all: true }];
}

/** Nothing in a command breaks the line, hides, or turns it around; and VS Code makes no icon of what has a “\\” before it. */
function visible(words: string): string {
  return words
    .replaceAll(/\r\n|\r|\n/g, ' ⏎ ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, one => `\\u{${one.codePointAt(0)?.toString(16)}}`)
    .replaceAll(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, '\\$&');
}
