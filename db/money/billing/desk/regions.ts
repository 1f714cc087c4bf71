import { Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { isRegion, regions } from '../rules.ts';

/** A subscription of a server by its payer and server, and the region it has now; null only checks that it is there. */
export interface RegionUpdate {
  user_id: string;
  server_id: string;
  region: string | null;
  /** Whether one that is unknown is left out, instead of refusing all. */
  ignore_if_missing: boolean;
}

/**
 * Notes for which region subscriptions are, as the operator's manager of servers says: all of them or none. Pending and
 * ended ones count as unknown. Gives how many changed. Refuses `region_unknown`, and `invalid_input` for a server that is
 * named twice or unknown.
 */
export async function updateRegions(tx: Db, updates: readonly RegionUpdate[]): Promise<number> {
  const seen = new Set<string>();
  for (const [at, { server_id, region }] of updates.entries()) {
    if (region !== null && !isRegion(region))
      throw new Refused('region_unknown', { region, allowed: regions.join(', ') });
    if (seen.has(server_id)) throw refusedAt(at, `the server ${server_id} is named twice`);
    seen.add(server_id);
  }
  // in the order of their ids, so that two updates wait for each other and do not block
  const found = await tx<Array<{ id: string; user_id: string; server_id: string; order_id: string }>>`
    select id, user_id, server_id, order_id from subscriptions
    where server_id = any(${[...seen]}) and state not in ('pending', 'ended') order by id for update`;
  const known = new Map(found.map((one) => [one.server_id, one]));
  let changed = 0;
  for (const [at, { user_id, server_id, region, ignore_if_missing }] of updates.entries()) {
    const one = known.get(server_id);
    if (one?.user_id !== user_id) {
      if (ignore_if_missing) continue;
      throw refusedAt(at, `no running subscription of ${user_id} is for the server ${server_id}`);
    }
    const moved = await tx`
      update orders set region = ${region} where id = ${one.order_id} and region <> ${region} returning id`;
    if (moved.length === 0 || region === null) continue;
    changed += 1;
    const data = { subscription_id: one.id, region };
    await recordEvent(tx, { name: 'subscription.region_changed', user_id, data });
  }
  return changed;
}

const refusedAt = (at: number, why: string) =>
  new Refused('invalid_input', { problem: `subscriptions[${at}].target: ${why}.` });
