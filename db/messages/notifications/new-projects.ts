import type { Event } from '../../platform/events/read.ts';
import type { Pool } from '../../platform/postgres/sql.ts';
import { fanOut, fanOutPage, type Recipient } from './fan-out.ts';
import { deliveryColumns } from './write.ts';

/**
 * Notifies the followers of the people of a project that it is public for the first time, as long as it still is. Each hears
 * of it once, from the owner first. Nobody hears of somebody who is suspended, of those who blocked them or whom they blocked,
 * or of a project of their own.
 */
export async function notifyOfProjects(sql: Pool, events: readonly Event[]): Promise<void> {
  const first = new Map(
    events.flatMap((event) =>
      event.name === 'project.moved' && event.data.first === true
        ? [[event.project_id, event.created] as const]
        : [],
    ),
  );
  if (first.size === 0) return;
  const rows = await sql<Array<{ project_id: string; team: string; person: string }>>`
    select p.id as project_id, p.team, m.user_id as person
    from projects p join team_members m on m.team_id = p.team join users u on u.id = m.user_id
    where p.id = any(${[...first.keys()]}) and p.status = 'approved' and m.accepted
      and (u.suspended_until is null or u.suspended_until <= now())
    order by p.id, m.is_owner desc, m.user_id`;
  for (const { project_id, team, person } of rows) {
    const news = { type: 'new_project', body: { project_id, published_by: person } } as const;
    await fanOut(
      sql,
      { ...news, about: project_id, group_key: null, at: first.get(project_id)! },
      (after) => sql<Recipient[]>`
        select * from (
          select f.user_id, ${deliveryColumns(sql, 'new_project')}
          from user_follows f left join notification_choices c on c.user_id = f.user_id
          where f.followed_id = ${person} and f.user_id > ${after}
            and not exists (select from blocks b where (b.user_id = f.user_id and b.blocked_id = f.followed_id)
              or (b.user_id = f.followed_id and b.blocked_id = f.user_id))
            and not exists (select from team_members own
              where own.team_id = ${team} and own.user_id = f.user_id and own.accepted)
        ) wanted
        where on_site or mail is not null order by user_id limit ${fanOutPage}`,
    );
  }
}
