import type { Pool } from '../../platform/postgres/sql.ts';
import type { PayoutContext } from './payout-context.ts';
import { testProviders } from './provider.ts';
import { settlePayout } from './settle.ts';

/**
 * Returns what creators withdrew at test providers that are not in use any more, at most `limit` withdrawals: nobody was
 * paid, so the money is theirs. Gives how many.
 */
export async function returnTrials(
  { sql, providers }: Pick<PayoutContext, 'providers'> & { sql: Pool },
  now: Date,
  limit: number,
): Promise<number> {
  const over = testProviders.filter((name) => !providers.some((one) => one.name === name));
  const trials = await sql<Array<{ id: string }>>`
    select id from payouts where provider = any(${over}) and state not in ('cancelled', 'failed')
    order by id limit ${limit}`;
  const returned = { reference: null, state: 'failed', failure: 'trial' } as const;
  for (const { id } of trials) await sql.begin(async (tx) => await settlePayout(tx, id, returned, now));
  return trials.length;
}
