import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { changeStatus } from '../projects/change-status.ts';
import { lockProject } from '../projects/locked.ts';
import { removeProject } from '../projects/remove.ts';
import type { Status } from '../projects/rules.ts';
import { lockOf } from './read.ts';
import { lock_ms } from './rules.ts';
import { acquireLock, clearLocks, releaseLock } from './write.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

async function staff(role: 'moderator' | 'admin' = 'moderator') {
  return build.actorFor(await build.user(database.sql, { role }), { role });
}
async function waiting() {
  const project = await build.project(database.sql, { status: 'processing' });
  await build.version(database.sql, project);
  return project;
}
type Who = Awaited<ReturnType<typeof staff>>;
const acquire = (actor: Who, id: string, at = now, override = false) =>
  database.sql.begin((tx) => acquireLock(tx, actor, id, { now: at, override }));
const release = (actor: Who, id: string) => database.sql.begin((tx) => releaseLock(tx, actor, id));
const move = (actor: Who, id: string, to: Status, at = now) =>
  database.sql.begin(async (tx) =>
    changeStatus(tx, actor, await lockProject(tx, id, actor), { to, api: 3, now: at }),
  );
const changesOf = async (id: string) =>
  (
    await database.sql`select data ->> 'change' as change from events
      where name = 'project.review_locked' and project_id = ${id} order by id`
  ).map(({ change }) => change);

test('one of two moderators who ask at once gets the lock', async () => {
  const { id } = await waiting();
  const actors = await Promise.all([staff(), staff(), staff()]);
  const got = await Promise.all(actors.map((actor) => acquire(actor, id)));
  expect(got.filter(Boolean)).toHaveLength(1);
  expect((await lockOf(database, id))?.moderator_id).toBe(actors[got.indexOf(true)]!.user_id);
  expect(await changesOf(id)).toEqual(['acquired']);
});

test('a lock is renewed by its holder, runs out after 15 minutes, and is taken over', async () => {
  const { id } = await waiting();
  const [first, second] = [await staff(), await staff()];
  expect(await acquire(first, id)).toBe(true);
  expect(await acquire(second, id, later(lock_ms - 1))).toBe(false);
  expect(await acquire(first, id, later(60_000))).toBe(true);
  expect(await acquire(second, id, later(lock_ms))).toBe(false);
  expect((await lockOf(database, id))?.locked_at).toEqual(now);
  expect(await acquire(second, id, later(60_000 + lock_ms))).toBe(true);
  expect(await acquire(first, id, later(70_000 + lock_ms))).toBe(false);
  expect(await acquire(first, id, later(70_000 + lock_ms), true)).toBe(true);
  expect(await release(second, id)).toBe(false);
  expect(await release(first, id)).toBe(true);
  expect(await changesOf(id)).toEqual(['acquired', 'acquired', 'overridden', 'released']);
});

test('a status changes only by the holder of a live lock, an administrator, or the members who withdraw', async () => {
  const { id, owner } = await waiting();
  const [first, second, admin] = [await staff(), await staff(), await staff('admin')];
  await acquire(first, id);
  await expect(move(second, id, 'approved')).rejects.toMatchObject({
    code: 'review_locked',
    data: { username: first.username },
  });
  await move(second, id, 'rejected', later(lock_ms)); // it ran out
  expect(await lockOf(database, id)).toBeNull();
  const [other, third] = [await waiting(), await waiting()];
  for (const project of [other, third]) await acquire(first, project.id);
  await move(admin, other.id, 'approved');
  await move(build.actorFor(third.owner), third.id, 'draft');
  expect(await lockOf(database, other.id)).toBeNull();
  expect(await lockOf(database, third.id)).toBeNull();
  expect(owner.id).not.toBe(third.owner.id);
});

test('nobody else may lock, only administrators clear, and a project that is gone is not found', async () => {
  const { id, owner } = await waiting();
  const moderator = await staff();
  await expect(acquire(build.actorFor(owner), id)).rejects.toMatchObject({ code: 'moderators_only' });
  await acquire(moderator, id);
  await expect(database.sql.begin((tx) => clearLocks(tx, moderator))).rejects.toMatchObject({
    code: 'admins_only',
  });
  await database.sql.begin((tx) => removeProject(tx, build.actorFor(owner), id, now));
  await expect(acquire(moderator, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await lockOf(database, id)).toBeNull();
  await acquire(moderator, (await waiting()).id);
  const admin = await staff('admin');
  const [{ count }] = (await database.sql`select count(*)::int from review_locks`) as unknown as [
    { count: number },
  ];
  expect(count).toBeGreaterThan(0);
  expect(await database.sql.begin((tx) => clearLocks(tx, admin))).toBe(count);
  expect(await database.sql`select 1 from review_locks`).toHaveLength(0);
});
