import { randomBytes } from 'node:crypto';
import type { Told } from '../faulty-server.ts';
import { products, rates } from './products.ts';

const idOf = () => randomBytes(6).toString('hex').toUpperCase();

interface Reward {
  id: string;
  order_id: string;
  value: { denomination: number; currency_code: string };
  recipient: { name: string; email: string };
  delivery: { method: string; status: string };
  products: string[];
}
interface Order {
  id: string;
  external_id: string | null;
  status: string;
  created_at: string;
  payment: { subtotal: number; total: number; currency_code: string };
  rewards: Reward[];
}
export interface TremendousEvent {
  uuid: string;
  event: string;
  payload: { resource: { id: string; type: string } };
}
interface Ask {
  external_id: string;
  payment: { funding_source_id: string };
  reward: Omit<Reward, 'id' | 'order_id'> & { campaign_id?: string };
}

const wrong = (status: number, message: string, payload = ''): Told => ({
  status,
  body: { errors: { message, payload } },
});

/** What becomes of a reward by the name of its receiver; all others get it at once. */
const fates: ReadonlyArray<[name: RegExp, status: string]> = [
  [/^bounces/, 'FAILED'],
  [/^slow/, 'PENDING'],
];

/** An organization at Tremendous in memory, with its orders and its money. */
export class TremendousAccount {
  readonly orders = new Map<string, Order>();
  /** In cents of a dollar. */
  balance = 1_000_000_00;
  /** How many of each currency one dollar is today. */
  rates: Record<string, number> = { ...rates };
  /** Whether orders wait until somebody of the organization approves them. */
  approvals = false;
  /** What its webhooks tell, in the order in which it happened. */
  readonly events: TremendousEvent[] = [];

  #tell(event: string, id: string, type: string): void {
    this.events.push({ uuid: idOf(), event, payload: { resource: { id, type } } });
  }

  /** Orders a reward: a known `external_id` gives the order that has it, with another amount a conflict. */
  order({ external_id, payment, reward }: Ask): Told {
    const before = this.find(external_id);
    if (before) {
      const same = before.rewards[0]!.value.denomination === reward.value.denomination;
      return same ? { status: 201, body: { order: before } } : wrong(409, 'Conflicting external_id');
    }
    const product = products.find(({ id }) => id === reward.products[0]);
    const { denomination, currency_code } = reward.value;
    const fits = product?.skus.some(({ min, max }) => denomination >= min && denomination <= max);
    if (!product?.currency_codes.includes(currency_code) || (product.skus.length > 0 && !fits))
      return wrong(422, 'Denomination is not supported', 'value');
    if (!/^[^\s@]+@[^\s@]+$/.test(reward.recipient.email))
      return wrong(422, 'Recipient email is invalid', 'recipient');
    if (payment.funding_source_id !== 'balance') return wrong(404, 'Funding source not found');
    const cents = Math.round((denomination / this.rates[currency_code]!) * 100);
    if (cents > this.balance) return wrong(402, 'Insufficient funds');
    this.balance -= cents;
    const id = idOf();
    const fate = fates.find(([name]) => name.test(reward.recipient.email))?.[1] ?? 'SUCCEEDED';
    const made: Order = {
      ...{ id, external_id, status: 'EXECUTED', created_at: new Date().toISOString() },
      payment: { subtotal: cents / 100, total: cents / 100, currency_code: 'USD' },
      // the mail goes after the answer
      rewards: [{ ...reward, id: idOf(), order_id: id, delivery: { method: 'EMAIL', status: 'SCHEDULED' } }],
    };
    const answer = structuredClone(made);
    this.orders.set(id, made);
    if (this.approvals) made.status = 'PENDING APPROVAL';
    else if (fate !== 'PENDING') this.deliver(external_id, fate);
    return { status: 200, body: { order: answer } };
  }

  /** The mail to a receiver arrives, or comes back. */
  deliver(external_id: string, status: string): void {
    const [reward] = this.find(external_id)!.rewards;
    reward!.delivery.status = status;
    this.#tell(`REWARDS.DELIVERY.${status}`, reward!.id, 'rewards');
  }

  find(id: string): Order | undefined {
    return this.orders.get(id) ?? [...this.orders.values()].find(({ external_id }) => external_id === id);
  }
  read(id: string): Told {
    const order = this.find(id);
    return order ? { status: 200, body: { order } } : wrong(404, 'Not found');
  }
  #rewardOf(id: string): [Order, Reward] | undefined {
    const order = [...this.orders.values()].find(({ rewards }) => rewards[0]?.id === id);
    return order && [order, order.rewards[0]!];
  }
  reward(id: string): Told {
    const found = this.#rewardOf(id);
    return found ? { status: 200, body: { reward: found[1] } } : wrong(404, 'Not found');
  }
  /** Cancels a reward that was not redeemed. */
  cancel(id: string): Told {
    const found = this.#rewardOf(id);
    if (!found) return wrong(404, 'Not found');
    const [order, reward] = found;
    if (order.status === 'CANCELED' || reward.delivery.status === 'SUCCEEDED')
      return wrong(422, 'Cannot be canceled');
    order.status = 'CANCELED';
    this.balance += Math.round(order.payment.subtotal * 100);
    this.#tell('REWARDS.CANCELED', id, 'rewards');
    return { status: 200, body: {} };
  }

  /** Orders of a range, newest first, a page of them. */
  list(asked: URLSearchParams): Told {
    const [from, until] = ['created_at[gte]', 'created_at[lte]'].map((name) => asked.get(name) ?? '');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(asked.get(name)));
    if (!(limit! >= 1 && limit! <= 500) || from === '' || until === '') return wrong(400, 'Bad request');
    const found = [...this.orders.values()]
      .filter(({ created_at }) => created_at >= from! && created_at <= until!)
      .reverse();
    return {
      status: 200,
      body: { orders: found.slice(offset, offset! + limit!), total_count: found.length },
    };
  }
}
