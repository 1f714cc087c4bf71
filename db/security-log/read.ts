import type { Db } from '../sql.ts';
import { type SecurityKind, security_log_days } from './rules.ts';

/** An entry of the log of security, as it is shown. Times are RFC 3339. */
export interface SecurityEntry {
  id: number;
  kind: SecurityKind;
  /** Whom it happened to, and their name now; null for a name that nobody has. */
  user_id: string | null;
  user: string | null;
  /** Who did it, where that is somebody else. */
  by: string | null;
  address: string | null;
  credential: string | null;
  detail: Record<string, string>;
  first: string;
  last: string;
  times: number;
}

export interface SecurityFilter {
  user_id?: string | undefined;
  kind?: SecurityKind | undefined;
  /** Only entries older than this one. */
  before?: number | undefined;
  limit: number;
}

/** Entries that match every given filter, newest first, at most `limit`. */
export const securityEntries = (db: Db, { user_id, kind, before, limit }: SecurityFilter) => db<
  SecurityEntry[]
>`
  select e.id, e.kind, e.user_id, u.username as user, b.username as by, e.address, e.credential, e.detail, e.first, e.last, e.times
  from security_events e left join users u on u.id = e.user_id left join users b on b.id = e.by_id
  where true
    ${user_id !== undefined ? db`and e.user_id = ${user_id}` : db``}
    ${kind !== undefined ? db`and e.kind = ${kind}` : db``}
    ${before !== undefined ? db`and e.id < ${before}` : db``}
  order by e.id desc limit ${limit}`;

/** Removes what is older than 13 months at `now`. Gives the number of entries. */
export async function purgeSecurityLog(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - security_log_days * 86_400_000);
  await db`delete from credential_networks where last < ${before}`;
  const { count } = await db`delete from security_events where last < ${before}`;
  return count;
}
