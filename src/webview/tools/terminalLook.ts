// How a stretch of terminal text looks: the SGR codes that terminals agree on. Promises: the sixteen colours are the
// theme's own; nothing can be made invisible, neither by its code nor by a colour on itself; what is not known changes
// nothing; and a look that is the same is the same object while few are in use.

export interface Look {
  /** A colour in CSS, or null for the theme's own. */
  readonly ink: string | null;
  readonly paper: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly struck: boolean;
  readonly inverse: boolean;
}

export const plainLook: Look = {
  ink: null,
  paper: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  struck: false,
  inverse: false,
};

const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
const mostCodes = 32;

const switches: { readonly [code: number]: Partial<Look> } = {
  0: plainLook,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { struck: false },
  39: { ink: null },
  49: { paper: null },
};

/** The look after an SGR sequence with these parameters, as they stand between `[` and `m`. */
export function styledBy(before: Look, parameters: string): Look {
  if (!/^[\d;:]*$/.test(parameters)) return before;
  const codes = parameters.slice(0, 8 * mostCodes).split(';', mostCodes);
  let look: Look = before;
  for (let at = 0; at < codes.length; at++) {
    const [code = 0, ...below] = (codes[at] ?? '').split(':').map(Number);
    if (code === 38 || code === 48 || code === 58) {
      // Of its own numbers, `38:2::1:2:3` has one more, for a space of colours that nobody uses.
      const own = below.length > 0 ? (below[0] === 2 && below.length > 4 ? [2, ...below.slice(2)] : below) : null;
      const rest = own ?? codes.slice(at + 1, at + 5).map(Number);
      const color = colorOf(rest);
      if (!own) at += rest[0] === 2 ? 4 : rest[0] === 5 ? 2 : 0;
      if (color !== null && code !== 58) look = { ...look, [code === 38 ? 'ink' : 'paper']: color };
    } else if (code === 4 && below[0] === 0) {
      look = { ...look, underline: false };
    } else {
      look = { ...look, ...(switches[code] ?? sixteen(code)) };
    }
  }
  return known(look);
}

export type Style = {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly fontWeight?: 'bold';
  readonly fontStyle?: 'italic';
  readonly opacity?: number;
  readonly textDecoration?: string;
};

/** What the page is told; undefined where there is nothing to say. */
export function styleOf(look: Look): Style | undefined {
  if (look === plainLook) return undefined;
  const same = look.ink !== null && look.ink === look.paper;
  const ink = same ? null : look.ink;
  const [color, backgroundColor] = look.inverse
    ? [look.paper ?? 'var(--paper)', ink ?? 'var(--ink)']
    : [ink, look.paper];
  const lines = [look.underline && 'underline', look.struck && 'line-through'].filter(line => line !== false).join(' ');
  return {
    ...(color !== null && { color }),
    ...(backgroundColor !== null && { backgroundColor }),
    ...(look.bold && { fontWeight: 'bold' }),
    ...(look.italic && { fontStyle: 'italic' }),
    ...(look.dim && { opacity: 0.7 }),
    ...(lines !== '' && { textDecoration: lines }),
  };
}

function sixteen(code: number): Partial<Look> {
  if (code >= 30 && code <= 37) return { ink: named(code - 30) };
  if (code >= 40 && code <= 47) return { paper: named(code - 40) };
  if (code >= 90 && code <= 97) return { ink: named(code - 82) };
  return code >= 100 && code <= 107 ? { paper: named(code - 92) } : {};
}

function named(color: number): string {
  return `var(--vscode-terminal-ansi${color > 7 ? 'Bright' : ''}${names[color % 8] ?? ''})`;
}

/** `5;n` of the table of 256, or `2;r;g;b`. */
function colorOf([kind, ...values]: readonly number[]): string | null {
  const needed = values.slice(0, kind === 2 ? 3 : 1);
  if (needed.length === 0 || needed.some(value => !(value >= 0 && value <= 255))) return null;
  const [first = 0, second = 0, third = 0] = needed;
  if (kind === 2) return needed.length === 3 ? `rgb(${first} ${second} ${third})` : null;
  if (kind !== 5) return null;
  if (first < 16) return named(first);
  if (first >= 232) return `rgb(${Array.from({ length: 3 }, () => 8 + 10 * (first - 232)).join(' ')})`;
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const cube = first - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(' ')})`;
}

/** Few looks are in use at any time; beyond that a new object is as good. */
const looks = new Map<string, Look>([[keyOf(plainLook), plainLook]]);

function known(look: Look): Look {
  const key = keyOf(look);
  const same = looks.get(key);
  if (same) return same;
  if (looks.size < 512) looks.set(key, look);
  return look;
}

function keyOf({ ink, paper, bold, dim, italic, underline, struck, inverse }: Look): string {
  return [ink, paper, bold, dim, italic, underline, struck, inverse].join();
}
