import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { signSandboxWebhook } from '../../billing/processors/sandbox.ts';
import type {
  PayoutMethod,
  PayoutOutcome,
  PayoutProvider,
  PayoutRecord,
  ProviderState,
} from '../provider.ts';

/** The key of its webhooks, that of the test payments, and how old one may be. */
const secret_name = 'test_payments';
const tolerance_s = 300;

/** Records that `list` reads at once. */
const page_size = 500;

type Row = { key: string; amount_minor: number; state: ProviderState; failure: string | null };

/** What becomes of a payout by the name before the @ (or the handle) of its receiver; everybody else gets it at once. */
const ways = [
  { shape: /wait/i, state: 'in-transit', failure: null },
  { shape: /later/i, state: 'in-transit', failure: null },
  { shape: /refuse/i, state: 'failed', failure: 'receiver_refuses' },
  { shape: /fail/i, state: 'failed', failure: 'receiver_unknown' },
] as const;

const range = { min_minor: 1, max_minor: 10_000_000 };
const plain = { image_url: null, logo_url: null, currency: null, exchange_rate: null };
const cards = { values_minor: [500, 1_000, 2_500, 5_000, 10_000] };

const event = z.object({
  id: z.string().min(1).max(200),
  key: z.string().max(100).nullable(),
  outcome: z
    .object({
      reference: z.string().max(200).nullable(),
      state: z.enum(['in-transit', 'success', 'cancelled', 'failed']),
      failure: z.string().max(100).nullable(),
    })
    .nullable(),
});

/**
 * The provider of demo installations: no money moves. The receiver decides the outcome: `wait` in an address stays on its
 * way until it is canceled, `later` arrives when it is asked for, `fail` and `refuse` fail, all others arrive at once.
 */
export function testPayouts(db: Db): PayoutProvider {
  return {
    name: 'test',
    test: true,
    methods: async (country) => methodsIn(country),
    async send({ key, receiver, amount_minor, now }) {
      const name = receiver.address.split('@').find((part) => part !== '') ?? '';
      const way = ways.find(({ shape }) => shape.test(name)) ?? { state: 'success', failure: null };
      await db`
        insert into test_payouts ${db({ key, address: receiver.address, amount_minor, state: way.state, failure: way.failure, created: now })}
        on conflict (key) do nothing`;
      return await outcomeOf(db, key);
    },
    async retrieve({ key, reference }) {
      await db`update test_payouts set state = 'success'
        where key = ${key} and state = 'in-transit' and split_part(address, '@', 1) ilike '%later%'`;
      return await outcomeOf(db, key, reference);
    },
    async cancel({ key, reference }) {
      await db`update test_payouts set state = 'cancelled' where key = ${key} and state = 'in-transit'`;
      return await outcomeOf(db, key, reference);
    },
    async verify(headers, body, now) {
      const given = headers['cairn-signature'] ?? '';
      const at = Number(/^t=(\d{1,12}),/.exec(given)?.[1] ?? Number.NaN);
      const [secret] = await db<Array<{ key: string }>>`select key from secrets where name = ${secret_name}`;
      const expected = Buffer.from(
        Number.isNaN(at) ? '' : signSandboxWebhook(secret!.key, body, new Date(at * 1_000)),
      );
      const shown = Buffer.from(given);
      if (Number.isNaN(at) || expected.length !== shown.length || !timingSafeEqual(expected, shown))
        throw new Refused('webhook_signature');
      if (Math.abs(now.getTime() / 1_000 - at) > tolerance_s) throw new Refused('webhook_stale');
      const parsed = event.safeParse(jsonOf(body));
      if (!parsed.success) throw new Refused('invalid_input', { problem: 'The event is malformed.' });
      return parsed.data;
    },
    list: ({ from, until }) => listed(db, from, until),
  };
}

function methodsIn(country: string): PayoutMethod[] {
  const methods: PayoutMethod[] = [
    { ...plain, id: 'paypal', type: 'paypal', name: 'PayPal', category: 'paypal', interval: range },
    { ...plain, id: 'iban', type: 'bank', name: 'Bank transfer', category: 'bank', interval: range },
    {
      ...{ ...plain, id: 'test-prepaid', type: 'tremendous', name: 'Prepaid card', category: 'prepaid' },
      interval: { min_minor: 100, max_minor: 200_000 },
    },
    {
      ...{ ...plain, id: 'test-books', type: 'tremendous', name: 'Book voucher', category: 'gift_card' },
      interval: cards,
    },
  ];
  if (country === 'US')
    methods.splice(1, 0, {
      ...{ ...plain, id: 'venmo', type: 'venmo', name: 'Venmo', category: 'paypal', interval: range },
    });
  return methods;
}

async function outcomeOf(db: Db, key: string, before: string | null = null): Promise<PayoutOutcome> {
  const [row] = await db<
    Row[]
  >`select key, amount_minor, state, failure from test_payouts where key = ${key}`;
  return row
    ? { reference: `test_${key}`, state: row.state, failure: row.failure }
    : { reference: null, state: before === null ? 'in-transit' : 'gone', failure: null };
}

async function* listed(db: Db, from: Date, until: Date): AsyncGenerator<PayoutRecord> {
  for (let after = ''; ; ) {
    const rows = await db<Row[]>`
      select key, amount_minor, state, failure from test_payouts
      where created >= ${from} and created < ${until} and key > ${after} order by key limit ${page_size}`;
    for (const { key, amount_minor, state } of rows)
      yield { key, reference: `test_${key}`, amount_minor, state };
    if (rows.length < page_size) return;
    after = rows.at(-1)!.key;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
