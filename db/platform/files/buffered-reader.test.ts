import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFile } from '../storage/disk-staged.ts';
import type { OpenBytes } from '../storage/storage.ts';
import { bufferedReader } from './buffered-reader.ts';

const bytes = randomBytes(300 * 1024);
let folder: string;
let file: OpenBytes;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-window-'));
  await writeFile(join(folder, 'file'), bytes);
  file = await openFile(join(folder, 'file'));
});
afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true });
});

test('reads thousands of short pieces correctly with few file reads', async () => {
  let reads = 0;
  const counted = {
    readAt: (position: number, length: number) => {
      reads += 1;
      return file.readAt(position, length);
    },
  };
  const piece = bufferedReader(counted);
  for (let at = 0; at < bytes.length; at += 100) {
    expect((await piece(at, 30)).equals(bytes.subarray(at, at + 30))).toBe(true);
  }
  expect(reads).toBeLessThan(5);
});

test('can go back, read long pieces, and gives fewer bytes at the end of the file', async () => {
  const piece = bufferedReader(file);
  for (const [at, length] of [
    [250_000, 10],
    [10, 200_000],
    [bytes.length - 5, 30],
    [bytes.length + 5, 30],
  ] as const) {
    expect((await piece(at, length)).equals(bytes.subarray(at, at + length))).toBe(true);
  }
});
