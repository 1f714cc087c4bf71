import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ThreadAccess, ThreadType } from './rules.ts';

/** A thread with what binds one user to it. */
export interface ViewedThread extends ThreadAccess {
  id: string;
  type: ThreadType;
  project_id: string | null;
  report_id: string | null;
}

/** The threads with these ids and the actor's access to each, in one query; unknown ids are left out. */
export async function accessToThreads(
  db: Db,
  thread_ids: readonly string[],
  { user_id }: Pick<Actor, 'user_id'>,
): Promise<ViewedThread[]> {
  if (thread_ids.length === 0) return [];
  return await db<ViewedThread[]>`
    select t.id, t.type, t.project_id, t.report_id,
      (select case when bool_or(m.accepted) then 'accepted' when count(*) > 0 then 'pending' end from team_members m
        where m.user_id = ${user_id} and m.team_id in (p.team, o.team_id)) as member,
      coalesce(r.reporter = ${user_id}, false) as reporter, coalesce(r.closed, false) as report_closed,
      exists (select 1 from thread_members d where d.thread_id = t.id and d.user_id = ${user_id}) as participant
    from threads t
    left join projects p on p.id = t.project_id
    left join organizations o on o.id = p.organization
    left join reports r on r.id = t.report_id
    where t.id = any(${thread_ids as string[]})`;
}
