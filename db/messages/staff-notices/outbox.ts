import { dueRows, lease_ms } from '../../platform/postgres/claim-due.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { nextPause } from '../webhooks/rules.ts';
import type { StaffChannel, StaffNotice } from './rules.ts';

/** A call that a sender took, with the notice it carries. */
export type StaffCall = {
  id: string;
  notice_id: string;
  channel: StaffChannel;
  attempts: number;
  created: string;
} & StaffNotice;

/** Takes up to `limit` calls that are due; a sender that ends leaves them due again after five minutes. */
export const takeStaffCalls = (db: Db, now: Date, limit: number): Promise<StaffCall[]> =>
  db<StaffCall[]>`
    update staff_notice_calls c set attempts = attempts + 1, due = ${new Date(now.getTime() + lease_ms)}
    from staff_notices n
    where c.id = any(${dueRows(db, 'staff_notice_calls', now, limit)}) and n.id = c.notice_id
    returning c.id, c.notice_id, c.channel, c.attempts, n.kind, n.data, n.created`;

/** Stores what came of a call: it arrived, is tried again later, or is given up. */
export async function storeStaffAttempt(
  db: Db,
  { id, attempts }: StaffCall,
  {
    status,
    problem,
    gone,
    wait_ms,
  }: { status: number | null; problem: string | null; gone: boolean; wait_ms: number },
  now: Date,
): Promise<void> {
  const pause = problem === null || gone ? null : nextPause(attempts);
  const state = problem === null ? 'sent' : pause === null ? 'failed' : 'waiting';
  const due = new Date(now.getTime() + Math.max(pause ?? 0, wait_ms));
  await db`update staff_notice_calls set ${db({ state, due, status, problem })} where id = ${id}`;
}
