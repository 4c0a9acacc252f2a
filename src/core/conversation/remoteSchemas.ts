// Schemas from the network that an agent is about to name in a file: an editor downloads such an address by itself, and the
// address can carry away what the agent has read.

import type { Permission } from '../../model/agentState.ts';
import { fieldsOf, stringsIn, useOf } from './askedPaths.ts';

/** The hosts, each once; of a change only what is new in it. */
export function remoteSchemas(permission: Permission): readonly string[] {
  if (useOf(permission) === 'read') return [];
  const { input, output } = permission;
  const changes = output.map(fieldsOf).filter(({ type }) => type === 'diff');
  if (changes.length === 0) return [...new Set((stringsIn(input) ?? []).flatMap(schemasIn).map(hostOf))];
  const added = changes.flatMap(({ oldText, newText }) => {
    const known = new Set(typeof oldText === 'string' ? schemasIn(oldText) : []);
    return typeof newText === 'string' ? schemasIn(newText).filter(address => !known.has(address)) : [];
  });
  return [...new Set(added.map(hostOf))];
}

/** In JSON, also where its letters are written as escapes, and in YAML, where it may stand in a comment. */
function schemasIn(text: string): readonly string[] {
  const plain = text.replace(/\\u([\da-f]{4})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
  const named = /\$schema["']?\s*[:=]\s*["']?((?:https?:)?\/\/[^\s"',}]+)/gi;
  return Array.from(plain.replaceAll('\\/', '/').matchAll(named), ([, address = '']) => address);
}

function hostOf(address: string): string {
  const whole = address.startsWith('//') ? `https:${address}` : address;
  return URL.canParse(whole) ? new URL(whole).host : address;
}
