// Which programs of this machine are found without running them.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { FoundAgents } from '../../../src/host/agents/foundAgents.ts';
import { findOnPath } from '../../../src/node/acp/onPath.ts';

test('[A70] links to the workspace, to a folder of the PATH and to a program hide nothing', async t => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-path-')));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const [real, link, outside] = [join(home, 'real'), join(home, 'link'), join(home, 'outside')];
  const bin = join(real, 'node_modules', '.bin');
  for (const folder of [bin, outside]) mkdirSync(folder, { recursive: true });
  symlinkSync(real, link);
  symlinkSync(bin, join(home, 'linked-bin'));
  for (const program of [join(bin, 'agent'), join(outside, 'other')]) {
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
  }
  symlinkSync(join(bin, 'agent'), join(outside, 'agent'));
  const folders = [bin, join(link, 'node_modules', '.bin'), join(home, 'linked-bin'), outside, join(home, 'none')];
  for (const workspace of [real, link])
    for (const PATH of [...folders, folders.join(delimiter)]) {
      const of = { env: { PATH }, notIn: [workspace, join(home, 'gone')], platform: 'linux' } as const;
      assert.equal(await findOnPath('agent', of), undefined, `${PATH} with the workspace ${workspace}`);
    }
  // The workspace would choose which program of the machine stands behind a name.
  symlinkSync(join(outside, 'other'), join(bin, 'chosen'));
  for (const PATH of [bin, join(home, 'linked-bin')])
    assert.equal(await findOnPath('chosen', { env: { PATH }, notIn: [real], platform: 'linux' }), undefined, PATH);
  const of = { env: { PATH: outside }, notIn: [link], platform: 'linux' } as const;
  assert.equal(await findOnPath('other', of), join(outside, 'other'));
});

test('[A70] a program is found by its name in the folders of the PATH, and is not run', async t => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-path-')));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const workspace = join(home, 'workspace');
  const ran = join(home, 'ran');
  const place = (folder: string, name: string, mode = 0o755) => {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, name), `#!/bin/sh\ntouch '${ran}'\n`);
    chmodSync(join(home, folder, name), mode);
    return join(home, folder, name);
  };
  place('workspace/bin', 'agent');
  place('no-program', 'agent', 0o644);
  mkdirSync(join(home, 'a-folder', 'agent'), { recursive: true });
  mkdirSync(join(home, 'linked'));
  symlinkSync(join(workspace, 'bin', 'agent'), join(home, 'linked', 'agent'));
  const right = place('right', 'agent');
  // A project may bring a link to any program there is.
  mkdirSync(join(workspace, 'tools'));
  symlinkSync(place('later', 'agent'), join(workspace, 'tools', 'agent'));
  const folders = ['missing', 'workspace/bin', 'workspace/tools', 'no-program', 'a-folder', 'linked', 'right', 'later'];
  const PATH = ['', '.', 'bin', ...folders.map(folder => join(home, folder))].join(delimiter);
  const of = { env: { Path: PATH }, notIn: [workspace], platform: 'linux' } as const;
  assert.equal(await findOnPath('agent', of), right);
  assert.equal(await findOnPath('other', of), undefined);
  assert.equal(await findOnPath('agent', { ...of, env: {} }), undefined);

  const known = [
    { name: 'Missing', command: 'missing', args: [] },
    { name: 'Agent', command: 'other', args: ['old'] },
    { name: 'Agent', command: 'agent', args: ['acp'] },
  ];
  const found = new FoundAgents({ known, env: of.env, platform: 'linux', folders: () => [workspace] });
  assert.deepEqual([...(await found.get())], [['Agent', { command: right, args: ['acp'], env: {} }]]);
  place('right', 'missing');
  assert.deepEqual([...(await found.get()).keys()], ['Agent']);
  assert.deepEqual([...(await found.lookAgain()).keys()], ['Missing', 'Agent']);
  assert.throws(() => realpathSync(ran), { code: 'ENOENT' });
});
