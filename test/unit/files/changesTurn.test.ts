// What a turn knows of its files: without a look before it, from what the agent says, from the client's own writes, beside
// the person's saves and beside other turns; and what it costs when no turn runs.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../src/node/clock.ts';
import { unkeptFiles } from '../../../src/core/changes.ts';
import { Beginning } from '../../../src/node/files/changes/beginning.ts';
import { Kept } from '../../../src/node/files/changes/kept.ts';
import { Look, type Want } from '../../../src/node/files/changes/look.ts';
import { Stock } from '../../../src/node/files/changes/stock.ts';
import { older, stage, until } from './changesStage.ts';

test('[F5] a turn that nobody prepared knows what is older than it, and guesses nothing else', async t => {
  const { at, begin, run, watch } = await stage(t, { 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c' });
  writeFileSync(at('young.txt'), 'one');
  const { end } = begin();
  run('echo x > b.txt; echo y > young.txt');
  await watch.settled();
  run('echo 1 > a.txt; echo 2 > sub/c.txt; echo n > sub/n.txt; echo x >> b.txt');
  assert.deepEqual(await end(), [
    'a.txt: "a" > "1" +1 -1',
    'b.txt: unknown > "x\\nx"',
    'sub/c.txt: "c" > "2" +1 -1',
    'sub/n.txt: absent > "n" +1 -0',
    'young.txt: unknown > "y"',
  ]);
});

test('[F5] what was changed between the look and the beginning began as it was then', async t => {
  for (const isHeard of [true, false])
    await t.test(isHeard ? 'with events' : 'without', async one => {
      const fails = () => {
        throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
      };
      const { at, begin, run, watch, settled } = await stage(
        one,
        { 'a.txt': 'a', 'gone.txt': 'g', 'sub/c.txt': 'c' },
        isHeard ? {} : { watch: fails },
      );
      await settled();
      run('echo person > a.txt; rm gone.txt; rm -r sub; echo p > made.txt');
      await older([at('a.txt'), at('made.txt'), at('.')]);
      const { end, shown } = begin();
      await watch.settled();
      assert.deepEqual(shown, []);
      run('echo turn > a.txt; echo again > gone.txt; rm made.txt');
      assert.deepEqual(await end(), [
        'a.txt: "person" > "turn" +1 -1',
        'gone.txt: absent > "again" +1 -0',
        'made.txt: "p" > absent +0 -1',
      ]);
    });
});

test('[F5] a folder that went before the turn is no change of it, whichever of its events is looked at first', async t => {
  const { base, ws, at, run } = await stage(t, { 'sub/deep/c.txt': 'c' });
  const stock = new Stock(() => {});
  const look = new Look({
    stock,
    kept: new Kept({ store: join(base, 'own'), mostBytes: 1000, onWarning() {} }),
    clock: systemClock,
    mostFiles: 10,
    isOwn: () => false,
    isNamed: () => false,
    isSecret: () => false,
    hearing: { hear: () => ({ times: 0, isNew: false }), stillHears: () => true, leave() {} },
    onTooMany() {},
  });
  const all: Want = { names: 'all', isNewToo: true, readsOld: true, isOver: () => false };
  for (const folder of [ws, at('sub'), at('sub/deep')]) await look.folder(folder, folder === ws, all);
  assert.ok(stock.fileAt(at('sub/deep/c.txt')));
  run('rm -r sub');
  await older([ws]);
  const beginning = new Beginning(stock.tick(), Date.now(), new Set([at('sub/deep/c.txt')]));
  stock.onlookers.add(beginning);
  await look.folder(at('sub/deep'), false, all);
  assert.equal(beginning.before(at('sub/deep/c.txt')), undefined);
});

test('[F5] a folder that was moved in before anybody looked is not taken for what was there', async t => {
  const { begin, run, watch } = await stage(t, { 'lib/a.txt': 'a', 'src/a.txt': 's' });
  const { end } = begin();
  run('mv src old; mv lib src');
  await watch.settled();
  run('echo x > src/a.txt');
  assert.deepEqual(await end(), ['src/a.txt: unknown > "x"']);
});

test('[F4] what the agent names is known before it changes, and counts although it is excluded', async t => {
  const { at, begin, run, watch } = await stage(t, {
    '.gitignore': 'out/\n',
    'out/a.txt': 'a',
    'out/b.txt': 'b',
    'a.txt': 'a',
    '.env': 'KEY=1',
    large: 'x'.repeat(2_000_000),
  });
  const { turn, end } = begin();
  const named = ['out/a.txt', 'out/n.txt', 'a.txt', '.env', 'large', 'new/folder/n.txt', '.', 'out'].map(at);
  turn.told([...named, '/etc/passwd', at('../elsewhere'), 'relative', '']);
  await watch.settled();
  run('echo x > out/a.txt; echo x > out/b.txt; echo n > out/n.txt; echo KEY=2 > .env; echo y >> large');
  run('mkdir -p new/folder; echo n > new/folder/n.txt');
  turn.told([at('out/late.txt')]);
  await watch.settled();
  run('echo l > out/late.txt');
  assert.deepEqual(await end(), [
    '.env: 5 bytes > 6 bytes told',
    'large: 2000000 kept > 2000002 kept told',
    'new/folder/n.txt: absent > "n" told +1 -0',
    'out/a.txt: "a" > "x" told +1 -1',
    'out/late.txt: absent > "l" told +1 -0',
    'out/n.txt: absent > "n" told +1 -0',
  ]);
});

test('[F4] a link that the agent names leads to the file that changes, inside only', async t => {
  const { at, base, begin, run, watch } = await stage(t, { 'a.txt': 'a' });
  writeFileSync(`${base}/outside.txt`, 'o');
  run('ln -s a.txt link; ln -s ../outside.txt out');
  const { turn, end } = begin();
  turn.told([at('link'), at('out')]);
  await watch.settled();
  run('echo x > link; echo x > out');
  assert.deepEqual(await end(), ['a.txt: "a" > "x" told +1 -1']);
});

test('[F4] a write of the client is certain', async t => {
  const { at, begin, watch } = await stage(t, { 'a.txt': 'old', 'b.txt': '\ufeffold', 'c.txt': 'c', '.env': 'KEY=1' });
  const { turn, end } = begin();
  const write = (name: string, before: string | null, after: string, mark = '') => {
    writeFileSync(at(name), mark + after);
    turn.wrote({ path: at(name), before, after });
  };
  // Nobody looked at them before, and an editor had text that was not saved.
  write('a.txt', 'unsaved', 'two');
  write('a.txt', 'two', 'three');
  write('b.txt', 'old', 'new', '\ufeff');
  write('n.txt', null, 'n');
  write('c.txt', 'c', 'c');
  write('same.txt', null, 'n');
  write('.env', 'KEY=1', 'KEY=22');
  await watch.settled();
  writeFileSync(at('same.txt'), '');
  write('.env', 'KEY=22', 'KEY=1');
  assert.deepEqual(await end(), [
    'a.txt: "unsaved" > "three" written +1 -1',
    'b.txt: "ï»¿old" > "ï»¿new" written +1 -1',
    'n.txt: absent > "n" written +1 -0',
    'same.txt: absent > "" written +0 -0',
  ]);
});

test('[F4] what only the person saved is no change of the turn', async t => {
  const { at, begin, run, settled, watch } = await stage(t, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await settled();
  const { end } = begin();
  const save = async (name: string, text: string) => {
    writeFileSync(at(name), text);
    watch.savedByPerson(at(name));
    await watch.settled();
  };
  run('echo turn > b.txt');
  await watch.settled();
  await save('a.txt', 'saved');
  await save('a.txt', 'saved twice');
  await save('b.txt', 'turn and person');
  await save('c.txt', 'saved');
  await save('new.txt', 'new');
  run('echo turn > c.txt');
  assert.deepEqual(await end(), ['b.txt: "b" > "turn and person" +1 -1', 'c.txt: "saved" > "turn" +1 -1']);
});

test('[F6] changes show while the turn runs, each list once', async t => {
  const { begin, settled, ws } = await stage(t, { 'a.txt': 'a' });
  await settled();
  const { end, shown } = begin();
  const child = spawn(
    process.execPath,
    ['-e', "fs.mkdirSync('x/y', { recursive: true }); fs.writeFileSync('x/y/n', 'n')"],
    {
      cwd: ws,
    },
  );
  await until(() => shown.length === 1);
  assert.deepEqual(shown[0], ['x/y/n: absent > "n" +1 -0']);
  if (child.exitCode === null) await once(child, 'exit');
  writeFileSync(`${ws}/x/y/n`, 'm');
  writeFileSync(`${ws}/a.txt`, 'b');
  writeFileSync(`${ws}/a.txt`, 'a');
  await until(() => shown.length === 2);
  assert.deepEqual(shown[1], ['x/y/n: absent > "m" +1 -0']);
  assert.deepEqual(await end(), shown[1]);
  assert.equal(shown.length, 2);
});

/** What this process has the system watch; only Linux tells. */
function watches(): number {
  const opened = readdirSync('/proc/self/fdinfo').flatMap(fd => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n');
    } catch {
      // That of the listing itself is closed by now.
      return [];
    }
  });
  return opened.filter(line => line.startsWith('inotify')).length;
}

test(
  '[F6] nothing is watched when no turn runs and none was prepared for within a minute',
  { skip: process.platform !== 'linux' },
  async t => {
    let later = 0;
    const rest: (() => void)[] = [];
    const clock = {
      now: () => systemClock.now() + later,
      after(milliseconds: number, run: () => void) {
        // Only the minute is moved by hand.
        if (milliseconds < 2000) return systemClock.after(milliseconds, run);
        rest.push(run);
        return () => void rest.splice(rest.indexOf(run), 1);
      },
    };
    const { begin, settled } = await stage(t, { 'a.txt': 'a', 'sub/b.txt': 'b' }, { clock });
    const before = watches();
    const { end } = begin();
    await settled();
    assert.ok(watches() >= before + 2);
    await end();
    assert.ok(watches() >= before + 2, 'prepared a moment ago');
    later = 60_000;
    assert.equal(rest.length, 1);
    rest[0]?.();
    assert.equal(watches(), before);
    const other = begin();
    await settled();
    later = 200_000;
    assert.ok(watches() >= before + 2);
    await other.end();
    assert.equal(watches(), before, 'the minute was over before the turn');
  },
);

test('[F7] turns at the same time have a list each, and are told of what both changed', async t => {
  const names = ['one.txt', 'two.txt', 'both.txt', 'shell.txt', 'early.txt'];
  const { at, begin, run, settled, watch } = await stage(t, Object.fromEntries(names.map(name => [name, 'a'])));
  await settled();
  const one = begin();
  run('echo early > early.txt');
  await watch.settled();
  await until(() => one.shown.length === 1);
  await older([at('early.txt')]);
  const two = begin();
  await watch.settled();
  one.turn.told([at('one.txt'), at('both.txt')]);
  two.turn.told([at('two.txt'), at('both.txt'), at('early.txt')]);
  await watch.settled();
  run('for name in one two both shell; do echo b > $name.txt; done');
  await watch.settled();
  await until(() => one.clashes.length === 2 && two.clashes.length === 2);
  run('for name in one two both shell early; do echo c > $name.txt; done');
  await watch.settled();
  assert.deepEqual(await two.end(), [
    'both.txt: "a" > "c" told +1 -1',
    'early.txt: "early" > "c" told +1 -1',
    'shell.txt: "a" > "c" +1 -1',
    'two.txt: "a" > "c" told +1 -1',
  ]);
  run('echo d > shell.txt');
  assert.deepEqual(await one.end(), [
    'both.txt: "a" > "c" told +1 -1',
    'early.txt: "a" > "c" +1 -1',
    'one.txt: "a" > "c" told +1 -1',
    'shell.txt: "a" > "d" +1 -1',
  ]);
  assert.deepEqual(one.clashes.toSorted(), ['both.txt', 'shell.txt']);
  assert.deepEqual(two.clashes.toSorted(), ['both.txt', 'shell.txt']);
});

test('[F5] beginning waits for nothing, and an end asked for twice is one', async t => {
  const { at, begin } = await stage(t, { 'a.txt': 'a' });
  const { turn, ended } = begin();
  writeFileSync(at('n.txt'), 'n');
  const first = ended();
  assert.equal(ended(), first);
  turn.told([at('a.txt')]);
  assert.equal((await first).length, 1);
  assert.ok(statSync(at('a.txt')).isFile());
});

test('[F16] what files held for an incognito turn is on no disk, and is shown and put back as ever', async t => {
  const { at, run, watch, store } = await stage(t, { 'a.txt': 'the canary before' });
  const unkept = unkeptFiles(watch);
  unkept.prepare();
  await watch.settled();
  const turn = unkept.begin({ onChange() {}, onClash() {} });
  await watch.settled();
  run('echo the canary after > a.txt');
  const [change] = await turn.end();
  const content = (state = change?.before) =>
    state?.kind === 'file' ? new TextDecoder().decode(state.content as Uint8Array) : '';
  assert.deepEqual([content(), content(change?.after)], ['the canary before', 'the canary after\n']);
  const files = () =>
    !existsSync(store)
      ? []
      : readdirSync(store, { recursive: true, encoding: 'utf8' }).filter(name => statSync(join(store, name)).isFile());
  assert.deepEqual(files(), []);
  assert.ok(change);
  assert.deepEqual(await unkept.putBack(at('a.txt'), change.after, change.before, AbortSignal.timeout(9000)), {
    done: true,
  });
  assert.equal(readFileSync(at('a.txt'), 'utf8'), 'the canary before');
  assert.deepEqual(files(), []);
});
