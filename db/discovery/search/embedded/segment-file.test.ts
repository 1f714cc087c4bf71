import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../testing/soak.ts';
import type { Sections } from './sections.ts';
import { type Facts, writeSegment } from './segment-file.ts';
import { BadSegment, checkFile, factsOf, readSegment } from './segment-file-read.ts';
import { createStoredFields } from './segment-file-stored-fields.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-segment-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const facts: Facts = {
  format: 'this one',
  generation: 7,
  origin: 'here',
  cursor: { xact: '12345678901234567890', id: 42 },
  documents: 3,
  built: 1_700_000_000_000,
  took_ms: 12,
  bodies: { length: 5, crc32: 99 },
};
const sections: Sections = new Map<string, never>(
  Object.entries({
    'terms.bytes': new Uint8Array([1, 2, 3]),
    empty: new Uint16Array(),
    postings: new Uint32Array(1000).map((_, i) => i * i),
    differences: new Int32Array([-1, 2 ** 31 - 1]),
    scores: new Float32Array([0.5]),
    numbers: new Float64Array([Math.PI, -0]),
  }) as never,
);

function written(name: string): { path: string; bytes: Buffer } {
  const path = join(folder, name);
  writeSegment(path, facts, sections);
  return { path, bytes: readFileSync(path) };
}

describe('a segment file', () => {
  it('returns what was written, in one shared buffer', async () => {
    const { path, bytes } = written('whole');
    const read = await readSegment(path, 'this one');
    expect(read.facts).toEqual(facts);
    expect(read.bytes).toBe(bytes.length);
    expect(read.sections).toEqual(sections);
    const buffers = new Set([...read.sections.values()].map(({ buffer }) => buffer));
    expect([...buffers]).toEqual([expect.any(SharedArrayBuffer)]);
    expect(await factsOf(path)).toEqual({ ...facts, bytes: bytes.length });
  });

  it('is refused when another index format was requested', async () => {
    const { path } = written('other');
    await expect(readSegment(path, 'a newer one')).rejects.toThrow(new BadSegment('it is of another format'));
  });

  it('is refused when any bit is flipped', async () => {
    const { bytes } = written('turned');
    const path = join(folder, 'damaged');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(path, changed);
        await expect(readSegment(path, 'this one')).rejects.toThrow(BadSegment);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('is refused when it is truncated anywhere, or has trailing bytes', async () => {
    const { bytes } = written('long');
    const path = join(folder, 'cut');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
        writeFileSync(path, bytes.subarray(0, length));
        await expect(readSegment(path, 'this one')).rejects.toThrow(BadSegment);
      }),
      { numRuns: propertyRuns(200) },
    );
    writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(64)]));
    await expect(readSegment(path, 'this one')).rejects.toThrow(BadSegment);
  });
});

describe('a file of stored hits', () => {
  it('is verified by length and checksum', async () => {
    const path = join(folder, 'bodies');
    const bodies = createStoredFields(path);
    const hits = Array.from({ length: 3000 }, (_, i) => Buffer.from(`{"title":"Project ${i}"}`.repeat(20)));
    for (const hit of hits) bodies.write(hit);
    const extent = bodies.finish();
    bodies.close();
    const bytes = readFileSync(path);
    expect(bytes.equals(Buffer.concat(hits))).toBe(true);
    const check = async () => {
      const file = await open(path);
      try {
        await checkFile(file, extent);
      } finally {
        await file.close();
      }
    };
    await check();
    writeFileSync(path, bytes.subarray(1));
    await expect(check()).rejects.toThrow('another length');
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path, bytes);
    await expect(check()).rejects.toThrow('damaged');
  });
});
