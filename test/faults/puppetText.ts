// The texts and ids of puppets' messages: made from the number of a message and a size, so that what is read can be
// checked without having been told what was written.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { textOf, type Message } from '../../src/model/message.ts';

export function idOf(session: string, number: number): string {
  // A letter that no id of a session has.
  return `${session}o${number}`;
}

export function numberOf(id: string): number {
  return Number(id.split('o')[1]);
}

export function textOfNumber(number: number, size: number): string {
  const unit = `${number}:é漢🜁\n"`;
  return `${size} ${unit.repeat(Math.ceil(size / unit.length))}`.slice(0, Math.max(size, 8));
}

export function isAsWritten(message: Message): boolean {
  const text = textOf(message);
  return text === textOfNumber(numberOf(message.id), Number.parseInt(text, 10));
}

/** The files of a folder that hold a text of this number, whatever else they are. */
export function filesWith(folder: string, number: number): readonly string[] {
  const unit = new RegExp(`(?<![0-9])${number}:é漢`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
    const file = join(folder, name);
    return statSync(file).isFile() && unit.test(readFileSync(file, 'utf8'));
  });
}
