import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPipeline } from '../pipeline.ts';
import { unpack } from '../programs.ts';
import { block, type Entry, headerOf, padding, parseHeader, sparseMap } from './format.ts';
import { parseMap } from './holes.ts';
import { parseSum } from './sums.ts';

let folder: string;
let into: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-tar-'));
  into = join(folder, 'inside');
  mkdirSync(into);
  writeFileSync(join(folder, 'victim'), 'untouched');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (change: Partial<Entry>, content = ''): Buffer => {
  const body = Buffer.from(content);
  const header = headerOf({
    path: 'x',
    type: 'file',
    mode: 0o644,
    modified: 1,
    stored: body.length,
    ...change,
  });
  return Buffer.concat([header, body, Buffer.alloc(padding(body.length))]);
};
const end = Buffer.alloc(2 * block);

/** What unpacking tells at its end. */
async function unpacked(...parts: Buffer[]) {
  const to = { folder: into, uid: process.getuid?.() ?? 0, limit: 1_000_000, inside: '/data' };
  const { signal } = new AbortController();
  const running = startPipeline([unpack(to, 'restore', folder)], { signal });
  running.output.resume();
  running.input.end(Buffer.concat(parts));
  return (await running.ended).message;
}

describe('an archive by somebody else', () => {
  it.each<[string, Buffer[]]>([
    ['a name that goes up', [entry({ path: '../victim' }, 'bad')]],
    ['an absolute name', [entry({ path: '/victim' }, 'bad')]],
    ['a name with an empty part', [entry({ path: 'a//b' }, 'bad')]],
    ['a hard link to something outside', [entry({ type: 'hard_link', target: '../victim' })]],
    ['the same name twice', [entry({}, 'one'), entry({}, 'two')]],
    ['a wrong sum in a header', [entry({}).fill(0x41, 0, 3)]],
    ['an end in the middle', [entry({}, 'a'.repeat(2_000)).subarray(0, 1_000)]],
    ['a map that is none', [entry({ sparse_size: 5_000 }, 'no map at all'.padEnd(block))]],
    ['a map beyond the file', [entry({ sparse_size: 10 }, '1\n5\n500\n'.padEnd(block, '\0'))]],
  ])('with %s makes nothing outside and fails', async (_, parts) => {
    expect(await unpacked(...parts, end)).toMatchObject({ failed: {} });
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('untouched');
  });

  it('with a device, or a file below a link, fails', async () => {
    const device = entry({});
    device.write('3', 156);
    let sum = 0;
    device.fill(0x20, 148, 156);
    for (const byte of device.subarray(0, block)) sum += byte;
    device.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(await unpacked(device, end)).toMatchObject({ failed: { message: 'an entry has the type "3"' } });
    const link = entry({ path: 'up', type: 'link', target: 'down' });
    const folders = entry({ path: 'down', type: 'directory' });
    expect(await unpacked(folders, link, entry({ path: 'up/file' }, 'bad'), end)).toMatchObject({
      failed: { code: 'ENOTDIR' },
    });
    expect(readdirSync(join(into, 'down'))).toEqual([]);
  });

  it('has links that stay inside, and no others', async () => {
    const link = (path: string, target: string) => entry({ path, type: 'link', target });
    const links = [
      link('a', 'b'),
      link('c', '../x'),
      link('d', '/etc'),
      link('e', '/data/b'),
      link('f', '/database'),
    ];
    expect(await unpacked(...links, end)).toMatchObject({ unpacked: { left_out: 3 } });
    expect(readdirSync(into).sort()).toEqual(['a', 'e']);
  });

  it('that has more than fits ends when the limit is reached', async () => {
    expect(await unpacked(entry({}, 'a'.repeat(1_000_001)), end)).toMatchObject({
      failed: { code: 'ENOSPC' },
    });
  });
});

it.each<[string, Partial<Entry>]>([
  ['a long name', { path: `${'a'.repeat(120)}/${'b'.repeat(250)}` }],
  ['bytes that are not UTF-8', { path: 'a\xff\xfe' }],
  ['a long target', { type: 'link', target: 'c'.repeat(300) }],
  ['more than 8 GiB', { stored: 9 * 1024 ** 3 }],
  ['holes', { sparse_size: 10 * 1024 ** 3, stored: 1024 }],
])('a header with %s is read as it was written', (_, change) => {
  const written: Entry = { path: 'x', type: 'file', mode: 0o640, modified: 7, stored: 0, ...change };
  const bytes = headerOf(written);
  let extended = new Map<string, string>();
  let at = 0;
  const first = parseHeader(bytes.subarray(0, block), extended);
  if (first && 'extended' in first) {
    const body = bytes.toString('latin1', block, block + first.stored);
    extended = new Map(
      body.split('\n').flatMap((line) => {
        const found = /^\d+ ([^=]+)=(.*)$/.exec(line);
        return found ? [[found[1]!, found[2]!]] : [];
      }),
    );
    at = block + first.stored + padding(first.stored);
  }
  expect(parseHeader(bytes.subarray(at, at + block), extended)).toMatchObject(written);
});

it('a map is read as it was written, with a hole at its end', () => {
  const segments: [number, number][] = [
    [4_096, 8_192],
    [1_000_000, 5],
  ];
  expect(parseMap(sparseMap(segments, 2_000_000), 2_000_000)).toEqual(segments);
  expect(parseMap(sparseMap([], 5), 5)).toEqual([]);
  expect(parseMap(sparseMap(segments, 2_000_000), 1_000_000)).toBeNull();
});

it('a line of sums is one, or is none', () => {
  expect(parseSum('sparse:0000000f a\\nb\\\\n')).toEqual({ sum: 15, path: 'a\nb\\n', sparse: true });
  expect(parseSum('nothing')).toBeNull();
});
