import type { Db } from '../../platform/postgres/sql.ts';
import type { StaffChannel, StaffNotice } from './rules.ts';

export type ListedStaffNotice = {
  id: string;
  created: string;
  /** Mails that were queued. */
  mails: number;
  calls: Array<{
    channel: StaffChannel;
    state: 'waiting' | 'sent' | 'failed';
    status: number | null;
    problem: string | null;
  }>;
} & StaffNotice;

/** The newest notices to staff, with what became of their calls. */
export const staffNotices = (db: Db, limit = 50): Promise<ListedStaffNotice[]> =>
  db<ListedStaffNotice[]>`
    select n.id, n.kind, n.data, n.mails, n.created, coalesce((
      select json_agg(json_build_object('channel', c.channel, 'state', c.state, 'status', c.status, 'problem', c.problem)
        order by c.channel) from staff_notice_calls c where c.notice_id = n.id), '[]') as calls
    from staff_notices n order by n.created desc, n.id limit ${limit}`;
