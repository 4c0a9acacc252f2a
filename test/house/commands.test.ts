// The door registers each command that the manifest names, whatever it is. That something answers is asked of the sources:
// each name stands in one of the tables behind the door.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from '../vscode/places.ts';

test('[H4] every command of the manifest has something behind it', () => {
  const tables = globSync('src/host/{composition,commands,*/*Commands,sessions/{sessionsView,windowSessions}}.ts', {
    cwd: repository,
  })
    .map(file => readFileSync(join(repository, file), 'utf8'))
    .join('\n');
  const { contributes } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    contributes: { commands: { command: string }[] };
  };
  const names = contributes.commands.map(({ command }) => command.replace(/^throughline\./, ''));
  assert.ok(names.length > 50, `${names.length} commands`);
  const without = names.filter(
    name => !new RegExp(`^ +(${name}: '|command\\('${name}',|'throughline\\.${name}':)`, 'm').test(tables),
  );
  assert.deepEqual(without, []);
});
