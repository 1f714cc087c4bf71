import { beforeEach, describe, expect, it } from 'vitest';
import { eventsAfter } from '../../platform/events/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { removeProject } from '../projects/remove.ts';
import { follow, unfollow } from './write.ts';

const database = testDatabase();
const now = new Date();
let project: build.BuiltProject;
beforeEach(async () => {
  project = await build.project(database.sql);
});

const someone = async () => build.actorFor(await build.user(database.sql));
const many = async (count: number) => await Promise.all(Array.from({ length: count }, someone));
const follows = (actor: Actor, { id } = project) => database.sql.begin((tx) => follow(tx, actor, id, now));
const leaves = (actor: Actor, { id } = project) => database.sql.begin((tx) => unfollow(tx, actor, id));
const counts = async ({ id } = project) => {
  const [row] = await database.sql`
    select followers, (select count(*) from follows where project_id = ${id}) as rows from projects where id = ${id}`;
  return row && [row.followers, row.rows];
};
const reported = async ({ id } = project) =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000)).filter(
    ({ name, data }) => name === 'project.counted' && (data.project_ids as string[]).includes(id),
  ).length;

describe('the counter of followers', () => {
  it('is exact after fifty users followed and unfollowed concurrently, twice each', async () => {
    const [people, later] = [await many(50), await many(10)];
    const answers = await Promise.allSettled(people.flatMap((one) => [follows(one), follows(one)]));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(50);
    expect(await counts()).toEqual([50, 50]);
    const mixed = await Promise.allSettled([
      ...people.slice(0, 25).flatMap((one) => [leaves(one), leaves(one)]),
      ...later.map((one) => follows(one)),
    ]);
    expect(mixed.filter(({ status }) => status === 'rejected')).toHaveLength(25);
    expect(await counts()).toEqual([35, 35]);
    expect(await reported()).toBe(50 + 25 + 10);
  });

  it('stays correct when one user follows and unfollows in any order', async () => {
    const person = await someone();
    await Promise.allSettled(
      Array.from({ length: 50 }, (_, turn) => (turn % 2 === 0 ? follows(person) : leaves(person))),
    );
    const [followers, rows] = (await counts()) ?? [];
    expect(followers).toBe(rows);
    expect([0, 1]).toContain(rows);
  });

  it('does not change, and records no event, when refused', async () => {
    const person = await someone();
    await expect(leaves(person)).rejects.toMatchObject({ code: 'not_following' });
    await follows(person);
    await expect(follows(person)).rejects.toMatchObject({ code: 'already_following' });
    expect([await counts(), await reported()]).toEqual([[1, 1], 1]);
  });
});

describe('a deleted project', () => {
  it('loses its follows, also with concurrent new follows', async () => {
    const people = await many(6);
    await follows(people[0]!);
    const owner = build.actorFor(project.owner);
    const answers = await Promise.allSettled([
      ...people.slice(1).map((one) => follows(one)),
      database.sql.begin((tx) => removeProject(tx, owner, project.id, new Date())),
    ]);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'project_unknown' });
    }
    expect(await counts()).toBeUndefined();
    expect(await database.sql`select 1 from follows where project_id = ${project.id}`).toHaveLength(0);
  });

  it('that staff keep loses its followers', async () => {
    project = await build.project(database.sql, { status: 'withheld' });
    await follows(await someone());
    await database.sql.begin((tx) =>
      removeProject(tx, build.actorFor(project.owner), project.id, new Date()),
    );
    expect(await counts()).toEqual([0, 0]);
  });
});
