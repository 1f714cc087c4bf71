import { notifyOfVersions } from '../catalogue/follows/project-updates.ts';
import { follow } from '../catalogue/follows/write.ts';
import { inviteMember, joinTeam } from '../catalogue/members/write.ts';
import { addProject } from '../catalogue/organizations/project-moves.ts';
import { createOrganization } from '../catalogue/organizations/write.ts';
import { submitProject } from '../catalogue/publishing/review.ts';
import { projectBits } from '../catalogue/teams/rules.ts';
import type { AppContext } from '../context.ts';
import { notify } from '../messages/notifications/write.ts';
import { decide } from '../moderation/review/decide.ts';
import { getFact, setFact } from '../platform/installation.ts';
import type { Actor } from '../platform/people/rules.ts';
import type { Db } from '../platform/postgres/sql.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { people } from './catalogue.ts';
import { seedEarnings } from './earnings.ts';
import { demoId } from './ids.ts';
import { organizationMark } from './people.ts';

const day_ms = 86_400_000;
/** The entry of the installation that says when it was done. */
const lived_key = 'demo_lives';
/** Followers hear of versions of so many days; what is older than some days, they have read. */
const told = { days: 30, unread_days: 6 };

/** Somebody of the demo, as if they had just signed in. */
function actorOf(username: string, now: Date): Actor {
  const { role = 'developer' } = people.find((person) => person.username === username)!;
  return {
    ...{ user_id: demoId(`user ${username}`), username, role },
    ...{ scopes: 'all', interactive: true, email_verified: true, proved: now.toISOString() },
  };
}

/** How far an earlier run came. */
interface Lived {
  at: string;
  done: boolean;
}

/**
 * What the people of the demo did in the last months, done as they would have: revenue, a withdrawal, follows, invitations,
 * an organization, a review and the notifications that follow. After the catalogue is loaded; each thing once, after an
 * interrupted run too.
 */
export async function seedLives(
  services: Pick<AppContext, 'sql' | 'settings' | 'storage' | 'sealer' | 'log' | 'now'>,
): Promise<void> {
  const { sql } = services;
  const before = await getFact<Lived>(sql, lived_key);
  if (before?.done) return;
  const at = before ? new Date(before.at) : services.now();
  const lived = (done: boolean): Lived => ({ at: at.toISOString(), done });
  await seedEarnings(services, actorOf('creator', at));
  if (!before)
    await sql.begin(async (tx) => {
      await liveOn(tx, services.storage, at);
      await setFact(tx, lived_key, lived(false));
    });
  const published = await sql<Array<{ version_id: string; created: string }>>`
    select id as version_id, date_published as created from versions
    where date_published > ${ago(at, told.days)} order by date_published`;
  await notifyOfVersions(sql, published);
  await sql.begin(async (tx) => {
    // the mails went out long ago
    await tx`delete from notifications where not on_site`;
    await tx`update notifications set mail = null where mail is not null`;
    await tx`update notifications set read = true where created < ${ago(at, told.unread_days)}`;
    await setFact(tx, lived_key, lived(true));
  });
}

const ago = (at: Date, days: number): Date => new Date(at.getTime() - days * day_ms);

/** The demo accounts and whom they deal with. */
async function liveOn(tx: Db, storage: Storage, at: Date): Promise<void> {
  /** What somebody did some days ago: notifications and the log have the time of the database. */
  const did = async (
    username: string,
    days: number,
    deed: (actor: Actor, when: Date) => Promise<unknown>,
  ) => {
    const when = ago(at, days);
    await deed(actorOf(username, when), when);
    await tx`update notifications set created = ${when} where created = now()`;
    await tx`update events set created = ${when} where created = now()`;
  };
  const invites = (username: string, days: number, team_id: string, invited: string, role: string) =>
    did(username, days, async (actor, when) => {
      const given = { user_id: demoId(`user ${invited}`), role, permissions: projectBits.UPLOAD_VERSION };
      await inviteMember(tx, actor, team_id, { ...given, payouts_split: 0, ordering: 9 }, when);
    });

  for (const [username, count] of [
    ['player', 12],
    ['creator', 8],
  ] as const)
    for (const [index, project_id] of (await recentlyUpdated(tx, username, count)).entries())
      await did(username, 40 + index, (actor, when) => follow(tx, actor, project_id, when));

  await did('creator', 75, async (actor, when) => {
    const about = {
      slug: 'millwrights',
      name: 'Millwrights',
      description: 'Wheels, shafts and whatever they turn.',
    };
    const organization_id = await createOrganization(tx, actor, about);
    const mark = await organizationMark(storage, { id: organization_id, slug: about.slug });
    await tx`update organizations set ${tx({ ...mark, created: when })} where id = ${organization_id}`;
    await addProject(tx, actor, { organization_id, project_id: demoId('project kettle-and-cog') });
  });
  const [{ team_id }] = await tx<
    [{ team_id: string }]
  >`select team_id from organizations where slug = 'millwrights'`;
  for (const [username, role] of [
    ['tibor', 'Gears'],
    ['mina', 'Kettles'],
  ] as const) {
    await invites('creator', 74, team_id, username, role);
    await did(username, 73, (actor) => joinTeam(tx, actor, team_id));
  }
  await invites('juno', 4, demoId('team of evening-shift'), 'creator', 'Machines');
  await invites('ottilie', 2, demoId('team sporelight'), 'creator', 'Sound');
  await invites('creator', 3, demoId('team quorum'), 'player', 'Tester');
  await invites('hollis', 1, demoId('team of stonewrights'), 'player', 'Surveyor');

  const payouts = await tx<Array<{ id: string; user_id: string; amount_minor: number; created: string }>>`
    select id, user_id, amount_minor, created from payouts`;
  for (const { id: payout_id, user_id, amount_minor, created } of payouts)
    await did('creator', (at.getTime() - Date.parse(created)) / day_ms, async () => {
      await notify(tx, [user_id], { type: 'payout_requested', body: { payout_id, amount_minor } });
      await notify(tx, [user_id], { type: 'payout_settled', body: { payout_id, state: 'success' } });
    });

  const project_id = demoId('project dust-jacket');
  await did('moderator', 9, (actor, now) =>
    decide(tx, actor, project_id, { verdict: 'reject', seen: 'processing', message: rejection, now }),
  );
  await did('creator', 5, (actor, now) => submitProject(tx, actor, project_id, { confirmed: true, now }));
}

const rejection =
  'Thank you for this pack. Please add a picture of the new menus to the gallery, so that people see what they get. Then send it in again.';

/** The public projects with the newest versions that the person does not follow yet. */
async function recentlyUpdated(tx: Db, username: string, count: number): Promise<string[]> {
  const rows = await tx<Array<{ id: string }>>`
    select p.id from projects p join versions v on v.project_id = p.id
    where p.status = 'approved' and not p.archived and not exists (
      select from follows f where f.project_id = p.id and f.user_id = ${demoId(`user ${username}`)})
    group by p.id order by max(v.date_published) desc, p.id limit ${count}`;
  return rows.map(({ id }) => id);
}
