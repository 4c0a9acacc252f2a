// The hybrid logical clock: text that sorts like time, is unique over all writers, and never goes back, whatever the
// computer's own clock does. It follows every clock that it has seen, so that an answer sorts after its question.

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const width = 10;

export class HybridClock {
  private last = 0;
  readonly writer: string;
  private readonly now: () => number;

  constructor(writer: string, now: () => number) {
    this.writer = writer;
    this.now = now;
  }

  next(): string {
    this.last = Math.max(this.now() * 16, this.last + 1);
    return encode(this.last) + this.writer;
  }

  /** The latest tick that was given or seen; the ticks after it sort after this text. */
  get latest(): string {
    return encode(this.last);
  }

  /** Invariant: the next tick is after everything that was seen. */
  see(tick: string): void {
    const seen = decode(tick);
    if (seen !== undefined && seen > this.last) this.last = seen;
  }
}

/** By the computer that wrote it, in milliseconds; null for what is no tick. */
export function timeOf(tick: string): number | null {
  const ticks = decode(tick);
  return ticks === undefined ? null : Math.floor(ticks / 16);
}

function encode(ticks: number): string {
  let text = '';
  for (let rest = ticks, at = 0; at < width; at++) {
    text = digits.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function decode(tick: string): number | undefined {
  if (tick.length < width) return undefined;
  let ticks = 0;
  for (let at = 0; at < width; at++) {
    const digit = digits.indexOf(tick.charAt(at));
    if (digit < 0) return undefined;
    ticks = ticks * 32 + digit;
  }
  return ticks;
}
