// The end of what a program wrote to its standard error, for the words with which its death is told. Promises: never
// more than 40 lines and 8 KB, however much was written, and nothing that a terminal would act on.

import { StringDecoder } from 'node:string_decoder';
import { plainText } from './plainText.ts';

const mostLines = 40;
const mostCharacters = 8192;

export class LastWords {
  private readonly decoder = new StringDecoder('utf8');
  private tail = '';

  add(bytes: Buffer): void {
    // Twice as much is kept as is shown, because sequences that are taken out do not count.
    this.tail = (this.tail + this.decoder.write(bytes)).slice(-2 * mostCharacters);
  }

  text(): string {
    return plainText(this.tail).split('\n').slice(-mostLines).join('\n').slice(-mostCharacters);
  }
}
