import { expect, it } from 'vitest';
import { actorFor, member, organization, project, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { pinChoices, pinnedProjects } from './read.ts';
import { setPins } from './write.ts';

/** Pinned projects of users and organizations: own ones only, in order, and hidden ones seen by nobody else. */
const database = testDatabase();
type Owner = Parameters<typeof setPins>[2];

const set = (who: Parameters<typeof actorFor>[0], owner: Owner, ids: string[]) =>
  database.sql.begin((tx) => setPins(tx, actorFor(who), owner, ids));
const shown = async (owner: Owner) => (await pinnedProjects(database, owner)).map(({ id }) => id);

it('a user pins own public projects in an order, and gets the former ones back to undo', async () => {
  const owner = await user(database.sql);
  const [a, b] = [await project(database.sql, { owner }), await project(database.sql, { owner })];
  const of = { user_id: owner.id };
  expect(await set(owner, of, [b.id, a.id])).toEqual([]);
  expect(await shown(of)).toEqual([b.id, a.id]);
  expect(await set(owner, of, [a.id])).toEqual([b.id, a.id]);
  expect(await shown(of)).toEqual([a.id]);
  const choices = await pinChoices(database, of);
  expect(choices.map(({ id, place }) => [id, place])).toEqual([
    [a.id, 0],
    [b.id, null],
  ]);
});

it('hidden projects stay pinned and are shown again only when they are public', async () => {
  const owner = await user(database.sql);
  const made = await project(database.sql, { owner });
  const of = { user_id: owner.id };
  await set(owner, of, [made.id]);
  for (const status of ['draft', 'private', 'unlisted', 'withheld', 'rejected']) {
    await database.sql`update projects set status = ${status} where id = ${made.id}`;
    expect(await shown(of), status).toEqual([]);
  }
  expect(await pinChoices(database, of)).toMatchObject([{ id: made.id, place: 0, status: 'rejected' }]);
  await database.sql`update projects set status = 'approved' where id = ${made.id}`;
  expect(await shown(of)).toEqual([made.id]);
});

it('projects that left are shown no more', async () => {
  const [owner, mate] = [await user(database.sql), await user(database.sql)];
  const made = await project(database.sql, { owner });
  await member(database.sql, made.team, mate);
  const of = { user_id: mate.id };
  await set(mate, of, [made.id]);
  expect(await shown(of)).toEqual([made.id]);
  await database.sql`delete from team_members where user_id = ${mate.id}`;
  expect(await shown(of)).toEqual([]);
});

it('refuses projects of others, too many, and changes by others', async () => {
  const [owner, other] = [await user(database.sql), await user(database.sql)];
  const foreign = await project(database.sql, { owner: other });
  const of = { user_id: owner.id };
  await expect(set(owner, of, [foreign.id])).rejects.toMatchObject({ code: 'pin_unknown' });
  await expect(set(other, of, [])).rejects.toMatchObject({ code: 'not_yours' });
  const many = [];
  for (let i = 0; i < 7; i++) many.push((await project(database.sql, { owner })).id);
  await expect(set(owner, of, many)).rejects.toMatchObject({ code: 'limit_reached' });
  await set(owner, of, many.slice(1));
  expect(await shown(of)).toEqual(many.slice(1));
});

it('an organization pins its own projects, by members who may edit it', async () => {
  const group = await organization(database.sql);
  const made = await project(database.sql, { organization: group });
  const mate = await user(database.sql);
  await member(database.sql, group.team_id, mate, { organization_permissions: 255 & ~1 });
  const of = { organization_id: group.id };
  await expect(set(mate, of, [made.id])).rejects.toMatchObject({ code: 'permission_missing' });
  await expect(set(await user(database.sql), of, [made.id])).rejects.toMatchObject({ code: 'not_a_member' });
  await set(group.owner, of, [made.id]);
  expect(await shown(of)).toEqual([made.id]);
  // the owner of the organization is not in the team of the project
  await expect(set(group.owner, { user_id: group.owner.id }, [made.id])).rejects.toMatchObject({
    code: 'pin_unknown',
  });
});
