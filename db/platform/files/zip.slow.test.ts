import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/soak.ts';
import { forgedZip, sourceOf, zipOf } from '../../testing/zips.ts';
import { Refused } from '../errors.ts';
import { type Archive, withArchive } from './zip.ts';

const opened = async <T>(bytes: Buffer, work: (archive: Archive) => Promise<T>): Promise<T> =>
  await withArchive({ content: sourceOf(bytes), filename: 'archive.jar' }, work);
const names = (bytes: Buffer) => opened(bytes, async (archive) => archive.names);
const refusal = (bytes: Buffer): Promise<string> =>
  names(bytes).then(
    () => 'opened',
    (error) => (error instanceof Refused ? error.code : String(error)),
  );

test('opens an ordinary archive and reads its entries', async () => {
  const big = Buffer.alloc(3 * 1024 * 1024, 'cairn');
  for (const options of [{}, { store: true }, { zip64: true }]) {
    const bytes = await zipOf({ 'a/': '', 'a/b.txt': 'hello', 'größe.txt': '', big }, options);
    expect(await names(bytes)).toEqual(['a/', 'a/b.txt', 'größe.txt', 'big']);
    expect(await opened(bytes, (archive) => archive.read('a/b.txt', 100))).toEqual(Buffer.from('hello'));
    expect((await opened(bytes, (archive) => archive.read('big', 4 * 1024 * 1024)))!.equals(big)).toBe(true);
    expect(await opened(bytes, (archive) => archive.read('none', 100))).toBeNull();
    await expect(opened(bytes, (archive) => archive.read('big', 1000))).rejects.toMatchObject({
      code: 'archive_expands_too_much',
    });
  }
});

test('opens a correct hand-made archive, an empty one and one that lists a folder twice', async () => {
  expect(await names(forgedZip([{ name: 'a' }, { name: 'b', method: 0 }]))).toEqual(['a', 'b']);
  expect(await names(forgedZip([]))).toEqual([]);
  expect(
    await names(
      forgedZip([
        { name: 'a/', content: '', method: 0 },
        { name: 'a/', content: '', method: 0 },
      ]),
    ),
  ).toEqual(['a/', 'a/']);
});

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `${i}`, content: '', method: 0 }));
const mebi = 1024 * 1024;
const zeros = Buffer.alloc(70 * mebi);

test.each<[string, string, () => Buffer | Promise<Buffer>]>([
  ['nothing', 'archive_unreadable', () => Buffer.alloc(0)],
  ['text', 'archive_unreadable', () => Buffer.from('this is no archive at all, however long')],
  [
    'a cut archive',
    'archive_unreadable',
    async () => (await zipOf({ a: 'x'.repeat(500), b: 'y' })).subarray(0, -30),
  ],
  [
    'an archive without its beginning',
    'archive_unreadable',
    async () => (await zipOf({ a: 'x', b: 'y' })).subarray(20),
  ],
  [
    'more entries than announced',
    'archive_unreadable',
    () => forgedZip([{ name: 'a' }, { name: 'b' }], { count: 1 }),
  ],
  ['fewer entries than announced', 'archive_unreadable', () => forgedZip([{ name: 'a' }], { count: 2 })],
  ['a data range beyond the file', 'archive_unreadable', () => forgedZip([{ name: 'a', packed: 5000 }])],
  ['an encrypted entry', 'archive_encrypted', () => forgedZip([{ name: 'a', flags: 0x801 }])],
  ['a strongly encrypted entry', 'archive_encrypted', () => forgedZip([{ name: 'a', flags: 0x841 }])],
  ['an unknown method', 'archive_method_unsupported', () => forgedZip([{ name: 'a', method: 12 }])],
  ['.. in a name', 'archive_entry_name_invalid', () => forgedZip([{ name: 'a/../../b' }])],
  ['an absolute name', 'archive_entry_name_invalid', () => forgedZip([{ name: '/etc/passwd' }])],
  ['a drive in a name', 'archive_entry_name_invalid', () => forgedZip([{ name: 'C:/x' }])],
  ['a backslash in a name', 'archive_entry_name_invalid', () => forgedZip([{ name: '..\\x' }])],
  ['a NUL in a name', 'archive_entry_name_invalid', () => forgedZip([{ name: 'a\0b' }])],
  ['an empty name', 'archive_entry_name_invalid', () => forgedZip([{ name: '' }])],
  ['a very long name', 'archive_entry_name_invalid', () => forgedZip([{ name: 'x'.repeat(1025) }])],
  ['a very deep name', 'archive_entry_name_invalid', () => forgedZip([{ name: 'x/'.repeat(64) }])],
  [
    'a name twice',
    'archive_entry_repeated',
    () => forgedZip([{ name: 'fabric.mod.json' }, { name: 'fabric.mod.json', content: 'other' }]),
  ],
  [
    'overlapping entries',
    'archive_entries_overlap',
    () => forgedZip([{ name: 'a' }, { name: 'b', shares: 0 }]),
  ],
  [
    'data that reaches into the next entry',
    'archive_entries_overlap',
    () => forgedZip([{ name: 'a', method: 0, packed: 40, size: 40 }, { name: 'b' }]),
  ],
  ['a size too small', 'archive_entry_size_wrong', () => forgedZip([{ name: 'a', size: 3 }])],
  ['a size too large', 'archive_entry_size_wrong', () => forgedZip([{ name: 'a', size: 30 }])],
  [
    'a large entry that claims to be small',
    'archive_entry_size_wrong',
    () => forgedZip([{ name: 'a', content: zeros, size: 10 }]),
  ],
  [
    'a large entry with a wrong size',
    'archive_entry_size_wrong',
    () => forgedZip([{ name: 'a', content: zeros.subarray(0, 5 * mebi), size: 5 * mebi - 1 }]),
  ],
  [
    'a large size of nothing',
    'archive_entry_size_wrong',
    () => forgedZip([{ name: 'a', packed: 0, size: 2 * mebi }]),
  ],
  [
    'a stored entry with two sizes',
    'archive_entry_size_wrong',
    () => forgedZip([{ name: 'a', method: 0, size: 3 }]),
  ],
  ['a wrong checksum', 'archive_entry_size_wrong', () => forgedZip([{ name: 'a', crc: 1 }])],
  [
    'a large entry with a wrong checksum',
    'archive_entry_size_wrong',
    () => forgedZip([{ name: 'a', content: zeros.subarray(0, 2 * mebi), crc: 1 }]),
  ],
  [
    'an entry that grows a thousand times',
    'archive_expands_too_much',
    () => forgedZip([{ name: 'a', content: zeros }]),
  ],
  [
    'many entries that grow together',
    'archive_expands_too_much',
    () => forgedZip([1, 2, 3].map((n) => ({ name: `${n}`, content: zeros.subarray(0, 30 * mebi) }))),
  ],
  ['a claim of 4 GiB', 'archive_expands_too_much', () => forgedZip([{ name: 'a', size: 0xfffffffe }])],
])('refuses %s as %s', async (_what, code, make) => {
  expect(await refusal(await make())).toBe(code);
});

/** A deflate stream with empty blocks before its content: it unpacks to little, however long it is. */
const idle = (blocks: number, content: string) =>
  Buffer.concat([Buffer.alloc(blocks * 5, Buffer.from([0, 0, 0, 0xff, 0xff])), deflateRawSync(content)]);

test('checks an entry padded with empty blocks in constant memory, without reading it completely', async () => {
  const bytes = forgedZip([{ name: 'a', content: 'content', data: idle(2_000_000, 'content') }]);
  expect(await names(bytes)).toEqual(['a']);
  await expect(opened(bytes, (archive) => archive.read('a', mebi))).rejects.toMatchObject({
    code: 'archive_entry_size_wrong',
  });
});

test('checks the entries after a large one', async () => {
  const large = { name: 'large', method: 0, content: Buffer.alloc(257 * mebi) };
  expect(await refusal(forgedZip([large, { name: 'a', size: 3 }]))).toBe('archive_entry_size_wrong');
});

test('opens an archive with 20 000 entries, refuses one that declares more than 100 000', async () => {
  expect(await names(forgedZip(many(20_000)))).toHaveLength(20_000);
  const zip64 = await zipOf({ a: 'x' }, { zip64: true });
  zip64.writeUInt32LE(100_001, zip64.lastIndexOf('PK\x06\x06') + 32);
  expect(await refusal(zip64)).toBe('archive_too_many_entries');
});

test('opens or refuses random and bit-flipped input, and never fails otherwise', {
  timeout: 60_000,
}, async () => {
  const sound = [
    await zipOf({ 'a/': '', 'a/b.txt': 'hello hello hello', 'c.class': Buffer.alloc(3000, 'ab') }),
    await zipOf({ 'a.txt': 'hello', b: '' }, { zip64: true }),
    forgedZip([{ name: 'a' }, { name: 'b', method: 0 }]),
  ];
  const flip = fc.tuple(fc.nat(4000), fc.integer({ min: 0, max: 255 }));
  const damaged = fc
    .tuple(fc.constantFrom(...sound), fc.array(flip, { minLength: 1, maxLength: 8 }))
    .map(([bytes, flips]) => {
      const copy = Buffer.from(bytes);
      // counted from the end, where the directory is
      for (const [at, value] of flips) copy[copy.length - 1 - (at % copy.length)] = value;
      return copy;
    });
  const random = fc
    .uint8Array({ maxLength: 400 })
    .map((bytes) => Buffer.concat([Buffer.from('PK\x03\x04'), bytes, sound[0]!.subarray(-22)]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, random), async (bytes) => {
      expect(await refusal(bytes)).toMatch(/^(opened|archive_\w+)$/);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('refuses names longer than 16 MiB together', async () => {
  const names = (count: number) =>
    forgedZip(
      Array.from({ length: count }, (_, i) => ({ name: `${i}`.padEnd(1024, 'x'), content: '', method: 0 })),
    );
  const opened = await refusal(names(16 * 1024));
  expect(opened).not.toBe('archive_names_too_long');
  expect(await refusal(names(16 * 1024 + 1))).toBe('archive_names_too_long');
});
