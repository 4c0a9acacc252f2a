// What SQLite itself leaves in its pages, and that we leave none of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schema } from '../../../src/node/history/index/projection.ts';
import { loadSqlite, type MemoryDatabase } from '../../../src/node/history/index/sqlite.ts';
import { wasmFile } from '../support/history.ts';
import { randomFrom } from '../support/random.ts';

/** Rows that come and go at random; gives what went. */
function busy(db: MemoryDatabase, random: () => number): readonly string[] {
  const live: string[] = [];
  const gone: string[] = [];
  for (let n = 0; n < 400; n++) {
    const id = `${random()}`.slice(2);
    const preview = `token${id}end${'x'.repeat(random() * 90)}`;
    db.run('INSERT OR IGNORE INTO message VALUES(?1, ?2, NULL, ?3, 1, NULL, ?4)', [id, `s${n % 7}`, 'user', preview]);
    live.push(id);
    if (random() > 0.3) continue;
    const [out = ''] = live.splice(Math.floor(random() * live.length), 1);
    db.run('DELETE FROM message WHERE id = ?1', [out]);
    gone.push(out);
  }
  return gone;
}

test('[J31] a cleaned index holds no copy of a deleted row, not even where SQLite had moved it', async () => {
  const open = await loadSqlite(wasmFile);
  let left = 0;
  for (const seed of [153, 193, 395, 771, 1181, 1480]) {
    const db = open();
    db.exec(schema);
    const gone = busy(db, randomFrom(seed));
    const remains = () => {
      const bytes = Buffer.from(db.bytes()).toString('latin1');
      return gone.filter(id => bytes.includes(`token${id}end`)).length;
    };
    left += remains();
    db.clean();
    assert.equal(remains(), 0);
    db.close();
  }
  assert.ok(left > 0, 'SQLite leaves copies: if it no longer does, cleaning is not needed');
});

test('[J31] a row that is deleted is overwritten at once, before the index is cleaned', async () => {
  const db = (await loadSqlite(wasmFile))();
  db.exec(schema);
  const has = () => Buffer.from(db.bytes()).toString('latin1').includes('the words of a message');
  const row = ['id', 's', 'user', 'the words of a message'];
  db.run('INSERT INTO message VALUES(?1, ?2, NULL, ?3, 1, NULL, ?4)', row);
  assert.ok(has());
  db.run('DELETE FROM message WHERE id = ?1', ['id']);
  assert.equal(has(), false);
  db.close();
});
