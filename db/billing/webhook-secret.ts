import type { Db } from '../sql.ts';
import type { Payments } from './payments.ts';

/** The key that a processor signs its webhooks with; '' for one that sends none. */
export async function webhookSecret(
  db: Db,
  { webhook_secret }: Pick<Payments, 'webhook_secret'>,
): Promise<string> {
  if (webhook_secret === null) return '';
  const [row] = await db<Array<{ key: string }>>`select key from secrets where name = ${webhook_secret}`;
  if (!row) throw new Error(`The webhook secret ${webhook_secret} is missing.`);
  return row.key;
}
