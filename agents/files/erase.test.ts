import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

let f: FilesFixture;
beforeEach(async () => {
  f = await filesFixture();
});
afterEach(() => f.end());

const erase_id = 'b7f0a1de-1111-4222-8333-444455556666';
const other_id = 'b7f0a1de-1111-4222-8333-444455557777';
const trashed = async () => (await f.get('trash', {})).items.map(({ path }) => path).toSorted();

it('moves all files into the trash, and brings back those of one erasure', async () => {
  f.write('world/level.dat', 'one');
  f.write('server.properties', 'a=1');
  expect(await f.perform('file_erase', { erase_id })).toEqual({ state: 'done', result: { items: 2 } });
  expect(existsSync(f.path('world'))).toBe(false);
  expect(await trashed()).toEqual(['server.properties', 'world']);
  f.write('server.properties', 'b=2');
  expect(await f.perform('file_erase', { erase_id: other_id })).toMatchObject({ result: { items: 1 } });
  expect(await f.perform('file_unerase', { erase_id, items: 2 })).toMatchObject({ result: { items: 2 } });
  expect(readFileSync(f.path('world/level.dat'), 'utf8')).toBe('one');
  expect(readFileSync(f.path('server.properties'), 'utf8')).toBe('a=1');
  // what came after it stays there
  expect(await trashed()).toEqual(['server.properties']);
});

it('brings nothing back when a part of it is gone for good', async () => {
  f.write('a', '1');
  f.write('b', '2');
  await f.perform('file_erase', { erase_id });
  const [item] = (await f.get('trash', {})).items;
  await f.perform('file_purge', { trash_ids: [item!.trash_id] });
  expect(await f.perform('file_unerase', { erase_id, items: 2 })).toMatchObject({
    state: 'failed',
    result: { error: 'change_not_undoable' },
  });
  expect([existsSync(f.path('a')), existsSync(f.path('b'))]).toEqual([false, false]);
  // after an interruption nobody knows how many there were
  expect(await f.perform('file_unerase', { erase_id, items: null })).toMatchObject({ result: { items: 1 } });
});

it('erases nothing where nothing is', async () => {
  expect(await f.perform('file_erase', { erase_id })).toMatchObject({ result: { items: 0 } });
  expect(await f.perform('file_unerase', { erase_id, items: 0 })).toMatchObject({ result: { items: 0 } });
});
