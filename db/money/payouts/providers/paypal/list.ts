import { z } from 'zod';
import { isId } from '../../../../platform/id.ts';
import type { PayoutRecord, ProviderState } from '../../provider.ts';
import { NoAnswer, type PaypalHttp, unreachable } from './http.ts';

/** The search takes ranges of at most 31 days, and gives at most 500 transactions a page. */
const range_ms = 31 * 24 * 3_600_000;
const page_size = 500;
const max_pages = 200;

const transactions = z.object({
  transaction_details: z
    .array(
      z.object({
        transaction_info: z.object({
          transaction_id: z.string().max(100),
          transaction_status: z.string().max(10),
          transaction_amount: z.object({ currency_code: z.string().max(3), value: z.string().max(40) }),
          custom_field: z.string().max(200).optional(),
        }),
      }),
    )
    .max(page_size),
  total_pages: z.number().int(),
});

const states: Readonly<Record<string, ProviderState>> = { S: 'success', D: 'failed', V: 'failed' };

/**
 * Payouts as the account's transactions tell them, event T0001: the Payouts API itself lists none. Needs the app's right of
 * transaction search; PayPal shows a transaction there up to three hours late. Our key is the sender's item id, in the
 * custom field; without it a payout has no key. Refuses `payouts_unreachable`.
 */
export async function* listTransactions(
  http: PaypalHttp,
  { from, until }: { from: Date; until: Date },
): AsyncGenerator<PayoutRecord> {
  for (let start = from.getTime(); start < until.getTime(); start += range_ms) {
    const end = Math.min(start + range_ms, until.getTime()) - 1;
    for (let page = 1; page <= max_pages; page += 1) {
      const found = await readPage(http, start, end, page);
      for (const { transaction_info: one } of found.transaction_details) {
        const amount_minor = Math.abs(Math.round(Number(one.transaction_amount.value) * 100));
        const key = one.custom_field && isId(one.custom_field) ? one.custom_field : null;
        const state = states[one.transaction_status] ?? 'in-transit';
        yield { key, reference: one.transaction_id, amount_minor, state };
      }
      if (page >= found.total_pages) break;
    }
  }
}

async function readPage(http: PaypalHttp, start: number, end: number, page: number) {
  const asked = new URLSearchParams({
    start_date: new Date(start).toISOString(),
    end_date: new Date(end).toISOString(),
    transaction_type: 'T0001',
    fields: 'transaction_info',
    page_size: String(page_size),
    page: String(page),
  });
  try {
    const { status, body } = await http.call('GET', `/v1/reporting/transactions?${asked}`);
    const found = transactions.safeParse(body);
    if (status !== 200 || !found.success) throw new NoAnswer(`PayPal listed no transactions: ${status}.`);
    return found.data;
  } catch (error) {
    throw unreachable(error);
  }
}
