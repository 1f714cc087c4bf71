import { randomBytes } from 'node:crypto';

const idOf = (kind: string) => `${kind}${randomBytes(6).toString('hex').toUpperCase()}`;

/** An answer as PayPal gives it. */
export interface Answer {
  status: number;
  body: object | null;
}

export interface Item {
  payout_item_id: string;
  payout_batch_id: string;
  transaction_id: string;
  transaction_status: string;
  sender_batch_id: string;
  payout_item: {
    amount: { value: string; currency: string };
    receiver: string;
    sender_item_id: string;
    recipient_type: string;
    recipient_wallet: string;
  };
  errors?: { name: string };
  created: number;
}
export interface PaypalEvent {
  id: string;
  event_type: string;
  resource: object;
}

const wrong = (status: number, name: string, details: object[] = []): Answer => ({
  status,
  body: { name, message: name, debug_id: 'f1', details },
});
const cents = (value: string) => Math.round(Number(value) * 100);

/** What becomes of an item by the name of its receiver; all others get it at once. */
const fates: ReadonlyArray<[name: RegExp, status: string, error?: string]> = [
  [/^stranger/, 'UNCLAIMED', 'RECEIVER_UNREGISTERED'],
  [/^held/, 'ONHOLD'],
  [/^slow/, 'PENDING'],
  [/^blocked/, 'BLOCKED'],
  [/^locked/, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED'],
];

/** A business account at PayPal in memory, with payouts that it made and its money. */
export class PaypalAccount {
  /** The time at PayPal. */
  clock: () => Date = () => new Date();
  readonly batches = new Map<string, { status: string; item: Item | null; error?: string }>();
  readonly #bySender = new Map<string, string>();
  /** Its money in cents. */
  balance = 1_000_000_00;
  /** What its webhooks tell, in the order in which it happened. */
  readonly events: PaypalEvent[] = [];
  /** How old a sender's batch id becomes. */
  forget(): void {
    this.#bySender.clear();
  }

  /** Makes a batch of one, as documented; the same sender's id is refused with a link to the first. */
  pay(given: unknown, host: string): Answer {
    const { sender_batch_header: header, items } = given as {
      sender_batch_header?: { sender_batch_id?: string };
      items?: Item['payout_item'][];
    };
    const sender = header?.sender_batch_id ?? '';
    const [asked] = items ?? [];
    if (!asked || items?.length !== 1 || sender === '') return wrong(400, 'VALIDATION_ERROR');
    const before = this.#bySender.get(sender);
    if (before)
      return wrong(400, 'USER_BUSINESS_ERROR', [
        {
          ...{ field: 'SENDER_BATCH_ID', issue: 'Batch with given sender_batch_id already exists' },
          link: [{ href: `${host}/v1/payments/payouts/${before}`, rel: 'self', method: 'GET' }],
        },
      ]);
    const { value, currency } = asked.amount;
    if (!/^\d+\.\d\d$/.test(value) || cents(value) <= 0 || currency !== 'USD')
      return wrong(400, 'VALIDATION_ERROR', [{ field: 'items[0].amount.value', issue: 'Amount is invalid' }]);
    const handle = asked.recipient_type === 'USER_HANDLE' && asked.recipient_wallet === 'VENMO';
    if (handle ? !/^[\w-]+$/.test(asked.receiver) : !/^[^\s@]+@[^\s@]+$/.test(asked.receiver))
      return wrong(400, 'VALIDATION_ERROR', [{ field: 'items[0].receiver', issue: 'Receiver is invalid' }]);
    if (cents(value) > this.balance) return wrong(422, 'INSUFFICIENT_FUNDS');
    const payout_batch_id = idOf('B');
    this.#bySender.set(sender, payout_batch_id);
    const fate = fates.find(([name]) => name.test(asked.receiver));
    const item: Item = {
      ...{ payout_item_id: idOf('I'), payout_batch_id, transaction_id: idOf('T') },
      ...{
        transaction_status: 'PENDING',
        sender_batch_id: sender,
        payout_item: asked,
        created: this.clock().getTime(),
      },
    };
    // what PayPal answers to the request is always pending and has no items
    this.batches.set(payout_batch_id, { status: 'PENDING', item });
    this.balance -= cents(value);
    this.#become(item, fate?.[1] ?? 'SUCCESS', fate?.[2]);
    return { status: 201, body: this.#header(payout_batch_id, 'PENDING') };
  }

  #header(payout_batch_id: string, batch_status: string): object {
    return { batch_header: { payout_batch_id, batch_status } };
  }

  #become(item: Item, status: string, error?: string): void {
    const kept =
      status === 'SUCCESS' || status === 'UNCLAIMED' || status === 'PENDING' || status === 'ONHOLD';
    if (!kept) this.balance += cents(item.payout_item.amount.value);
    item.transaction_status = status;
    if (error) item.errors = { name: error };
    else delete item.errors;
    const name = { SUCCESS: 'SUCCEEDED', ONHOLD: 'HELD' }[status] ?? status;
    if (status !== 'PENDING') this.#tell(`PAYMENT.PAYOUTS-ITEM.${name}`, item);
  }
  #tell(event_type: string, item: Item): void {
    this.events.push({ id: idOf('WH-'), event_type, resource: structuredClone(item) });
  }

  /** What the receiver of a payout does, or time: claims it, refuses it, or lets it come back. */
  turn(key: string, status: 'SUCCESS' | 'RETURNED' | 'REFUNDED'): void {
    this.#become(this.itemOf(key)!, status);
  }
  itemOf(key: string): Item | undefined {
    return this.items().find(({ sender_batch_id }) => sender_batch_id === key);
  }
  items(): Item[] {
    return [...this.batches.values()].flatMap(({ item }) => item ?? []);
  }
  /** Denies a whole batch, as PayPal does when it checks later. */
  deny(key: string, error: string): void {
    const [id, batch] = [...this.batches].find(([, { item }]) => item?.sender_batch_id === key)!;
    this.balance += cents(batch.item!.payout_item.amount.value);
    this.batches.set(id, { status: 'DENIED', item: null, error });
  }

  batch(id: string): Answer {
    const batch = this.batches.get(id);
    if (!batch) return wrong(404, 'RESOURCE_NOT_FOUND');
    const { status, item, error } = batch;
    const header = { payout_batch_id: id, batch_status: item ? 'SUCCESS' : status };
    const errors = error ? { errors: { name: error } } : {};
    return { status: 200, body: { batch_header: { ...header, ...errors }, items: item ? [item] : [] } };
  }
  item(id: string): Answer {
    const item = this.items().find(({ payout_item_id }) => payout_item_id === id);
    return item ? { status: 200, body: item } : wrong(404, 'RESOURCE_NOT_FOUND');
  }
  /** Cancels an unclaimed item; all others are refused. */
  cancel(id: string): Answer {
    const item = this.items().find(({ payout_item_id }) => payout_item_id === id);
    if (!item) return wrong(404, 'RESOURCE_NOT_FOUND');
    if (item.transaction_status !== 'UNCLAIMED') return wrong(400, 'ITEM_INCORRECT_STATUS');
    this.balance += cents(item.payout_item.amount.value);
    item.transaction_status = 'RETURNED';
    this.#tell('PAYMENT.PAYOUTS-ITEM.CANCELED', item);
    return { status: 200, body: item };
  }

  /** The transactions of a search, newest first; pages of `page_size`. */
  search(asked: URLSearchParams): Answer {
    const [from, until] = ['start_date', 'end_date'].map((name) => Date.parse(asked.get(name) ?? ''));
    const size = Number(asked.get('page_size'));
    if (
      !(until! - from! <= 31 * 86_400_000) ||
      !(size >= 1 && size <= 500) ||
      asked.get('transaction_type') !== 'T0001'
    )
      return wrong(400, 'INVALID_REQUEST');
    const found = this.items()
      .filter(({ created }) => created >= from! && created <= until!)
      .reverse();
    const page = Number(asked.get('page'));
    const transaction_details = found.slice((page - 1) * size, page * size).map((item) => ({
      transaction_info: {
        transaction_id: item.transaction_id,
        transaction_event_code: 'T0001',
        transaction_status:
          { SUCCESS: 'S', PENDING: 'P', UNCLAIMED: 'P', ONHOLD: 'P' }[item.transaction_status] ?? 'V',
        transaction_amount: { currency_code: 'USD', value: `-${item.payout_item.amount.value}` },
        custom_field: item.payout_item.sender_item_id,
      },
    }));
    const total_pages = Math.ceil(found.length / size);
    return { status: 200, body: { transaction_details, total_items: found.length, total_pages, page } };
  }
}
