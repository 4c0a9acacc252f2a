// How the user is asked and told about sessions that are due by a rule of retention: first by a quiet notification, then by a
// list in which everything is checked, and before anything is deleted permanently by a modal. A bundle of its own.

import { ThemeIcon, type QuickPickItem } from 'vscode';
import type { Due, RuleName } from '../../core/retentionRules.ts';
import { confirmErasing, eraseOne, tellErased, type ErasingPorts } from './deleting.ts';
import { RetentionRunner, type RetentionAsking, type RetentionPorts } from './retentionRunner.ts';
import { reasonFor } from './retentionStrings.ts';
import { relativeTime } from './sessionAge.ts';
import { titleWords } from './sessionRows.ts';
import { showInfo } from '../notify/messages.ts';
import { pickSeveral } from '../notify/pickers.ts';

export function startRetention(
  ports: Pick<RetentionPorts, 'folder' | 'settings' | 'isOpen' | 'clock'>,
  deleting: ErasingPorts,
): Pick<RetentionRunner, 'begin' | 'dispose'> {
  const { history, report } = deleting;
  const asking = askingWith(deleting);
  const erase: RetentionPorts['erase'] = session => eraseOne(session, deleting);
  const made = (name: RuleName) => new RetentionRunner(name, { ...ports, history, report, erase, asking });
  const runners = [made('putAway'), made('emptyTrash')];
  return {
    begin: async () => void (await Promise.all(runners.map(one => one.begin()))),
    dispose: () => runners.forEach(one => one.dispose()),
  };
}

function askingWith(ports: ErasingPorts): RetentionAsking {
  const summaries = (some: readonly Due[]) => some.map(({ summary }) => summary);
  return {
    async offer(message) {
      const review = 'Review…';
      return (await showInfo(message, review, 'Not Now')) === review;
    },
    async choose(due, { title, placeHolder, icon }, now) {
      const items = due.map((one): QuickPickItem & { readonly one: Due } => ({
        one,
        label: titleWords(one.summary),
        description: `${one.summary.agent.name} · ${relativeTime(one.summary.active, now)}`,
        detail: reasonFor(one, now),
        iconPath: new ThemeIcon(icon),
        picked: true,
      }));
      return (await pickSeveral(items, { title, placeHolder, ignoreFocusOut: true }))?.map(({ one }) => one);
    },
    async confirm(chosen) {
      const copies = await confirmErasing(summaries(chosen), ports);
      return copies && ((done, remaining) => tellErased(summaries(done), remaining, copies));
    },
    async tell(message) {
      return (await showInfo(message, 'Undo')) === 'Undo';
    },
  };
}
