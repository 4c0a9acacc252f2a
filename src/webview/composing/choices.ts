// What a list of completions offers, in words. Pure.

import type { AgentCommand } from '../../model/agentState.ts';
import type { Attachment } from '../../model/attachment.ts';
import { fitting } from '../../model/fuzzy.ts';
import { cleanLine } from '../transcript/cleanText.ts';
import type { IconName } from '../icons.ts';
import { ourCommands, type OurCommand } from './ourCommands.ts';

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

/** Ours first; of one that the agent has too, only ours. */
export function commandChoices(commands: readonly AgentCommand[], typed: string): readonly Choice[] {
  const ours = ourCommands.map((command): Choice => ({
    key: `ours ${command.name}`,
    name: `/${command.name}`,
    more: command.description,
    look: null,
    take: { kind: 'ours', command },
  }));
  const theirs = commands.flatMap(({ name, description, hint }): readonly Choice[] => {
    if (ourCommands.some(command => command.name === name) || !/^\S+$/.test(name)) return [];
    const more = [hint ?? '', description].map(words => cleanLine(words.slice(0, longestMore)));
    const shown = more.filter(words => words !== '').join(' · ');
    return [
      {
        key: `agent ${name}`,
        name: `/${cleanLine(name)}`,
        more: shown,
        look: null,
        take: { kind: 'words', words: `/${name}` },
      },
    ];
  });
  return fitting([...ours, ...theirs], typed, ({ name }) => name.slice(1));
}

export function fileChoices(items: readonly Attachment[]): readonly Choice[] {
  return items.map(attachment => ({
    key: attachment.id,
    name: cleanLine(attachment.name),
    more: cleanLine(attachment.folder),
    look: attachment.kind === 'folder' ? 'folder' : 'file',
    take: { kind: 'attach', attachment },
  }));
}
