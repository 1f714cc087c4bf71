import { z } from 'zod';
import { isId } from '../../../../platform/id.ts';
import type { PayoutOutcome, PayoutRecord, PayoutRequest, ProviderState } from '../../provider.ts';
import { denominationOf } from './amounts.ts';
import { answerText, Nonsense, statusOf, type TremendousClient, unreachable } from './client.ts';
import { currencyOf, ratesOf, readProduct } from './products.ts';

const page_size = 100;
const max_pages = 1000;

const order = z.object({
  id: z.string().min(1).max(100),
  external_id: z.string().max(200).nullish(),
  status: z.string().max(60),
  payment: z.object({ subtotal: z.number(), currency_code: z.string().max(3).optional() }).nullish(),
  rewards: z
    .array(
      z.object({
        id: z.string().min(1).max(100),
        delivery: z.object({ status: z.string().max(40) }).nullish(),
      }),
    )
    .max(1000)
    .nullish(),
});
type Order = z.output<typeof order>;

const unknown: PayoutOutcome = { reference: null, state: 'in-transit', failure: null };
/** Of an order that is not there: it was never made, or is gone where there is a reference. */
export const unfound = (reference: string | null): PayoutOutcome =>
  reference === null ? unknown : { ...unknown, state: 'gone' };
const failed = (failure: string, reference: string | null = null): PayoutOutcome => ({
  ...{ reference, state: 'failed', failure },
});

function orderIn(data: unknown): Order {
  const parsed = z.object({ order }).safeParse(data);
  if (!parsed.success) throw new Nonsense('Tremendous told nothing of an order.');
  return parsed.data.order;
}

/** An order by its id or by our key; null when there is none. Throws what the library throws, and `Nonsense`. */
export async function readOrder(client: TremendousClient, id: string): Promise<Order | null> {
  try {
    return orderIn((await client.orders.getOrder(id, client.limits())).data);
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

/** The order of a reward; null when there is none. Throws what the library throws, and `Nonsense`. */
export async function readOrderOf(client: TremendousClient, reward_id: string): Promise<Order | null> {
  try {
    const { data } = await client.rewards.getReward(reward_id, client.limits());
    const id: unknown = data.reward?.order_id;
    if (typeof id !== 'string' || id === '') throw new Nonsense('Tremendous told nothing of a reward.');
    return await readOrder(client, id);
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

/** Orders a reward once for a key: Tremendous keeps it as `external_id` for good. */
export async function send(
  client: TremendousClient,
  account: { funding: string; campaign: string | null },
  ask: PayoutRequest,
): Promise<PayoutOutcome> {
  if (!Number.isSafeInteger(ask.amount_minor) || ask.amount_minor <= 0) return failed('other');
  try {
    const reward = await rewardOf(client, account.campaign, ask);
    if (!reward) return failed('other');
    const payment = { funding_source_id: account.funding };
    const asked = { external_id: ask.key, payment, reward };
    const { data } = await client.orders.createOrder(asked, client.limits());
    return await decide(client, orderIn(data));
  } catch (error) {
    return await afterFailure(client, ask.key, error);
  }
}

async function rewardOf(
  client: TremendousClient,
  campaign_id: string | null,
  { method_id, receiver, amount_minor, currency }: PayoutRequest,
) {
  const [product, rates] = await Promise.all([readProduct(client, method_id), ratesOf(client)]);
  const chosen =
    currency && product.currency_codes.includes(currency) ? currency : currencyOf(product, rates);
  const rate = chosen ? rates[chosen] : undefined;
  const denomination = chosen && rate ? denominationOf(product, amount_minor, chosen, rate) : null;
  if (denomination === null) return null;
  return {
    ...(campaign_id ? { campaign_id } : {}),
    products: [method_id],
    // the library's type lists all currencies that Tremendous knows
    value: { denomination, currency_code: chosen as 'USD' },
    recipient: { name: receiver.name, email: receiver.address },
    delivery: { method: 'EMAIL' as const },
  };
}

async function afterFailure(client: TremendousClient, key: string, error: unknown): Promise<PayoutOutcome> {
  const status = statusOf(error);
  try {
    // no answer may still be an order; 409: ordered before, at another rate
    const before = status === null || status === 409 ? await readOrder(client, key) : null;
    if (before) return await decide(client, before);
  } catch (again) {
    // refused or not answered: nobody knows what became of it, and what the library throws has the API key
    statusOf(again);
    return unknown;
  }
  // the operator's keys or rights, which the receiver can do nothing about
  if (status === null || status === 401 || status === 403 || status === 409) return unknown;
  const told = answerText(error);
  if (status === 402 || /insufficient|balance|funding/i.test(told)) return failed('funds');
  return failed(/recipient|email/i.test(told) ? 'receiver_unknown' : 'other');
}

/**
 * The outcome of an order. A reward that could not be delivered is canceled before anybody hears that it failed: until then
 * the mail could be sent again, and it would be paid twice.
 */
export async function decide(client: TremendousClient, one: Order): Promise<PayoutOutcome> {
  const [reward] = one.rewards ?? [];
  const outcome = outcomeOf(one);
  if (outcome.state !== 'in-transit' || one.status !== 'EXECUTED' || reward?.delivery?.status !== 'FAILED')
    return outcome;
  return (await cancelReward(client, reward.id)) ? failed('receiver_unknown', one.id) : outcome;
}

/** The outcome of an order that is only looked at: one that could not be delivered is on its way until `decide` cancels it. */
export function outcomeOf(one: Order): PayoutOutcome {
  const state = stateOf(one);
  return { reference: one.id, state, failure: state === 'failed' ? 'funds' : null };
}

function stateOf({ status, rewards }: Order): ProviderState {
  if (status === 'CANCELED') return 'cancelled';
  if (status === 'FAILED') return 'failed';
  return status === 'EXECUTED' && rewards?.[0]?.delivery?.status === 'SUCCEEDED' ? 'success' : 'in-transit';
}

/** Takes a reward back; false when that is not sure. */
async function cancelReward(client: TremendousClient, id: string): Promise<boolean> {
  try {
    await client.rewards.cancelReward(id, client.limits());
    return true;
  } catch (error) {
    statusOf(error);
    return false;
  }
}

/** Takes a reward back that is not delivered yet. Refuses `payouts_unreachable`. */
export async function cancel(
  client: TremendousClient,
  { key, reference }: { key: string; reference: string | null },
): Promise<PayoutOutcome> {
  try {
    const before = await readOrder(client, reference ?? key);
    if (!before) return unfound(reference);
    const outcome = await decide(client, before);
    const [reward] = before.rewards ?? [];
    if (outcome.state !== 'in-transit' || !reward) return outcome;
    const canceled = await cancelReward(client, reward.id);
    const after = await readOrder(client, before.id);
    const now = after ? await decide(client, after) : outcome;
    return canceled && now.state === 'in-transit' ? { ...now, state: 'cancelled' } : now;
  } catch (error) {
    throw unreachable(error);
  }
}

/**
 * All orders of a range, newest first. Amounts are what was ordered, in dollars. What has no key of ours has none. Refuses
 * `payouts_unreachable`.
 */
export async function* listOrders(
  open: () => Promise<TremendousClient>,
  { from, until }: { from: Date; until: Date },
): AsyncGenerator<PayoutRecord> {
  const client = await open();
  const last = new Date(until.getTime() - 1).toISOString();
  const pages = z.object({ orders: z.array(order).max(page_size), total_count: z.number().int() });
  for (let page = 0; page < max_pages; page += 1) {
    const offset = page * page_size;
    const { data } = await client.orders
      .listOrders(offset, undefined, undefined, from.toISOString(), last, page_size, client.limits())
      .catch((error: unknown) => Promise.reject(unreachable(error)));
    const found = pages.safeParse(data);
    if (!found.success) throw unreachable(new Nonsense('Tremendous listed no orders.'));
    for (const one of found.data.orders) yield recordOf(one);
    if (offset + page_size >= found.data.total_count) return;
  }
}

/** Our key of an order; null for those of the operator's other programs, which have ids of theirs. */
export const keyOf = ({ external_id }: Order): string | null =>
  external_id && isId(external_id) ? external_id : null;

function recordOf(one: Order): PayoutRecord {
  const { id, status, payment, rewards } = one;
  const bounced = status === 'EXECUTED' && rewards?.[0]?.delivery?.status === 'FAILED';
  const state = bounced ? 'failed' : stateOf(one);
  const amount_minor = Math.round((payment?.subtotal ?? 0) * 100);
  return { key: keyOf(one), reference: id, amount_minor, state };
}
