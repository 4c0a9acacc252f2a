// The table of attacks in test/SAFETY.md is true: each names tests that are there. And what no running program can show:
// which settings a workspace may not write, and that nothing in the sources listens.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(file =>
  /\.tsx?$/.test(file),
);

test('[L2] every attack of the table has tests, and they are there', () => {
  const rows = [...read('test/SAFETY.md').matchAll(/^\| (\d+) +\| ([^|]+)\| ([^|]+)\|$/gm)];
  assert.deepEqual(
    rows.map(([, number]) => Number(number)),
    rows.map((_, at) => at + 1),
  );
  assert.ok(rows.length >= 20);
  for (const [, number, , cell = ''] of rows) {
    const proofs = [...cell.matchAll(/`([^`]+)`: (.+?)(?=<br>|\s*$)/g)];
    assert.ok(proofs.length > 0, `row ${number} has a test`);
    for (const [, file = '', name = ''] of proofs) {
      const path = join('test', file);
      assert.ok(existsSync(join(root, path)), `row ${number}: ${file}`);
      const names = [...read(path).matchAll(/test\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(
        ([, plain = '', template = '']) => plain + template,
      );
      assert.ok(
        names.some(title => title.includes(name)),
        `row ${number}: “${name}” is a test of ${file}`,
      );
    }
  }
});

test('[W95] what starts programs is read from the person’s own settings only', () => {
  const manifest = JSON.parse(read('package.json')) as {
    readonly contributes: { readonly configuration: Configuration | readonly Configuration[] };
  };
  const settings = [manifest.contributes.configuration].flat().flatMap(({ properties }) => Object.entries(properties));
  assert.ok(settings.length > 2);
  for (const [name, { scope }] of settings) assert.ok(scope === 'machine' || scope === 'application', name);
  const readers = sources.filter(file => /getConfiguration\(\s*['"`]throughline/.test(read(join('src', file))));
  assert.ok(readers.includes(join('host', 'personSettings.ts')));
  for (const file of readers) {
    const text = read(join('src', file));
    assert.match(text, /\.inspect\b[^;]*\.globalValue/, file);
    assert.doesNotMatch(text, /(?:settings|getConfiguration\([^)]*\))\s*\.get\b/, file);
  }
});

test('[W95] no port is opened', () => {
  // As `import … from`, `import()` and `require()` write it, in any quotes; a name that is put together isn't allowed either.
  const listening =
    /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bgetBuiltinModule\s*\(\s*)['"`](?:node:)?(?:net|http|https|http2|dgram|tls|ws|cluster|inspector)['"`]|createServer\b|\bimport\s*\(\s*[^'\s]/;
  assert.deepEqual(
    sources.filter(file => listening.test(read(join('src', file)))),
    [],
  );
});

test('[A75] no request goes around the HTTP client', () => {
  const asking = sources.filter(file => {
    const text = read(join('src', file)).replaceAll('typeof globalThis.fetch', '');
    return /(?<![.\w])fetch\s*\(|globalThis\s*(?:\.\s*fetch|\[)|XMLHttpRequest|new WebSocket|EventSource\(/.test(text);
  });
  assert.deepEqual(asking, [join('node', 'http', 'client.ts')]);
});

test('[A79] no regular expression is made in the layer that reads foreign files', () => {
  const making = sources.filter(file => /^(?:node|host)\b/.test(file) && /\bRegExp\(/.test(read(join('src', file))));
  // The last is made of escaped words, the others of constants.
  assert.deepEqual(making.toSorted(), [
    join('host', 'notify', 'outsideText.ts'),
    join('node', 'acp', 'plainText.ts'),
    join('node', 'history', 'search', 'needle.ts'),
  ]);
});

interface Configuration {
  readonly properties: { readonly [name: string]: { readonly scope?: string } };
}
