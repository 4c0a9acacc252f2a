// The sentences on the buttons of a permission. The names of an agent's choices stay the agent's own, and what a choice does
// is said beside them from its kind alone, so that a choice with a false name is seen through.

import type { PermissionChoice } from '../../model/agentState.ts';
import { exactLine } from '../../model/exactText.ts';
import { cleanLine } from '../transcript/cleanText.ts';

export interface ChoiceWords {
  readonly name: string;
  readonly effect: string;
  readonly look: 'allow' | 'reject' | 'unknown';
}

const effects: { readonly [kind in PermissionChoice['kind']]: readonly [ChoiceWords['look'], string] } = {
  allow_once: ['allow', 'Allows this once'],
  allow_always: ['allow', 'Allows this from now on'],
  reject_once: ['reject', 'Rejects this once'],
  reject_always: ['reject', 'Rejects this from now on'],
  unknown: ['unknown', 'The agent does not say what this does'],
};

export function choiceWords({ kind, name }: PermissionChoice): ChoiceWords {
  const [look, effect] = effects[kind] ?? effects.unknown;
  return { look, effect, name: cleanLine(name) || effect };
}

/** Our own "always": a rule of this workspace. Null where there is none to offer. */
export function ruleWords(rule: string | undefined): Pick<ChoiceWords, 'name' | 'effect'> | null {
  const what = exactLine(rule ?? '');
  if (what === '') return null;
  return {
    // A long command stands above, to its end.
    name: what.length > 80 ? 'Always allow exactly this here' : `Always ${what} here`,
    effect: 'A rule of this workspace; take it back with “Throughline: Allow Rules…”',
  };
}
