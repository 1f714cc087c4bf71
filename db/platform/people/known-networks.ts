import type { Db } from '../postgres/sql.ts';
import { hashToken } from '../secrets/hash.ts';
import type { StoredSession } from './session.ts';

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

/** What is known of a user: which of the networks of a sign-in, and whether it is the first one from anywhere. */
export interface NetworksBefore {
  known: string[];
  is_first: boolean;
}

/** A query of `NetworksBefore` for the user `w.id`, with hashes as `networkHash` gives them. */
export const networksBefore = (db: Db, networks: readonly string[]) => db`
  select not exists (select from known_networks k where k.user_id = w.id) as is_first,
    array(
      select network from unnest(${networks as string[]}::text[]) network
      where exists (
        select from known_networks k where k.user_id = w.id
          and k.network_hash = encode(sha256(convert_to(w.id || ' ' || network, 'UTF8')), 'hex'))
    ) as known`;

/** Whether the owner of an account should hear of a sign-in: not of the first one, and not where all was known. */
export const isNewPlace = ({ known, is_first }: NetworksBefore, networks: readonly string[]): boolean =>
  !is_first && known.length < networks.length;

/**
 * Stores a session and that its user signed in from these networks, and forgets those not used for 180 days. Gives what
 * was so before. One statement, which sees the table as it was: a sign-in takes one round trip and one commit.
 */
export async function storeSignIn(
  db: Db,
  session: StoredSession,
  networks: readonly string[],
  now: Date,
): Promise<NetworksBefore> {
  const { user_id } = session;
  // in one order, so that two sign-ins at once do not wait for each other
  const hashes = networks.map((network) => networkHash(user_id, network)).sort();
  const unused_since = new Date(now.getTime() - kept_days * 86_400_000);
  const [before] = await db<[NetworksBefore]>`
    with opened as (
      insert into sessions ${db({ ...session })}
    ), forgotten as (
      delete from known_networks
      where user_id = ${user_id} and last_used < ${unused_since} and network_hash <> all(${hashes})
    ), remembered as (
      insert into known_networks (user_id, network_hash, last_used)
      select ${user_id}, hash, ${now}::timestamptz from unnest(${hashes}::text[]) hash
      on conflict (user_id, network_hash) do update set last_used = excluded.last_used
    )
    select n.* from (select ${user_id}::text as id) w cross join lateral (${networksBefore(db, networks)}) n`;
  return before;
}
