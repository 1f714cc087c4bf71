import { beforeAll, expect, it } from 'vitest';
import { inviteMember, transferTeam } from '../../../catalogue/members/write.ts';
import { addProject } from '../../../catalogue/organizations/project-moves.ts';
import { editOrganization } from '../../../catalogue/organizations/write.ts';
import { eventsAfter, latestCursor } from '../../../platform/events/read.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import * as build from '../../../testing/builders/build.ts';
import { countingQueries } from '../../../testing/count-queries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { affectedBy } from './affected.ts';

const database = testDatabase();

let owner: build.BuiltUser;
let member: build.BuiltUser;
beforeAll(async () => {
  owner = await build.user(database.sql);
  member = await build.user(database.sql);
});

/** An organization of the owner with so many projects. */
async function house(count: number) {
  const { sql } = database;
  const organization = await build.organization(sql, { owner });
  await sql`update team_members set organization_permissions = 255 where team_id = ${organization.team_id}`;
  await build.member(sql, organization.team_id, member);
  const projects = await Promise.all(
    Array.from({ length: count }, async () => await build.project(sql, { organization })),
  );
  return { ...organization, projects: projects.map(({ id }) => id) };
}

/** The projects that the events of `work` reindex, and the statements that find them. */
async function affected(work: (tx: Db) => Promise<unknown>) {
  const { sql } = database;
  const before = await latestCursor(sql);
  await sql.begin(work);
  const counting = countingQueries(sql);
  const { projects } = await affectedBy(counting.sql, await eventsAfter(sql, before));
  return { projects: [...projects].sort(), queries: counting.count() };
}

const actor = () => build.actorFor(owner);

it.each([1, 20])('a new owner of %i projects reindexes them all, found by one statement', async (count) => {
  const { team_id, projects } = await house(count);
  const found = await affected((tx) => transferTeam(tx, actor(), team_id, member.id));
  expect(found).toEqual({ projects: projects.sort(), queries: 1 });
});

it('a new name of an organization reindexes its projects, another description none', async () => {
  const { id, projects } = await house(2);
  const edit = async (change: { name?: string; description?: string }) =>
    (await affected((tx) => editOrganization(tx, actor(), id, change))).projects;
  expect(await edit({ name: 'Another name' })).toEqual(projects.sort());
  expect(await edit({ description: 'Another description' })).toEqual([]);
});

it('an invitation reindexes nothing, however many projects the organization has', async () => {
  const { team_id } = await house(2);
  const { id: user_id } = await build.user(database.sql);
  const invitation = { user_id, role: 'Mason', permissions: 0, payouts_split: 0, ordering: 0 };
  const found = await affected((tx) => inviteMember(tx, actor(), team_id, invitation, new Date()));
  expect(found).toEqual({ projects: [], queries: 0 });
});

it('a project that joins an organization is reindexed, the others are not', async () => {
  const { id: organization_id } = await house(2);
  const { id: project_id } = await build.project(database.sql, { owner });
  const found = await affected((tx) => addProject(tx, actor(), { organization_id, project_id }));
  expect(found).toEqual({ projects: [project_id], queries: 0 });
});
