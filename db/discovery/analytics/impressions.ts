import type { Db } from '../../platform/postgres/sql.ts';
import { countTimesInWindows } from './networks.ts';
import { impressionsOfNetwork } from './rules.ts';

/** One ad that was on a page somebody looked at. Who it was is not kept. */
export interface Impression {
  ad_id: string;
  at: Date;
  /** An IPv4 address, or the /64 of an IPv6 one. */
  network: string;
}

/**
 * Adds impressions to the sums of their days. Those of one network count at most `impressionsOfNetwork` times within six
 * hours: they become income of creators, and anybody can send them.
 */
export async function addImpressions(tx: Db, seen: readonly Impression[], now: Date): Promise<void> {
  const counted = await counting(tx, seen, now);
  if (counted.length === 0) return;
  const sums = new Map<string, { day: string; ad_id: string; impressions: number }>();
  for (const { ad_id, at } of counted) {
    const day = at.toISOString().slice(0, 10);
    const sum = sums.get(`${day} ${ad_id}`) ?? { day, ad_id, impressions: 0 };
    sums.set(`${day} ${ad_id}`, { ...sum, impressions: sum.impressions + 1 });
  }
  // in one order, so that processes do not wait for each other in a circle
  const rows = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  await tx`
    insert into ad_impressions ${tx(rows)}
    on conflict (day, ad_id) do update set impressions = ad_impressions.impressions + excluded.impressions`;
}

/** The impressions that count, the first ones of each network. */
async function counting(tx: Db, seen: readonly Impression[], now: Date): Promise<Impression[]> {
  const byNetwork = Map.groupBy(seen, ({ network }) => network);
  const networks = [...byNetwork].map(([network, { length }]) => ({
    network,
    project_id: 'ads',
    times: length,
  }));
  const rules = { purpose: 'ad', most: impressionsOfNetwork, renews: false } as const;
  const counts = await countTimesInWindows(tx, networks, rules, now);
  return [...counts].flatMap(([{ network }, times]) => byNetwork.get(network)!.slice(0, times));
}

/** Impressions of a day in UTC, of all ads. */
export async function impressionsOf(db: Db, day: string): Promise<number> {
  const [row] = await db<Array<{ impressions: number }>>`
    select coalesce(sum(impressions), 0)::bigint as impressions from ad_impressions where ad_impressions.day = ${day}::date`;
  return row!.impressions;
}
