import { describe, expect, it } from 'vitest';
import { operator } from '../../platform/people/rules.ts';
import { actorFor, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../testing/payouts.ts';
import { balanceOf } from '../billing/revenue/balance.ts';
import { requestPayout } from './request.ts';
import type { PayoutState } from './rules.ts';
import { cancelPayout, checkPayout } from './send.ts';
import { settlePayout } from './settle.ts';
import { retryPayout, settleByHand } from './settle-by-hand.ts';
import { hearOfPayout } from './webhook.ts';

const database = testDatabase();

const now = new Date('2026-11-27T08:00:00Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

/** A payout of $10 on its way, of somebody who had $500. */
async function onItsWay() {
  const person = await user(database.sql);
  const actor = actorFor(person);
  await earn(database.sql, person.id, 50_000, now);
  const provider = new ScriptedPayouts();
  provider.next = 'in-transit';
  const errors: string[] = [];
  const log = { warn: () => {}, error: (_: object, text: string) => void errors.push(text) };
  const context = { ...payoutContext(database.sql, provider), log };
  const { id } = await requestPayout(context, actor, withdrawal(), now);
  return {
    ...{ id, actor, person, provider, context, errors },
    check: async (day: number): Promise<PayoutState> => await checkPayout(context, id, days(day)),
    available: async () => (await balanceOf(database.sql, person.id, now)).available_minor,
    /** The provider loses it, with its books or without. */
    lose(books = true) {
      provider.gone.add(id);
      if (books) provider.paid.delete(id);
    },
  };
}

describe('a payout that its provider knows nothing of any more', () => {
  it('fails after 30 days of it, not before, and its money returns once', async () => {
    const { check, available, lose, errors, person } = await onItsWay();
    expect(await check(1)).toBe('in-transit');
    lose();
    expect(await check(2)).toBe('in-transit');
    expect(await check(31.9)).toBe('in-transit');
    expect([errors.length, await available()]).toEqual([1, 49_000]);
    expect([await check(32), await check(33)]).toEqual(['failed', 'failed']);
    expect([await available(), errors.length]).toEqual([50_000, 2]);
    expect(errors[0]).toContain('cairn payouts settle');
    expect(await database.sql`select failure from payouts where user_id = ${person.id}`).toEqual([
      { failure: 'gone' },
    ]);
  });

  it('stays while it is known again in between', async () => {
    const { check, lose, provider, id } = await onItsWay();
    lose(false);
    expect(await check(2)).toBe('in-transit');
    provider.gone.delete(id);
    expect(await check(20)).toBe('in-transit');
    provider.gone.add(id);
    expect([await check(25), await check(40)]).toEqual(['in-transit', 'in-transit']);
    provider.paid.delete(id);
    expect(await check(55)).toBe('failed');
  });

  it('was paid when the books of its provider say so', async () => {
    const { check, available, lose, provider, id } = await onItsWay();
    lose(false);
    await check(1);
    provider.paid.get(id)!.state = 'success';
    expect(await check(31)).toBe('success');
    expect(await available()).toBe(49_000);
  });

  it('stays while the books have it on its way, or cannot be read', async () => {
    const { check, available, lose, provider, id, errors } = await onItsWay();
    lose(false);
    await check(1);
    expect(await check(31)).toBe('in-transit');
    provider.paid.delete(id);
    provider.books = false;
    expect(await check(32)).toBe('in-transit');
    expect([await available(), errors.length]).toEqual([49_000, 3]);
    provider.books = true;
    expect(await check(33)).toBe('failed');
  });

  it.each([
    ['success', 49_000],
    ['in-transit', 49_000],
  ] as const)('is what a webhook says while the books are read: %s', async (state, money) => {
    const { check, available, lose, provider, id, context } = await onItsWay();
    lose();
    await check(1);
    const list = async function* () {
      const said = { reference: `ref_${id}`, state, failure: null };
      await database.sql.begin((tx) => settlePayout(tx, id, said, days(31)));
      yield* [];
    };
    const slow = { ...provider, list } as unknown as ScriptedPayouts;
    expect(await checkPayout({ ...context, providers: [slow] }, id, days(31))).toBe(state);
    expect(await available()).toBe(money);
  });

  it('fails after 30 days also while it is canceled', async () => {
    const { check, available, lose, context, actor, id } = await onItsWay();
    lose();
    expect(await cancelPayout(context, actor, id, days(1))).toBe('cancelling');
    expect(await check(30)).toBe('cancelling');
    expect(await check(31)).toBe('failed');
    expect(await available()).toBe(50_000);
  });

  it('that never had an answer is looked up in the books before it fails', async () => {
    const { provider, context, actor, available } = await onItsWay();
    provider.next = 'success';
    provider.line = 'after';
    const { id, state } = await requestPayout(context, actor, withdrawal(), now);
    provider.gone.add(id);
    expect([state, await checkPayout(context, id, days(30))]).toEqual(['unknown', 'success']);
    expect(await available()).toBe(48_000);
  });
});

it('a payout that is canceled for 30 days is canceled there at last', async () => {
  const { check, available, context, actor, id, provider } = await onItsWay();
  provider.line = 'before';
  expect(await cancelPayout(context, actor, id, days(1))).toBe('cancelling');
  expect(await check(31)).toBe('cancelled');
  expect(await available()).toBe(50_000);
});

it('money that arrives after it returned is told to the operator', async () => {
  const { check, lose, provider, context, id, errors, available } = await onItsWay();
  lose();
  await check(0);
  expect(await check(30)).toBe('failed');
  const outcome = { reference: 'r', state: 'success' as const, failure: null };
  const verify = async () => ({ id: `late ${id}`, key: id, outcome });
  const late = { ...provider, verify, list: provider.list, outcomeOf: provider.outcomeOf };
  const heard = { ...context, providers: [late as unknown as ScriptedPayouts] };
  await hearOfPayout(heard, { name: 'test', headers: {}, body: '' }, days(31));
  expect(errors.at(-1)).toContain('paid twice');
  expect(await available()).toBe(50_000);
});

describe('a payout that the operator settles', () => {
  const failed = { state: 'failed', reason: 'Support says it never left.', is_sure: false } as const;
  const paid = { ...failed, state: 'success' } as const;
  const sure = { ...failed, is_sure: true } as const;

  it.each([
    [failed, 'failed', 50_000],
    [paid, 'success', 49_000],
  ] as const)('is %j, where its provider knows nothing of it', async (decision, state, money) => {
    const { context, id, lose, available, person } = await onItsWay();
    lose();
    await settleByHand(context, operator, id, decision, days(1));
    expect(await database.sql`select state from payouts where id = ${id}`).toEqual([{ state }]);
    expect(await available()).toBe(money);
    expect(
      await database.sql`select data from events where name = 'payout.decided' and user_id = ${person.id}`,
    ).toEqual([{ data: { payout_id: id, state, reason: failed.reason } }]);
    await expect(settleByHand(context, operator, id, sure, days(2))).rejects.toMatchObject({
      code: 'payout_over',
    });
    expect(await available()).toBe(money);
  });

  it('stays paid when its provider or its books say so, however sure the operator is', async () => {
    for (const is_gone of [false, true]) {
      const { context, id, provider, available, lose } = await onItsWay();
      provider.paid.get(id)!.state = 'success';
      if (is_gone) lose(false);
      await expect(settleByHand(context, operator, id, sure, days(1))).rejects.toMatchObject({
        code: 'payout_decided_there',
      });
      expect(await database.sql`select state from payouts where id = ${id}`).toEqual([{ state: 'success' }]);
      expect(await available()).toBe(49_000);
    }
  });

  it('stays on its way while its provider has it there, unless the operator is sure', async () => {
    const { context, id, available } = await onItsWay();
    for (const decision of [failed, paid])
      await expect(settleByHand(context, operator, id, decision, days(1))).rejects.toMatchObject({
        code: 'payout_on_its_way',
      });
    expect(await available()).toBe(49_000);
    await settleByHand(context, operator, id, sure, days(1));
    expect(await available()).toBe(50_000);
  });

  it('needs a provider that can be asked, unless the operator is sure', async () => {
    for (const is_used of [true, false]) {
      const { context, id, available, lose, provider } = await onItsWay();
      lose();
      provider.books = false;
      const by = is_used ? context : { ...context, providers: [] };
      const code = is_used ? 'payouts_unreachable' : 'payout_service_unused';
      await expect(settleByHand(by, operator, id, failed, days(1))).rejects.toMatchObject({ code });
      await settleByHand(by, operator, id, sure, days(1));
      expect(await available()).toBe(50_000);
    }
  });

  it('is settled and tried again by administrators who proved who they are, by name in the log', async () => {
    const { context, id, lose, person } = await onItsWay();
    lose();
    const admin = await user(database.sql, { role: 'admin' });
    const actor = actorFor(admin, { role: 'admin' });
    const { proved: _, ...unproved } = actor;
    for (const [who, code] of [
      [{ ...actor, role: 'moderator' as const }, 'admins_only'],
      [unproved, 'proof_required'],
    ] as const) {
      await expect(settleByHand(context, who, id, sure, days(1))).rejects.toMatchObject({ code });
      await expect(retryPayout(context, who, id, days(1))).rejects.toMatchObject({ code });
    }
    expect(await retryPayout(context, actor, id, days(1))).toBe('in-transit');
    await expect(retryPayout(context, actor, 'nobody', days(1))).rejects.toMatchObject({
      code: 'payout_not_found',
    });
    await settleByHand(context, actor, id, sure, days(1));
    expect(
      await database.sql`
        select name, actor_id from events where user_id = ${person.id} and actor_id = ${admin.id} order by id`,
    ).toEqual([
      { name: 'payout.retried', actor_id: admin.id },
      { name: 'payout.decided', actor_id: admin.id },
    ]);
  });

  it('needs a reason, and a payout', async () => {
    const { context, id } = await onItsWay();
    for (const reason of ['', '  ', 'x'.repeat(501)])
      await expect(settleByHand(context, operator, id, { ...sure, reason }, now)).rejects.toMatchObject({
        code: 'reason_required',
      });
    await expect(settleByHand(context, operator, 'nobody', sure, now)).rejects.toMatchObject({
      code: 'payout_not_found',
    });
  });
});
