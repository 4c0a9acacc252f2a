// What is known of an agent after it was tried, in words for a person. Pure.

import type { AgentAbilities } from '../../../core/agents.ts';
import { agentErrorIn } from '../../../core/agentError.ts';

export function abilityWords(abilities: AgentAbilities): readonly string[] {
  const { load, resume, fork, list, images, audio, authMethods } = abilities;
  const has = (ability: boolean, words: string) => (ability ? [words] : []);
  return [
    load || resume
      ? 'Takes up its sessions again after a restart.'
      : 'Forgets its sessions when it stops: Throughline tells it the conversation anew.',
    ...has(list, 'Lists sessions that were begun elsewhere, to go on with here.'),
    ...has(fork, 'Branches a session by itself.'),
    ...has(images || audio, `Takes ${images ? (audio ? 'images and sound' : 'images') : 'sound'}.`),
    ...(authMethods.length > 0 ? [`Signs you in by: ${authMethods.map(({ name }) => name).join(', ')}.`] : []),
  ];
}

/** For a dialog, which has no lists. */
export function bulleted(lines: readonly string[]): readonly string[] {
  return lines.map(line => `•  ${line}`);
}

export interface Trouble {
  readonly sentence: string;
  /** What the person can do about it. */
  readonly hint: string;
  /** It is there, and only wants to know who the person is. */
  readonly signIn: boolean;
}

export function troubleOf(name: string, cause: unknown): Trouble {
  const error = agentErrorIn(cause);
  const said = cause instanceof Error ? cause.message : String(cause);
  if (error?.code === 'sign-in') {
    const hint = 'It asks who you are when the first message is sent, and says how.';
    return { sentence: `${name} runs, and needs you to sign in.`, hint, signIn: true };
  }
  const sentence = said.startsWith(name) ? said : `${name} does not answer. ${said}`;
  return { sentence, hint: hintFor(said), signIn: false };
}

function hintFor(said: string): string {
  if (said.includes('was not found on this machine'))
    return 'Is it installed, and is its name written as it is in a terminal? VS Code may have been started before it was installed: restart it then.';
  if (said.includes('may not be run')) return 'The file is there, but it is no program, or not one that you may start.';
  if (said.includes('Agent Client Protocol'))
    return 'It may need an argument to speak the protocol (often “acp” or “--acp”), or be of another version.';
  return 'What it wrote last is above; the log has the rest.';
}
