// What a list of completions offers, in words. Pure.

import type { AgentCommand } from '../../model/agentState.ts';
import { foundBy, type Attachment } from '../../model/attachment.ts';
import { fitting } from '../../model/fuzzy.ts';
import { cleanLine } from '../transcript/cleanText.ts';
import type { IconName } from '../icons.ts';
import { looks } from './looks.ts';
import { isOurs, ourCommands, type OurCommand } from './ourCommands.ts';

export interface Choice {
  readonly key: string;
  readonly name: string;
  /** Quieter, behind the name. */
  readonly more: string;
  readonly look: IconName | null;
  readonly take:
    | { readonly kind: 'ours'; readonly command: OurCommand }
    /** Written out, for the person to go on. */
    | { readonly kind: 'words'; readonly words: string }
    | { readonly kind: 'attach'; readonly attachment: Attachment };
}

const longestMore = 200;

/** Ours first; one that the agent has too is written with two slashes, and says so. */
export function commandChoices(commands: readonly AgentCommand[], typed: string, agent: string): readonly Choice[] {
  const ours = ourCommands.map((command): Choice => {
    const { name, description, hint } = command;
    const take = hint === undefined ? ({ kind: 'ours', command } as const) : written(`/${name}`);
    const more = hint === undefined ? description : `${hint} · ${description}`;
    return { key: `ours ${name}`, name: `/${name}`, more, look: null, take };
  });
  const theirs = commands.flatMap(({ name, description, hint }): readonly Choice[] => {
    if (!/^\S+$/.test(name)) return [];
    const isTwice = isOurs(name);
    const shown = [isTwice ? `${agent}’s own` : '', hint ?? '', description]
      .map(words => cleanLine(words.slice(0, longestMore)))
      .filter(words => words !== '');
    const slashes = isTwice ? '//' : '/';
    return [
      {
        key: `agent ${name}`,
        name: `${slashes}${cleanLine(name)}`,
        more: shown.join(' · '),
        look: null,
        take: written(`${slashes}${name}`),
      },
    ];
  });
  return fitting([...ours, ...theirs], typed.replace(/^\//, ''), ({ name }) => name.replace(/^\/+/, ''));
}

function written(words: string): Choice['take'] {
  return { kind: 'words', words };
}

/** Of those of `fileChoices`, by the same words by which the host finds them. */
export function fittingFiles(choices: readonly Choice[], typed: string): readonly Choice[] {
  return fitting(choices, typed, ({ name, take }) => (take.kind === 'attach' ? foundBy(take.attachment) : name));
}

export function fileChoices(items: readonly Attachment[]): readonly Choice[] {
  return items.map(attachment => ({
    key: attachment.id,
    name: cleanLine(attachment.name),
    more: cleanLine(attachment.folder),
    look: looks[attachment.kind],
    take: { kind: 'attach', attachment },
  }));
}
