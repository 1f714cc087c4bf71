import type { Db } from '../sql.ts';

/** One ad that was on a page somebody looked at. Who it was is not kept. */
export interface Impression {
  ad_id: string;
  at: Date;
}

/** Adds impressions to the sums of their days, all that is kept of them. */
export async function addImpressions(tx: Db, seen: readonly Impression[]): Promise<void> {
  const sums = new Map<string, { day: string; ad_id: string; impressions: number }>();
  for (const { ad_id, at } of seen) {
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

/** Impressions of a day in UTC, of all ads. */
export async function impressionsOf(db: Db, day: string): Promise<number> {
  const [row] = await db<Array<{ impressions: number }>>`
    select coalesce(sum(impressions), 0)::bigint as impressions from ad_impressions where ad_impressions.day = ${day}::date`;
  return row!.impressions;
}
