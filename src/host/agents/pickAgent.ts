// The person chooses who answers next: the built-in agent, one of their own, or one that was found on this machine. What
// is not there can be added from the same list, and each program can be tried with a button beside it.

import { commands, QuickPickItemKind, ThemeIcon, workspace, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { AgentRef } from '../../model/message.ts';
import type { Agents, ListedAgent } from './agents.ts';
import { Picker } from '../notify/pickers.ts';

interface AgentItem extends QuickPickItem {
  /** Null leads to a command that adds to the list. */
  readonly id: string | null;
  readonly leadsTo?: string;
}

const test: QuickInputButton = { iconPath: new ThemeIcon('beaker'), tooltip: 'Test Agent' };

/** The id of the one that was chosen. */
export function pickAgent(agents: Agents, current: AgentRef): Promise<string | undefined> {
  const picker = new Picker<AgentItem>({ matchOnDetail: true });
  picker.set({
    title: 'Which agent answers next?',
    placeholder: workspace.isTrusted
      ? 'It is given the conversation so far; the panel says how much'
      : 'In Restricted Mode only the offline scout answers',
    rows: agentItems(agents.list(), current, workspace.isTrusted),
  });
  return new Promise<string | undefined>(resolve => {
    picker.onRowButton(item => {
      resolve(undefined);
      void commands.executeCommand('throughline.testAgent', item.id);
    });
    picker.onAccept(() => {
      const [item] = picker.selected;
      resolve(item?.id ?? undefined);
      if (item?.leadsTo !== undefined) void commands.executeCommand(item.leadsTo);
    });
    picker.onHide(() => resolve(undefined));
    picker.show();
  }).finally(() => picker.dispose());
}

export function agentItems(listed: readonly ListedAgent[], current: AgentRef, trusted: boolean): AgentItem[] {
  const itemOf = ({ id, name, origin, detail }: ListedAgent): AgentItem => ({
    id,
    label: name,
    ...(id === current.id ? { description: 'answers now' } : {}),
    detail,
    ...(origin === 'built-in' ? {} : { buttons: [test] }),
  });
  const own = listed.filter(({ origin }) => origin !== 'machine').map(itemOf);
  const found = listed.filter(({ origin }) => origin === 'machine').map(itemOf);
  const line = (label: string): AgentItem => ({ id: null, label, kind: QuickPickItemKind.Separator });
  const adding: readonly AgentItem[] = [
    { id: null, label: 'Add Agent…', iconPath: new ThemeIcon('add'), leadsTo: 'throughline.addAgent' },
    { id: null, label: 'Connect a Model…', iconPath: new ThemeIcon('plug'), leadsTo: 'throughline.connectModel' },
  ];
  return [
    ...own,
    ...(found.length > 0 ? [line('Found on this machine'), ...found] : []),
    ...(trusted ? [line(''), ...adding] : []),
  ];
}
