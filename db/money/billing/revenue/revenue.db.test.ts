import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeUser } from '../../../accounts/account/remove.ts';
import { insertRecords } from '../../../discovery/analytics/records.ts';
import { rollUp } from '../../../discovery/analytics/roll-up.ts';
import { operator } from '../../../platform/people/rules.ts';
import { actorFor, member, organization, project, user } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { ledgerReport } from '../desk/report.ts';
import { balances } from '../ledger.ts';
import { balanceOf } from './balance.ts';
import { divideRevenue } from './divide.ts';
import { addIncome, incomes } from './income.ts';
import { reconcileLedger } from './reconcile.ts';
import { releaseRevenue } from './release.ts';
import type { IncomeSource } from './rules.ts';

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');
const day_ms = 86_400_000;
const released = new Date('2027-01-29T00:00:00Z');
const clear = () =>
  database.sql`truncate analytics_records, analytics_hours, analytics_days, analytics_totals, analytics_changed,
    analytics_changed_days, revenue_incomes, revenue_divisions, revenue_shares, revenue_releases, revenue_remainders,
    ledger_entries, ledger_transactions, ledger_accounts, team_members, projects cascade`;
beforeEach(clear);
afterEach(clear);

let entered = 0;
const earn = (day: string, amount_minor: number, given: { source?: IncomeSource; fee?: number } = {}) =>
  database.sql.begin((tx) =>
    addIncome(
      tx,
      operator,
      {
        ...{ day, amount_minor, source: given.source ?? 'ads', reference: `report ${entered++}`, note: '' },
        impressions: given.fee ? 1 : 0,
      },
      (given.fee ?? 0) * 10_000,
      now,
    ),
  );
/** Monetized views and downloads of a day, in its sums. */
async function points(day: string, of: Array<[id: string, count: number]>, monetized = true): Promise<void> {
  const records = of.flatMap(([project_id, amount], index) => [
    {
      kind: 'view',
      amount,
      project_id,
      monetized,
      at: new Date(`${day}T${10 + (index % 3)}:00:00Z`),
    } as const,
  ]);
  await database.sql.begin((tx) => insertRecords(tx, records));
  await rollUp(database.sql, now, { records_d: 400 });
}
const shares = async (): Promise<Record<string, number>> => {
  const rows = await database.sql<Array<{ user_id: string; micros: number }>>`
    select user_id, sum(amount_micros)::bigint as micros from revenue_shares group by 1`;
  return Object.fromEntries(rows.map(({ user_id, micros }) => [user_id, micros]));
};
const sums = async () =>
  Object.fromEntries((await balances(database.sql)).map(([name, , sum]) => [name, sum]));
/** Whether the ledger is in balance as a whole, and in each transaction. */
const zero = async () => {
  const [all] = await database.sql`
    select coalesce((select sum(amount_minor) from ledger_entries), 0)::int as sum,
      (select count(*) from (select 1 from ledger_entries group by transaction_id, currency having sum(amount_minor) <> 0) t)::int as off`;
  expect(all).toEqual({ sum: 0, off: 0 });
  expect(await reconcileLedger(database.sql)).toEqual([]);
};

describe('income', () => {
  it('is in the ledger once, and refused when it is entered again, by others or wrongly', async () => {
    const { sql } = database;
    const input = {
      day: '2026-11-20',
      amount_minor: 1234,
      source: 'ads',
      reference: 'a',
      note: 'x',
      impressions: 0,
    } as const;
    const add = (given: object = {}, actor = operator) =>
      sql.begin((tx) => addIncome(tx, actor, { ...input, ...given }, 0, now));
    await add();
    await expect(add({ amount_minor: 1 })).rejects.toMatchObject({ code: 'income_known' });
    await expect(add({ reference: '' })).rejects.toMatchObject({ code: 'income_reference' });
    await expect(add({ day: '2026-11-27' })).rejects.toMatchObject({ code: 'income_day_ahead' });
    await expect(add({ amount_minor: -5 })).rejects.toMatchObject({ code: 'income_amount' });
    const moderator = actorFor(await user(sql), { role: 'moderator' });
    await expect(add({ reference: 'b' }, moderator)).rejects.toMatchObject({ code: 'admins_only' });
    await add({ source: 'plus' });
    expect(await sums()).toEqual({ 'source:ads': 1234, 'source:plus': 1234, 'undivided:creators': -2468 });
    expect(await incomes(sql, 10)).toMatchObject([
      { day: '2026-11-20', amount_minor: 1234, is_divided: false },
      { day: '2026-11-20', amount_minor: 1234, is_divided: false },
    ]);
    await zero();
  });
});

describe('the division of a day', () => {
  it('gives three quarters after fees by points and weights, exactly', async () => {
    const { sql } = database;
    const [one, two] = [await project(sql), await project(sql)];
    const helper = await user(sql);
    await member(sql, (await teamOf(one.id)).team, helper, { payouts_split: 50 });
    await points('2026-11-20', [
      [one.id, 2],
      [two.id, 1],
    ]);
    await points('2026-11-20', [[two.id, 99]], false);
    await earn('2026-11-20', 1_010, { fee: 10 });
    expect(await divideRevenue(sql, now)).toEqual({ days: 1, shared_minor: 750 });
    // of 7.50 dollars the first project gets two thirds, of which its owner has two thirds again
    expect(await shares()).toEqual({
      [one.owner.id]: 3_333_333,
      [helper.id]: 1_666_667,
      [two.owner.id]: 2_500_000,
    });
    expect(await sums()).toEqual({
      ...{
        'source:ads': 1_010,
        'platform:ad_fees': -10,
        'platform:revenue': -250,
        'pending:2026-11-01': -750,
      },
    });
    await zero();
  });

  it('uses the weights of the organization when the project has none, equal ones when there are none', async () => {
    const { sql } = database;
    const group = await organization(sql);
    const other = await user(sql);
    await member(sql, group.team_id, other, { payouts_split: 300 });
    await member(sql, group.team_id, await user(sql), { payouts_split: 500, accepted: false });
    const own = await project(sql, { owner: group.owner, organization: group });
    const { team } = await teamOf(own.id);
    const mine = [await user(sql), await user(sql)];
    for (const person of mine) await member(sql, team, person, { payouts_split: 0 });
    await points('2026-11-20', [[own.id, 5]]);
    await earn('2026-11-20', 1_000, { source: 'plus' });
    await divideRevenue(sql, now);
    expect(await shares()).toEqual({ [group.owner.id]: 2_500_000, [other.id]: 7_500_000 });
    // nobody has a weight: equal among those of the project
    await sql`update team_members set payouts_split = 0`;
    await points('2026-11-21', [[own.id, 5]]);
    await earn('2026-11-21', 1, { source: 'plus' });
    await divideRevenue(sql, now);
    for (const { id } of mine) expect((await shares())[id]).toBe(5_000);
    // the project has nobody of its own: those of the organization
    await sql`delete from team_members where team_id = ${team}`;
    await points('2026-11-22', [[own.id, 5]]);
    await earn('2026-11-22', 1, { source: 'plus' });
    await divideRevenue(sql, now);
    expect((await shares())[other.id]).toBe(7_505_000);
    await zero();
  });

  it('leaves out projects that may not earn, and the Ghost user; their income waits for others', async () => {
    const { sql } = database;
    const [bad, off, lone] = [
      await project(sql, { monetization_status: 'force-demonetized' }),
      await project(sql, { monetization_status: 'demonetized' }),
      await project(sql),
    ];
    await sql`insert into users (id, username) values ('GhostGhost', 'Ghost') on conflict do nothing`;
    await sql`delete from team_members where team_id = ${(await teamOf(lone.id)).team}`;
    await points('2026-11-20', [
      [bad.id, 5],
      [off.id, 5],
      [lone.id, 5],
    ]);
    await earn('2026-11-20', 100);
    expect(await divideRevenue(sql, now)).toEqual({ days: 0, shared_minor: 0 });
    expect(await sums()).toEqual({ 'source:ads': 100, 'undivided:creators': -100 });
    const good = await project(sql);
    await points('2026-11-22', [
      [bad.id, 500],
      [good.id, 1],
    ]);
    expect(await divideRevenue(sql, now)).toEqual({ days: 1, shared_minor: 75 });
    expect(await shares()).toEqual({ [good.owner.id]: 750_000 });
    await zero();
  });

  it('waits until the day is over and its sums are whole, and takes what is entered later', async () => {
    const { sql } = database;
    const one = await project(sql);
    await points('2026-11-26', [[one.id, 1]]);
    await earn('2026-11-26', 100);
    const early = new Date('2026-11-27T01:59:00Z');
    expect(await divideRevenue(sql, early)).toMatchObject({ days: 0 });
    await sql`insert into analytics_changed (hour) values ('2026-11-26T23:00:00Z')`;
    expect(await divideRevenue(sql, now)).toMatchObject({ days: 0 });
    await rollUp(sql, now, { records_d: 400 });
    expect(await divideRevenue(sql, now)).toMatchObject({ days: 1 });
    await earn('2026-11-26', 200);
    expect(await divideRevenue(sql, now)).toEqual({ days: 1, shared_minor: 150 });
    expect(await shares()).toEqual({ [one.owner.id]: 2_250_000 });
    await zero();
  });
});

describe('runs', () => {
  it('that repeat, overlap or end in the middle divide and release everything once', async () => {
    const { sql } = database;
    const all = [await project(sql), await project(sql), await project(sql)];
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-22']) {
      await points(
        day,
        all.map(({ id }, index) => [id, index + 1]),
      );
      await earn(day, 1_001);
    }
    // the second day fails in the middle: the first stays, nothing of the second does
    await sql`create function fails() returns trigger language plpgsql as $$ begin
      if (select count(*) from revenue_divisions) > 1 then raise exception 'cut off'; end if; return null; end $$`;
    await sql`create trigger fails after insert on ledger_transactions for each row execute function fails()`;
    await expect(divideRevenue(sql, now)).rejects.toThrow('cut off');
    await zero();
    expect(await sums()).toMatchObject({ 'undivided:creators': -2_002, 'pending:2026-11-01': -750 });
    await sql`drop trigger fails on ledger_transactions`;
    await Promise.all([divideRevenue(sql, now), divideRevenue(sql, now), divideRevenue(sql, now)]);
    expect(await divideRevenue(sql, now)).toEqual({ days: 0, shared_minor: 0 });
    const after = await sums();
    expect(after).toMatchObject({ 'pending:2026-11-01': -2_250 });
    expect(after).not.toHaveProperty('undivided:creators');
    await zero();

    const waiting = await Promise.all(all.map(({ owner }) => balanceOf(sql, owner.id, now)));
    expect(waiting.reduce((sum, one) => sum + one.pending_micros, 0)).toBe(22_500_000);
    expect(await releaseRevenue(sql, new Date(released.getTime() - 1))).toEqual({
      months: 0,
      released_minor: 0,
    });
    await sql`create trigger fails after insert on revenue_releases for each row execute function fails()`;
    await expect(releaseRevenue(sql, released)).rejects.toThrow('cut off');
    expect(await sums()).toEqual(after);
    await sql`drop function fails cascade`;
    await Promise.all([releaseRevenue(sql, released), releaseRevenue(sql, released)]);
    expect(await releaseRevenue(sql, released)).toEqual({ months: 0, released_minor: 0 });
    expect(await sums()).toEqual({
      ...{ 'source:ads': 3_003, 'platform:revenue': -753 },
      ...Object.fromEntries(all.map(({ owner }, index) => [`creator:${owner.id}`, -375 * (index + 1)])),
    });
    expect(await balanceOf(sql, all[2]!.owner.id, released)).toEqual({
      ...{
        available_minor: 1_125,
        withdrawn_minor: 0,
        withdrawn_year_minor: 0,
        pending_micros: 0,
        pending: [],
      },
    });
    await zero();
  });

  it('carry less than a minor unit of each person to the next release', async () => {
    const { sql } = database;
    const all = [await project(sql), await project(sql), await project(sql)];
    for (const day of ['2026-10-20', '2026-11-20']) {
      await points(
        day,
        all.map(({ id }) => [id, 1]),
      );
      await earn(day, 2, { source: 'plus' });
    }
    await divideRevenue(sql, now);
    await releaseRevenue(sql, new Date('2026-12-30T00:00:00Z'));
    expect(await sums()).toEqual({
      ...{ 'source:plus': 4, 'pending:2026-11-01': -2, 'remainder:creators': -2 },
    });
    const left = async () =>
      Number((await sql`select coalesce(sum(amount_micros), 0) as sum from revenue_remainders`)[0]!.sum);
    expect(await left()).toBe(20_000);
    await releaseRevenue(sql, released);
    // two thirds of a cent twice: each has one cent now, and a third is left
    const { 'remainder:creators': remainder, ...rest } = await sums();
    expect(Object.values(rest).filter((sum) => sum === -1)).toHaveLength(3);
    expect(await left()).toBe(-remainder! * 10_000);
    await zero();
  });

  it('keep what a deleted person earned, and never change a share', async () => {
    const { sql } = database;
    const one = await project(sql);
    await points('2026-11-20', [[one.id, 1]]);
    await earn('2026-11-20', 100);
    await divideRevenue(sql, now);
    await sql`delete from team_members where user_id = ${one.owner.id}`;
    await releaseRevenue(sql, new Date(released.getTime() + day_ms));
    expect(await sums()).toMatchObject({ [`creator:${one.owner.id}`]: -75 });
    await expect(sql`update revenue_shares set amount_micros = 1`).rejects.toThrow('never');
    await expect(sql`delete from revenue_shares`).rejects.toThrow('never');
  });
});

it.each([
  ['nothing at all', []],
  ['Plus alone', [['2026-11-20', 251, 'plus']]],
] as const)('a month without ads that has %s divides and releases that', async (_, earned) => {
  const { sql } = database;
  const one = await project(sql);
  await points('2026-10-20', [[one.id, 4]]);
  await points('2026-11-20', [[one.id, 2]]);
  for (const [day, amount_minor, source] of earned) await earn(day, amount_minor, { source });
  const minor = earned.reduce((sum, [, amount_minor]) => sum + amount_minor, 0);
  expect(await divideRevenue(sql, now)).toEqual({ days: earned.length, shared_minor: minor });
  expect(await releaseRevenue(sql, released)).toEqual({ months: earned.length, released_minor: minor });
  expect(((await sums())[`creator:${one.owner.id}`] ?? 0) + minor).toBe(0);
  expect(await divideRevenue(sql, now)).toEqual({ days: 0, shared_minor: 0 });
  await zero();
});

it('somebody who deletes the account with money pending keeps it in the ledger, and earns no more', async () => {
  const { sql } = database;
  const [one, other] = [await project(sql), await project(sql)];
  const day = (at: string) =>
    points(at, [
      [one.id, 1],
      [other.id, 1],
    ]);
  await day('2026-11-20');
  await earn('2026-11-20', 201);
  await divideRevenue(sql, now);
  const actor = actorFor(one.owner);
  await sql.begin((tx) => removeUser(tx, actor, actor.user_id, now));
  await day('2026-11-22');
  await earn('2026-11-22', 101);
  expect(await divideRevenue(sql, now)).toEqual({ days: 1, shared_minor: 75 });
  await zero();
  expect(await releaseRevenue(sql, released)).toMatchObject({ months: 1 });
  // three quarters of 201 are 150 cents, of which each has a half
  expect(await sums()).toMatchObject({
    [`creator:${one.owner.id}`]: -75,
    [`creator:${other.owner.id}`]: -150,
  });
  await zero();
});

it('a ledger that differs from what it is about is named, by account', async () => {
  const { sql } = database;
  const one = await project(sql);
  await points('2026-11-20', [[one.id, 1]]);
  await earn('2026-11-20', 100);
  await earn('2026-11-25', 10, { source: 'plus' });
  await divideRevenue(sql, now);
  expect(await reconcileLedger(sql)).toEqual([]);
  expect(await ledgerReport(sql, { from: '2026-11-01', until: '2026-11-01' })).toEqual([
    { month: '2026-11', account: 'pending:2026-11-01', currency: 'USD', debit: 0, credit: 75 },
    { month: '2026-11', account: 'platform:revenue', currency: 'USD', debit: 0, credit: 25 },
    { month: '2026-11', account: 'source:ads', currency: 'USD', debit: 100, credit: 0 },
    { month: '2026-11', account: 'source:plus', currency: 'USD', debit: 10, credit: 0 },
    { month: '2026-11', account: 'undivided:creators', currency: 'USD', debit: 100, credit: 110 },
  ]);
  expect(await ledgerReport(sql, { from: '2025-11-01', until: '2026-10-01' })).toEqual([]);
  expect(await ledgerReport(sql, { from: '2026-12-01', until: '2027-11-01' })).toEqual([]);
  await sql`update revenue_incomes set amount_minor = 11 where source = 'plus'`;
  const [row] = await sql<Array<{ id: number }>>`select max(id) as id from revenue_divisions`;
  await sql`insert into revenue_shares values (${row!.id}, 'X', 'Y', 1)`;
  expect(await reconcileLedger(sql)).toEqual([
    { what: `shares of division ${row!.id}`, ledger: '750000', expected: '750001' },
    { what: 'source:plus', ledger: '10', expected: '11' },
    { what: 'undivided:creators', ledger: '-10', expected: '-11' },
  ]);
});

const teamOf = async (id: string) =>
  (await database.sql<Array<{ team: string }>>`select team from projects where id = ${id}`)[0]!;
