import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsFor, full, has, set } from './bits.ts';
import { Columns } from './numeric-columns.ts';
import { best } from './rank.ts';
import type { Sections } from './sections.ts';
import { Orders, writeOrders } from './sort-orders.ts';

const small = fc.integer({ min: 0, max: 5 });
const catalogue = fc.array(fc.record({ downloads: small, follows: small, newest: small }), { maxLength: 40 });

function made(projects: Array<{ downloads: number; follows: number; newest: number }>) {
  const sections: Sections = new Map();
  const column = (name: string, values: number[]) =>
    sections.set(`columns.${name}`, Float64Array.from(values));
  const zero = projects.map(() => 0);
  column(
    'downloads',
    projects.map(({ downloads }) => downloads),
  );
  column(
    'follows',
    projects.map(({ follows }) => follows),
  );
  column(
    'newest_version',
    projects.map(({ newest }) => newest),
  );
  for (const name of ['created_timestamp', 'modified_timestamp', 'loader_count']) column(name, zero);
  const ids = projects.map((_, i) => `P${String(99 - i)}`);
  const columns = new Columns(sections);
  writeOrders(sections, columns, ids);
  return { columns, ids, orders: new Orders(sections, columns, ids), size: projects.length };
}

/** Best first: largest key, then the newest version, then the id. */
const expected = ({ columns, ids, size }: ReturnType<typeof made>, by: 'downloads' | 'follows'): number[] =>
  Array.from({ length: size }, (_, i) => i).sort(
    (a, b) =>
      (columns[by][b] as number) - (columns[by][a] as number) ||
      (columns.newest_version[b] as number) - (columns.newest_version[a] as number) ||
      ((ids[a] as string) < (ids[b] as string) ? -1 : 1),
  );

describe('sort orders', () => {
  it('give pages of any set, best first', () => {
    fc.assert(
      fc.property(
        catalogue,
        fc.infiniteStream(fc.boolean()),
        small,
        small,
        (projects, coins, from, count) => {
          const one = made(projects);
          const among = bitsFor(one.size);
          for (let i = 0; i < one.size; i++) if (coins.next().value) set(among, i);
          expect(one.orders.window('follows', among, from, count)).toEqual(
            expected(one, 'follows')
              .filter((i) => has(among, i))
              .slice(from, from + count),
          );
        },
      ),
    );
  });

  it('are correct after counter updates', () => {
    const patches = fc.array(fc.record({ at: fc.nat(39), downloads: small, follows: small }), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(catalogue, patches, (projects, changes) => {
        const one = made(projects);
        const touched = new Set<number>();
        for (const { at, ...counters } of changes) {
          if (at >= one.size) continue;
          one.columns.setCounters(at, counters);
          touched.add(at);
        }
        one.orders.repair(touched);
        for (const sort of ['downloads', 'follows'] as const)
          expect(one.orders.window(sort, full(one.size), 0, one.size)).toEqual(expected(one, sort));
      }),
    );
  });

  it('select the best few of a list correctly', () => {
    fc.assert(
      fc.property(catalogue, fc.nat(45), (projects, count) => {
        const one = made(projects);
        const all = Uint32Array.from({ length: one.size }, (_, i) => i);
        expect([...best(all, one.orders.by('downloads'), count)]).toEqual(
          expected(one, 'downloads').slice(0, count),
        );
      }),
    );
  });
});
