// The one matcher of patterns that somebody else wrote: rules of .gitignore files, of which the last that fits decides, that
// of a deeper file before that of a higher one, and the globs of a model. Pure. A hostile pattern costs no more steps than
// its length times that of the name, which a regular expression doesn't promise; none is ever made from a pattern. The walk
// has to see to it that nothing below an excluded folder comes back.

/** The rules of one file; `depth` is how many parts of a path lie above it. */
export interface IgnoreFile {
  readonly depth: number;
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Held against the whole path below the file; else against the name alone. */
  readonly isAnchored: boolean;
  readonly segments: readonly Segment[];
}

type Segment = '**' | readonly Token[];

export type Token = 'any' | 'star' | { readonly char: string } | CharacterClass;

interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
  readonly named: readonly RegExp[];
}

/** `files` from the highest to the deepest; each is above the path, or it is not asked. */
export function isIgnored(
  files: readonly IgnoreFile[],
  parts: readonly string[],
  isFolder: boolean,
  foldsCase = false,
): boolean {
  const folded = foldsCase ? parts.map(part => part.toLowerCase()) : parts;
  for (const { depth, rules } of files.toReversed()) {
    const below = folded.slice(depth);
    const rule = rules.findLast(one => (isFolder || !one.foldersOnly) && fits(one, below));
    if (rule) return !rule.isNegated;
  }
  return false;
}

export function ignoreFile(text: string, depth: number, foldsCase = false): IgnoreFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rules = lines.flatMap(line => ruleOf(foldsCase ? line.toLowerCase() : line) ?? []);
  return { depth, rules };
}

/** Of a glob with more alternatives than this, nobody can say what it means. */
const mostAlternatives = 64;
const longestGlob = 1000;

/**
 * Tests names below a folder, with forward slashes. A glob without a slash fits a name in any folder; of `{a,b}` one has to
 * fit. Throws an error in words for a glob that is too large.
 */
export function globTest(glob: string): (name: string) => boolean {
  if (glob.length > longestGlob) throw new Error(`The glob is too long: ${glob.length} characters.`);
  const rules = alternativesOf(glob.replace(/^\.\//, '')).flatMap(one => patternRule(one) ?? []);
  return name => {
    const parts = name.split('/');
    return rules.some(rule => !rule.foldersOnly && fits(rule, parts));
  };
}

/** Braces inside of braces stay as they are, as in a shell that doesn't know them. */
function alternativesOf(glob: string): readonly string[] {
  const pieces = glob.split(/(\{[^{}]*\})/).map(piece => {
    const isGroup = piece.startsWith('{') && piece.endsWith('}') && piece.length > 2;
    return isGroup ? piece.slice(1, -1).split(',') : [piece];
  });
  const count = pieces.reduce((product, { length }) => product * length, 1);
  if (count > mostAlternatives) throw new Error(`The glob has too many alternatives: ${count}.`);
  return pieces.reduce<readonly string[]>(
    (begun, choices) => begun.flatMap(before => choices.map(choice => before + choice)),
    [''],
  );
}

function ruleOf(line: string): Rule | null {
  if (line.startsWith('#')) return null;
  let pattern = withoutEndSpaces(line);
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const rule = patternRule(pattern);
  return rule && { ...rule, isNegated };
}

function patternRule(pattern: string): Rule | null {
  const foldersOnly = pattern.endsWith('/');
  const whole = foldersOnly ? pattern.slice(0, -1) : pattern;
  const isAnchored = whole.includes('/');
  const path = whole.startsWith('/') ? whole.slice(1) : whole;
  if (path === '') return null;
  const segments: Segment[] = [];
  // A slash in a character class splits it as well, and what is left fits nothing, as in git no class fits a slash.
  for (const part of path.split('/')) {
    const segment = isAnchored && part === '**' ? part : tokensOf(part);
    // Git takes a broken pattern for one that fits nothing.
    if (segment === null) return null;
    segments.push(segment);
  }
  return { isNegated: false, foldersOnly, isAnchored, segments };
}

/** Spaces at the end do not count, unless a backslash stands before the first of them. */
function withoutEndSpaces(line: string): string {
  const spaces = / +$/.exec(line);
  if (!spaces) return line;
  const backslashes = /\\*$/.exec(line.slice(0, spaces.index))?.[0].length ?? 0;
  return line.slice(0, spaces.index + (backslashes % 2));
}

/** Null for a pattern that is broken. Exported, like `fitsName`, so that a test can count steps. */
export function tokensOf(pattern: string): readonly Token[] | null {
  const tokens: Token[] = [];
  const chars = Array.from(pattern);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (char === '?') tokens.push('any');
    else if (char === '[') {
      const found = classAt(chars, at);
      if (!found) return null;
      tokens.push(found.token);
      at = found.end;
    } else if (char === '\\') {
      const next = chars[++at];
      if (next === undefined) return null;
      tokens.push({ char: next });
    } else tokens.push({ char });
  }
  return tokens;
}

const namedClasses: { readonly [name: string]: RegExp } = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // oxlint-disable-next-line no-control-regex
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** The class that opens at `start`, and where its bracket closes; null where none does. */
function classAt(chars: readonly string[], start: number): { token: CharacterClass; end: number } | null {
  let at = start + 1;
  const isNegated = chars[at] === '!' || chars[at] === '^';
  if (isNegated) at++;
  const ranges: (readonly [string, string])[] = [];
  const named: RegExp[] = [];
  const literal = (): string | undefined => (chars[at] === '\\' ? chars[++at] : chars[at]);
  for (let isFirst = true; ; isFirst = false, at++) {
    const char = chars[at];
    if (char === undefined) return null;
    if (char === ']' && !isFirst) return { token: { isNegated, ranges, named }, end: at };
    if (char === '[' && chars[at + 1] === ':') {
      const close = chars.indexOf(']', at + 2);
      if (close === -1) return null;
      if (chars[close - 1] === ':') {
        const known = namedClasses[chars.slice(at + 2, close - 1).join('')];
        if (!known) return null;
        named.push(known);
        at = close;
        continue;
      }
    }
    const from = literal();
    if (from === undefined) return null;
    let to = from;
    if (chars[at + 1] === '-' && chars[at + 2] !== undefined && chars[at + 2] !== ']') {
      at += 2;
      to = literal() ?? '';
      if (to === '') return null;
    }
    ranges.push([from, to]);
  }
}

function fits({ isAnchored, segments }: Rule, parts: readonly string[]): boolean {
  const name = parts.at(-1);
  if (name === undefined) return false;
  const [only] = segments;
  if (!isAnchored) return only !== undefined && only !== '**' && fitsName(only, Array.from(name));
  // As with one star in a name: only the last of them ever has to take one part more.
  let part = 0;
  let segment = 0;
  let starSegment = -1;
  let starPart = 0;
  while (part < parts.length) {
    const one = segments[segment];
    if (one === '**') {
      // What ends with it fits all that is below, and not the folder itself.
      if (segment === segments.length - 1) return true;
      starSegment = segment++;
      starPart = part;
    } else if (one !== undefined && fitsName(one, Array.from(parts[part] ?? ''))) {
      segment++;
      part++;
    } else if (starSegment !== -1) {
      segment = starSegment + 1;
      part = ++starPart;
    } else return false;
  }
  return segment === segments.length;
}

export function fitsName(tokens: readonly Token[], chars: readonly string[]): boolean {
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < chars.length) {
    const one = tokens[token];
    if (one === 'star') {
      starToken = token++;
      starAt = at;
    } else if (one !== undefined && fitsCharacter(one, chars[at] ?? '')) {
      token++;
      at++;
    } else if (starToken !== -1) {
      token = starToken + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === 'star') token++;
  return token === tokens.length;
}

function fitsCharacter(token: Exclude<Token, 'star'>, char: string): boolean {
  if (token === 'any') return true;
  if ('char' in token) return token.char === char;
  const isIn =
    token.ranges.some(([from, to]) => from <= char && char <= to) || token.named.some(named => named.test(char));
  return isIn !== token.isNegated;
}
