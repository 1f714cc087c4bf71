import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  type NotificationChoices,
  notificationChoices,
  stopNotificationMails,
} from '../../messages/notifications/choices.ts';
import { notificationsOfUser } from '../../messages/notifications/read.ts';
import {
  chosenTypes,
  deliveries,
  mailTimes,
  type NewNotification,
} from '../../messages/notifications/rules.ts';
import { notify } from '../../messages/notifications/write.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { actorOf } from '../../platform/people/read.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { projectUpdatesConsumer } from './project-updates.ts';
import { saveNotificationChoices } from './update-filters.ts';

/** What users choose to hear of is asked wherever a notification is written. */
const database = testDatabase();
let user: build.BuiltUser;
beforeEach(async () => {
  user = await build.user(database.sql);
});

const choose = async (change: Partial<NotificationChoices>, who = user) => {
  const { sql } = database;
  const actor = { user_id: who.id } as Awaited<ReturnType<typeof actorOf>>;
  await saveNotificationChoices(sql, actor, { ...(await notificationChoices(sql, who.id)), ...change });
};
const storedFor = async (who: { id: string }) =>
  await database.sql<Array<{ on_site: boolean; mail: string | null }>>`
    select on_site, mail from notifications where user_id = ${who.id} order by created, id`;

describe('each type goes where its user chose', () => {
  const places = chosenTypes.flatMap((type) =>
    [true, false].flatMap((site) => mailTimes.map((mail) => ({ type, site, mail }))),
  );
  test.each(places)('$type, on the site: $site, by mail: $mail', async ({ type, site, mail }) => {
    const { types } = await notificationChoices(database.sql, user.id);
    await choose({ types: { ...types, [type]: { site, mail } } });
    await notify(database.sql, [user.id], { type, body: {} } as unknown as NewNotification);
    const on_site = deliveries[type].site === 'chosen' ? site : deliveries[type].site === 'always';
    const expected = { on_site, mail: mail === 'off' ? null : mail };
    expect(await storedFor(user)).toEqual(on_site || mail !== 'off' ? [expected] : []);
  });
  test.each(chosenTypes)('%s of somebody who never chose goes where the table says', async (type) => {
    await notify(database.sql, [user.id], { type, body: {} } as unknown as NewNotification);
    const { site, mail } = deliveries[type];
    const expected = { on_site: site !== 'never', mail: mail === 'off' ? null : mail };
    expect(await storedFor(user)).toEqual(expected.on_site || expected.mail ? [expected] : []);
  });
});

it('keeps what only goes out by mail from screens and the API', async () => {
  const body = { report_id: '11111111', closed: true };
  await notify(database.sql, [user.id], { type: 'report_status_updated', body });
  expect(await storedFor(user)).toHaveLength(1);
  expect(await notificationsOfUser(database.sql, user.id)).toEqual([]);
});

it('refuses loaders and game versions that do not exist', async () => {
  await expect(choose({ loaders: ['nothing'] })).rejects.toMatchObject({ code: 'loader_unknown' });
  await expect(choose({ game_versions: ['0.0.0'] })).rejects.toMatchObject({ code: 'game_version_unknown' });
  const many = Array.from({ length: 101 }, (_, n) => `1.${n}`);
  await expect(choose({ game_versions: many })).rejects.toMatchObject({ code: 'limit_reached' });
});

it('ends all mails at once, and keeps what is on the site', async () => {
  const { sql } = database;
  const project = { project_id: '11111111', old_status: 'draft', new_status: 'approved' };
  await notify(sql, [user.id], { type: 'status_change', body: project });
  await notify(sql, [user.id], { type: 'report_status_updated', body: { report_id: '1', closed: true } });
  await stopNotificationMails(sql, user.id);
  expect(await storedFor(user)).toEqual([{ on_site: true, mail: null }]);
  await notify(sql, [user.id], { type: 'status_change', body: project });
  await notify(sql, [user.id], { type: 'report_status_updated', body: { report_id: '1', closed: true } });
  expect(await storedFor(user)).toEqual([
    { on_site: true, mail: null },
    { on_site: true, mail: null },
  ]);
});

describe('updates of followed projects', () => {
  const drain = async () => {
    const consumer = projectUpdatesConsumer(database.sql);
    while ((await consumer.step()) > 0);
  };
  /** Which of the followers hear of a version for these. */
  async function heard(of: { loaders: string[]; game_versions: string[] }, followers: build.BuiltUser[]) {
    const { sql } = database;
    await drain();
    const project = await build.project(sql);
    for (const follower of followers) await build.follow(sql, follower, project);
    await sql`
      update follows set loaders = '{quilt}' where project_id = ${project.id} and user_id = ${followers[3]!.id}`;
    const version = await build.version(sql, project, of);
    await recordEvent(sql, {
      name: 'version.published',
      actor_id: project.owner.id,
      project_id: project.id,
      version_id: version.id,
      data: { status: 'listed', version_number: '1.0.0', version_type: 'release' },
    });
    await drain();
    const rows = await sql<Array<{ user_id: string }>>`
      select user_id from notifications where body ->> 'version_id' = ${version.id}`;
    const told = new Set(rows.map(({ user_id }) => user_id));
    return followers.map(({ id }) => told.has(id));
  }

  it('are only those for the chosen loaders and game versions', async () => {
    const { sql } = database;
    const followers = await Promise.all([1, 2, 3, 4, 5].map(() => build.user(sql)));
    const [, fabric, old, other, muted] = followers;
    await choose({ loaders: ['fabric'] }, fabric);
    await choose({ loaders: ['fabric', 'forge'], game_versions: ['1.16.5'] }, old);
    await choose({ loaders: ['forge'] }, other); // but quilt for this project
    const { types } = await notificationChoices(sql, muted!.id);
    await choose({ types: { ...types, project_update: { site: false, mail: 'off' } } }, muted);
    const of = (loaders: string[], game_versions: string[]) => heard({ loaders, game_versions }, followers);
    expect(await of(['fabric'], ['1.20.1'])).toEqual([true, true, false, false, false]);
    expect(await of(['forge', 'fabric'], ['1.20.1', '1.16.5'])).toEqual([true, true, true, false, false]);
    expect(await of(['quilt'], ['1.16.5'])).toEqual([true, false, false, true, false]);
    // resource packs and data packs are for no loader: what was chosen for one project alone still counts
    expect(await of(['minecraft'], ['1.20.1'])).toEqual([true, true, false, false, false]);
    expect(await of(['datapack'], ['1.16.5'])).toEqual([true, true, true, false, false]);
    expect(await of(['datapack', 'forge'], ['1.16.5'])).toEqual([true, false, true, false, false]);
  });
});
