// How a person signs in to the scripted agent: by `authenticate`, by a form that it asks meanwhile (--auth=form), or at its
// own command line, where `login` writes the file SCRIPTED_KEY, which the agent reads when it starts.

import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { has, option, Refusal, word, type Params, type Value } from './flags.ts';

type Call = (method: string, params: object) => Promise<Params>;

const key = process.env['SCRIPTED_KEY'] ?? '';
let signedIn = (!has('auth') && option('auth') === undefined) || existsSync(key);

export const authMethods = [
  { id: 'key', name: 'API key', description: 'Ask for a \u001b[1mkey\u001b[0m' },
  { id: 'shell', name: 'Shell', type: 'terminal', args: ['login'], env: { SCRIPTED_TOKEN: 'of the shell' } },
  {
    id: 'old',
    name: 'Old',
    _meta: {
      'terminal-auth': {
        label: 'Old login',
        command: process.execPath,
        args: [fileURLToPath(new URL('scripted.ts', import.meta.url)), 'login'],
        env: { SCRIPTED_TOKEN: 'of old' },
      },
    },
  },
  { name: 'no id' },
  { id: 'odd', name: 'Odd', type: 'terminal', args: 'login' },
];

export function needsSignIn(): void {
  if (!signedIn) throw new Refusal(-32000, 'Authentication required');
}

export async function authenticate({ methodId }: Params, id: Value, call: Call): Promise<object> {
  if (methodId !== 'key') throw new Refusal(-32602, `“${word(methodId)}” is for a terminal`);
  if (option('auth') === 'form') {
    const { result } = await call('elicitation/create', {
      requestId: id,
      mode: 'form',
      message: 'Which code did you get?',
      requestedSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
    });
    const { content } = result as Params;
    if ((content as Params | undefined)?.['code'] !== '42') throw new Refusal(-32603, 'That is not the code');
  }
  signedIn = option('auth') !== 'stubborn';
  return {};
}

export function logout(): object {
  signedIn = false;
  return {};
}

/** At the command line, in place of being an agent. */
export function login(): never {
  if (key === '') process.exit(3);
  writeFileSync(key, process.env['SCRIPTED_TOKEN'] ?? '');
  process.exit(0);
}
