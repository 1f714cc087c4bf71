import type { Db } from '../../../../platform/postgres/sql.ts';
import type { Settings } from '../../../../platform/runtime/env.ts';
import type {
  PayoutMethod,
  PayoutOutcome,
  PayoutProvider,
  PayoutRecord,
  PayoutRequest,
  ProviderState,
} from '../../provider.ts';
import { isPayable, isReachable } from './accounts.ts';

const page_size = 500;
const range = { min_minor: 25, max_minor: 10_000_000 };

interface Row {
  key: string;
  amount_minor: number;
  state: 'waiting' | 'exported' | 'success' | 'failed' | 'cancelled' | 'returned';
}

type BankSettings = Partial<Pick<Settings, 'BANK_CURRENCY' | 'BANK_EXCHANGE_RATE'>>;

/**
 * Bank transfers by a file: what is sent waits until the operator writes it into one (`cairn payouts export`) and says what the
 * bank did (`cairn payouts confirm`), also when it comes back later (`cairn payouts return`). Until it is in a file it can be
 * canceled.
 */
export function bankPayouts(settings: BankSettings, db: Db): PayoutProvider {
  const { BANK_CURRENCY: currency = 'EUR', BANK_EXCHANGE_RATE: rate } = settings;
  return {
    name: 'bank',
    test: false,
    async methods(country) {
      if (!isReachable(country, currency)) return [];
      const foreign = currency === 'USD' ? null : currency;
      const method: PayoutMethod = {
        ...{ id: 'iban', type: 'bank', name: 'IBAN', category: 'bank', interval: range },
        ...{ image_url: null, logo_url: null, currency: foreign },
        exchange_rate: foreign && rate ? Number(rate) : null,
      };
      return [method];
    },
    async send(ask) {
      if (!isPayable(ask.receiver.address, currency))
        return { reference: null, state: 'failed', failure: 'receiver_unknown' };
      if (!Number.isSafeInteger(ask.amount_minor) || ask.amount_minor <= 0)
        return { reference: null, state: 'failed', failure: 'other' };
      await instruct(db, ask);
      return await outcomeOf(db, ask.key);
    },
    retrieve: async ({ key, reference }) => await outcomeOf(db, key, reference),
    async cancel({ key, reference }) {
      await db`
        update bank_payouts set state = 'cancelled', receiver = '', iban = '' where key = ${key} and state = 'waiting'`;
      return await outcomeOf(db, key, reference);
    },
    verify: null,
    list: (asked) => listed(db, asked),
  };
}

async function instruct(db: Db, { key, receiver, amount_minor, now }: PayoutRequest): Promise<void> {
  const row = {
    ...{ key, receiver: receiver.name.slice(0, 200), iban: receiver.address, amount_minor },
    ...{ state: 'waiting', created: now },
  };
  await db`insert into bank_payouts ${db(row)} on conflict (key) do nothing`;
}

const states: Record<Row['state'], ProviderState> = {
  ...{ waiting: 'in-transit', exported: 'in-transit', success: 'success' },
  ...{ failed: 'failed', cancelled: 'cancelled', returned: 'failed' },
};
const failures: Partial<Record<Row['state'], string>> = { failed: 'receiver_refuses', returned: 'returned' };

const outcomeOfRow = ({ key, state }: Row): PayoutOutcome => ({
  reference: key,
  state: states[state],
  failure: failures[state] ?? null,
});

async function outcomeOf(db: Db, key: string, before: string | null = null): Promise<PayoutOutcome> {
  const [row] = await db<Row[]>`select key, amount_minor, state from bank_payouts where key = ${key}`;
  if (row) return outcomeOfRow(row);
  return { reference: null, state: before === null ? 'in-transit' : 'gone', failure: null };
}

async function* listed(db: Db, { from, until }: { from: Date; until: Date }): AsyncGenerator<PayoutRecord> {
  for (let after = ''; ; ) {
    const rows = await db<Row[]>`
      select key, amount_minor, state from bank_payouts
      where created >= ${from} and created < ${until} and key > ${after} order by key limit ${page_size}`;
    for (const row of rows)
      yield {
        ...{
          key: row.key,
          reference: row.key,
          amount_minor: row.amount_minor,
          state: states[row.state],
        },
      };
    if (rows.length < page_size) return;
    after = rows.at(-1)!.key;
  }
}
