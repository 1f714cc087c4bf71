import { expect, test } from 'vitest';
import { missingSpace } from './free-space.mjs';

const gb = 1024 ** 3;
const disk = (free_gb: number, blocks = 1) => ({ bavail: free_gb, bsize: gb, type: 1, blocks });

test('a disk with enough space is no problem', () => {
  expect(missingSpace(() => disk(100))).toBeNull();
});

test('folders on one disk need the sum of both, and the line says what to do', () => {
  expect(missingSpace(() => disk(5))).toMatch(
    /^Not enough disk space for the tests: the checkout \(.+\) and temporary files \(.+\) have 5\.0 GB free, 8\.0 GB are needed\. Free some, then run them again\.$/,
  );
});

test('each of two disks is enough for itself', () => {
  let count = 0;
  expect(missingSpace(() => disk(5, ++count))).toBeNull();
  expect(missingSpace(() => disk(++count % 2 ? 5 : 1, count))).toMatch(
    /temporary files .* has 1\.0 GB free, 4\.0 GB/,
  );
});
