import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row } from '../core/apply-update.ts';
import { emptyHistory, sent, step } from './command-history.ts';
import { beginnings, cellsOf, line_px, rowAt, windowOf } from './row-heights.ts';
import { heightsOf, itemsOf, searched, textOf } from './rows.ts';
import { find, marked } from './search-lines.ts';

const rowsOf = (texts: readonly string[]): Row[] =>
  texts.map((text, i) => ({
    kind: 'line',
    key: `${i}`,
    line: { seq: i + 1, at: i, stream: 'out', text },
  }));

it('renders every visible row, and few more, wherever the user scrolls', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(heights, fc.nat(200_000), fc.integer({ min: 20, max: 1500 }), (lines, top, height) => {
      const starts = beginnings(lines);
      const [from, to] = windowOf(starts, top, height);
      lines.forEach((count, row) => {
        const begin = starts[row]! * line_px;
        const isSeen = begin < top + height && begin + count * line_px > top;
        if (isSeen) expect(row >= from && row < to).toBe(true);
      });
      expect(to - from).toBeLessThanOrEqual(height / line_px + 2 * 13 + 2);
    }),
  );
});

it('finds the row of a line, with rows of several lines', () => {
  const starts = beginnings([1, 3, 2]);
  expect([0, 1, 2, 3, 4, 5, 99].map((at) => rowAt(starts, at))).toEqual([0, 1, 1, 1, 2, 2, 2]);
  expect(windowOf(beginnings([]), 0, 500)).toEqual([0, 0]);
});

it('gives long lines the height they need, and wide characters two cells', () => {
  expect([cellsOf('abc'), cellsOf('äö'), cellsOf('石')]).toEqual([3, 2, 2]);
  const items = itemsOf(rowsOf(['a', 'b'.repeat(25), 'b'.repeat(10), '']));
  expect(heightsOf(items, 10)).toEqual([1, 3, 1, 1]);
  expect(heightsOf(items, 25)).toEqual([1, 1, 1, 1]);
  expect(heightsOf(items, 0)).toEqual([1, 1, 1, 1]);
});

it('shows search results with context, and how many lines are between', () => {
  const texts = Array.from({ length: 30 }, (_, i) => (i === 5 || i === 20 ? `Rope ${i}` : `line ${i}`));
  const { found, hits } = find(rowsOf(texts), 'rope');
  expect(hits).toEqual([5, 20]);
  expect(found.map((item) => ('row' in item ? item.at : `+${item.between}`))).toEqual([
    ...['+3', 3, 4, 5, 6, 7],
    ...['+10', 18, 19, 20, 21, 22],
    '+7',
  ]);
  expect(find(rowsOf(texts), 'nowhere')).toEqual({ found: [], hits: [] });
});

it('hides or shows each line of a search exactly once', () => {
  const texts = fc.array(fc.constantFrom('stone', 'moss', 'gravel'), { maxLength: 60 });
  fc.assert(
    fc.property(texts, (all) => {
      const { found, hits } = find(rowsOf(all), 'moss');
      expect(hits).toEqual(all.flatMap((text, at) => (text === 'moss' ? [at] : [])));
      const counted = found.reduce((sum, item) => sum + ('row' in item ? 1 : item.between), 0);
      expect(counted).toBe(hits.length > 0 ? all.length : 0);
      const displayed = found.flatMap((item) => ('row' in item ? [item.at] : []));
      expect(displayed).toEqual([...new Set(displayed)].sort((a, b) => a - b));
      const positions = searched(rowsOf(all), 'moss').hits;
      expect(positions).toHaveLength(hits.length);
    }),
  );
});

it('highlights matches without changing a letter', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 3 }), (text, query) => {
      expect(
        marked(text, query)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
  expect(marked('Rope, rope', 'rope').map(({ hit }) => hit)).toEqual([true, false, true]);
});

it('copies the selected lines as displayed', () => {
  const items = itemsOf([...rowsOf(['a', '\u001b[31mb', 'c']), { kind: 'gap', key: 'g', count: 3 }]);
  expect(textOf(items, [1, 3])).toBe('b\nc');
  expect(textOf(items, null)).toBe('a\nb\nc');
});

it('recalls commands with the arrow keys, and the unsent text', () => {
  let typed = ['one', 'two', 'one'].reduce(sent, emptyHistory);
  expect(typed.commands).toEqual(['two', 'one']);
  const up = step(typed, -1, 'dra');
  expect(up?.text).toBe('one');
  typed = up!.typed;
  const retried = step(typed, -1, 'one')!;
  expect(retried.text).toBe('two');
  expect(step(retried.typed, -1, 'two')).toBeNull();
  expect(step(step(retried.typed, 1, 'two')!.typed, 1, 'one')?.text).toBe('dra');
});
