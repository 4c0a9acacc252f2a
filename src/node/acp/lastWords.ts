// The end of what a program wrote to its standard error, for the words with which its death is told. Promises: never
// more than 40 lines and 8 KB, however much was written, nothing that a terminal would act on, and no secret.

import { StringDecoder } from 'node:string_decoder';
import type { Redact } from './errors.ts';
import { plainText } from './plainText.ts';

const mostLines = 40;
const mostCharacters = 8192;

export class LastWords {
  private readonly decoder = new StringDecoder('utf8');
  private readonly redact: Redact;
  private tail = '';

  constructor(redact: Redact) {
    this.redact = redact;
  }

  add(bytes: Buffer): void {
    // Twice as much is kept as is shown, because sequences that are taken out do not count.
    // Secrets go first: half of one that was cut off would stay.
    this.tail = this.redact(this.tail + this.decoder.write(bytes)).slice(-2 * mostCharacters);
  }

  text(): string {
    // Control sequences may have stood inside of a secret.
    return this.redact(plainText(this.tail)).split('\n').slice(-mostLines).join('\n').slice(-mostCharacters);
  }
}
