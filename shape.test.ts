import { describe, expect, it } from 'vitest';
import { isTest } from './bin/architecture/contents.ts';
import { projectSources } from './bin/architecture/source-tree.ts';

/** File sizes: files aim at 60 lines, hardly over 200, never over 300. Plain data is another matter. */
const data = /\/data\/|\/demo\/(world|plan)\.ts$|^db\/platform\/errors\.ts$/;
const tree = projectSources();
const lines = (path: string): number => tree.text(path).trimEnd().split('\n').length;
const sizes = tree.paths
  .filter((path) => !isTest(path) && !data.test(path))
  .map((path) => ({ path, lines: lines(path) }))
  .sort((a, b) => b.lines - a.lines);

describe('file sizes', () => {
  it('stay below 300 lines', () => {
    expect(sizes.filter((one) => one.lines > 300)).toEqual([]);
  });

  it('have a median of at most 80 lines and are over 200 in one of twenty', () => {
    const at = (share: number) => sizes[Math.floor(sizes.length * share)]?.lines ?? 0;
    expect({ median: at(0.5), p95: at(0.05) }).toSatisfy(
      ({ median, p95 }: { median: number; p95: number }) => median <= 80 && p95 <= 230,
    );
  });
});
