import { expect, it } from 'vitest';
import { actorFor, member, organization, project, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { openInvitation } from './invitation.ts';
import { orderMembers } from './order.ts';
import { rosterOf } from './roster.ts';

/** The order of a team, its list for those who manage it, and who is invited. */
const database = testDatabase();

async function staffed() {
  const { sql } = database;
  const made = await project(sql);
  const people = [await user(sql), await user(sql), await user(sql)] as const;
  for (const [ordering, one] of people.entries())
    await member(sql, made.team, one, { ordering, permissions: 64 });
  const names = async () => (await rosterOf(database, made.team)).map((row) => row.user.username);
  return { ...made, sql, people, names };
}

it('puts the owner first, then those who are named, then the others as they stood', async () => {
  const { sql, team, owner, people, names } = await staffed();
  const [a, b, c] = people;
  await sql.begin((tx) => orderMembers(tx, actorFor(owner), team, [c.id, 'unknown1']));
  expect(await names()).toEqual([owner, c, a, b].map(({ username }) => username));
  const events = async () =>
    (await sql`select 1 from events where team_id = ${team} and name = 'team.changed'`).length;
  const before = await events();
  await sql.begin((tx) => orderMembers(tx, actorFor(owner), team, [c.id]));
  expect(await events()).toBe(before);
});

it('is up to members who may edit members', async () => {
  const { sql, team, people } = await staffed();
  const [a] = people;
  const by = (actor: Parameters<typeof orderMembers>[1]) =>
    sql.begin((tx) => orderMembers(tx, actor, team, [a.id]));
  await by(actorFor(a));
  await sql`update team_members set permissions = ${1023 & ~64} where user_id = ${a.id}`;
  await expect(by(actorFor(a))).rejects.toMatchObject({ code: 'permission_missing' });
  await expect(by(actorFor(await user(sql)))).rejects.toMatchObject({ code: 'not_a_member' });
});

it('lists members with their row in the organization that owns the project', async () => {
  const { sql } = database;
  const group = await organization(sql);
  const made = await project(sql, { organization: group });
  const mate = await user(sql);
  await member(sql, group.team_id, mate, { permissions: 5, organization_permissions: 2 });
  await member(sql, made.team, mate, { permissions: 9 });
  const found = (await rosterOf(database, made.team)).find((row) => row.user.id === mate.id);
  expect(found).toMatchObject({ permissions: 9, organization: { permissions: 5, accepted: true } });
  expect((await rosterOf(database, group.team_id)).map((row) => row.organization)).toEqual([null, null]);
});

it('finds an invitation until it is answered, and only that of the user', async () => {
  const { sql, id, team } = await staffed();
  const guest = await user(sql);
  const asked = (user_id: string) => openInvitation(sql, user_id, { project_id: id });
  expect(await asked(guest.id)).toBeNull();
  await member(sql, team, guest, { accepted: false, role: 'Tester' });
  expect(await asked(guest.id)).toEqual({ team_id: team, role: 'Tester' });
  expect(await asked((await user(sql)).id)).toBeNull();
  await sql`update team_members set accepted = true where user_id = ${guest.id}`;
  expect(await asked(guest.id)).toBeNull();
});
