import { describe, expect, test } from 'vitest';
import { readManifests } from '#db/catalogue/manifests/read-manifests.ts';
import { forgedZip, zipOf } from '#db/testing/zips.ts';
import { zipView } from './zip-view.ts';

const blob = (bytes: Uint8Array) => new Blob([Buffer.from(bytes)]);
const text = async (bytes: Promise<Uint8Array | null>) => new TextDecoder().decode((await bytes)!);

test.each([true, false])('reads names and entries, packed or not (%s)', async (store) => {
  const archive = await zipView(
    blob(await zipOf({ 'a.txt': 'first', 'b/': '', 'b/ü.txt': 'x'.repeat(5000) }, { store })),
  );
  expect(archive!.names).toEqual(['a.txt', 'b/', 'b/ü.txt']);
  expect(await text(archive!.read('a.txt', 100))).toBe('first');
  expect(await text(archive!.read('b/ü.txt', 5000))).toBe('x'.repeat(5000));
  expect(await archive!.read('c.txt', 100)).toBeNull();
});

test('gives the manifests that the server reads', async () => {
  const mod = { schemaVersion: 1, id: 'a', version: '1.2', depends: { minecraft: '1.20.1' } };
  const archive = await zipView(blob(await zipOf({ 'fabric.mod.json': JSON.stringify(mod) })));
  const known = [{ version: '1.20.1', version_type: 'release' }];
  expect(await readManifests(archive!, known)).toMatchObject({
    ...{ version_number: '1.2', loaders: ['fabric'], game_versions: ['1.20.1'] },
  });
});

const small = await zipOf({ 'a.txt': 'a' });
describe('refuses', () => {
  test.each([
    ['text', Buffer.from('not an archive')],
    ['nothing', Buffer.alloc(0)],
    ['a cut archive', small.subarray(0, small.length - 8)],
    ['a directory beyond the end', Buffer.concat([small.subarray(-22), Buffer.alloc(3)])],
    ['more entries than there are', forgedZip([{ name: 'a' }], { count: 9 })],
  ])('%s', async (_, bytes) => {
    expect(await zipView(blob(bytes))).toBeNull();
  });

  test('an entry that unpacks to more than is asked for', async () => {
    const archive = await zipView(blob(await zipOf({ 'big.txt': 'a'.repeat(1_000_000) })));
    await expect(archive!.read('big.txt', 1000)).rejects.toThrow();
  });
});
