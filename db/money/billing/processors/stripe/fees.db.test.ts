import { afterEach, describe, expect, it } from 'vitest';
import { stripeShop } from '../../../../testing/stripe/shop.ts';
import { refund } from '../../charges.ts';
import { cancel } from '../../checkout.ts';
import { chargesOf } from '../../desk/read.ts';
import { ledgerReport } from '../../desk/report.ts';
import { reportRange } from '../../desk/rules.ts';
import { withoutFee } from '../../fees.ts';
import { reconcileLedger } from '../../revenue/reconcile.ts';

/** What Stripe keeps: 2.9 % and 30 of a payment, 1500 for a dispute, which is given back when it is won. */
const shop = stripeShop();
const { now, order, newest, mine, hear, send, runBilling } = shop;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
afterEach(() => shop.stripe.account.settles.clear());

/** What the ledger has of fees of the newest charge: reference, account, currency, minor units. */
const fees = async () => {
  const { id } = await newest();
  const rows = await shop.sql<Array<{ kind: string; account: string; currency: string; amount: number }>>`
    select split_part(t.reference, ':', 1) as kind, e.account_id as account, e.currency, e.amount_minor as amount
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where t.kind = 'fee' and split_part(t.reference, ':', 2) = ${id}
    order by t.reference, e.amount_minor desc`;
  return rows.map(({ kind, account, currency, amount }) => `${kind} ${account} ${amount} ${currency}`);
};
const kept = (amount: number, currency = 'USD', kind = 'charge') => [
  `${kind} fees:stripe ${amount} ${currency}`,
  `${kind} processor:stripe ${-amount} ${currency}`,
];

describe('the fee of a payment', () => {
  it('is booked once, however often webhooks tell of it', async () => {
    await order('good');
    expect(await fees()).toEqual([]);
    const events = ['charge.succeeded', 'charge.updated', 'charge.updated'];
    expect(await hear(...events)).toEqual([true, true, false]);
    const [intent] = await mine();
    const again = { type: 'charge.updated', data: { object: { payment_intent: intent!.id } } };
    await Promise.all(['evt_a', 'evt_b', 'evt_b'].map((id) => send({ id: `${id}_${intent!.id}`, ...again })));
    await runBilling(later(120));
    expect(await fees()).toEqual(kept(65));
    const lines = (await ledgerReport(shop.sql, reportRange('', '', new Date()))).filter(({ account }) =>
      account.startsWith('fees:'),
    );
    expect(lines).toMatchObject([{ account: 'fees:stripe', currency: 'USD', debit: 65, credit: 0 }]);
    expect(await reconcileLedger(shop.sql)).toEqual([]);
    const { id } = await newest();
    await shop.sql`update charges set fee_minor = 66 where id = ${id}`;
    expect(await reconcileLedger(shop.sql)).toEqual([
      { what: 'fees of payments at stripe USD', ledger: '65', expected: '66' },
      { what: 'processor:stripe USD', ledger: '1135', expected: '1134' },
    ]);
    await shop.sql`update charges set fee_minor = 65 where id = ${id}`;
  });

  it.each([
    ['JPY', 83],
    ['KWD', 137],
  ])('is in whole minor units of %s', async (currency, fee) => {
    await order('good', { currency });
    await hear('charge.updated');
    expect(await fees()).toEqual(kept(fee, currency));
  });

  it('is in the currency in which Stripe settles', async () => {
    shop.stripe.account.settles.set('jpy', 'usd');
    await order('good', { currency: 'JPY' });
    await hear('charge.updated');
    expect(await fees()).toEqual(kept(83, 'USD'));
    const { charges } = await chargesOf(shop.sql, shop.actor.user_id, 1);
    expect(charges).toMatchObject([{ currency: 'JPY', fee_minor: 83, fee_currency: 'USD' }]);
  });

  it('is asked for a minute later where no webhook came, and again an hour later while it is not known', async () => {
    await order('good');
    const { payments } = shop.till;
    const { intent_id } = await newest();
    const isDue = async (minutes: number) =>
      (await withoutFee(shop.sql, payments, later(minutes), 1_000)).includes(intent_id!);
    expect([await isDue(0), await isDue(1), await isDue(41 * 1_440)]).toEqual([false, true, false]);
    const { booked } = shop.stripe.account;
    const [held] = booked.splice(-1);
    await runBilling(later(1));
    expect(await fees()).toEqual([]);
    booked.push(held!);
    expect([await isDue(60), await isDue(61)]).toEqual([false, true]);
    await runBilling(later(61));
    expect(await fees()).toEqual(kept(65));
    expect(await isDue(200)).toBe(false);
  });

  it('waits for the payment when its webhook is faster', async () => {
    shop.stripe.faults.push('vanish');
    await order('good');
    shop.stripe.down = false;
    await hear('charge.updated');
    expect(await fees()).toEqual([]);
    shop.stripe.forget();
    await hear('payment_intent.succeeded');
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
    await runBilling(later(1));
    expect(await fees()).toEqual(kept(65));
  });

  it('is refused while Stripe is gone, so that the webhook is sent again', async () => {
    await order('good');
    shop.stripe.down = true;
    await expect(hear('charge.updated')).rejects.toMatchObject({ code: 'payments_unreachable' });
    shop.stripe.down = false;
    expect(await hear('charge.updated')).toEqual([true]);
    expect(await fees()).toEqual(kept(65));
  });

  it('is not given back with the money', async () => {
    const { server_id } = await order('good');
    await cancel(shop.till, shop.actor, server_id, now);
    const { id } = await newest();
    await refund(shop.sql, shop.till.payments, { charge_id: id }, now);
    await hear('charge.updated', 'charge.refunded');
    expect(await newest()).toMatchObject({ charge: 'refunded' });
    expect(await fees()).toEqual(kept(65));
  });

  it('of another program of the account is none of ours', async () => {
    const intents = shop.stripe.account.intents;
    const other = { id: 'pi_other', metadata: {}, status: 'succeeded', latest_charge: 'ch_other' };
    intents.set('pi_other', other as never);
    const event = { id: 'evt_o', type: 'charge.updated', data: { object: { payment_intent: 'pi_other' } } };
    expect(await send(event)).toBe(true);
    expect(
      await send({ ...event, id: 'evt_none', data: { object: { payment_intent: null } } as never }),
    ).toBe(true);
    intents.delete('pi_other');
  });
});

describe('the fee of a dispute', () => {
  it('is booked once, and once given back when the dispute is won', async () => {
    await order('good');
    const { intent_id } = await newest();
    const dispute = shop.stripe.account.dispute(intent_id!);
    await hear('charge.dispute.created', 'charge.dispute.funds_withdrawn');
    expect(await fees()).toEqual(kept(1500, 'USD', 'dispute'));
    shop.stripe.account.decideDispute(dispute, 'won');
    await hear('charge.dispute.closed', 'charge.dispute.funds_reinstated', 'charge.updated');
    expect(await fees()).toEqual([
      ...kept(65),
      ...kept(1500, 'USD', 'dispute'),
      'dispute_won processor:stripe 1500 USD',
      'dispute_won fees:stripe -1500 USD',
    ]);
  });

  it('stays when the dispute is lost', async () => {
    await order('good');
    const { intent_id } = await newest();
    shop.stripe.account.decideDispute(shop.stripe.account.dispute(intent_id!), 'lost');
    await hear('charge.dispute.closed');
    expect(await fees()).toEqual(kept(1500, 'USD', 'dispute'));
  });
});
