import { beforeEach, describe, expect, it } from 'vitest';
import { editProject } from '../../catalogue/publishing/edit-project.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { claimImages, deleteUnusedImages, keepImagesOf } from './claim.ts';
import { type ClaimedImage, imageContexts, whyNotClaimImage } from './rules.ts';

const database = testDatabase();
let owner: build.BuiltUser;
let project: build.BuiltProject;
beforeEach(async () => {
  owner = await build.user(database.sql);
  project = await build.project(database.sql, { owner });
});

const idsOf = async (project_id: string) =>
  (
    await database.sql<
      Array<{ id: string }>
    >`select id from images where project_id = ${project_id} order by id`
  ).map(({ id }) => id);
const target = () => ({ context: 'project' as const, id: project.id });

describe('the rule', () => {
  const actor = build.actorFor({ id: 'Owner001', username: 'owner' });
  const image: ClaimedImage = { owner_id: 'Owner001', context: 'report', used_by: null };
  it.each(imageContexts)(
    'lets an owner use an image in a %s only when it was uploaded for one',
    (context) => {
      const why = context === 'report' ? null : 'image_unknown';
      expect(whyNotClaimImage(image, actor, { context, id: 'Item0001' })).toBe(why);
    },
  );
  it.each<[string, ClaimedImage | undefined, string | null]>([
    ['unknown', undefined, 'image_unknown'],
    ["another user's", { ...image, owner_id: 'Other001' }, 'image_unknown'],
    ['used elsewhere', { ...image, used_by: 'Item0002' }, 'image_used'],
    ['used by the same item', { ...image, used_by: 'Item0001' }, null],
  ])('judges an image that is %s', (_, given, why) => {
    expect(whyNotClaimImage(given, actor, { context: 'report', id: 'Item0001' })).toBe(why);
  });
});

describe('claiming', () => {
  it('makes the item use the images, or none of them', async () => {
    const { sql } = database;
    const [mine, also, foreign] = [
      await build.image(sql, owner),
      await build.image(sql, owner),
      await build.image(sql, await build.user(sql)),
    ];
    const claim = async (ids: string[]) =>
      await sql.begin((tx) => claimImages(tx, build.actorFor(owner), ids, target()));
    await expect(claim([mine.id, foreign.id])).rejects.toMatchObject({ code: 'image_unknown' });
    expect(await idsOf(project.id)).toEqual([]);
    await claim([mine.id, also.id, mine.id]);
    expect(await idsOf(project.id)).toEqual([mine.id, also.id].sort());
  });

  it('gives an image to one of two concurrent items', async () => {
    const { sql } = database;
    const one = await build.image(sql, owner);
    const other = await build.project(sql, { owner });
    const claims = [project.id, other.id].map((id) =>
      sql.begin((tx) => claimImages(tx, build.actorFor(owner), [one.id], { context: 'project', id })),
    );
    const ends = await Promise.allSettled(claims);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a changed text', () => {
  it('drops images that left it, keeps those in it and recent ones, and uses new ones of the actor', async () => {
    const { sql } = database;
    const day_ago = new Date(Date.now() - 25 * 3_600_000);
    const used = { project_id: project.id };
    const stays = await build.image(sql, owner, used);
    const leaves = await build.image(sql, owner, used);
    const recent = await build.image(sql, owner, used);
    await build.image(sql, owner, { ...used, created: day_ago });
    const fresh = await build.image(sql, owner);
    const foreign = await build.image(sql, await build.user(sql));
    await sql`update projects set body = ${`${stays.key} ${leaves.key}`} where id = ${project.id}`;
    const text = `![a](http://cdn.test/${stays.raw_key}) /${fresh.key} /${foreign.key}`;
    await sql.begin((tx) => keepImagesOf(tx, build.actorFor(owner), target(), text));
    expect(await idsOf(project.id)).toEqual([stays.id, recent.id, fresh.id].sort());
  });

  it('is what an edit of a project does', async () => {
    const { sql } = database;
    const one = await build.image(sql, owner, { project_id: project.id });
    const edit = async (source: string, revision: number) =>
      await sql.begin((tx) =>
        editProject(tx, build.actorFor(owner), project.id, {
          change: {},
          body: { source, html: '', version: 1, revision },
          api: 3,
          now: new Date(),
        }),
      );
    await edit(`![](https://cdn.test/${one.key})`, 1);
    expect(await idsOf(project.id)).toEqual([one.id]);
    await edit('nothing', 2);
    expect(await idsOf(project.id)).toEqual([]);
  });
});

it('deletes images after a day without a text', async () => {
  const { sql } = database;
  const now = new Date();
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const young = await build.image(sql, owner, { created: before(23) });
  const used = await build.image(sql, owner, { created: before(25), project_id: project.id });
  await build.image(sql, owner, { created: before(25) });
  await deleteUnusedImages(sql, now);
  const left = await sql<Array<{ id: string }>>`select id from images where owner_id = ${owner.id}`;
  expect(left.map(({ id }) => id).sort()).toEqual([young.id, used.id].sort());
});
