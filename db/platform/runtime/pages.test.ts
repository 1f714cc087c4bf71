import { expect, test } from 'vitest';
import { inPages, page_limits, pagesOf } from './pages.ts';

const { max_bytes, max_rows } = page_limits;
const sizes = (...all: number[]) => [...pagesOf(all.map((bytes) => ({ bytes })))].map(({ length }) => length);

test('ends a page before it exceeds its bytes or rows', () => {
  expect(sizes()).toEqual([]);
  expect(sizes(1, 2, 3)).toEqual([3]);
  expect(sizes(max_bytes - 1, 1, 1)).toEqual([2, 1]);
  expect(sizes(1, max_bytes + 1, 1)).toEqual([1, 1, 1]);
  expect(sizes(...Array.from({ length: max_rows + 1 }, () => 1))).toEqual([max_rows, 1]);
});

test('fetches the next page only after the previous one is consumed', async () => {
  let fetched = 0;
  const refs = [1, 2, 3].map((id) => ({ id, bytes: max_bytes }));
  const items = inPages(refs, async (page) => {
    fetched += 1;
    return page.map(({ id }) => id);
  });
  expect([(await items.next()).value, fetched]).toEqual([1, 1]);
  expect([(await items.next()).value, fetched]).toEqual([2, 2]);
});
