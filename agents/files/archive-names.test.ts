import { readdirSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { isRawName, readableName } from '#db/platform/files/raw-names/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

let f: FilesFixture;
beforeEach(async () => {
  f = await filesFixture();
});
afterEach(() => f.end());

/** Names by their bytes, as text of Latin-1. */
const raw = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
const there = (path: string): string[] => readdirSync(f.path(path), { encoding: 'latin1' }).sort();

describe('an archive of another system', () => {
  /** A zip whose names are these bytes, without the flag for UTF-8. */
  async function zipOf(...names: Buffer[]): Promise<Buffer> {
    const zip = new ZipFile();
    const placeholders = names.map((name, at) => String(at).padEnd(name.length, 'x'));
    for (const [at, name] of placeholders.entries()) zip.addBuffer(Buffer.from(`content ${at}`), name);
    zip.end();
    let text = (await buffer(zip.outputStream)).toString('latin1');
    for (const [at, name] of placeholders.entries())
      text = text.replaceAll(name, names[at]!.toString('latin1'));
    const made = Buffer.from(text, 'latin1');
    for (const [sign, flags] of [
      [0x04034b50, 6],
      [0x02014b50, 8],
    ] as const)
      for (let at = 0; at + 4 < made.length; at++)
        if (made.readUInt32LE(at) === sign)
          made.writeUInt16LE(made.readUInt16LE(at + flags) & ~0x800, at + flags);
    return made;
  }
  /** A tar whose headers have these bytes as names. */
  async function tarOf(...names: Buffer[]): Promise<Buffer> {
    const tar = pack();
    for (const [at, name] of names.entries())
      tar.entry({ name: String(at).padEnd(name.length, 'x') }, `content ${at}`);
    tar.finalize();
    const made = await buffer(tar);
    for (const [at, name] of names.entries()) {
      const place = made.indexOf(String(at).padEnd(name.length, 'x'));
      const before = made.subarray(place, place + name.length).reduce((sum, byte) => sum + byte, 0);
      name.copy(made, place);
      const after = name.reduce((sum, byte) => sum + byte, 0);
      const sum = Number.parseInt(made.toString('latin1', place + 148, place + 154), 8) + after - before;
      made.write(`${sum.toString(8).padStart(6, '0')}\0 `, place + 148, 'latin1');
    }
    return made;
  }
  const unpack = (into = 'out') => f.done('file_unpack', { path: 'a.bin', into, on_conflict: 'replace' });
  const plan = () => f.get('unpack_plan', { path: 'a.bin', into: 'out' });

  it('as a zip with UTF-8 without its flag is read as UTF-8', async () => {
    f.write('a.bin', await zipOf(Buffer.from('мир/é.txt'), Buffer.from('level.dat')));
    expect(await plan()).toMatchObject({ files: 2, unclear: 0, unclear_names: [] });
    await unpack();
    expect(readdirSync(f.path('out')).sort()).toEqual(['level.dat', 'мир']);
    expect(readdirSync(f.path('out/мир'))).toEqual(['é.txt']);
  });

  it('as a zip in a code page is read as CP437, which is said before', async () => {
    f.write('a.bin', await zipOf(raw('\x82.txt'), raw('plain.txt')));
    expect(await plan()).toMatchObject({ files: 2, unclear: 1, unclear_names: ['é.txt'] });
    await unpack();
    expect(readdirSync(f.path('out')).sort()).toEqual(['plain.txt', 'é.txt']);
  });

  it.each(['replace', 'skip', 'rename'])(
    'as a tar keeps the bytes of its names: every file is there (%s)',
    async (on_conflict) => {
      const names = [raw('\xb2\xe2\xca\xd4.txt'), raw('\xba\xcb\xd0\xc4.txt'), Buffer.from('核心.txt')];
      f.write('a.bin', await tarOf(...names));
      const { files, unclear, unclear_names } = await plan();
      expect([files, unclear]).toEqual([3, 2]);
      expect(unclear_names.every(isRawName)).toBe(true);
      expect(unclear_names.map(readableName)).toEqual([
        '\ufffd\ufffd\ufffd\ufffd.txt',
        '\ufffd\ufffd\ufffd\ufffd.txt',
      ]);
      const unpacked = await f.done('file_unpack', { path: 'a.bin', into: 'out', on_conflict });
      expect(unpacked).toMatchObject({ files: 3, skipped: 0 });
      expect(there('out')).toEqual(names.map((name) => name.toString('latin1')).sort());
    },
  );

  it('as a tar with UTF-8 beyond its headers is read as before', async () => {
    const tar = pack();
    const long = `${'深'.repeat(60)}/${'é'.repeat(80)}.txt`;
    tar.entry({ name: long }, 'x');
    tar.finalize();
    f.write('a.bin', await buffer(tar));
    await unpack();
    expect(await f.get('stat', { paths: [`out/${long}`] })).toMatchObject({ entries: [{ type: 'file' }] });
  });

  it('as a tar whose names became one says which, and writes nothing', async () => {
    const tar = pack();
    for (const content of ['first', 'second'])
      tar.entry({ name: 'x', pax: { path: '\ufffd\ufffd.txt' } }, content);
    tar.finalize();
    f.write('a.bin', await buffer(tar));
    const outcome = await f.perform('file_unpack', { path: 'a.bin', into: 'out', on_conflict: 'replace' });
    expect(outcome).toMatchObject({
      state: 'failed',
      result: { error: 'file_path_invalid', data: { path: '\ufffd\ufffd.txt', why: 'text' } },
    });
  });
});
