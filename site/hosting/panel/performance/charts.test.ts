import { describe, expect, it } from 'vitest';
import { figureNames } from '#db/hosting/servers/figures/rules.ts';
import type { FiguresView } from '#db/hosting/servers/figures/view.ts';
import type { Sample } from '../core/stats.ts';
import { charts, isKnown, livePoints, rowsOf, storedPoints } from './charts.ts';

const view = (cpu: (number | null)[], given: Partial<FiguresView['series']> = {}): FiguresView => ({
  ...{ range: 'day', from: '2026-11-21T12:00:00.000Z', step_s: 60 },
  series: {
    ...(Object.fromEntries(figureNames.map((name) => [name, cpu.map(() => null)])) as FiguresView['series']),
    ...{ cpu, ...given },
  },
  limits: { cpu: 200, ram_mb: 1_024, disk_mb: 10_000 },
});
const sample = (at: number, given: Partial<Sample> = {}): Sample => ({
  ...{ server_id: 'one', at, cpu_percent: 50, ram_mb: 100, ram_limit_mb: 400, disk_mb: 5, disk_limit_mb: 50 },
  ...{ rx_bytes: 0, tx_bytes: 0, players: null, ...given },
});

describe('stored figures', () => {
  it('are shares of what the server may use, and gaps stay', () => {
    const points = storedPoints(view([100, null, 200]));
    expect(points.cpu).toEqual([50, null, 100]);
    expect(points.times[2]! - points.times[0]!).toBe(120);
    expect(charts.filter((chart) => isKnown(points, chart)).map(({ id }) => id)).toEqual(['cpu']);
  });

  it('are rows of means, of players of the highest count, the newest first', () => {
    const cpu = Array.from({ length: 120 }, (_, i) => (i < 60 ? null : 100));
    const players = cpu.map((_, i) => (i < 60 ? null : i % 7));
    const rows = rowsOf(storedPoints(view(cpu, { players })), 'day');
    expect(rows.map((row) => [row.cpu, row.players])).toEqual([
      [50, 6],
      [null, null],
    ]);
  });
});

describe('live samples', () => {
  it('have traffic between two of them, none across a restart', () => {
    const samples = [
      sample(0, { rx_bytes: 1_000 }),
      sample(2_000, { rx_bytes: 5_000 }),
      sample(4_000, { rx_bytes: 10 }),
    ];
    expect(livePoints(samples, 100).received).toEqual([null, 2_000, null]);
  });

  it('have a gap where none came', () => {
    const points = livePoints([sample(0), sample(1_000), sample(40_000)], 100);
    expect(points.cpu).toEqual([50, 50, null, 50]);
    expect(points.times).toEqual([0, 1, 2, 40]);
  });
});
