import { expect, it } from 'vitest';
import { srcSetOf } from './srcset.ts';

it('offers every copy of a stored image with its width', () => {
  expect(srcSetOf('/data/A/b_96.webp')).toBe(
    '/data/A/b_96.webp 96w, /data/A/b_256.webp 256w, /data/A/b_512.webp 512w',
  );
});

it('offers nothing for an original', () => {
  expect(srcSetOf('/data/A/b.gif')).toBeUndefined();
});
