import type { Mailing } from '../../messages/mail/queue.ts';
import { openFlow, readFlow } from '../../platform/flows/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** New backup codes between the form that makes them and the page that shows them: sealed, for ten minutes. */

const purpose = (user_id: string): string => `backup-codes:${user_id}`;

/** Keeps codes to be shown; gives the secret of their flow. */
export async function keepShownCodes(
  db: Db,
  { sealer }: Pick<Mailing, 'sealer'>,
  { user_id, codes, now }: { user_id: string; codes: readonly string[]; now: Date },
): Promise<string> {
  const data = { codes: sealer.seal(JSON.stringify(codes), purpose(user_id)) };
  return await openFlow(db, 'backup_codes', { user_id, data, now });
}

/** The codes of this flow; null when they are no longer shown, or not this user's. */
export async function shownCodes(
  db: Db,
  { sealer }: Pick<Mailing, 'sealer'>,
  { user_id, flow, now }: { user_id: string; flow: string; now: Date },
): Promise<string[] | null> {
  const open = await readFlow(db, 'backup_codes', flow, now);
  if (open?.user_id !== user_id) return null;
  const text = sealer.open(String(open.data.codes), purpose(user_id));
  return text === null ? null : (JSON.parse(text) as string[]);
}
