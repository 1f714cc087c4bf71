import type { Db } from '../postgres/sql.ts';
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
  /** Null too where the viewer may not see it. */
  address: string | null;
  used: UsedCredential | null;
  detail: Record<string, string>;
  first: string;
  last: string;
  times: number;
}

/** By what something was done, as people know it: where and with what a session was opened, or how a token or app is called. */
export interface UsedCredential {
  noun: 'session' | 'token' | 'app';
  /** Of a token or app; null when it is gone or none of the viewer's business. */
  name: string | null;
  os: string | null;
  platform: string | null;
  city: string | null;
  country: string | null;
}

export interface SecurityFilter {
  /**
   * Administrators see `everything`, moderators no addresses, places and names of tokens (`devices`), and owners of an account
   * (`own`) nothing of where and with what somebody else did it.
   */
  sees: 'everything' | 'devices' | 'own';
  user_id?: string | undefined;
  kind?: SecurityKind | undefined;
  /** Only entries older than this one. */
  before?: number | undefined;
  limit: number;
}

/** Entries that match every given filter, newest first, at most `limit`. Checks no rule. */
export async function securityEntries(
  db: Db,
  { sees, user_id, kind, before, limit }: SecurityFilter,
): Promise<SecurityEntry[]> {
  const rows = await db<Array<SecurityEntry & { is_others: boolean }>>`
    with page as (
      select *, split_part(credential, ' ', 1) as noun, split_part(credential, ' ', 2) as used_id from security_events e
      where true
        ${user_id !== undefined ? db`and e.user_id = ${user_id}` : db``}
        ${kind !== undefined ? db`and e.kind = ${kind}` : db``}
        ${before !== undefined ? db`and e.id < ${before}` : db``}
      order by e.id desc limit ${limit})
    select e.id, e.kind, e.user_id, u.username as user, b.username as by, e.by_id is not null as is_others, e.address, e.detail,
      e.first, e.last, e.times,
      case when e.noun in ('session', 'token', 'app') then json_build_object('noun', e.noun, 'name', coalesce(t.name, c.name),
        'os', d.os, 'platform', d.platform, 'city', d.city, 'country', d.country) end as used
    from page e left join users u on u.id = e.user_id left join users b on b.id = e.by_id
      left join tokens t on e.noun = 'token' and t.id = e.used_id
      left join oauth_clients c on e.noun = 'app' and c.id = e.used_id
      left join lateral (
        select os, platform, city, country, 1 as rank from sessions s where e.noun = 'session' and s.public_id = e.used_id
        union all
        -- a session that has ended is known by its beginning
        select i.detail ->> 'os', i.detail ->> 'platform', i.detail ->> 'city', i.detail ->> 'country', 2
        from security_events i
        where e.noun = 'session' and i.user_id = coalesce(e.by_id, e.user_id) and i.kind = 'sign_in' and i.credential = e.credential
        order by rank limit 1) d on true
    order by e.id desc`;
  return rows.map(({ is_others, ...entry }) => (isSeen(sees, is_others) ? entry : withoutPlace(entry, sees)));
}

const isSeen = (sees: SecurityFilter['sees'], is_others: boolean): boolean =>
  sees === 'everything' || (sees === 'own' && !is_others);

function withoutPlace({ used, ...entry }: SecurityEntry, sees: SecurityFilter['sees']): SecurityEntry {
  if (used === null || sees === 'own') return { ...entry, address: null, used: null };
  const { noun, name } = used;
  const shown = { ...used, name: noun === 'token' ? null : name, city: null, country: null };
  return { ...entry, address: null, used: shown };
}

/** Removes what is older than 13 months at `now`. Gives the number of entries. */
export async function purgeSecurityLog(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - security_log_days * 86_400_000);
  await db`delete from credential_networks where last < ${before}`;
  const { count } = await db`delete from security_events where last < ${before}`;
  return count;
}
