import { isHanging } from '../../money/payouts/read.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** How much waits for staff, by the page where they see to it. */
export interface StaffWaiting {
  /** Projects that wait for review. */
  review: number;
  /** Open reports. */
  reports: number;
  /** Projects with traces that nobody decided about. */
  technical: number;
  /** Takedowns whose members answered. */
  takedowns: number;
  /** Payouts that are open for more than a week. */
  payouts: number;
}

/** What waits for staff now, in one query. Checks no rule. */
export async function staffWaiting(db: Db, now: Date): Promise<StaffWaiting> {
  const [row] = await db<[StaffWaiting]>`
    select (select count(*)::int from projects where status = 'processing') as review,
      (select count(*)::int from reports where not closed) as reports,
      (select count(distinct v.project_id)::int from scan_reports r join files f on f.id = r.file_id
        join versions v on v.id = f.version_id where r.open) as technical,
      (select count(*)::int from takedowns
        where ended is null and counter_notice is not null and counter_refused is null) as takedowns,
      (select count(*)::int from payouts where ${isHanging(db, now)}) as payouts`;
  return row;
}
