import { describe, expect, it } from 'vitest';
import { eventsAfter } from '../../platform/events/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { removeProject } from '../projects/remove.ts';
import { cardsOf } from './cards.ts';
import { collectionsByIds, collectionsOfUser, findCollection, following } from './read.ts';
import { createShape, type EditData, editShape, limits } from './shape.ts';
import { createCollection, editCollection, removeCollection } from './write.ts';

const database = testDatabase();
const now = new Date('2026-05-01T12:00:00Z');
const later = new Date('2026-05-02T12:00:00Z');

const someone = async (given: Partial<Actor> = {}) =>
  build.actorFor(await build.user(database.sql, { role: given.role ?? 'developer' }), given);
const made = async (actor: Actor, given: Record<string, unknown> = {}) =>
  await database.sql.begin((tx) =>
    createCollection(tx, actor, createShape.parse({ name: 'Shelf', ...given }), now),
  );
const change = async (actor: Actor, id: string, what: EditData) =>
  await database.sql.begin((tx) => editCollection(tx, actor, id, editShape.parse(what), later));
const projectsOf = async (id: string, actor: Actor | null) =>
  (await findCollection(database, id, actor))?.projects ?? null;
const reported = async (id: string) =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000))
    .filter(({ collection_id }) => collection_id === id)
    .map(({ name, data }) => [name, 'fields' in data ? data.fields : null]);

describe('creating a collection', () => {
  it('keeps the given order, by id or slug in any case, without duplicates, unknown and hidden projects', async () => {
    const actor = await someone();
    const [a, b] = [await build.project(database.sql), await build.project(database.sql)];
    const secret = await build.project(database.sql, { status: 'draft' });
    const names = [b.slug.toUpperCase(), 'never-was', a.id, secret.id, b.id, 'with space', '\0'];
    const id = await made(actor, { projects: names, description: 'What I like' });
    expect(await findCollection(database, id, null)).toEqual({
      id,
      user: actor.user_id,
      name: 'Shelf',
      description: 'What I like',
      icon_url: null,
      color: null,
      status: 'listed',
      created: '2026-05-01T12:00:00Z',
      updated: '2026-05-01T12:00:00Z',
      projects: [b.id, a.id],
    });
    expect(await reported(id)).toEqual([['collection.created', null]]);
  });

  it('stops at 32 per user, also concurrently', async () => {
    const actor = await someone();
    const requested = await Promise.allSettled(Array.from({ length: 36 }, () => made(actor)));
    expect(requested.filter(({ status }) => status === 'fulfilled')).toHaveLength(32);
    expect(await collectionsOfUser(database, actor.user_id, actor)).toHaveLength(32);
    await expect(made(actor)).rejects.toMatchObject({ code: 'limit_reached' });
  });

  it('holds 1,024 projects and refuses one more', async () => {
    const projects = Array.from({ length: limits.projects }, (_, position) => `project-${position}`);
    expect(createShape.safeParse({ name: 'Big', projects }).success).toBe(true);
    expect(createShape.safeParse({ name: 'Big', projects: [...projects, 'more'] }).success).toBe(false);
  });
});

describe('changing a collection', () => {
  it('replaces its projects, in the new order, and keeps fields that are not given', async () => {
    const actor = await someone();
    const [a, b, c] = [
      await build.project(database.sql),
      await build.project(database.sql),
      await build.project(database.sql),
    ];
    const id = await made(actor, { projects: [a.id, b.id], description: 'Before' });
    await change(actor, id, { new_projects: [c.slug, b.id, c.id] });
    expect(await findCollection(database, id, null)).toMatchObject({
      projects: [c.id, b.id],
      name: 'Shelf',
      description: 'Before',
      updated: '2026-05-02T12:00:00Z',
    });
    await change(actor, id, { name: 'New name', description: null, status: 'unlisted' });
    expect(await findCollection(database, id, null)).toMatchObject({
      name: 'New name',
      description: null,
      status: 'unlisted',
      projects: [c.id, b.id],
    });
    expect(await reported(id)).toEqual([
      ['collection.created', null],
      ['collection.edited', ['projects']],
      ['collection.edited', ['name', 'description', 'status']],
    ]);
    await change(actor, id, {});
    expect(await reported(id)).toHaveLength(3);
  });

  it('changes nothing when one project is unknown', async () => {
    const actor = await someone();
    const [a, b] = [await build.project(database.sql), await build.project(database.sql)];
    const id = await made(actor, { projects: [a.id] });
    const refused = change(actor, id, { name: 'Other', new_projects: [b.id, 'never-was'] });
    await expect(refused).rejects.toMatchObject({ code: 'project_unknown', data: { ids: ['never-was'] } });
    expect(await findCollection(database, id, null)).toMatchObject({ name: 'Shelf', projects: [a.id] });
    expect(await reported(id)).toHaveLength(1);
  });

  it('keeps a project that was hidden later, invisible to outsiders, and adds no hidden one', async () => {
    const actor = await someone();
    const [a, b] = [await build.project(database.sql), await build.project(database.sql)];
    const secret = await build.project(database.sql, { status: 'private' });
    const id = await made(actor, { projects: [a.id, b.id] });
    await database.sql`update projects set status = 'private' where id = ${a.id}`;
    expect(await projectsOf(id, null)).toEqual([b.id]);
    await change(actor, id, { new_projects: [b.id, a.id] });
    expect(await projectsOf(id, actor)).toEqual([b.id, a.id]);
    const refused = change(actor, id, { new_projects: [secret.id] });
    await expect(refused).rejects.toMatchObject({ code: 'project_unknown' });
    await change(actor, id, { new_projects: [a.id] });
    expect(await projectsOf(id, null)).toBeNull(); // a collection without visible projects does not exist
    const stranger = await someone();
    await expect(change(stranger, id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('by two concurrent requests ends with one of the two results', async () => {
    const actor = await someone();
    const all = await Promise.all(Array.from({ length: 6 }, () => build.project(database.sql)));
    const lists = [all.slice(0, 4), all.slice(2).reverse()].map((list) => list.map(({ id }) => id));
    const id = await made(actor);
    await Promise.all(lists.map((new_projects) => change(actor, id, { new_projects })));
    expect(lists).toContainEqual(await projectsOf(id, actor));
  });
});

describe('deletion', () => {
  it('removes a collection with its entries, by its owner', async () => {
    const [actor, stranger] = [await someone(), await someone()];
    const id = await made(actor, { projects: [(await build.project(database.sql)).id] });
    const removed = (who: Actor) => database.sql.begin((tx) => removeCollection(tx, who, id));
    await expect(removed(stranger)).rejects.toMatchObject({ code: 'not_yours' });
    expect(await removed(actor)).toBe(`data/collections/${id}/`);
    expect(await findCollection(database, id, actor)).toBeNull();
    expect(await database.sql`select 1 from collection_projects where collection_id = ${id}`).toHaveLength(0);
    expect((await reported(id)).at(-1)).toEqual(['collection.deleted', null]);
  });

  it.each(['approved', 'withheld'])('removes a project that was %s from its collections', async (status) => {
    const actor = await someone();
    const [stays, goes] = [await build.project(database.sql), await build.project(database.sql, { status })];
    const id = await made(actor, { projects: [goes.id, stays.id] });
    const owner = build.actorFor(goes.owner);
    await Promise.allSettled([
      database.sql.begin((tx) => removeProject(tx, owner, goes.id, new Date())),
      change(actor, id, { new_projects: [stays.id, goes.id] }),
    ]);
    expect(
      await database.sql`select project_id from collection_projects where collection_id = ${id}`,
    ).toEqual([{ project_id: stays.id }]);
    await database.sql.begin(async (tx) => await tx`delete from users where id = ${actor.user_id}`);
    expect(await database.sql`select 1 from collection_projects where collection_id = ${id}`).toHaveLength(0);
  });
});

describe('reading collections', () => {
  it('gives the cards of their projects in order, with organization or owner', async () => {
    const own = await build.project(database.sql, { title: 'Own', downloads: 7, archived: true });
    const organization = await build.organization(database.sql, { name: 'The Guild' });
    const shared = await build.project(database.sql, { organization });
    await build.version(database.sql, shared, { loaders: ['mrpack'], mrpack_loaders: ['quilt'] });
    const cards = await cardsOf(database, [shared.id, 'nowhere1', own.id]);
    expect(cards).toMatchObject([
      { id: shared.id, organization: { name: 'The Guild' }, project_type: 'modpack', loaders: ['quilt'] },
      {
        id: own.id,
        author: own.owner.username,
        organization: null,
        title: 'Own',
        downloads: 7,
        icon_url: null,
      },
    ]);
  });

  it('gives many in request order, without unknown and hidden ones', async () => {
    const project = await build.project(database.sql);
    const [one, two] = [
      await build.collection(database.sql, [project]),
      await build.collection(database.sql, [project], { status: 'unlisted' }),
    ];
    const secret = await build.collection(database.sql, [project], { status: 'private' });
    const empty = await build.collection(database.sql, []);
    const ids = [two.id, secret.id, 'nowhere1', '\0', one.id, empty.id, two.id];
    expect((await collectionsByIds(database, ids, null)).map(({ id }) => id)).toEqual([two.id, one.id]);
    const moderator = await someone({ role: 'moderator' });
    expect((await collectionsByIds(database, ids, moderator)).map(({ id }) => id)).toEqual([
      two.id,
      secret.id,
      one.id,
      empty.id,
    ]);
  });

  it('gives the followed, still visible projects as a private collection, last followed first', async () => {
    const actor = await someone();
    expect(await following(database.sql, actor)).toMatchObject({ projects: [], status: 'private' });
    const [a, b] = [await build.project(database.sql), await build.project(database.sql)];
    await build.follow(database.sql, { id: actor.user_id }, a);
    await build.follow(database.sql, { id: actor.user_id }, b);
    await database.sql`update follows set created = ${now} where project_id = ${a.id}`;
    await database.sql`update follows set created = ${later} where project_id = ${b.id}`;
    await database.sql`update users set created = ${now} where id = ${actor.user_id}`;
    const hidden = await build.project(database.sql);
    await build.follow(database.sql, { id: actor.user_id }, hidden);
    await database.sql`update follows set created = ${now} where project_id = ${hidden.id}`;
    await database.sql`update projects set status = 'private' where id = ${hidden.id}`;
    expect(await following(database.sql, actor)).toEqual({
      id: 'following',
      user: actor.user_id,
      name: 'Followed projects',
      description: null,
      icon_url: null,
      color: null,
      status: 'private',
      created: '2026-05-01T12:00:00Z',
      updated: '2026-05-02T12:00:00Z',
      projects: [b.id, a.id],
    });
  });
});
