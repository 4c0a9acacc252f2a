// The texts and ids of puppets' messages: made from the number of a message and a size, so that what is read can be checked without
// having been told what was written.

import { textOf, type Message } from '../../src/model/message.ts';

export function idOf(session: string, number: number): string {
  return `${session}.${number}`;
}

export function numberOf(id: string): number {
  return Number(id.split('.')[1]);
}

export function textOfNumber(number: number, size: number): string {
  const unit = `${number}:é漢🜁\n"`;
  return `${size} ${unit.repeat(Math.ceil(size / unit.length))}`.slice(0, Math.max(size, 8));
}

export function isAsWritten(message: Message): boolean {
  const text = textOf(message);
  return text === textOfNumber(numberOf(message.id), Number.parseInt(text, 10));
}
