// From code to coloured stretches. Promises: the stretches joined are the code; linear time; a language that nobody here
// knows, and code over the limit, are left as they are. It tells apart what is told apart by eye, comments, texts,
// numbers, words of the language, types, calls, names, and is no parser: a rare line is coloured wrong, and no letter of
// it is lost. It is a file of its own in the build, fetched after the panel stands; it makes no vnodes and no HTML.

import { c, csharp, go, java, json, php, rust, script, swift } from './braces.ts';
import { css, diff, html, markdown } from './pages.ts';
import { scan, type Kind, type Language } from './scan.ts';
import { python, ruby, shell, sql, toml, yaml } from './scripts.ts';

export const longestCode = 100_000;

/** `kind` is null for what has no colour of its own. */
export interface Stretch {
  readonly text: string;
  readonly kind: Kind | null;
}

const named: readonly (readonly [Language, string])[] = [
  [script, 'ts tsx typescript js jsx javascript mjs cjs mts cts node'],
  [json, 'json jsonc json5 jsonl'],
  [go, 'go golang'],
  [rust, 'rust rs'],
  [java, 'java kotlin kt kts scala groovy gradle'],
  [c, 'c h cpp c++ cc cxx hpp hh objc objective-c cuda arduino'],
  [csharp, 'cs csharp c#'],
  [swift, 'swift dart'],
  [php, 'php'],
  [python, 'py python python3 pyi starlark bazel'],
  [ruby, 'rb ruby'],
  [shell, 'sh bash zsh shell fish console shellscript shell-session dockerfile docker makefile make'],
  [sql, 'sql sqlite postgres postgresql mysql plsql'],
  [yaml, 'yaml yml'],
  [toml, 'toml ini cfg conf env dotenv properties editorconfig'],
  [html, 'html htm xml svg vue svelte xhtml plist'],
  [css, 'css scss less sass'],
  [diff, 'diff patch'],
  [markdown, 'md markdown mdx'],
];
const languages = new Map(
  named.flatMap(([language, names]) => names.split(' ').map(name => [name, language] as const)),
);

/** Undefined where it stays as it is. */
export function highlight(code: string, language: string): readonly Stretch[] | undefined {
  const known = languages.get(language.toLowerCase().replace(/^\{?\.?|[,:{}].*$/g, ''));
  if (!known || code.length > longestCode) return undefined;
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { start, end, kind } of scan(code, known)) {
    if (start > at) stretches.push({ text: code.slice(at, start), kind: null });
    stretches.push({ text: code.slice(start, end), kind });
    at = end;
  }
  if (at < code.length) stretches.push({ text: code.slice(at), kind: null });
  return stretches;
}
