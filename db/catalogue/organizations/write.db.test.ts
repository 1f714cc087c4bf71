import { describe, expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { addProject, removeProject } from './project-moves.ts';
import { createOrganization, editOrganization, removeOrganization } from './write.ts';

const database = testDatabase();
let count = 0;
const data = (slug = `slug-${++count}`) => ({ slug, name: 'A name', description: 'A description' });
const create = async (person: build.BuiltUser, slug?: string) =>
  await database.sql.begin((tx) => createOrganization(tx, build.actorFor(person), data(slug)));
const results = async (work: Array<Promise<unknown>>) =>
  (await Promise.allSettled(work)).map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
  );
const howMany = (all: string[], which: string) => all.filter((one) => one === which).length;

describe('at the same time', () => {
  it('no user gets more than sixteen organizations', async () => {
    const person = await build.user(database.sql);
    const found = await results(Array.from({ length: 19 }, () => create(person)));
    expect([howMany(found, 'done'), howMany(found, 'limit_reached')]).toEqual([16, 3]);
  });

  it('a slug goes to one of the organizations that want it', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => build.user(database.sql)));
    const found = await results(people.map((person) => create(person, 'wanted')));
    expect([howMany(found, 'done'), howMany(found, 'organization_slug_taken')]).toEqual([1, 3]);
    const other = await build.organization(database.sql);
    // the second one is the page that creates organizations
    for (const slug of ['Wanted', 'New']) {
      const edit = database.sql.begin((tx) =>
        editOrganization(tx, build.actorFor(other.owner), other.id, { slug }),
      );
      expect(await results([edit]), slug).toEqual(['organization_slug_taken']);
    }
  });

  it('a project joins one organization, and none that is deleted meanwhile', async () => {
    const { sql } = database;
    const owner = await build.user(sql);
    const actor = build.actorFor(owner);
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await build.organization(sql, { owner }), await build.organization(sql, { owner })];
      const project = await build.project(sql, { owner });
      const add = (organization_id: string) =>
        sql.begin((tx) => addProject(tx, actor, { organization_id, project_id: project.id }));
      const found = await results([
        add(a.id),
        add(b.id),
        sql.begin((tx) => removeOrganization(tx, actor, a.id)),
      ]);
      expect(
        found.filter((one) => one !== 'done').every((one) => /not_found|already|both_teams/.test(one)),
      ).toBe(true);
      const [row] = await sql`
        select p.organization, (select count(*) from team_members m where m.team_id = p.team and m.is_owner) as owners
        from projects p where p.id = ${project.id}`;
      expect(row?.organization === null ? row.owners : 1, JSON.stringify(found)).toBe(1);
      expect([null, b.id]).toContain(row?.organization);
    }
  });
});

it('a removed project leaves no second owner behind', async () => {
  const { sql } = database;
  const house = await build.organization(sql);
  const project = await build.project(sql, { organization: house });
  const stray = await build.user(sql);
  await build.member(sql, project.team, stray, { is_owner: true, permissions: 1023 });
  const given = { organization_id: house.id, project_id: project.id, new_owner: house.owner.id };
  await sql.begin((tx) => removeProject(tx, build.actorFor(house.owner), given));
  const rows = await sql`select user_id from team_members where team_id = ${project.team} and is_owner`;
  expect(rows.map(({ user_id }) => user_id)).toEqual([house.owner.id]);
});
