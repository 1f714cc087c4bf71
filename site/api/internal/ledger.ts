import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Messages, messages } from '#content/messages.ts';
import { accountIdOf } from '#db/moderation/staff/account.ts';
import { type LedgerFilter, ledgerTransactions } from '#db/money/billing/desk/ledger.ts';
import { firstOfMonth } from '#db/money/billing/desk/rules.ts';
import { whyNotManageBilling } from '#db/money/billing/refunds/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { ledgerHead, ledgerLines } from '../../moderation/staff/billing/ledger-csv.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { localeOf } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** Transactions that are read at once. */
const batch = 1_000;

/** The ledger as a file, by the filters of its page; for administrators, others are told that there is none. */
export function ledgerRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/billing/ledger.csv',
    summary: 'The ledger as CSV, a line for each entry, newest first',
    tag: 'internal',
    needs: ['SESSION_ACCESS'],
    query: z.object({
      account: z.string().max(100).optional(),
      user: z.string().max(100).optional(),
      month: z.string().max(10).optional(),
      hl: z.string().max(35).optional(),
    }),
    async handle({ sql, query, actor, request }) {
      if (whyNotManageBilling(actor)) throw new Refused('not_found');
      const { account, user, month } = query;
      const user_id = user ? await accountIdOf({ sql }, user) : undefined;
      const filter = { account: account || undefined, user_id, month: month && firstOfMonth(month) };
      const lines = textOf(messages(localeOf(request, query)), sql, filter);
      return new Response(Readable.toWeb(Readable.from(lines, { objectMode: false })) as ReadableStream, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="ledger${filter.month ? `-${month}` : ''}.csv"`,
          'cache-control': 'private, no-store',
        },
      });
    },
  });
}

/** The whole ledger in pieces, newest first: it is never in memory at once. */
async function* textOf(texts: Messages, sql: Db, filter: LedgerFilter): AsyncGenerator<string> {
  yield ledgerHead(texts);
  let { before } = filter;
  for (;;) {
    const found = await ledgerTransactions(sql, { ...filter, before }, batch);
    const some = found.slice(0, batch);
    yield ledgerLines(texts, some);
    if (found.length <= batch) return;
    before = some.at(-1)!.id;
  }
}
