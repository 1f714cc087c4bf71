import { ghostId } from '../../../platform/people/rules.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { postOwn } from '../ledger.ts';
import { dayOf, type IncomeSource, microsPerMinor, periodOf, revenueCurrency, sharedOf } from './rules.ts';

const day_ms = 86_400_000;
/** Days that one run tries: the next run takes the rest. */
const max_days = 400;
/** Days of one transaction: who has which weight is read once for them. */
const days_at_once = 10;
/** Sums of a day of a hundred thousand projects stay in memory with this. */
const work_mem = '32MB';
/** A day is over for good when its last views and downloads have been written. */
const settle_ms = 2 * 3_600_000;

/**
 * Divides the income of every day that is over among creators by the points of that day; income of a day without points
 * waits for the next one that has some. A few days are one transaction, and processes wait for each other: a run that ends in
 * the middle loses nothing and repeats nothing. Gives the days and the minor units that went to creators. Source:
 * screens §A.6 (revenue maths).
 */
export async function divideRevenue(sql: Pool, now: Date): Promise<{ days: number; shared_minor: number }> {
  const done = { days: 0, shared_minor: 0 };
  let [from, at_once] = ['2000-01-01', days_at_once];
  for (let tried = 0; tried < max_days; ) {
    let some: Divided[];
    try {
      some = await sql.begin(async (tx) => await divideSome(tx, from, now, at_once));
    } catch (error) {
      if (at_once === 1) throw error;
      // the days before the one that fails are divided all the same
      at_once = 1;
      continue;
    }
    tried += at_once;
    for (const { shared_minor } of some) {
      if (shared_minor === null) continue;
      done.days += 1;
      done.shared_minor += shared_minor;
    }
    if (some.length < at_once) break;
    from = some.at(-1)!.day;
  }
  return done;
}

/** No amount when nobody could get anything of that day. */
interface Divided {
  day: string;
  shared_minor: number | null;
}

/** Divides at most so many days after `from`; fewer when there are no more. */
async function divideSome(tx: Db, from: string, now: Date, at_once: number): Promise<Divided[]> {
  await lockRevenue(tx);
  const done: Divided[] = [];
  for (let last = from; done.length < at_once; last = done.at(-1)!.day) {
    const day = await nextDay(tx, last, now);
    if (day === null) break;
    if (done.length === 0) await readEarners(tx);
    done.push({ day, shared_minor: await divideDay(tx, day, now) });
  }
  return done;
}

/** Whoever divides or releases has this lock until the end of the transaction. */
export const lockRevenue = async (tx: Db): Promise<void> => {
  await tx`select pg_advisory_xact_lock(hashtext('billing.revenue'))`;
};

interface Undivided {
  id: string;
  source: IncomeSource;
  amount_minor: number;
  fees_minor: number;
}

/** The first day after `from` that has points, is over and counts whole, while there is income until then; or null. */
async function nextDay(tx: Db, from: string, now: Date): Promise<string | null> {
  const over = `${dayOf(new Date(now.getTime() - settle_ms))}T00:00:00Z`;
  const [found] = await tx<Array<{ day: string }>>`
    select (at at time zone 'UTC')::date::text as day from analytics_days a join projects p on p.id = a.project_id
    where at >= (select min(day) from revenue_incomes where division_id is null)::timestamp at time zone 'UTC'
      and at > ${`${from}T00:00:00Z`} and at < ${over} and monetized and kind in ('view', 'download')
      and p.monetization_status = 'monetized'
    order by at limit 1`;
  return found && (await isWhole(tx, found.day)) ? found.day : null;
}

/** Divides what was earned until a day. Gives what went to creators, null when nobody could get anything. */
async function divideDay(tx: Db, day: string, now: Date): Promise<number | null> {
  const waiting = await tx<Undivided[]>`
    select id, source, amount_minor, fees_minor from revenue_incomes
    where division_id is null and day <= ${day}::date order by id for update`;
  const sum = (of: (income: Undivided) => number) => waiting.reduce((all, one) => all + of(one), 0);
  const shared_minor = sum((one) => sharedOf(one.source, one.amount_minor - one.fees_minor));
  const [amount_minor, fees_minor] = [sum((one) => one.amount_minor), sum((one) => one.fees_minor)];
  const amounts = {
    amount_minor,
    fees_minor,
    shared_minor,
    kept_minor: amount_minor - fees_minor - shared_minor,
  };
  const period = periodOf(day, now);
  const division_id = await insertShares(tx, { day, period, ...amounts, created: now });
  if (division_id === null) return null;
  await tx`update revenue_incomes set division_id = ${division_id} where id = any(${waiting.map(({ id }) => id)})`;
  const entries = [
    { account: 'undivided:creators' as const, amount_minor },
    { account: 'platform:ad_fees' as const, amount_minor: -fees_minor },
    { account: 'platform:revenue' as const, amount_minor: -amounts.kept_minor },
    { account: `pending:${period}` as const, amount_minor: -shared_minor },
  ].filter((entry) => entry.amount_minor !== 0);
  await postOwn(
    tx,
    'division',
    [{ reference: String(division_id), currency: revenueCurrency, entries }],
    now,
  );
  return shared_minor;
}

/** Whether everything that was counted on a day is in its sums. */
async function isWhole(tx: Db, day: string): Promise<boolean> {
  const from = new Date(`${day}T00:00:00Z`);
  const [row] = await tx<Array<{ whole: boolean }>>`
    select not exists (select 1 from analytics_changed where hour >= ${from} and hour < ${new Date(from.getTime() + day_ms)})
      and not exists (select 1 from analytics_changed_days where analytics_changed_days.day = ${day}::date) as whole`;
  return row!.whole;
}

interface Division {
  day: string;
  period: string;
  amount_minor: number;
  fees_minor: number;
  kept_minor: number;
  shared_minor: number;
  created: Date;
}

/**
 * Reads who may earn by which project, once for the days of a transaction. Weights are those of the project's team, of its
 * organization when it has none, and equal when that has none either (null); the Ghost user has no share. `only_one` is who
 * gets all.
 */
async function readEarners(tx: Db): Promise<void> {
  await tx`select set_config('work_mem', ${work_mem}, true)`;
  await tx`
    create temp table revenue_earners (id id, team_id id, weight numeric, members bigint, only_one text) on commit drop`;
  await tx`
    create temp table revenue_parts (team_id id, user_id text, part numeric) on commit drop`;
  await tx`
    insert into revenue_earners
    with teams as (
      select team_id, sum(payouts_split) as weight, count(*) as members,
        case when count(*) filter (where payouts_split > 0) = 1 then max(user_id::text) filter (where payouts_split > 0)
          when count(*) = 1 then max(user_id::text) end as only_one
      from team_members where accepted and user_id <> ${ghostId} group by team_id
    )
    select p.id,
      case when own.weight > 0 then own.team_id when ours.weight > 0 then ours.team_id
        else coalesce(own.team_id, ours.team_id) end as team_id,
      case when own.weight > 0 then own.weight when ours.weight > 0 then ours.weight end as weight,
      coalesce(own.members, ours.members) as members,
      case when own.weight > 0 then own.only_one when ours.weight > 0 then ours.only_one
        else coalesce(own.only_one, case when own.team_id is null then ours.only_one end) end as only_one
    from projects p left join organizations o on o.id = p.organization
      left join teams own on own.team_id = p.team left join teams ours on ours.team_id = o.team_id
    where p.monetization_status = 'monetized' and coalesce(own.team_id, ours.team_id) is not null`;
  await tx`
    insert into revenue_parts
    select m.team_id, m.user_id, case when e.weight is null then 1 else m.payouts_split end
    from (select distinct team_id, weight from revenue_earners where only_one is null) e
      join team_members m on m.team_id = e.team_id
    where m.accepted and m.user_id <> ${ghostId} and (e.weight is null or m.payouts_split > 0)`;
  // the planner must know how many there are
  await tx`analyze revenue_earners, revenue_parts`;
}

/**
 * Stores a division and what each person gets of it, in one statement; null when no project that may earn has a member.
 * Points are monetized views and downloads. Both steps, among projects and among members, round down and give what is left
 * to the largest remainders, the lowest id first: the sum is exact and the same every time.
 */
async function insertShares(tx: Db, division: Division): Promise<number | null> {
  const micros = division.shared_minor * microsPerMinor;
  const [made] = await tx<Array<{ id: number | null; micros: number }>>`
    with points as (
      select project_id, sum(amount)::bigint as points from analytics_days
      where at = ${`${division.day}T00:00:00Z`} and monetized and kind in ('view', 'download')
      group by project_id
    ), ready as materialized (
      select e.*, points.points from points join revenue_earners e on e.id = points.project_id
    ), total as (
      select sum(points)::bigint as points from ready
    ), division as (
      insert into revenue_divisions (day, period, amount_minor, fees_minor, kept_minor, shared_minor, points, created)
      select ${division.day}::date, ${division.period}::date, ${division.amount_minor}, ${division.fees_minor},
        ${division.kept_minor}, ${division.shared_minor}, points, ${division.created}
      from total where points > 0 returning id
    ), each as (
      -- as the product of points and amount, without leaving 64 bits for any number of points below three billion
      select points, ${micros}::bigint / points as whole, ${micros}::bigint % points as rest from total where points > 0
    ), floors as materialized (
      select r.*, r.points * each.whole + r.points * each.rest / each.points as whole,
        r.points * each.rest % each.points as rest
      from ready r, each
    ), shares as materialized (
      select id, team_id, weight, members, only_one, whole
        + (row_number() over (order by rest desc, id) <= ${micros}::bigint - (select sum(whole) from floors))::int as amount
      from floors
    ), parts as (
      select s.id, m.user_id, s.amount, div(s.amount * m.part, coalesce(s.weight, s.members))::bigint as whole,
        mod(s.amount * m.part, coalesce(s.weight, s.members)) as rest
      from shares s join revenue_parts m on m.team_id = s.team_id where s.only_one is null
    ), given as (
      insert into revenue_shares (division_id, project_id, user_id, amount_micros)
      select division.id, p.id, p.user_id, p.amount_micros from division, (
        select id, only_one as user_id, amount as amount_micros from shares where only_one is not null
        union all
        select id, user_id, whole
          + (row_number() over (partition by id order by rest desc, user_id) <= amount - sum(whole) over (partition by id))::int
        from parts
      ) p where p.amount_micros > 0 order by p.id returning amount_micros
    )
    select (select id from division) as id, (select coalesce(sum(amount_micros), 0)::bigint from given) as micros`;
  if (!made || made.id === null) return null;
  // a mistake here would be paid: nothing of the day is stored then
  if (made.micros !== micros)
    throw new Error(`The shares of ${division.day} are ${made.micros} millionths, not ${micros}`);
  return made.id;
}
