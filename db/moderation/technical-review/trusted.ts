import { whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf } from '../../platform/people/rules.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { cleanRecord } from './rules.ts';

const day_ms = 86_400_000;

/** `select u.id` of the people with a clean record. */
const withCleanRecord = (db: Db, now: Date) => db`
  select u.id from users u
  where u.created < ${new Date(now.getTime() - cleanRecord.account_days * day_ms)}
    and (u.suspended_until is null or u.suspended_until <= ${now})
    and (select count(*) >= ${cleanRecord.versions}
          and max(v.date_published) - min(v.date_published) >= ${`${cleanRecord.days_between} days`}::interval
        from versions v join projects p on p.id = v.project_id
        where v.author_id = u.id and v.status in ('listed', 'archived') and p.approved is not null
          and exists (select from files f join file_scans s on s.file_id = f.id where f.version_id = v.id and s.complete))
    and not exists (
      select from versions v join projects p on p.id = v.project_id left join files f on f.version_id = v.id
        left join scan_reports r on r.file_id = f.id
      where v.author_id = u.id and (p.malware or r.verdict = 'unsafe' or 'review' = any(v.held_for)))`;

/** Brings the table of trusted creators up to date with the rule. Gives how many came and went. */
export async function refreshTrusted(sql: Pool, now: Date): Promise<{ came: number; went: number }> {
  const came = await sql`
    insert into trusted_creators (user_id, since) select id, ${now}::timestamptz from (${withCleanRecord(sql, now)}) clean
    on conflict do nothing`;
  const went = await sql`
    delete from trusted_creators where taken_away is null and user_id not in (${withCleanRecord(sql, now)})`;
  return { came: came.count, went: went.count };
}

/** Whether somebody is trusted, and whether staff took it away. */
export async function trustOf(db: Db, user_id: string): Promise<'trusted' | 'taken_away' | null> {
  const [row] = await db<Array<{ taken_away: string | null }>>`
    select taken_away from trusted_creators where user_id = ${user_id}`;
  if (!row) return null;
  return row.taken_away === null ? 'trusted' : 'taken_away';
}

/** Takes trust away from somebody, or lets the rule decide again. Refuses `moderators_only`, `not_found`. */
export async function setTrust(
  tx: Db,
  actor: Actor,
  user_id: string,
  { is_allowed, now }: { is_allowed: boolean; now: Date },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const [user] = await tx`select 1 from users where id = ${user_id} for update`;
  if (!user) throw new Refused('not_found', { id: user_id });
  if (is_allowed)
    await tx`delete from trusted_creators where user_id = ${user_id} and taken_away is not null`;
  else
    await tx`
      insert into trusted_creators (user_id, since, taken_away, taken_away_by)
      values (${user_id}, ${now}, ${now}, ${accountOf(actor)})
      on conflict (user_id) do update set taken_away = excluded.taken_away, taken_away_by = excluded.taken_away_by`;
  await recordEvent(tx, { name: 'user.trusted', actor_id: accountOf(actor), user_id, data: { is_allowed } });
}
