import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operator } from '../../../platform/people/rules.ts';
import { member, organization, project, user } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { propertyLimit, propertyRuns } from '../../../testing/soak.ts';
import { divideRevenue } from './divide.ts';
import { addIncome } from './income.ts';

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');
const people_count = 6;

/** A project: its points, the weights of its own people and whether it has an organization with weights. */
const aProject = fc.record({
  points: fc.integer({ min: 1, max: 1_000_000 }),
  weights: fc.array(fc.constantFrom(0, 0, 1, 33.33, 100, 5000), { maxLength: 4 }),
  group: fc.option(fc.array(fc.constantFrom(0, 1, 2.5, 100), { minLength: 1, maxLength: 3 }), { nil: null }),
  earns: fc.boolean(),
});
const aDay = fc.record({
  amount: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000_000 })),
  projects: fc.array(aProject, { minLength: 1, maxLength: 12 }),
});

/** Largest remainders, the first id first: whole numbers as near to the parts of `whole` as can be, and with its sum. */
function divided<T>(whole: bigint, parts: ReadonlyArray<{ id: T; part: bigint }>): Map<T, bigint> {
  const total = parts.reduce((sum, { part }) => sum + part, 0n);
  const given = parts.map(({ id, part }) => ({
    id,
    floor: (whole * part) / total,
    rest: (whole * part) % total,
  }));
  const left = Number(whole - given.reduce((sum, { floor }) => sum + floor, 0n));
  const order = [...given].sort((a, b) =>
    a.rest === b.rest ? (a.id < b.id ? -1 : 1) : a.rest > b.rest ? -1 : 1,
  );
  const lucky = new Set(order.slice(0, left).map(({ id }) => id));
  return new Map(given.map(({ id, floor }) => [id, floor + (lucky.has(id) ? 1n : 0n)]));
}
const hundredths = (weight: number) => BigInt(Math.round(weight * 100));
const chosen = (weights: Map<string, number>): Map<string, number> | null =>
  [...weights.values()].some((weight) => weight > 0) ? weights : null;
const equal = (weights: Map<string, number>) => new Map([...weights.keys()].map((id) => [id, 1]));

describe('a division of any day', { timeout: propertyLimit(60_000) }, () => {
  it('is what is worked out by hand: exact, by weights, however many projects there are', async () => {
    const { sql } = database;
    const people = (await Promise.all(Array.from({ length: people_count }, () => user(sql)))).map(
      ({ id }) => id,
    );
    let reference = 0;
    await fc.assert(
      fc.asyncProperty(aDay, async ({ amount, projects }) => {
        await sql`truncate analytics_days, revenue_incomes, revenue_divisions, revenue_shares, ledger_entries,
          ledger_transactions, team_members, projects, organizations cascade`;
        const made = [];
        for (const { points, weights, group, earns } of projects) {
          const ours = group && (await organization(sql));
          if (ours) await sql`delete from team_members where team_id = ${ours.team_id}`;
          const { id } = await project(sql, {
            monetization_status: earns ? 'monetized' : 'demonetized',
            ...(ours && { organization: ours }),
          });
          const [row] = await sql<Array<{ team: string }>>`select team from projects where id = ${id}`;
          await sql`delete from team_members where team_id = ${row!.team}`;
          const put = async (team: string, list: number[]) => {
            for (const [at, payouts_split] of list.entries())
              await member(sql, team, { id: people[at]! }, { payouts_split });
            return new Map(list.map((weight, at) => [people[at]!, weight]));
          };
          const own = await put(row!.team, weights);
          const theirs = ours ? await put(ours.team_id, group) : new Map<string, number>();
          await sql`insert into analytics_days (at, amount, kind, project_id, monetized)
            values ('2026-11-20T00:00:00Z', ${points}, 'view', ${id}, true)`;
          const by = chosen(own) ?? chosen(theirs) ?? equal(own.size > 0 ? own : theirs);
          if (earns && by.size > 0) made.push({ id, part: BigInt(points), by });
        }
        await sql.begin((tx) =>
          addIncome(
            tx,
            operator,
            {
              day: '2026-11-20',
              source: 'plus',
              amount_minor: amount,
              impressions: 0,
              reference: `${reference++}`,
              note: '',
            },
            0,
            now,
          ),
        );
        await divideRevenue(sql, now);
        const wanted = new Map<string, bigint>();
        if (made.length > 0)
          for (const [id, micros] of divided(BigInt(amount) * 10_000n, made)) {
            const { by } = made.find((one) => one.id === id)!;
            const parts = [...by].map(([person, weight]) => ({ id: person, part: hundredths(weight) }));
            for (const [person, share] of divided(micros, parts))
              if (share > 0n) wanted.set(`${id} ${person}`, share);
          }
        const found = await sql<Array<{ key: string; micros: string }>>`
          select project_id || ' ' || user_id as key, amount_micros::text as micros from revenue_shares`;
        const byKey = (rows: Array<[string, bigint]>) => rows.sort(([a], [b]) => (a < b ? -1 : 1));
        expect(byKey(found.map(({ key, micros }) => [key, BigInt(micros)]))).toEqual(byKey([...wanted]));
        const [sum] = await sql<Array<{ sum: number }>>`
          select coalesce(sum(amount_minor) filter (where account_id not like 'source:%'), 0)::bigint as sum from ledger_entries`;
        expect(sum!.sum).toBe(-amount);
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});
