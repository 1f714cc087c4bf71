import type { Db } from '../../platform/postgres/sql.ts';
import { type ReviewPace, reviewWindow_ms } from './rules.ts';

/**
 * The place of a project under review, and how fast the queue moves: decisions of the last four weeks. Null when it isn't
 * under review.
 */
export async function placeInQueue(db: Db, project_id: string, now: Date): Promise<ReviewPace | null> {
  const since = new Date(now.getTime() - reviewWindow_ms);
  const [row] = await db<ReviewPace[]>`
    select
      (select count(*)::int from projects o where o.status = 'processing'
        and (coalesce(o.queued, o.published), o.id) <= (coalesce(p.queued, p.published), p.id)) as position,
      (select count(*)::int from projects o where o.status = 'processing') as waiting,
      (select count(*)::int from events e where e.name = 'project.moved' and e.data ->> 'from' = 'processing'
        and e.data ->> 'to' not in ('processing', 'draft') and e.created > ${since}) as decisions
    from projects p where p.id = ${project_id} and p.status = 'processing'`;
  return row ?? null;
}
