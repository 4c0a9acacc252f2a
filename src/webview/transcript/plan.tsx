// What the agent means to do, and how far it is: it changes in place while the agent works.

import type { PlanBlock, PlanEntry } from '../../model/message.ts';
import { cleanLine } from './cleanText.ts';
import { icon, type IconName } from '../icons.ts';
import { memo } from './memo.ts';
import { planWords } from './things.ts';

const looks: { readonly [status in PlanEntry['status']]: readonly [IconName, string] } = {
  pending: ['box', 'To do'],
  in_progress: ['box', 'In progress'],
  completed: ['boxDone', 'Done'],
};

export const Plan = memo(({ block }: { readonly block: PlanBlock }) => (
  <section class="block plan" aria-label="Plan">
    <div class="planHead">{planWords(block.entries)}</div>
    <ul>
      {block.entries.map((entry, at) => {
        const [look, words] = looks[entry.status] ?? looks.pending;
        return (
          <li key={at} class={entry.status}>
            <span class={`glyph ${entry.status}`} role="img" aria-label={words}>
              {icon(look)}
            </span>
            <span class="planWords">{cleanLine(entry.content)}</span>
          </li>
        );
      })}
    </ul>
  </section>
));
