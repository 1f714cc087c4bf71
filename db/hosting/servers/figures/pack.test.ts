import { expect, it } from 'vitest';
import { packHour, unpackHour } from './pack.ts';
import type { Figures } from './rules.ts';

const figures: Figures = {
  ...{ cpu: 123.4, cpu_most: 800, ram_mb: 31_234, disk_mb: 1_048_576, received: 0, sent: 12_500_000 },
  ...{ tick_ms: null, players: 0 },
};

it('keeps values within one in 4,000, and what is not known', () => {
  const bytes = packHour([null, figures]);
  expect(bytes).toHaveLength(96);
  const [first, second, ...rest] = unpackHour(bytes);
  expect([first, ...rest]).toEqual([null, null, null, null, null]);
  for (const [name, value] of Object.entries(figures)) {
    const found = second![name as keyof Figures];
    if (value === null) expect(found).toBeNull();
    else expect(Math.abs(found! - value)).toBeLessThanOrEqual(value / 4_000);
  }
});

it('takes what cannot be for the largest and the least that can', () => {
  const [found] = unpackHour(packHour([{ ...figures, cpu: -1, ram_mb: 1e30, sent: Number.NaN }]));
  expect(found).toMatchObject({ cpu: 0, sent: null });
  expect(found!.ram_mb).toBeGreaterThan(1e7);
});
