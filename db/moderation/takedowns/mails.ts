import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { notify } from '../../messages/notifications/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { TakedownKind } from './rules.ts';

interface Found {
  project_id: string;
  name: string;
  kind: TakedownKind;
  reason: string;
  reference: string;
}

/** The most members that a mail goes to. */
const max_members = 1_000;

/**
 * Tells the members of a project and of its organization that it was taken down, with the reason and where they answer, or
 * that it is shown again.
 */
export async function tellOfTakedown(
  tx: Db,
  mailing: Mailing,
  { takedown_id, state }: { takedown_id: string; state: 'placed' | 'ended' },
  now: Date,
): Promise<void> {
  const [found] = await tx<Found[]>`
    select t.project_id, p.title as name, t.kind, t.reason, t.reference
    from takedowns t join projects p on p.id = t.project_id where t.id = ${takedown_id}`;
  if (!found) return;
  const { project_id, ...takedown } = found;
  const members = await tx<Array<{ user_id: string; username: string }>>`
    select u.id as user_id, u.username from users u where u.id in (
      select m.user_id from projects p left join organizations o on o.id = p.organization
        join team_members m on m.team_id in (p.team, o.team_id)
      where p.id = ${project_id} and m.accepted)
    order by u.id limit ${max_members}`;
  await notify(
    tx,
    members.map(({ user_id }) => user_id),
    { type: 'takedown', body: { project_id, state } },
  );
  for (const { user_id, username } of members) {
    const to = { to: null, user_id, now };
    const link = `/project/${project_id}`;
    await (state === 'placed'
      ? queueMail(tx, mailing, {
          ...{ ...to, template: 'project_taken_down' },
          data: { username, ...takedown, link: `${link}/moderation` },
        })
      : queueMail(tx, mailing, {
          ...{ ...to, template: 'project_shown_again' },
          data: { username, name: takedown.name, link },
        }));
  }
}
