// How a person is asked and told in a window when sessions are put away by their own rules: first by a quiet notification,
// then by a list in which everything is checked. A bundle of its own, with all that it takes.

import { ThemeIcon, window, type QuickPickItem } from 'vscode';
import type { Due } from '../../core/retention.ts';
import { Retention, type RetentionAsking, type RetentionPorts } from './retention.ts';
import { pickerTitle, whyWords } from './retentionWords.ts';
import { relativeTime } from './sessionAge.ts';
import { titleWords } from './sessionRows.ts';
import { withoutIcons } from './sessionTargets.ts';

export function startRetention(ports: Omit<RetentionPorts, 'asking'>): Retention {
  return new Retention({ ...ports, asking: inWindow });
}

const inWindow: RetentionAsking = {
  async offer(words) {
    const review = 'Review…';
    return (await window.showInformationMessage(words, review, 'Not Now')) === review;
  },
  async choose(due, { action }, now) {
    const items = due.map((one): QuickPickItem & { readonly one: Due } => ({
      one,
      label: withoutIcons(titleWords(one.summary)),
      description: `${one.summary.agent.name} · ${relativeTime(one.summary.active, now)}`,
      detail: whyWords(one, now),
      iconPath: new ThemeIcon('comment-discussion'),
      picked: true,
    }));
    const options = { title: pickerTitle(action), canPickMany: true as const, ignoreFocusOut: true };
    const placeHolder = 'What is unchecked is kept for good';
    return (await window.showQuickPick(items, { ...options, placeHolder }))?.map(({ one }) => one);
  },
  async told(words) {
    return (await window.showInformationMessage(words, 'Undo')) === 'Undo';
  },
};
