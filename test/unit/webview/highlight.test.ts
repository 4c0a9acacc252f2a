// Colours of code: what is told apart in each language, that no letter is lost, and that time is in step with length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { c, rust, script } from '../../../src/webview/highlight/braces.ts';
import { highlight, longestCode } from '../../../src/webview/highlight/highlight.ts';
import { css, markdown } from '../../../src/webview/highlight/pages.ts';
import { scan } from '../../../src/webview/highlight/scan.ts';
import { sql } from '../../../src/webview/highlight/scripts.ts';
import { chunks, coloured } from '../../../src/webview/markdown/codeBlock.ts';

/** Each stretch with a colour, as `kind:text`. */
function shown(language: string, code: string): readonly string[] {
  const stretches = highlight(code, language) ?? [];
  assert.equal(stretches.map(({ text }) => text).join(''), code, `${language} keeps every letter`);
  return stretches.flatMap(({ text, kind }) => (kind === null ? [] : [`${kind}:${text}`]));
}

const rows: readonly (readonly [language: string, code: string, ...expected: string[]])[] = [
  ['ts', 'const a = `x`; // c', 'keyword:const', 'string:`x`', 'comment:// c'],
  ['typescript', 'f(b: number): Foo', 'function:f', 'type:number', 'type:Foo'],
  ['js', 'a = b / c / 2', 'number:2'],
  ['js', 'return /a[/]b/g', 'keyword:return', 'string:/a[/]b/g'],
  ['js', 'x.default.new'],
  ['js', '/* open\nfor', 'comment:/* open\nfor'],
  ['js', "'open\nfor", "string:'open", 'keyword:for'],
  ['json', '{"a": "b", "c": [1, true]}', 'name:"a"', 'string:"b"', 'name:"c"', 'number:1', 'keyword:true'],
  ['py', 'def f():\n  """d"""', 'keyword:def', 'function:f', 'string:"""d"""'],
  ['python', 'x = f"{y}" # c', 'string:f"{y}"', 'comment:# c'],
  ['go', 'func (a *T) run() error', 'keyword:func', 'function:run', 'type:error'],
  ['rust', 'let x: &\'a str = r#"a"b"#', 'keyword:let', "name:'a", 'type:str', 'string:r#"a"b"#'],
  ['java', "@Override char c = 'x';", 'name:@Override', 'type:char', "string:'x'"],
  ['c', '#include <a.h>\nint x;', 'keyword:#include', 'type:int'],
  ['c++', 'auto x = nullptr;', 'keyword:auto', 'keyword:nullptr'],
  ['c#', 'var p = @"a\\";', 'keyword:var', 'string:@"a\\"'],
  ['sh', 'if [ "$A" ]; then # c', 'keyword:if', 'string:"$A"', 'keyword:then', 'comment:# c'],
  ['sql', "SELECT 'it''s' -- c", 'keyword:SELECT', "string:'it''s'", 'comment:-- c'],
  ['css', '.a { color: #fff }', 'type:.a', 'name:color', 'number:#fff'],
  ['html', '<a href="x">t</a>', 'keyword:<a', 'name:href', 'string:"x"', 'keyword:>', 'keyword:</a', 'keyword:>'],
  ['yaml', 'a: 1 # c\nb: yes', 'name:a', 'number:1', 'comment:# c', 'name:b', 'keyword:yes'],
  ['toml', '[a]\nb = "c"', 'heading:[a]', 'name:b', 'string:"c"'],
  ['diff', '@@ 1 @@\n-a\n+b', 'keyword:@@ 1 @@', 'removed:-a', 'added:+b'],
  ['md', '# T\n`a`', 'heading:# T', 'string:`a`'],
];

test('[W60] code is told apart in the common languages, and no letter of it is lost', () => {
  for (const [language, code, ...expected] of rows) assert.deepEqual(shown(language, code), expected, code);
});

test('[W60] a language that is not known, and code that is very long, stay as they are', () => {
  assert.equal(highlight('a', 'brainfog'), undefined);
  assert.equal(highlight('a', ''), undefined);
  assert.equal(highlight('x'.repeat(longestCode + 1), 'ts'), undefined);
  assert.ok(highlight('x'.repeat(longestCode), 'ts'));
});

test('[W60] coloured lines stand in the same chunks as plain ones', () => {
  const code = `/*${'\n'.repeat(300)}*/\nconst a = 1;\n`;
  const stretches = highlight(code, 'ts') ?? [];
  const joined = coloured(stretches).map(chunk => chunk.map(({ text }) => text).join(''));
  assert.deepEqual(joined, chunks(code));
});

const hostile = [
  '/[',
  '"',
  '\\',
  '`',
  '/*',
  'r#"',
  '<!--',
  '[[',
  '**a',
  '#',
  'a',
  '1_',
  ' ',
  '<a b=',
  'return /a',
  'a:',
];

test('[W60] a megabyte of hostile code is read in time in step with its length', { timeout: 60_000 }, () => {
  for (const unit of hostile) {
    for (const language of [c, css, markdown, rust, script, sql]) {
      const text = (length: number) => unit.repeat(length / unit.length);
      // A scan that looks too far would take minutes here, and not end before the test does.
      const [short, long] = [scan(text(131_072), language).length, scan(text(1_048_576), language).length];
      assert.ok(long <= 8 * short + 8, `${unit}: ${short} and ${long}`);
    }
  }
});
