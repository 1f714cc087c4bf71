import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { editMember, inviteMember, joinTeam, removeMember } from './write.ts';

const database = testDatabase();
const now = new Date();

/** A project whose owner and artist share its revenue 60 to 40. */
async function shared() {
  const { sql } = database;
  const owner = await build.user(sql);
  const artist = await build.user(sql);
  const project = await build.project(sql, { owner, status: 'approved' });
  await sql`update team_members set payouts_split = 60 where team_id = ${project.team}`;
  await build.member(sql, project.team, artist, { permissions: 64, payouts_split: 40 });
  return { owner, artist, project, as: build.actorFor(owner) };
}

const notified = async (user_id: string) =>
  (
    await database.sql`
      select body, on_site, mail from notifications where user_id = ${user_id} and type = 'share_changed' order by created, id`
  ).map(({ body, on_site, mail }) => ({ ...body, on_site, mail }));

test('everybody is notified whose share changes with that of somebody, but for who changed it', async () => {
  const { sql } = database;
  const { owner, artist, project, as } = await shared();
  const painter = await build.user(sql);
  await build.member(sql, project.team, painter, { payouts_split: 0 });
  const member = { team_id: project.team, user_id: artist.id };
  await sql.begin((tx) => editMember(tx, as, member, { payouts_split: 15 }, now));
  const about = { project_id: project.id, on_site: true, mail: 'now' };
  expect(await notified(artist.id)).toEqual([{ ...about, before: 0.4, after: 0.2 }]);
  expect(await notified(owner.id)).toEqual([]);
  expect(await notified(painter.id)).toEqual([]);
  // another role changes no share
  await sql.begin((tx) => editMember(tx, as, member, { role: 'Painter' }, now));
  expect(await notified(artist.id)).toHaveLength(1);
});

test('who joins and who leaves changes the shares of the others', async () => {
  const { sql } = database;
  const { owner, artist, project, as } = await shared();
  const third = await build.user(sql);
  const invitation = { user_id: third.id, role: 'Coder', permissions: 0, payouts_split: 100, ordering: 0 };
  await sql.begin((tx) => inviteMember(tx, as, project.team, invitation, now));
  expect(await notified(artist.id)).toEqual([]);
  await sql.begin((tx) => joinTeam(tx, build.actorFor(third), project.team));
  expect(await notified(artist.id)).toMatchObject([{ before: 0.4, after: 0.2 }]);
  expect(await notified(owner.id)).toMatchObject([{ before: 0.6, after: 0.3 }]);
  await sql.begin((tx) => removeMember(tx, as, { team_id: project.team, user_id: third.id }));
  expect(await notified(third.id)).toMatchObject([{ before: 0.5, after: 0 }]);
  expect(await notified(artist.id)).toMatchObject([{}, { before: 0.2, after: 0.4 }]);
});

test('a project whose organization divides changes nobody’s share by members without a weight', async () => {
  const { sql } = database;
  const organization = await build.organization(sql);
  const project = await build.project(sql, { organization, status: 'approved' });
  await sql`update team_members set payouts_split = 0 where team_id = ${project.team}`;
  const helper = await build.user(sql);
  const invitation = { user_id: helper.id, role: 'Helper', permissions: 0, payouts_split: 0, ordering: 0 };
  const as = build.actorFor(organization.owner);
  await sql.begin((tx) => inviteMember(tx, as, project.team, invitation, now));
  await sql.begin((tx) => joinTeam(tx, build.actorFor(helper), project.team));
  expect(await notified(helper.id)).toEqual([]);
});
