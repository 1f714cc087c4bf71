import { expect, test } from 'vitest';
import { registerClick } from './logo-clicks.ts';

/** Which of the clicks at these times completed a series of five. */
function fifths(times: number[]): number[] {
  let stored: string | null = null;
  return times.filter((now) => {
    const received = registerClick(stored, now);
    stored = received.clicks;
    return received.done;
  });
}

test('the fifth click counts, and the tenth', () => {
  expect(fifths([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((s) => s * 1000))).toEqual([5000, 10_000]);
});

test('a pause between clicks starts a new series', () => {
  expect(fifths([1000, 2000, 3000, 4000, 9000, 10_000, 11_000, 12_000, 13_000])).toEqual([13_000]);
});

test('invalid stored text is ignored', () => {
  for (const text of ['', 'x y', '4', 'NaN 5000']) expect(registerClick(text, 5500).done).toBe(false);
});
