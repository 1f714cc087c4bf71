import { describe, expect, it } from 'vitest';
import { stripeShop } from '../../../../testing/stripe/shop.ts';
import { refund } from '../../charges.ts';
import { cancel, handleWebhook } from '../../checkout.ts';

const shop = stripeShop();
const { now, order, newest, mine, hear, send, jobs } = shop;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

describe('a refund', () => {
  it('gives the whole amount back, once, also when the key is forgotten', async () => {
    const { server_id } = await order('good');
    await cancel(shop.till, shop.actor, server_id, now);
    const { id } = await newest();
    expect(jobs()).toContain('refund_charge');
    await refund(shop.sql, shop.till.payments, { charge_id: id }, now);
    shop.stripe.forget();
    // a process that died before it could note that it was sent
    await shop.sql`update refunds set sent = null where id = ${id}`;
    await refund(shop.sql, shop.till.payments, { charge_id: id }, now);
    const [intent] = await mine();
    expect(shop.stripe.account.refunds.filter((one) => one.payment_intent === intent!.id)).toMatchObject([
      { amount: 1200 },
    ]);
    expect(await newest()).toMatchObject({ charge: 'refunded', order: 'refunded' });
  });

  it('waits while Stripe is gone, and is content with one that the operator gave', async () => {
    const { server_id } = await order('good');
    await cancel(shop.till, shop.actor, server_id, now);
    const { id, intent_id } = await newest();
    shop.stripe.down = true;
    await expect(refund(shop.sql, shop.till.payments, { charge_id: id }, now)).rejects.toMatchObject({
      code: 'payments_unreachable',
    });
    shop.stripe.down = false;
    shop.stripe.account.refund(intent_id!, 1200, {});
    await refund(shop.sql, shop.till.payments, { charge_id: id }, now);
  });
});

describe('a dispute', () => {
  it('takes the money and marks the charge; one that is won gives it back', async () => {
    await order('good');
    const { intent_id } = await newest();
    const dispute = shop.stripe.account.dispute(intent_id!);
    await hear('charge.dispute.created', 'charge.dispute.funds_withdrawn');
    expect(await newest()).toMatchObject({ charge: 'succeeded', dispute: 'open', subscription: 'active' });
    shop.stripe.account.decideDispute(dispute, 'won');
    await hear('charge.dispute.closed', 'charge.dispute.created');
    expect(await newest()).toMatchObject({ dispute: 'won' });
  });

  it('that is lost stays lost, in whatever order its webhooks come', async () => {
    await order('good');
    const { intent_id } = await newest();
    shop.stripe.account.decideDispute(shop.stripe.account.dispute(intent_id!), 'lost');
    await hear('charge.dispute.closed', 'charge.dispute.funds_withdrawn', 'charge.dispute.created');
    expect(await newest()).toMatchObject({ dispute: 'lost', subscription: 'grace' });
    expect(jobs().filter((name) => name === 'reconcile_server')).toHaveLength(1);
    const events = await shop.sql`
      select data->>'state' as state from events where name = 'charge.disputed' and user_id = ${shop.actor.user_id}`;
    expect(events.map(({ state }) => state)).toEqual(['lost']);
  });
});

describe('a webhook', () => {
  const succeeded = async () => {
    await order('good');
    const { intent_id } = await newest();
    return shop.stripe.account.events.find(
      ({ type, data }) =>
        type === 'payment_intent.succeeded' && (data.object as { id: string }).id === intent_id,
    )!;
  };

  it('counts once', async () => {
    const event = await succeeded();
    const both = await Promise.all([send(event), send(event)]);
    expect(both.sort()).toEqual([false, true]);
    expect(await send(event)).toBe(false);
  });

  it('that is forged, altered, unsigned or old is refused', async () => {
    const event = await succeeded();
    await expect(send(event, now, 'whsec_other')).rejects.toMatchObject({ code: 'webhook_signature' });
    const { body, signature } = shop.stripe.webhook(event, now);
    const altered = handleWebhook(shop.till, signature, body.replace('1200', '9200'), now);
    await expect(altered).rejects.toMatchObject({ code: 'webhook_signature' });
    for (const none of [null, '', 't=1,v1=0'])
      await expect(handleWebhook(shop.till, none, body, now)).rejects.toMatchObject({
        code: 'webhook_signature',
      });
    await expect(handleWebhook(shop.till, signature, body, later(6))).rejects.toMatchObject({
      code: 'webhook_stale',
    });
  });

  it('is not believed: what it says happened is read again', async () => {
    await order('asks');
    const [intent] = await mine();
    const lie = {
      id: 'evt_lie',
      type: 'payment_intent.succeeded',
      data: { object: { ...intent!, status: 'succeeded' } },
    };
    expect(await send(lie)).toBe(true);
    expect(await newest()).toMatchObject({ charge: 'waiting' });
    shop.stripe.account.authenticate(intent!.client_secret, true);
    // the older event comes last
    await hear('payment_intent.succeeded', 'payment_intent.requires_action', 'payment_intent.created');
    expect(await newest()).toMatchObject({ charge: 'succeeded' });
  });

  it('about something else is noted and changes nothing', async () => {
    const known = { id: 'pi_1', metadata: {} };
    shop.stripe.account.intents.set('pi_1', {
      ...known,
      object: 'payment_intent',
      status: 'succeeded',
    } as never);
    for (const type of ['payment_intent.succeeded', 'customer.created', 'charge.refunded'])
      expect(await send({ id: `evt_${type}`, type, data: { object: known } })).toBe(true);
    shop.stripe.account.intents.delete('pi_1');
  });

  it('that comes while Stripe cannot be asked is refused, so that it is sent again', async () => {
    const event = await succeeded();
    shop.stripe.down = true;
    await expect(send(event)).rejects.toMatchObject({ code: 'payments_unreachable', status: 503 });
    shop.stripe.down = false;
    expect(await send(event)).toBe(true);
  });
});
