// The newest of a text that only grows, as what a program prints. Promises: never more than so many bytes are kept,
// however much is added; what is kept is cut between characters, and nothing else of it is changed.

const pieceBytes = 65_536;

export interface Newest {
  readonly text: string;
  /** Nothing is left out. */
  readonly isWhole: boolean;
}

export class NewestText {
  private readonly most: number;
  /** Large enough to be few, small enough to be dropped one by one. */
  private readonly pieces: { text: string; bytes: number }[] = [];
  private kept = 0;
  private isWhole = true;

  /** `most` is counted in bytes of UTF-8. */
  constructor(most: number) {
    this.most = most;
  }

  add(text: string): void {
    if (text === '') return;
    const bytes = Buffer.byteLength(text);
    if (bytes > this.most) return this.replace(endOf(text, this.most));
    const last = this.pieces.at(-1);
    if (last && last.bytes + bytes <= pieceBytes) {
      last.text += text;
      last.bytes += bytes;
    } else this.pieces.push({ text, bytes });
    this.kept += bytes;
    for (let [first] = this.pieces; first && this.kept - first.bytes >= this.most; [first] = this.pieces) {
      this.pieces.shift();
      this.kept -= first.bytes;
      this.isWhole = false;
    }
  }

  /** The newest `most` bytes of it, or fewer where a character would be cut. */
  newest(most: number): Newest {
    const allowed = Math.min(most, this.most);
    const found: string[] = [];
    let bytes = 0;
    for (let at = this.pieces.length - 1; at >= 0 && bytes <= allowed; at--) {
      const piece = this.pieces[at];
      found.unshift(piece?.text ?? '');
      bytes += piece?.bytes ?? 0;
    }
    const text = found.join('');
    if (bytes <= allowed) return { text, isWhole: this.isWhole && found.length === this.pieces.length };
    return { text: endOf(text, allowed), isWhole: false };
  }

  private replace(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.pieces.splice(0, this.pieces.length, { text, bytes });
    this.kept = bytes;
    this.isWhole = false;
  }
}

function endOf(text: string, most: number): string {
  const bytes = Buffer.from(text);
  let from = Math.max(0, bytes.length - most);
  // Bytes of this form go on with a character.
  while (((bytes[from] ?? 0) & 0b1100_0000) === 0b1000_0000) from++;
  return bytes.toString('utf8', from);
}
