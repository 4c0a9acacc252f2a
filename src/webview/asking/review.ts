// What a permission offers and says beside what would be done: which choices there are now, what has to be checked, and what
// is too long for the panel. Apart from `questions.ts`, so that it is loaded late.

import type { Permission, PermissionChoice } from '../../model/agentState.ts';
import { exactLine } from '../../model/exactText.ts';
import { sizeOf, type PermissionFit } from '../../model/permissionSize.ts';
import { choiceWords } from './permissionChoices.ts';

/** The choices that are offered now: while not all could be seen, only those that allow nothing. */
export function choicesNow({ choices }: Permission, maySeeAllow: boolean): readonly PermissionChoice[] {
  return maySeeAllow ? choices : choices.filter(choice => choiceWords(choice).look === 'reject');
}

/** Why it has to be looked at closely; null where nothing is said. */
export function cautionWords({ why }: Permission): string | null {
  return why === undefined ? null : `Check this carefully: ${exactLine(why)}.`;
}

/** In place of what is too long for the panel; null where all of it is here. */
export function reviewWords(permission: Permission, fit: PermissionFit): string | null {
  if (fit === 'panel') return null;
  const { lines, characters } = sizeOf(permission);
  if (fit === 'nowhere') return 'This is too large to show, so it can’t be allowed.';
  const size = `${lines.toLocaleString()} lines, ${characters.toLocaleString()} characters`;
  return permission.opened
    ? `Too long for this panel (${size}). It was opened in an editor.`
    : `Too long for this panel (${size}). Review it in an editor before you allow it.`;
}
