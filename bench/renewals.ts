import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { balances } from '#db/money/billing/ledger.ts';
import { sandboxPayments } from '#db/money/billing/processors/sandbox.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import type { JobContext } from '../control-plane/jobs/define.ts';
import { runBilling } from '../control-plane/jobs/run-billing.ts';
import { inOwnDatabase } from './own-database.ts';
import { atMost, informational, type Row } from './report.ts';

/** Subscriptions that are due at once; the default is what the issue of money names. */
const count = Number(process.env.BENCH_SUBSCRIPTIONS ?? 10_000);
const began = new Date('2026-10-01T00:00:00Z');
const due = new Date('2026-11-01T00:00:00Z');
const now = new Date('2026-11-01T00:01:00Z');
/** No run of the job may take longer. */
const most_s = 5;

/** Renewal of many subscriptions on one day, with the test processor: the longest run of the job. Adds to `rows`. */
export async function measureRenewals(rows: Row[]): Promise<void> {
  await inOwnDatabase('renewals', async (sql) => {
    await subscriptions(sql);
    let more = true;
    const board = {
      enqueue: async (_: unknown, name: string) => {
        more ||= name === 'run_billing';
      },
    };
    const mailing = { settings: parseSettings({}), sealer: createSealer(randomBytes(32)) };
    const log = pino({ level: 'error' });
    const context = { sql, payments: sandboxPayments, board, mailing, log, now: () => now };
    const runs: number[] = [];
    while (more) {
      more = false;
      const start = performance.now();
      await runBilling.run(context as unknown as JobContext, {});
      runs.push((performance.now() - start) / 1000);
    }
    const all = runs.reduce((sum, one) => sum + one, 0);
    const [renewed] = await sql<[{ count: number }]>`
      select count(*)::int as count from subscriptions where state = 'active' and period_end > ${now}`;
    const [paid] = await sql<[{ charges: number; invoices: number }]>`
      select (select count(*)::int from charges where state = 'succeeded') as charges,
        (select count(*)::int from invoices) as invoices`;
    if (renewed.count !== count || paid.charges !== count || paid.invoices !== count)
      throw new Error(
        `Renewed ${renewed.count}, charged ${paid.charges}, invoiced ${paid.invoices} of ${count}.`,
      );
    const sum = (await balances(sql)).reduce((total, [, , amount]) => total + amount, 0);
    if (sum !== 0) throw new Error(`The ledger is off by ${sum}.`);
    rows.push(
      atMost(`longest run of billing, ${count} renewals`, Math.max(...runs), most_s, 's'),
      informational('all of them', `${all.toFixed(1)} s in ${runs.length} runs`),
    );
  });
}

async function subscriptions(sql: Pool): Promise<void> {
  await sql`insert into users (id, username) select 'u' || n, 'u' || n from generate_series(1, ${count}::int) n`;
  await sql`
    insert into payment_methods (id, user_id, processor, reference, brand, last_four, expires_month, expires_year, created)
    select 'm' || n, 'u' || n, 'test', 'succeeds:4242', 'Visa', '4242', 12, 2040, ${began}
    from generate_series(1, ${count}::int) n`;
  await sql`
    insert into orders (id, op_id, user_id, server_id, state, name, kind, game_version, region, plan, ram_mb, cpu_millis,
      swap_mb, disk_mb, term, currency, price_minor, terms_accepted, created, starts)
    select 'o' || n, gen_random_uuid(), 'u' || n, 's' || n, 'refunded', 'Valley', 'local', '1.16.5', 'central-europe', 'small',
      4096, 2000, 512, 32768, 'monthly', 'USD', 1200, ${began}, ${began}, true from generate_series(1, ${count}::int) n`;
  await sql`
    insert into subscriptions (id, order_id, server_id, user_id, state, term, currency, price_minor, method_id, anchor,
      period_start, period_end, created, plan, ram_mb)
    select 'x' || n, 'o' || n, 's' || n, 'u' || n, 'active', 'monthly', 'USD', 1200, 'm' || n, ${began}, ${began}, ${due},
      ${began}, 'small', 4096 from generate_series(1, ${count}::int) n`;
  await sql`analyze`;
}
