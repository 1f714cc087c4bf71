import { expect, it } from 'vitest';
import type { ServerStats } from '../protocol/console.ts';
import { StatsHistory } from './stats-history.ts';

it('keeps the last minute of each server, also of those that nobody watches', () => {
  let now = 0;
  const history = new StatsHistory(() => now);
  const measured = (server_id: string, at: number) => history.add({ server_id, at } as ServerStats);
  for (const second of Array(90).keys()) {
    now = second * 1_000;
    measured('watched', now);
  }
  const kept = history.of('watched').map(({ at }) => at);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([60, 30_000, 89_000]);
  expect(history.of('unknown')).toEqual([]);
  now += 60_000;
  measured('other', now);
  expect(history.of('watched')).toEqual([]);
  expect(history.of('other')).toHaveLength(1);
});
