import { Refused } from '../../platform/errors.ts';
import type { Pool } from '../../platform/postgres/sql.ts';
import type { PayoutContext } from './payout-context.ts';
import { isOpen } from './rules.ts';
import { settlePayout } from './settle.ts';

/** Days that events are remembered; older ones are refused as stale by their providers' signatures. */
const kept_days = 90;

/**
 * Takes a webhook of the provider called `name`, or of its sandbox: checks it, notes its id, and applies what it says, once. Gives whether it
 * was new. Refuses `not_found` for a provider that is not in use or sends none, `webhook_signature`, `webhook_stale`.
 */
export async function hearOfPayout(
  { sql, providers, log }: PayoutContext,
  { name, headers, body }: { name: string; headers: Record<string, string>; body: string },
  now: Date,
): Promise<boolean> {
  const provider = providers.find((one) => one.name === name || one.name === `${name}_test`);
  const verify = provider?.verify;
  if (!verify) throw new Refused('not_found', { provider: name });
  const { id, key, outcome } = await verify(headers, body, now);
  return await sql.begin(async (tx) => {
    const noted = await tx`
      insert into payout_events ${tx({ provider: provider.name, id: id.slice(0, 200), created: now })} on conflict do nothing`;
    if (noted.count === 0) return false;
    if (key === null || outcome === null) return true;
    const state = await settlePayout(tx, key, outcome, now);
    if (outcome.state === 'success' && (state === 'failed' || state === 'cancelled'))
      log.error(
        { payout_id: key, provider: name, reference: outcome.reference },
        'A provider paid a payout whose money had returned: it is paid twice',
      );
    // something happened there: the job asks now, and cancels what could not be delivered
    if (state !== null && isOpen(state))
      await tx`update payouts set next_check = ${now} where id = ${key} and next_check > ${now}`;
    return true;
  });
}

/** Forgets events of webhooks that are too old to come again. */
export async function forgetOldEvents(sql: Pool, now: Date): Promise<number> {
  const before = new Date(now.getTime() - kept_days * 86_400_000);
  return (await sql`delete from payout_events where created < ${before}`).count;
}
