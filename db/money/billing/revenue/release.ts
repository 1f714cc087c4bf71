import { notify } from '../../../messages/notifications/write.ts';
import { ghostId } from '../../../platform/people/rules.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { type OwnTransaction, postOwn } from '../ledger.ts';
import { lockRevenue } from './divide.ts';
import { microsPerMinor, releaseOf, revenueCurrency } from './rules.ts';

/** Creators whose accounts are credited at once. */
const page_size = 5_000;

/**
 * Credits creators with the income of every month whose release has come, each month once and in one transaction: whole
 * minor units, while less than one counts with the next release. Gives the months and the minor units. Source: screens
 * §A.6 (released 60 days after the end of the month).
 */
export async function releaseRevenue(
  sql: Pool,
  now: Date,
): Promise<{ months: number; released_minor: number }> {
  const done = { months: 0, released_minor: 0 };
  const periods = await sql<Array<{ period: string }>>`
    select distinct period::text as period from revenue_divisions
    where period not in (select period from revenue_releases) order by 1`;
  for (const { period } of periods) {
    if (releaseOf(period) > now) continue;
    const released = await sql.begin(async (tx) => await releaseMonth(tx, period, now));
    if (released === null) continue;
    done.months += 1;
    done.released_minor += released;
  }
  return done;
}

/** Null when another process was faster. */
async function releaseMonth(tx: Db, period: string, now: Date): Promise<number | null> {
  await lockRevenue(tx);
  const [known] = await tx`select 1 from revenue_releases where period = ${period}::date`;
  if (known) return null;
  const divisions = await tx<Array<{ id: number; shared_minor: number }>>`
    select id, shared_minor from revenue_divisions where period = ${period}::date order by id`;
  const ids = divisions.map(({ id }) => id);
  const shared_minor = divisions.reduce((sum, one) => sum + one.shared_minor, 0);
  await sumShares(tx, ids);
  let [released_minor, creators, last] = [0, 0, ''];
  for (;;) {
    const people = await earned(tx, last);
    if (people.length === 0) break;
    const credited = people.map(({ user_id, micros }) => ({
      user_id,
      minor: Math.floor(micros / microsPerMinor),
    }));
    await postOwn(
      tx,
      'release',
      credited.filter(({ minor }) => minor > 0).map(({ user_id, minor }) => creditOf(period, user_id, minor)),
      now,
    );
    await keepRemainders(tx, people);
    await tellOfRelease(
      tx,
      period,
      credited.filter(({ minor }) => minor > 0).map(({ user_id }) => user_id),
    );
    released_minor += credited.reduce((sum, { minor }) => sum + minor, 0);
    creators += people.length;
    last = people.at(-1)!.user_id;
  }
  const rest = shared_minor - released_minor;
  const entries = [
    { account: `pending:${period}` as const, amount_minor: rest },
    { account: 'remainder:creators' as const, amount_minor: -rest },
  ];
  if (rest !== 0)
    await postOwn(tx, 'remainder', [{ reference: period, currency: revenueCurrency, entries }], now);
  await tx`insert into revenue_releases ${tx({ period, released_minor, creators, created: now })}`;
  return released_minor;
}

/** Tells those that still have an account. */
async function tellOfRelease(tx: Db, period: string, user_ids: readonly string[]): Promise<void> {
  const people = await tx<Array<{ id: string }>>`
    select id from users where id = any(${user_ids as string[]}) and id <> ${ghostId}`;
  await notify(
    tx,
    people.map(({ id }) => id),
    { type: 'payout_available', body: { period } },
  );
}

interface Earned {
  user_id: string;
  /** With what was left over by earlier releases. */
  micros: number;
}

/** Adds up what each person gets, once for all pages. */
async function sumShares(tx: Db, division_ids: number[]): Promise<void> {
  await tx`create temp table revenue_earned (user_id text collate "C" primary key, micros bigint) on commit drop`;
  await tx`
    insert into revenue_earned
    select user_id, sum(amount_micros)::bigint from revenue_shares
    where division_id = any(${division_ids}::int[]) group by user_id order by user_id`;
}

const earned = async (tx: Db, after: string): Promise<Earned[]> =>
  await tx<Earned[]>`
    select s.user_id, s.micros + coalesce(r.amount_micros, 0) as micros from (
      select user_id, micros from revenue_earned where user_id > ${after} order by user_id limit ${page_size}
    ) s left join revenue_remainders r on r.user_id = s.user_id order by s.user_id`;

const creditOf = (period: string, user_id: string, minor: number): OwnTransaction => ({
  reference: `${period}:${user_id}`,
  currency: revenueCurrency,
  entries: [
    { account: `pending:${period}`, amount_minor: minor },
    { account: `creator:${user_id}`, amount_minor: -minor },
  ],
});

async function keepRemainders(tx: Db, people: readonly Earned[]): Promise<void> {
  await tx`delete from revenue_remainders where user_id = any(${people.map(({ user_id }) => user_id)}::text[])`;
  const left = people.filter(({ micros }) => micros % microsPerMinor > 0);
  await tx`
    insert into revenue_remainders (user_id, amount_micros)
    select * from unnest(${left.map(({ user_id }) => user_id)}::text[], ${left.map(({ micros }) => micros % microsPerMinor)}::int[])`;
}
