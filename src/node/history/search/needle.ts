// What a scan looks for. Promises: `mayBeIn` misses no journal line that holds it in one piece, whatever the case of its
// letters, and is as fast as the bytes can be searched; `isIn` is exact.

import { lowered } from '../../../core/history/caseless.ts';

/** A longer pattern costs more to make than it saves. */
const longestPattern = 1000;

export class Needle {
  readonly text: string;
  /** As it stands in JSON. */
  private readonly escaped: string;
  readonly mayBeIn: (json: Buffer) => boolean;

  constructor(text: string) {
    this.text = lowered(text);
    this.escaped = JSON.stringify(this.text).slice(1, -1);
    this.mayBeIn = this.finder();
  }

  isIn(text: unknown): boolean {
    return typeof text === 'string' && lowered(text).includes(this.text);
  }

  private finder(): (json: Buffer) => boolean {
    const { escaped } = this;
    if (escaped.toLowerCase() === escaped.toUpperCase()) {
      const bytes = Buffer.from(escaped);
      return json => json.includes(bytes);
    }
    if (/^[ -~]*$/.test(escaped) && escaped.length <= longestPattern) {
      // No byte of a longer character is one of ASCII, so what is read as Latin 1 has the same ASCII in it.
      const pattern = new RegExp(escaped.replace(/[^0-9a-z]/g, '\\$&'), 'i');
      return json => pattern.test(json.toString('latin1'));
    }
    return json => lowered(json.toString('utf8')).includes(escaped);
  }
}
