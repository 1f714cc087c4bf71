import { resizeServer } from '../../../hosting/servers/resize.ts';
import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Plan, Term } from '../rules.ts';

/** How a change of plan goes on: each step in the transaction of what it follows from. */

interface NewTerms {
  plan: Plan;
  ram_mb: number;
  term: Term;
  price_minor: number;
}

/**
 * Begins the scheduled change of a locked subscription with its next period: gives its new terms, or null when there is
 * none. The caller opens the charge of that period and tells it with `payWith`.
 */
export async function beginScheduled(tx: Db, subscription_id: string): Promise<NewTerms | null> {
  const [change] = await tx<Array<NewTerms & { id: string }>>`
    select id, plan, ram_mb, term, price_minor from plan_changes
    where subscription_id = ${subscription_id} and state = 'scheduled' for update`;
  if (!change) return null;
  const { id, ...terms } = change;
  await tx`update subscriptions set ${tx({ ...terms })} where id = ${subscription_id}`;
  await tx`update plan_changes set state = 'paying' where id = ${id}`;
  return terms;
}

/** The charge that pays for the change that has begun. */
export const payWith = async (tx: Db, subscription_id: string, charge_id: string): Promise<void> => {
  await tx`
    update plan_changes set charge_id = ${charge_id}
    where subscription_id = ${subscription_id} and state = 'paying' and charge_id is null`;
};

/** A period was paid: the change that waited for it goes on to its server. `reason` is that of the charge. */
export async function onPaid(tx: Db, subscription_id: string, reason: string): Promise<void> {
  const [change] = await tx<NewTerms[]>`
    update plan_changes set state = 'paid' where subscription_id = ${subscription_id} and state = 'paying'
    returning plan, ram_mb, term, price_minor`;
  if (change && reason === 'change')
    await tx`update subscriptions set ${tx({ ...change })} where id = ${subscription_id}`;
}

/** The payment of a change failed or came too late: everything stays as it was. */
export const onUnpaid = async (tx: Db, charge_id: string, now: Date): Promise<void> => {
  await tx`
    update plan_changes set state = 'failed', ended = ${now}
    where charge_id = ${charge_id} and state = 'paying'
      and exists (select 1 from charges where id = ${charge_id} and reason = 'change')`;
};

/** A subscription was cancelled, or has ended: what has not begun will not. */
export const onStopped = async (tx: Db, subscription_id: string, ended: boolean): Promise<void> => {
  const states = ended ? ['scheduled', 'paying', 'paid'] : ['scheduled'];
  await tx`
    update plan_changes set state = 'cancelled', ended = now()
    where subscription_id = ${subscription_id} and state = any(${states})`;
};

/**
 * Resizes the server of a paid change. Gives false when there is none, or when its server cannot be resized now: the next
 * run of billing tries again. For control planes only.
 */
export async function resizePaid(tx: Db, subscription_id: string, now: Date): Promise<boolean> {
  const [change] = await tx<Array<{ id: string; server_id: string; plan: Plan; ram_mb: number }>>`
    select id, server_id, plan, ram_mb from plan_changes
    where subscription_id = ${subscription_id} and state = 'paid' for update`;
  if (!change) return false;
  const { id, server_id, plan, ram_mb } = change;
  // before the resize: from here on the room counts with the server itself
  await tx`update plan_changes set state = 'applied', ended = ${now} where id = ${id}`;
  try {
    await resizeServer(tx, { server_id, ram_gb: ram_mb / 1024 }, now);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await tx`update plan_changes set state = 'paid', ended = null where id = ${id}`;
    return false;
  }
  await tx`update servers set plan = ${plan} where id = ${server_id}`;
  return true;
}
