import { expect, test } from 'vitest';
import { notificationCounts } from '../../messages/notifications/read.ts';
import { actorFor, member, organization, project, user } from '../../testing/builders/build.ts';
import { countingQueries } from '../../testing/count-queries.ts';
import { testDatabase } from '../../testing/database.ts';
import { organizationsOfMember } from '../organizations/of-member.ts';
import { projectsOfMember } from './of-member.ts';
import { ownedProjects } from './owned.ts';

const database = testDatabase();

test('a member sees the projects of joined teams and organizations, and may edit those of their own team together', async () => {
  const { sql } = database;
  const me = await user(sql);
  const own = await project(sql, { owner: me, status: 'draft' });
  const helped = await project(sql);
  await member(sql, helped.team, me, { permissions: 1 });
  const invited = await project(sql);
  await member(sql, invited.team, me, { accepted: false });
  const guild = await organization(sql);
  await member(sql, guild.team_id, me, { organization_permissions: 16, permissions: 1023 });
  const ours = await project(sql, { organization: guild });
  await project(sql);

  const found = await projectsOfMember(database, actorFor(me));
  expect(new Map(found.map(({ id, editable }) => [id, editable]))).toEqual(
    new Map([
      [own.id, true],
      [helped.id, false],
      [ours.id, false],
    ]),
  );
  // 1023 has the right to see analytics, 1 has not
  expect(found.filter(({ counted }) => counted).map(({ id }) => id)).toEqual(
    expect.arrayContaining([own.id, ours.id]),
  );
  expect(found.find(({ id }) => id === helped.id)?.counted).toBe(false);
  expect(found.find(({ id }) => id === ours.id)?.organization).toEqual({
    slug: guild.slug,
    name: expect.any(String),
  });
  expect(await projectsOfMember(database, actorFor(await user(sql)))).toEqual([]);
  expect(await organizationsOfMember(database, actorFor(me))).toMatchObject([
    { id: guild.id, accepted: true, is_owner: false, members: 2, projects: 1, may_add_project: true },
  ]);
});

test('a dashboard of 256 projects needs three statements', async () => {
  const { sql } = database;
  const me = await user(sql);
  const { team } = await project(sql, { owner: me });
  await sql`
    insert into projects (id, slug, team, title, description, status, license_id, thread_id)
    select 'Own' || lpad(n::text, 4, '0'), 'own-' || n, ${team}, 'Stone', 'A stone', 'approved', 'MIT', 'thread01'
    from generate_series(2, 256) n`;
  const { sql: pool, count } = countingQueries(sql);
  const [projects, owned] = await Promise.all([
    projectsOfMember({ ...database, sql: pool }, actorFor(me)),
    ownedProjects(pool, me.id),
    notificationCounts(pool, me.id, { read: false }),
  ]);
  expect([projects.length, owned]).toEqual([256, 256]);
  expect(count()).toBe(3);
});
