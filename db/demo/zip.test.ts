import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { withArchive } from '../platform/files/zip.ts';
import { zip } from './zip.ts';

const texts = { 'fabric.mod.json': '{"id":"lanternroot"}', 'META-INF/mods.toml': 'modLoader="javafml"\n' };
const bytesOf = async (archive: ReturnType<typeof zip>) => await buffer(Readable.from(archive.chunks()));
const hash = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex');

it.each([0, 1, 70_000, 3_000_000])(
  'has the size and hashes that it says, with %i bytes of padding',
  async (padding) => {
    for (const entries of [texts, { 'pack.mcmeta': '{}' }]) {
      const archive = zip(entries, padding);
      const bytes = await bytesOf(archive);
      expect(bytes.length).toBe(archive.size);
      expect(bytes.length).toBeGreaterThan(padding);
      expect([archive.sha1, archive.sha512]).toEqual([hash('sha1', bytes), hash('sha512', bytes)]);
    }
  },
);

it('is a zip archive that our own reader accepts, with every entry', async () => {
  const bytes = await bytesOf(zip(texts, 70_000));
  const open = async () => ({
    size: bytes.length,
    readAt: async (position: number, length: number) => bytes.subarray(position, position + length),
    close: async () => {},
  });
  await withArchive({ filename: 'a.jar', content: { open } }, async ({ names, read }) => {
    expect(names).toEqual(['padding.bin', ...Object.keys(texts)]);
    for (const [name, text] of Object.entries(texts)) expect((await read(name, 1000))?.toString()).toBe(text);
  });
});

it('gives the same bytes for the same entries', async () => {
  expect(zip(texts, 5).sha512).toBe(zip(texts, 5).sha512);
});
