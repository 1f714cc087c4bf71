import { Refused } from '../../../../platform/errors.ts';
import type { Db, Pool } from '../../../../platform/postgres/sql.ts';
import { settlePayout } from '../../settle.ts';

/** Characters of a reason. */
const max_reason = 100;

/** A transfer that came back: minor units of US dollars, and whether that was known before. */
export interface Returned {
  key: string;
  amount_minor: number;
  was_known: boolean;
}

interface Row {
  key: string;
  amount_minor: number;
  state: 'waiting' | 'exported' | 'success' | 'failed' | 'cancelled' | 'returned';
  file_id: string | null;
}

const invalid = (problem: string) => new Refused('invalid_input', { problem });

/**
 * Says that the bank sent transfers back after they were confirmed, with its `reason`: each fails, its money returns to the
 * creator, who is told. All or none; what came back before stays as it is. Refuses `invalid_input` for keys of no bank
 * transfer, for transfers that were not confirmed as paid, and without a reason of at most 100 characters.
 */
export async function returnBankTransfers(
  sql: Pool,
  given: readonly string[],
  reason: string,
  now: Date,
): Promise<Returned[]> {
  const return_reason = reason.trim();
  if (return_reason === '' || return_reason.length > max_reason)
    throw invalid(`Say in at most ${max_reason} characters why the bank sent it back, such as AC04.`);
  const keys = [...new Set(given)];
  return await sql.begin(async (tx) => {
    const rows = await tx<Row[]>`
      select key, amount_minor, state, file_id from bank_payouts
      where key = any(${keys}::text[]) order by key for update`;
    for (const key of keys) {
      const problem = await whyNotReturn(
        tx,
        key,
        rows.find((row) => row.key === key),
      );
      if (problem) throw invalid(problem);
    }
    await tx`
      update bank_payouts set state = 'returned', returned = ${now}, return_reason = ${return_reason}
      where key = any(${keys}::text[]) and state = 'success'`;
    for (const { key } of rows)
      await settlePayout(tx, key, { reference: key, state: 'failed', failure: 'returned' }, now);
    return rows.map(({ key, amount_minor, state }) => ({
      ...{ key, amount_minor, was_known: state === 'returned' },
    }));
  });
}

/** Why a transfer cannot have come back; null when it can. */
async function whyNotReturn(db: Db, key: string, row: Row | undefined): Promise<string | null> {
  if (!row) {
    const [payout] = await db<
      Array<{ provider: string }>
    >`select provider from payouts where id = ${key}::text`;
    if (!payout) return `No payout has the id ${key}.`;
    return payout.provider === 'bank'
      ? `${key} is in no file yet, so the bank never had it.`
      : `${key} is no bank transfer: it was paid by ${payout.provider}.`;
  }
  switch (row.state) {
    case 'success':
    case 'returned':
      return null;
    case 'exported':
      return `${key} is not confirmed yet. Say what the bank did with its file first: payouts confirm ${row.file_id}.`;
    case 'waiting':
      return `${key} is in no file yet, so the bank never had it.`;
    default:
      return `${key} was never paid: it is ${row.state}, and its money is back already.`;
  }
}
