// How a person is asked and told in a window when sessions are put away by their own rules, and when what they put into the
// trash may go: first by a quiet notification, then by a list in which everything is checked, and before anything goes for
// ever by a modal. A bundle of its own, with all that it takes.

import { ThemeIcon, type QuickPickItem } from 'vscode';
import type { Due } from '../../core/retention.ts';
import type { InTrash } from '../../core/trashDays.ts';
import type { SessionId } from '../../model/message.ts';
import { confirmErasing, eraseOne, tellErased, type ErasingPorts } from './deleting.ts';
import { Retention, type RetentionAsking, type RetentionPorts } from './retention.ts';
import { inTrashWords, pickerTitle, whyWords } from './retentionWords.ts';
import { relativeTime } from './sessionAge.ts';
import { titleWords } from './sessionRows.ts';
import { TrashDays, type TrashAsking, type TrashDaysPorts } from './trashDays.ts';
import { showInfo } from '../notify/messages.ts';
import { pickSeveral } from '../notify/pickers.ts';

export interface PuttingAway {
  /** Now, and from then on every hour. */
  begin(): void;
  dispose(): void;
}

export function startRetention(
  ports: Omit<RetentionPorts, 'asking' | 'history' | 'report'> & Pick<TrashDaysPorts, 'days'>,
  deleting: ErasingPorts,
): PuttingAway {
  const { history, report } = deleting;
  const erase = (session: SessionId) => eraseOne(session, deleting);
  const rules = new Retention({ ...ports, history, report, asking: inWindow });
  const trash = new TrashDays({ ...ports, history, report, erase, asking: aboutTrash(ports.clock.now, deleting) });
  return {
    begin() {
      void rules.begin();
      void trash.begin();
    },
    dispose() {
      rules.dispose();
      trash.dispose();
    },
  };
}

async function offer(words: string): Promise<boolean> {
  const review = 'Review…';
  return (await showInfo(words, review, 'Not Now')) === review;
}

const inWindow: RetentionAsking = {
  offer,
  async choose(due, { action }, now) {
    const items = due.map((one): QuickPickItem & { readonly one: Due } => ({
      one,
      label: titleWords(one.summary),
      description: `${one.summary.agent.name} · ${relativeTime(one.summary.active, now)}`,
      detail: whyWords(one, now),
      iconPath: new ThemeIcon('comment-discussion'),
      picked: true,
    }));
    const options = { title: pickerTitle(action), ignoreFocusOut: true };
    const placeHolder = 'What is unchecked is kept for good';
    return (await pickSeveral(items, { ...options, placeHolder }))?.map(({ one }) => one);
  },
  async told(words) {
    return (await showInfo(words, 'Undo')) === 'Undo';
  },
};

function aboutTrash(now: () => number, ports: ErasingPorts): TrashAsking {
  const summaries = (some: readonly InTrash[]) => some.map(({ summary }) => summary);
  return {
    offer,
    async choose(due) {
      const items = due.map((one): QuickPickItem & { readonly one: InTrash } => ({
        one,
        label: titleWords(one.summary),
        description: `${one.summary.agent.name} · ${relativeTime(one.summary.active, now())}`,
        detail: inTrashWords(one),
        iconPath: new ThemeIcon('trash'),
        picked: true,
      }));
      const title = 'Delete these sessions permanently? Uncheck what stays in the trash.';
      const options = { title, ignoreFocusOut: true };
      const placeHolder = 'What is unchecked stays there for good';
      return (await pickSeveral(items, { ...options, placeHolder }))?.map(({ one }) => one);
    },
    async confirm(chosen) {
      const copies = await confirmErasing(summaries(chosen), ports);
      return copies && { finish: (done, remaining) => tellErased(summaries(done), remaining, copies) };
    },
  };
}
