// Character references in prose, as CommonMark wants them. An unknown name stays as it was typed. What a reference brings
// is cleaned where it is drawn.

import { characterEntities } from 'character-entities';

const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi;

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (all, hex?: string, decimal?: string, name?: string) => {
    // A name may also be one that every object has, such as `constructor`.
    if (name !== undefined) return Object.hasOwn(characterEntities, name) ? (characterEntities[name] ?? all) : all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}
