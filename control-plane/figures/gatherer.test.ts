import { describe, expect, it } from 'vitest';
import type { ServerStats } from '../protocol/console.ts';
import { FigureGatherer } from './gatherer.ts';

const minute = 60_000;
const begin = Date.UTC(2026, 10, 21, 12);
const stats = (given: Partial<ServerStats> = {}): ServerStats => ({
  ...{
    server_id: 'one',
    at: 0,
    cpu_percent: 10,
    ram_mb: 100,
    ram_limit_mb: 400,
    disk_mb: 5,
    disk_limit_mb: 50,
  },
  ...{ rx_bytes: 0, tx_bytes: 0, players: null, ...given },
});

describe('minutes', () => {
  it('are means of their samples, with the highest CPU and the most players', () => {
    const gatherer = new FigureGatherer();
    gatherer.add(stats({ cpu_percent: 10, tick_ms: 4, players: { online: 3, most: 9 } }), begin);
    gatherer.add(stats({ cpu_percent: 90, players: { online: 1, most: 9 }, disk_mb: 6 }), begin + 10_000);
    expect(gatherer.take(begin + minute - 1)).toEqual([]);
    expect(gatherer.take(begin + minute)).toEqual([
      expect.objectContaining({
        ...{ server_id: 'one', at: begin, samples: 2, cpu: 50, cpu_most: 90, ram_mb: 100, disk_mb: 6 },
        ...{ tick_ms: 4, players: 3 },
      }),
    ]);
    expect(gatherer.take(begin + 2 * minute)).toEqual([]);
  });

  it('are those of this process: a node whose clock is wrong by an hour changes nothing', () => {
    const gatherer = new FigureGatherer();
    gatherer.add(stats({ at: begin - 3_600_000 }), begin);
    gatherer.add(stats({ at: begin + 3_600_000 }), begin + 10_000);
    expect(gatherer.take(begin + minute)).toMatchObject([{ at: begin, samples: 2 }]);
  });

  it('count traffic between samples, not across restarts and gaps', () => {
    const gatherer = new FigureGatherer();
    gatherer.add(stats({ rx_bytes: 1_000, tx_bytes: 50 }), begin);
    gatherer.add(stats({ rx_bytes: 11_000, tx_bytes: 1_050 }), begin + 10_000);
    gatherer.add(stats({ rx_bytes: 500, tx_bytes: 0 }), begin + 20_000);
    expect(gatherer.take(begin + minute)).toMatchObject([{ received: 1_000, sent: 100 }]);
    gatherer.add(stats({ rx_bytes: 900_000, tx_bytes: 0 }), begin + 200_000);
    expect(gatherer.take(begin + 300_000)).toMatchObject([{ received: 0 }]);
  });

  it('leave tick time and players open where no sample had them', () => {
    const gatherer = new FigureGatherer();
    gatherer.add(stats(), begin);
    expect(gatherer.take(Number.POSITIVE_INFINITY)).toMatchObject([{ tick_ms: null, players: null }]);
  });
});
