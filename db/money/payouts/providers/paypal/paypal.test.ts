import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../platform/id.ts';
import { type PaypalSimulator, paypalKeys, paypalSimulator } from '../../../../testing/paypal/simulator.ts';
import type { PayoutProvider, PayoutRecord, PayoutRequest } from '../../provider.ts';
import { paypalPayouts } from './adapter.ts';

let paypal: PaypalSimulator;
let provider: PayoutProvider;
const now = new Date();
const day = 86_400_000;

beforeAll(async () => {
  paypal = await paypalSimulator();
  provider = open();
});
afterAll(() => paypal.close());
const sent = new Map<string, number>();
afterEach(() => {
  paypal.down = false;
  // the books of PayPal have what was sent, each once
  for (const item of paypal.account.items())
    expect(item.payout_item.amount.value).toBe(((sent.get(item.sender_batch_id) ?? 0) / 100).toFixed(2));
  expect(new Set(paypal.account.items().map(({ sender_batch_id }) => sender_batch_id)).size).toBe(
    paypal.account.items().length,
  );
  const kept = paypal.account
    .items()
    .filter(({ transaction_status: state }) => /^(SUCCESS|PENDING|UNCLAIMED|ONHOLD)$/.test(state))
    .reduce((sum, item) => sum + sent.get(item.sender_batch_id)!, 0);
  expect(1_000_000_00 - paypal.account.balance).toBe(kept);
});

const open = (settings: Partial<Parameters<typeof paypalPayouts>[0]> = {}) =>
  paypalPayouts({ ...paypalKeys, PAYPAL_API_URL: paypal.address, ...settings }, { timeout: 400 });
function ask(address = 'good@example.org', given: Partial<PayoutRequest> = {}): PayoutRequest {
  const receiver = { user_id: newId(), name: 'Ada', country: 'DE', address };
  const made = {
    key: newId(),
    method_id: 'paypal',
    receiver,
    amount_minor: 1230,
    currency: null,
    now,
    ...given,
  };
  sent.set(made.key, made.amount_minor);
  return made;
}
const refresh = async (key: string, reference: string | null) => await provider.retrieve({ key, reference });

it('offers Venmo in the United States only, and nothing with wrong keys', async () => {
  expect((await provider.methods('DE')).map(({ id }) => id)).toEqual(['paypal']);
  expect((await provider.methods('US')).map(({ id }) => id)).toEqual(['paypal', 'venmo']);
  const wrong = open({ PAYPAL_CLIENT_SECRET: 'other' });
  await expect(wrong.methods('DE')).rejects.toMatchObject({ code: 'payouts_unreachable' });
  expect(await wrong.send(ask())).toEqual({ reference: null, state: 'in-transit', failure: null });
  expect(paypal.account.items()).toHaveLength(0);
});

it('knows the sandbox from the live account', () => {
  expect(open({ PAYPAL_API_URL: 'https://api-m.sandbox.paypal.com' })).toMatchObject({
    test: true,
    name: 'paypal_test',
  });
  expect(open({ PAYPAL_API_URL: undefined }).test).toBe(false);
});

it('pays the same key once, one after the other and at the same time', async () => {
  const asked = ask();
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => provider.send(asked)));
  expect(first!.reference).not.toBeNull();
  expect(new Set([first, ...others].map((one) => one!.reference)).size).toBe(1);
  expect(await provider.send(asked)).toMatchObject({ reference: first!.reference, state: 'success' });
  expect(await refresh(asked.key, first!.reference)).toMatchObject({ state: 'success', failure: null });
});

it('pays a handle of Venmo', async () => {
  const asked = ask('@Ada-L', { method_id: 'venmo' });
  await provider.send(asked);
  expect(paypal.account.itemOf(asked.key)!.payout_item).toMatchObject({
    ...{ receiver: 'Ada-L', recipient_type: 'USER_HANDLE', recipient_wallet: 'VENMO' },
    amount: { value: '12.30', currency: 'USD' },
  });
});

it.each(['500_before', '500_after', 'hang', 'hang_after', 'garbage'] as const)(
  'finds what a request without an answer did, at once: %s',
  async (fault) => {
    paypal.faults.push(fault);
    const asked = ask();
    const { reference } = await provider.send(asked);
    expect(reference).toBe(paypal.account.itemOf(asked.key)!.payout_batch_id);
  },
);

it('says that nobody knows while PayPal is gone, and finds it later by its key', async () => {
  paypal.faults.push('vanish');
  const asked = ask();
  const nobody = { reference: null, state: 'in-transit', failure: null };
  expect(await provider.send(asked)).toEqual(nobody);
  expect(await refresh(asked.key, null)).toEqual(nobody);
  await expect(refresh(asked.key, 'B1')).rejects.toMatchObject({ code: 'payouts_unreachable' });
  paypal.down = false;
  expect(await provider.send(asked)).toMatchObject({ state: 'success' });
});

it('fetches another token when PayPal takes one back, and none for each request', async () => {
  const tokens = () => paypal.asked.filter((path) => path === 'POST /v1/oauth2/token').length;
  await provider.send(ask());
  const before = tokens();
  await provider.send(ask());
  expect(tokens()).toBe(before);
  paypal.revoke();
  expect((await provider.send(ask())).reference).not.toBeNull();
  expect(tokens()).toBe(before + 1);
});

it.each([
  ['stranger@example.org', 'in-transit', null],
  ['held@example.org', 'in-transit', null],
  ['slow@example.org', 'in-transit', null],
  ['blocked@example.org', 'failed', 'other'],
  ['locked@example.org', 'failed', 'receiver_refuses'],
  ['no address', 'failed', 'receiver_unknown'],
] as const)('tells what becomes of %s', async (address, state, failure) => {
  const asked = ask(address);
  const first = await provider.send(asked);
  const { reference } = first;
  const outcome = reference === null ? first : await refresh(asked.key, reference);
  expect(outcome).toMatchObject({ state, failure });
});

it('says when PayPal has not the money, denies a batch, or is asked for no amount', async () => {
  expect(await provider.send(ask(undefined, { amount_minor: 1_000_000_01 }))).toMatchObject({
    ...{ state: 'failed', failure: 'funds' },
  });
  for (const amount_minor of [0, -1, 0.5, Number.NaN])
    expect(await provider.send(ask(undefined, { amount_minor }))).toMatchObject({ state: 'failed' });
  const asked = ask('slow@example.org');
  const { reference } = await provider.send(asked);
  paypal.account.deny(asked.key, 'INSUFFICIENT_FUNDS');
  expect(await refresh(asked.key, reference)).toMatchObject({ state: 'failed', failure: 'funds' });
});

it('cancels what nobody claimed, and nothing else', async () => {
  const unclaimed = ask('stranger@example.org');
  const { reference } = await provider.send(unclaimed);
  const cancel = async () => await provider.cancel!({ key: unclaimed.key, reference });
  expect(await cancel()).toMatchObject({ reference, state: 'cancelled', failure: null });
  const paid = ask();
  const other = await provider.send(paid);
  expect(await provider.cancel!({ key: paid.key, reference: other.reference })).toMatchObject({
    state: 'success',
  });
  expect(await provider.cancel!({ key: 'nothing', reference: null })).toMatchObject({ reference: null });
});

it('says that a payout is gone when PayPal knows nothing of a batch that it made', async () => {
  const key = newId();
  const gone = { reference: null, state: 'gone', failure: null };
  expect(await refresh(key, 'BGONE')).toEqual(gone);
  expect(await provider.cancel!({ key, reference: 'BGONE' })).toEqual(gone);
  // no answer of any kind is another thing
  paypal.down = true;
  await expect(refresh(key, 'BGONE')).rejects.toMatchObject({ code: 'payouts_unreachable' });
});

it('tells why an unclaimed payout came back', async () => {
  const asked = ask('stranger@example.org');
  const { reference } = await provider.send(asked);
  paypal.account.turn(asked.key, 'RETURNED');
  expect(await refresh(asked.key, reference)).toMatchObject({ state: 'failed', failure: 'unclaimed' });
});

const eventsOf = (key: string) =>
  paypal.account.events.filter(
    (one) => (one.resource as { sender_batch_id: string }).sender_batch_id === key,
  );

it('hears webhooks, twice and in the wrong order, and tells what is true now', async () => {
  const asked = ask('stranger@example.org');
  await provider.send(asked);
  paypal.account.turn(asked.key, 'SUCCESS');
  const [unclaimed, claimed] = eventsOf(asked.key);
  for (const event of [claimed!, unclaimed!, unclaimed!]) {
    const { headers, body } = paypal.webhook(event, now);
    expect(await provider.verify!(headers, body, now)).toMatchObject({
      ...{ id: event.id, key: asked.key, outcome: { state: 'success' } },
    });
  }
});

it('tells a canceled payout by its webhook too, and nothing of events that concern no payout', async () => {
  const asked = ask('stranger@example.org');
  const { reference } = await provider.send(asked);
  await provider.cancel!({ key: asked.key, reference });
  const { headers, body } = paypal.webhook(eventsOf(asked.key).at(-1)!, now);
  expect((await provider.verify!(headers, body, now)).outcome).toMatchObject({ state: 'cancelled' });
  const other = paypal.webhook(
    { id: 'WH-9', event_type: 'PAYMENT.SALE.COMPLETED', resource: { id: '1' } },
    now,
  );
  expect(await provider.verify!(other.headers, other.body, now)).toEqual({
    id: 'WH-9',
    key: null,
    outcome: null,
  });
});

it('refuses webhooks that are forged, changed, of another webhook, or too old', async () => {
  const asked = ask();
  await provider.send(asked);
  const [event] = eventsOf(asked.key);
  const genuine = paypal.webhook(event!, now);
  const hear = async (headers: Record<string, string>, body = genuine.body, at = now, by = provider) =>
    await by.verify!(headers, body, at);
  const forged = { code: 'webhook_signature' };
  await expect(hear(paypal.webhook(event!, now, true).headers)).rejects.toMatchObject(forged);
  await expect(hear(genuine.headers, `${genuine.body} `)).rejects.toMatchObject(forged);
  await expect(hear({})).rejects.toMatchObject(forged);
  await expect(hear({ ...genuine.headers, 'paypal-transmission-sig': '' })).rejects.toMatchObject(forged);
  await expect(
    hear(genuine.headers, genuine.body, now, open({ PAYPAL_WEBHOOK_ID: 'WH-OTHER' })),
  ).rejects.toMatchObject(forged);
  await expect(
    hear(genuine.headers, genuine.body, now, open({ PAYPAL_WEBHOOK_ID: '' })),
  ).rejects.toMatchObject(forged);
  await expect(hear(genuine.headers, genuine.body, new Date(now.getTime() + 4 * day))).rejects.toMatchObject({
    code: 'webhook_stale',
  });
});

it.each([
  'https://attacker.example/v1/notifications/certs/CERT-1',
  'https://api.paypal.com.attacker.example/v1/notifications/certs/CERT-1',
  'http://api.paypal.com/v1/notifications/certs/CERT-1',
  'https://user@api.paypal.com/v1/notifications/certs/CERT-1',
  'https://api.paypal.com/v1/notifications/certs/../../oauth2/token',
  'not an address',
  '',
])('takes no certificate from %s', async (address) => {
  const { headers, body } = paypal.webhook({ id: 'WH-1', event_type: 'X', resource: {} }, now);
  for (const by of [provider, open({ PAYPAL_API_URL: undefined })])
    await expect(by.verify!({ ...headers, 'paypal-cert-url': address }, body, now)).rejects.toMatchObject({
      code: 'webhook_signature',
    });
});

it('looks certificates up a few times at most, however many webhooks are forged', async () => {
  const by = open();
  const asked = () => paypal.asked.filter((path) => path.includes('/certs/')).length;
  const before = asked();
  const { headers, body } = paypal.webhook({ id: 'WH-1', event_type: 'X', resource: {} }, now);
  const hear = async (name: string) => {
    const address = `${paypal.address}/v1/notifications/certs/${name}`;
    return await by.verify!({ ...headers, 'paypal-cert-url': address }, body, now).catch((error) => error);
  };
  // the same address, at once and one after the other
  for (const outcome of await Promise.all(Array.from({ length: 20 }, () => hear('FORGED'))))
    expect(outcome).toMatchObject({ code: 'payouts_unreachable' });
  expect(await hear('FORGED')).toMatchObject({ code: 'payouts_unreachable' });
  expect(asked() - before).toBe(1);
  // the true one is kept, and stays while others are made up
  expect(await hear('CERT-1')).toMatchObject({ id: 'WH-1' });
  for (let n = 0; n < 120; n += 1) await hear(`FORGED-${n}`);
  expect(asked() - before).toBe(10);
  expect(await hear('CERT-1')).toMatchObject({ id: 'WH-1' });
  expect(asked() - before).toBe(10);
});

it('lists payouts over pages and over more than a month, each once', async () => {
  const before = paypal.account.items().length;
  for (let n = 0; n < 520 - before; n += 1) await provider.send(ask(undefined, { amount_minor: 100 + n }));
  const early = paypal.account.items()[0]!;
  early.created -= 40 * day;
  const listed: PayoutRecord[] = [];
  for await (const one of provider.list({
    from: new Date(now.getTime() - 60 * day),
    until: new Date(Date.now() + 1000),
  }))
    listed.push(one);
  expect(listed).toHaveLength(520);
  expect(new Map(listed.map(({ key, amount_minor }) => [key, amount_minor]))).toEqual(
    new Map(paypal.account.items().map(({ sender_batch_id: key }) => [key, sent.get(key)])),
  );
});
