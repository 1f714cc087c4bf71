import { expect, it } from 'vitest';
import type { ServerWarning } from './view.ts';
import { newestWarnings, withWarning } from './warnings.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 2, hour)).toISOString();
const warning = (code: string, hour: number): ServerWarning => ({ code, detail: '', at: at(hour) });

it('keeps the newest of each code, newest first', () => {
  const known = ['slow_start', 'oom_child', 'slow_start'].reduce<ServerWarning[]>(
    (all, code, hour) => withWarning(all, warning(code, hour)),
    [],
  );
  expect(known).toEqual([warning('slow_start', 2), warning('oom_child', 1)]);
});

it('keeps a bounded number of codes, and a bounded text of each', () => {
  let known: ServerWarning[] = [];
  for (let i = 0; i < 20; i++)
    known = withWarning(known, { ...warning(`code_${i}`, i), detail: 'x'.repeat(2_000) });
  expect(known.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, (_, i) => `code_${19 - i}`));
  expect(known.every(({ detail }) => detail.length === 500)).toBe(true);
});

it('shows those of the last day', () => {
  const known = [warning('slow_start', 5), warning('oom_child', 3)];
  expect(newestWarnings(known, new Date(Date.UTC(2026, 0, 3, 4)))).toEqual([warning('slow_start', 5)]);
});
