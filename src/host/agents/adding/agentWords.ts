// What is known of an agent after it was tried, in words for a person. Pure.

import type { AgentAbilities } from '../../../core/agents.ts';
import { agentErrorIn } from '../../../core/agentError.ts';

export function abilityWords(abilities: AgentAbilities): readonly string[] {
  const { load, resume, fork, list, images, audio, authMethods } = abilities;
  const has = (ability: boolean, words: string) => (ability ? [words] : []);
  return [
    load || resume
      ? 'Resumes its sessions after a restart.'
      : 'Forgets its sessions when it stops; Throughline then gives it the conversation again.',
    ...has(list, 'Lists its sessions from elsewhere, so that you can continue them here.'),
    ...has(fork, 'Can fork a session.'),
    ...has(images || audio, `Accepts ${images ? (audio ? 'images and sound' : 'images') : 'sound'}.`),
    ...(authMethods.length > 0 ? [`Signs you in with: ${authMethods.map(({ name }) => name).join(', ')}.`] : []),
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
    const hint = 'You are asked to sign in when you send the first message.';
    return { sentence: `${name} runs, and needs you to sign in.`, hint, signIn: true };
  }
  const sentence = said.startsWith(name) ? said : `${name} does not answer. ${said}`;
  return { sentence, hint: hintFor(said), signIn: false };
}

function hintFor(said: string): string {
  if (said.includes('was not found on this machine'))
    return 'Check that it is installed and spelled as in a terminal. If you installed it while VS Code was running, restart VS Code.';
  if (said.includes('may not be run')) return 'The file is there, but it is not a program that you may start.';
  if (said.includes('Agent Client Protocol'))
    return 'It may need an argument to speak the protocol (often “acp” or “--acp”), or be of another version.';
  return 'What it wrote last is above; the log has the rest.';
}
