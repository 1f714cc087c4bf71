import { hashToken } from '../secrets/hash.ts';
import type { Db } from '../sql.ts';

const kept_days = 180;

/** Stores only a hash, salted per user, so that the table reveals no address. */
const networkHash = (user_id: string, network: string): string => hashToken(`${user_id} ${network}`);

/** Whether the user signed in from this network before. For a null user it does the same work and gives false. */
export async function isKnownNetwork(db: Db, user_id: string | null, network: string): Promise<boolean> {
  const [row] = await db`
    select 1 from known_networks
    where user_id = ${user_id ?? ''} and network_hash = ${networkHash(user_id ?? '', network)}`;
  return row !== undefined;
}

/**
 * Stores that the user signed in from these networks, and forgets those not used for 180 days. Gives what was so before:
 * how many of them were known, and whether any network was. One statement, which sees the table as it was.
 */
export async function rememberNetworks(
  db: Db,
  user_id: string,
  networks: readonly string[],
  now: Date,
): Promise<{ known: number; is_first: boolean }> {
  // in one order, so that two sign-ins at once do not wait for each other
  const hashes = networks.map((network) => networkHash(user_id, network)).sort();
  const unused_since = new Date(now.getTime() - kept_days * 86_400_000);
  const [before] = await db<[{ known: number; is_first: boolean }]>`
    with forgotten as (
      delete from known_networks
      where user_id = ${user_id} and last_used < ${unused_since} and network_hash <> all(${hashes})
    ), remembered as (
      insert into known_networks (user_id, network_hash, last_used)
      select ${user_id}, hash, ${now}::timestamptz from unnest(${hashes}::text[]) hash
      on conflict (user_id, network_hash) do update set last_used = excluded.last_used
    )
    select count(*) filter (where network_hash = any(${hashes}))::int as known, count(*) = 0 as is_first
    from known_networks where user_id = ${user_id}`;
  return before;
}
