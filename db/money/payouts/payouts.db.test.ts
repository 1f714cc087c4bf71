import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { removeUser } from '../../accounts/account/remove.ts';
import { operator } from '../../platform/people/rules.ts';
import { createSealer } from '../../platform/secrets/seal.ts';
import { actorFor, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../testing/payouts.ts';
import { balanceOf } from '../billing/revenue/balance.ts';
import { payoutDetailsOf } from './details.ts';
import { payoutFiltersOf, payoutsOf } from './read.ts';
import { requestPayout } from './request.ts';
import { checkPayout, duePayouts } from './send.ts';
import { settlePayout } from './settle.ts';
import { localTaxForms, showTaxForm, signTaxForm } from './tax/local.ts';

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

async function creator(amount_minor = 50_000) {
  const person = await user(database.sql);
  await earn(database.sql, person.id, amount_minor, now);
  const provider = new ScriptedPayouts();
  const context = payoutContext(database.sql, provider);
  const available = async () => (await balanceOf(database.sql, person.id, now)).available_minor;
  return { person, actor: actorFor(person), provider, context, available };
}

describe('a withdrawal', () => {
  it('of the same money in two browsers is taken once', async () => {
    const { actor, context, available, person } = await creator(1_000);
    const both = await Promise.allSettled([
      requestPayout(context, actor, withdrawal(), now),
      requestPayout(context, actor, withdrawal(), now),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await available()).toBe(0);
    expect(await payoutsOf(database.sql, person.id)).toHaveLength(1);
  });

  it('that never reached its provider is sent by the job, and one whose answer was lost is not sent again', async () => {
    for (const line of ['before', 'after'] as const) {
      const { actor, context, provider } = await creator();
      provider.line = line;
      const { id, state } = await requestPayout(context, actor, withdrawal(), now);
      expect([state, provider.paid.size]).toEqual(['unknown', line === 'before' ? 0 : 1]);
      expect(await checkPayout(context, id, now)).toBe('success');
      expect([...provider.paid.keys()]).toEqual([id]);
    }
  });

  it('is canceled at its provider and fails after 30 days on its way, not before', async () => {
    const { actor, context, provider, available } = await creator();
    provider.next = 'in-transit';
    const { id } = await requestPayout(context, actor, withdrawal(), now);
    expect(await checkPayout(context, id, days(29))).toBe('in-transit');
    expect(await checkPayout(context, id, days(30))).toBe('failed');
    expect(provider.paid.get(id)!.state).toBe('cancelled');
    expect(await available()).toBe(50_000);
  });

  it('that arrived and came back returns once; nothing else changes what is final', async () => {
    const { actor, context, available } = await creator();
    const { id } = await requestPayout(context, actor, withdrawal(), now);
    const says = async (state: 'failed' | 'success' | 'cancelled' | 'in-transit') =>
      await database.sql.begin((tx) => settlePayout(tx, id, { reference: 'r', state, failure: null }, now));
    expect(await says('in-transit')).toBe('success');
    expect(await available()).toBe(49_000);
    expect([
      await says('failed'),
      await says('failed'),
      await says('success'),
      await says('cancelled'),
    ]).toEqual(Array(4).fill('failed'));
    expect(await available()).toBe(50_000);
    expect(
      await database.sql.begin((tx) =>
        settlePayout(tx, 'nobody', { reference: null, state: 'success', failure: null }, now),
      ),
    ).toBeNull();
  });

  it('is asked about less and less often', async () => {
    const { actor, context, provider } = await creator();
    provider.next = 'in-transit';
    const { id } = await requestPayout(context, actor, withdrawal(), now);
    const due = async (minutes: number) =>
      (await duePayouts(context, new Date(now.getTime() + minutes * 60_000), 10)).includes(id);
    expect([await due(1), await due(3), await due(4), await due(6), await due(10), await due(11)]).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('keeps where the money goes, and is found by year and method', async () => {
    const { actor, context, person } = await creator();
    await requestPayout(context, actor, withdrawal(), now);
    await requestPayout(context, actor, withdrawal({ address: 'new@example.org' }), days(60));
    const { sql } = database;
    expect(await payoutDetailsOf(sql, person.id)).toMatchObject({
      country: 'DE',
      paypal_address: 'new@example.org',
    });
    expect(await payoutFiltersOf(sql, person.id)).toEqual({ years: [2027, 2026], types: ['paypal'] });
    expect(await payoutsOf(sql, person.id, { year: 2026 })).toMatchObject([{ address: 'ada@example.org' }]);
    expect(await payoutsOf(sql, person.id, { type: 'venmo' })).toEqual([]);
  });
});

describe('the tax form', () => {
  const sealer = createSealer(randomBytes(32));
  const stated = {
    ...{
      name: 'Ada Stein',
      country: 'US',
      address: '1 Quarry Rd',
      city: 'Ulm',
      state: 'OH',
      postal_code: '1',
      tax_number: '123-45-6789',
    },
    ...{ signature: 'ada  stein', certified: true },
  };

  it('is needed over 600 dollars a year, counts only what went out, and begins anew with the year', async () => {
    const { actor, context, provider } = await creator(200_000);
    const take = async (amount_minor: number, at = now) =>
      (await requestPayout(context, actor, withdrawal({ amount_minor }), at)).state;
    expect(await take(60_000)).toBe('success');
    await expect(take(100)).rejects.toMatchObject({ code: 'tax_form_required' });
    expect(await take(60_000, days(60))).toBe('success');
    await database.sql.begin((tx) => signTaxForm(tx, sealer, actor, 'W-9', stated, days(60)));
    provider.next = 'failed';
    expect(await take(100, days(60))).toBe('failed');
  });

  it('is kept encrypted, shown to staff with an event, and needed again after three years outside the US', async () => {
    const { actor, person } = await creator();
    const { sql } = database;
    const foreign = { ...stated, country: 'DE', tax_number: '' };
    await sql.begin((tx) => signTaxForm(tx, sealer, actor, 'W-8BEN', foreign, now));
    const [row] = await sql<
      Array<{ sealed: string }>
    >`select sealed from tax_forms where user_id = ${person.id}`;
    expect(row!.sealed).not.toMatch(/Ada|Quarry/);
    expect(await sql.begin((tx) => showTaxForm(tx, sealer, operator, person.id, now))).toMatchObject({
      name: 'Ada Stein',
      form_type: 'W-8BEN',
    });
    const { proved: _, ...unproved } = { ...actor, role: 'admin' as const };
    for (const [who, code] of [
      [actor, 'admins_only'],
      [unproved, 'proof_required'],
    ] as const)
      await expect(sql.begin((tx) => showTaxForm(tx, sealer, who, person.id, now))).rejects.toMatchObject({
        code,
      });
    const shown = await sql`select 1 from events where name = 'taxform.shown' and user_id = ${person.id}`;
    expect(shown).toHaveLength(1);
    const forms = localTaxForms('');
    expect((await forms.status(sql, person.id, new Date('2029-12-31T00:00:00Z'))).status).toBe('complete');
    expect((await forms.status(sql, person.id, new Date('2030-01-01T00:00:00Z'))).status).toBe('unsigned');
    await expect(
      sql.begin((tx) => showTaxForm(tx, createSealer(randomBytes(32)), operator, person.id, now)),
    ).rejects.toMatchObject({
      code: 'tax_form_not_found',
    });
  });

  it.each([
    [{ name: ' ' }, 'tax_field_missing'],
    [{ country: 'DE' }, 'tax_country'],
    [{ country: 'QQ' }, 'country_unknown'],
    [{ tax_number: '12' }, 'tax_number_malformed'],
    [{ signature: 'Eve' }, 'tax_signature'],
    [{ certified: false }, 'tax_uncertified'],
    [{ city: 'x'.repeat(201) }, 'tax_field_long'],
  ])('refuses %j: %s', async (given, code) => {
    const { actor } = await creator();
    const wrong = { ...stated, ...given };
    await expect(
      database.sql.begin((tx) => signTaxForm(tx, sealer, actor, 'W-9', wrong, now)),
    ).rejects.toMatchObject({ code });
  });
});

describe('an account that goes', () => {
  it('stays while a payout is on its way; then its payouts stay without an address, and its money in the ledger', async () => {
    const { actor, context, provider, person, available } = await creator();
    const { sql } = database;
    provider.next = 'in-transit';
    const { id } = await requestPayout(context, actor, withdrawal(), now);
    const remove = async () => await sql.begin((tx) => removeUser(tx, actor, person.id, now));
    await expect(remove()).rejects.toMatchObject({ code: 'user_has_payouts' });
    provider.paid.get(id)!.state = 'success';
    await checkPayout(context, id, now);
    await remove();
    expect(await sql`select address, receiver from payouts where id = ${id}`).toEqual([
      { address: '', receiver: '' },
    ]);
    // what comes back later belongs to the account that earned it
    await sql.begin((tx) => settlePayout(tx, id, { reference: null, state: 'failed', failure: null }, now));
    expect(await available()).toBe(50_000);
  });
});
