import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../platform/errors.ts';
import { actorFor, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../testing/payouts.ts';
import { propertyLimit, propertyRuns } from '../../testing/soak.ts';
import { balanceOf } from '../billing/revenue/balance.ts';
import { payoutsOf } from './read.ts';
import { requestPayout } from './request.ts';
import { isOpen } from './rules.ts';
import { cancelPayout, checkPayout, duePayouts } from './send.ts';
import { settlePayout } from './settle.ts';

const database = testDatabase();
const start = new Date('2026-11-27T08:00:00Z');
const amount = fc.integer({ min: 25, max: 4_000 });
const line = fc.constantFrom('works', 'works', 'before', 'after' as const);
const which = fc.nat({ max: 20 });
const step = fc.oneof(
  fc.record({ do: fc.constant('earn' as const), amount }),
  fc.record({
    do: fc.constant('request' as const),
    amount,
    line,
    times: fc.integer({ min: 1, max: 3 }),
    same: fc.boolean(),
    next: fc.constantFrom('success', 'in-transit', 'in-transit', 'failed' as const),
  }),
  fc.record({ do: fc.constant('cancel' as const), which, line }),
  fc.record({ do: fc.constant('move' as const), which, to: fc.constantFrom('success', 'failed' as const) }),
  fc.record({ do: fc.constant('forget' as const), which }),
  fc.record({ do: fc.constant('hear' as const), which, times: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ do: fc.constant('job' as const), hours: fc.integer({ min: 1, max: 400 }), line }),
);

describe('payouts under any requests, outcomes, cancelations and broken lines', {
  timeout: propertyLimit(60_000),
}, () => {
  it('balance, pay nothing twice and never more than was earned', async () => {
    const { sql } = database;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const person = await user(sql);
        const actor = actorFor(person);
        const provider = new ScriptedPayouts();
        const context = payoutContext(sql, provider);
        let now = start;
        let earned = 0;
        const list = async () => await payoutsOf(sql, person.id);
        const pick = async (index: number) => {
          const all = await list();
          return all[index % Math.max(all.length, 1)];
        };
        const refusals = (error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        };
        const runJob = async () => {
          for (const id of await duePayouts(context, now, 100)) await checkPayout(context, id, now);
        };
        for (const one of steps) {
          if (one.do === 'earn') {
            earned += one.amount;
            await earn(sql, person.id, one.amount, now);
          } else if (one.do === 'request') {
            Object.assign(provider, { line: one.line, next: one.next });
            const first = withdrawal({ amount_minor: one.amount });
            const all = Array.from({ length: one.times }, () =>
              one.same ? first : withdrawal({ amount_minor: one.amount }),
            );
            await Promise.all(all.map((input) => requestPayout(context, actor, input, now).catch(refusals)));
          } else if (one.do === 'job') {
            provider.line = one.line;
            now = new Date(now.getTime() + one.hours * 3_600_000);
            await runJob();
          } else {
            const payout = await pick(one.which);
            if (!payout) continue;
            const known = provider.paid.get(payout.id);
            if (one.do === 'cancel') {
              provider.line = one.line;
              await cancelPayout(context, actor, payout.id, now).catch(refusals);
            } else if (one.do === 'forget') {
              if (!provider.gone.delete(payout.id)) provider.gone.add(payout.id);
            } else if (one.do === 'move') {
              // money that arrived may come back; what failed stays
              if (known?.state === 'in-transit' || (known?.state === 'success' && one.to === 'failed'))
                known.state = one.to;
            } else
              for (let time = 0; time < one.times; time++)
                await sql.begin((tx) => settlePayout(tx, payout.id, provider.outcomeOf(payout.id), now));
          }
          provider.line = 'works';
          const { available_minor } = await balanceOf(sql, person.id, now);
          const held = (await list()).filter(({ state }) => state !== 'failed' && state !== 'cancelled');
          expect(available_minor).toBe(
            earned - held.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
          );
          expect(available_minor).toBeGreaterThanOrEqual(0);
        }
        // in the end the provider says what became of everything
        provider.next = 'success';
        for (const known of provider.paid.values()) if (known.state === 'in-transit') known.state = 'success';
        for (let turn = 0; turn < 3; turn++) {
          now = new Date(now.getTime() + 7 * 3_600_000);
          await runJob();
        }
        // what it forgot is over too, by its books
        for (let turn = 0; turn < 2; turn++) {
          now = new Date(now.getTime() + 31 * 24 * 3_600_000);
          await runJob();
        }
        const all = await list();
        for (const { id, state, amount_minor, fee_minor } of all) {
          expect(isOpen(state)).toBe(false);
          const known = provider.paid.get(id);
          if (state === 'success') expect(known).toMatchObject({ amount_minor: amount_minor - fee_minor });
          if (known?.state === 'success') expect(state).toBe('success');
        }
        expect([...provider.paid.keys()].every((key) => all.some(({ id }) => id === key))).toBe(true);
        const [sum] = await sql<
          [{ sum: number }]
        >`select sum(amount_minor)::bigint as sum from ledger_entries`;
        expect(sum.sum ?? 0).toBe(0);
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});
