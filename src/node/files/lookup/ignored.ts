// Which files a `.gitignore` leaves out. Pure. Promises: the last rule that fits decides, as in git; a rule of a folder
// counts below it only.

export interface IgnoreRule {
  readonly test: (name: string) => boolean;
  readonly foldersOnly: boolean;
  readonly keeps: boolean;
  /** The folder of the file that has it, with a slash at the end where it is not the root. */
  readonly base: string;
}

export function ignoreRules(text: string, folder: string): readonly IgnoreRule[] {
  const base = folder === '' ? '' : `${folder}/`;
  return text.split(/\r?\n/).flatMap((line): readonly IgnoreRule[] => {
    const rule = line.replace(/(?<!\\)\s+$/, '');
    if (rule === '' || rule.startsWith('#')) return [];
    const keeps = rule.startsWith('!');
    const bare = rule.slice(keeps ? 1 : 0).replace(/^\\(?=[#!])/, '');
    const foldersOnly = bare.endsWith('/');
    const pattern = bare.replace(/\/$/, '');
    return pattern === '' ? [] : [{ test: patternTest(pattern), foldersOnly, keeps, base }];
  });
}

export function isIgnored(name: string, isFolder: boolean, rules: readonly IgnoreRule[]): boolean {
  const deciding = rules.findLast(
    ({ test, foldersOnly, base }) =>
      name.startsWith(base) && (isFolder || !foldersOnly) && test(name.slice(base.length)),
  );
  return deciding !== undefined && !deciding.keeps;
}

/** As people write them: a name fits anywhere, a path from the root. */
export function globTest(glob: string): (name: string) => boolean {
  return patternTest(glob.replace(/^\.\//, ''));
}

function patternTest(pattern: string): (name: string) => boolean {
  const isAnchored = pattern.slice(0, -1).includes('/');
  const body = sourceOf(pattern.replace(/^\//, ''));
  const whole = new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${body}$`);
  return name => whole.test(name);
}

function sourceOf(pattern: string): string {
  return pattern.replaceAll(/\*\*\/|\/\*\*$|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|[.+^${}()|[\]\\]/g, found => {
    if (found === '**/') return '(?:.*/)?';
    if (found === '/**') return '/.*';
    if (found === '**') return '.*';
    if (found === '*') return '[^/]*';
    if (found === '?') return '[^/]';
    if (found.startsWith('[') && found.length > 2)
      return `[${found.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\')}]`;
    if (found.startsWith('{') && found.length > 2)
      return `(?:${found.slice(1, -1).split(',').map(sourceOf).join('|')})`;
    return `\\${found}`;
  });
}
