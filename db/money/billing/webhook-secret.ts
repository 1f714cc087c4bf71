import type { Db } from '../../platform/postgres/sql.ts';
import type { Payments } from './payments.ts';

/** The key that a processor signs its webhooks with; '' for one that sends none. */
export async function webhookSecret(db: Db, { webhook }: Pick<Payments, 'webhook'>): Promise<string> {
  if (webhook === null) return '';
  if ('given' in webhook.key) return webhook.key.given;
  const [row] = await db<Array<{ key: string }>>`select key from secrets where name = ${webhook.key.stored}`;
  if (!row) throw new Error(`The webhook secret ${webhook.key.stored} is missing.`);
  return row.key;
}
