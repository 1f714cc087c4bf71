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

/** Whether the user signed in from anywhere in the last 180 days. */
export async function hasKnownNetworks(db: Db, user_id: string): Promise<boolean> {
  const [row] = await db`select 1 from known_networks where user_id = ${user_id} limit 1`;
  return row !== undefined;
}

/** Stores that the user signed in from this network, and deletes networks not used for 180 days. */
export async function rememberNetwork(db: Db, user_id: string, network: string, now: Date): Promise<void> {
  await db`
    insert into known_networks (user_id, network_hash, last_used)
    values (${user_id}, ${networkHash(user_id, network)}, ${now})
    on conflict (user_id, network_hash) do update set last_used = excluded.last_used`;
  await db`
    delete from known_networks
    where user_id = ${user_id} and last_used < ${new Date(now.getTime() - kept_days * 86_400_000)}`;
}
