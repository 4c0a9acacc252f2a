// The style sheets of the panel are one page in the end, so a name that two of them define is two things in one. Promises:
// a class stands by itself, as the subject of a rule, in one sheet only; others speak of it within something of their own.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../src/webview/styles');
/** They say what outranks the rest, whose ever it is. */
const modes = new Set(['modes.css', 'wide.css']);

/** The selectors of a sheet, one by one, those within `@media` too. */
function selectorsOf(css: string): readonly string[] {
  const bare = css.replace(/\/\*[^]*?\*\//g, '');
  const heads = [...bare.matchAll(/([^{};]+)\{/g)].map(([, head = '']) => head.trim());
  return heads.filter(head => !head.startsWith('@')).flatMap(head => head.split(/,(?![^(]*\))/).map(one => one.trim()));
}

/** A selector that is one class and nothing around it, whatever state it is in. */
function definedBy(selector: string): string | undefined {
  return /^\.([\w-]+)(?:::?[\w-]+(?:\([^)]*\))?|\[[^\]]*\])*$/.exec(selector)?.[1];
}

function definedTwice(sheets: readonly (readonly [name: string, css: string])[]): readonly string[] {
  const owners = new Map<string, Set<string>>();
  for (const [name, css] of sheets) {
    for (const selector of selectorsOf(css)) {
      const defined = definedBy(selector);
      if (defined !== undefined) owners.set(defined, (owners.get(defined) ?? new Set()).add(name));
    }
  }
  return [...owners].filter(([, names]) => names.size > 1).map(([name, names]) => `.${name}: ${[...names].join(', ')}`);
}

test('[W80] no two sheets define the same class', () => {
  const sheets = readdirSync(folder)
    .filter(name => !modes.has(name))
    .map(name => [name, readFileSync(join(folder, name), 'utf8')] as const);
  assert.ok(sheets.length > 10);
  assert.deepEqual(definedTwice(sheets), []);
});

const list = '.choices { position: absolute; }';
const rows: readonly (readonly [what: string, css: string, twice: readonly string[]])[] = [
  ['the same name for two things', '.form { gap: 1px }\n.choices { display: flex }', ['.choices: a.css, b.css']],
  ['in a state', '.choices:hover { color: red }', ['.choices: a.css, b.css']],
  ['in a list of selectors', 'ul,\n.choices, p { margin: 0 }', ['.choices: a.css, b.css']],
  ['in a narrow page', '@media (max-width: 300px) { .choices { gap: 0 } }', ['.choices: a.css, b.css']],
  ['only in a comment', '/* .choices { } */ .other { gap: 0 }', []],
  ['within something of its own', '.form .choices, .form > .choices { gap: 0 }', []],
  ['another name that begins with it', '.choicesOfAll { gap: 0 }', []],
];
for (const [what, css, twice] of rows) {
  test(`[W80] ${what}`, () => {
    assert.deepEqual(
      definedTwice([
        ['a.css', list],
        ['b.css', css],
      ]),
      twice,
    );
  });
}
