import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventsAfter } from '../../platform/events/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { diskStorage } from '../../platform/storage/disk.ts';
import { actorFor, member, project, user, version } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { setProjectIcon } from './icon.ts';
import { findProject, projectRef } from './read.ts';
import { removeProject } from './remove.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-projects-'));
const storage = diskStorage(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const begin = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => (await database.sql.begin(work)) as T;

const someone = async (given: Partial<Actor> = {}) => actorFor(await user(database.sql), given);

const happened = async (project_id: string) =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100_000))
    .filter((event) => event.project_id === project_id)
    .map(({ name, data }) => [name, data]);

const picture = (text: string) => ({
  raw: { suffix: '.png', bytes: Buffer.from(text) },
  copies: [96, 256, 512].map((width) => ({
    suffix: `_${width}.webp`,
    bytes: Buffer.from(`${width} ${text}`),
  })),
});
const stored = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
};

describe('the icon', () => {
  it('replaces the previous one, whose files are removed with all copies; the same icon again changes nothing', async () => {
    const made = await project(database.sql);
    const owner = actorFor(made.owner);
    const set = async (text: string | null) =>
      await setProjectIcon(
        begin,
        storage,
        { actor: owner, project_id: made.id, now: new Date() },
        text === null ? null : { ...picture(text), color: 7 },
      );
    await set('one');
    const first = await stored(`data/${made.id}/`);
    await set('one');
    expect(await stored(`data/${made.id}/`)).toEqual(first);
    await set('two');
    expect(await stored(`data/${made.id}/`)).toHaveLength(4);
    expect((await stored(`data/${made.id}/`)).some((key) => first.includes(key))).toBe(false);
    await set(null);
    expect(await stored(`data/${made.id}/`)).toEqual([]);
    expect(await findProject(database, made.id, null)).toMatchObject({
      icon_url: null,
      raw_icon_url: null,
      color: null,
    });
  });

  it('refuses non-members and stores nothing', async () => {
    const made = await project(database.sql);
    const stranger = await someone();
    const refused = setProjectIcon(
      begin,
      storage,
      { actor: stranger, project_id: made.id, now: new Date() },
      { ...picture('x'), color: 1 },
    );
    await expect(refused).rejects.toMatchObject({ code: 'not_a_member' });
    expect(await stored(`data/${made.id}/`)).toEqual([]);
  });
});

describe('deleting a project', () => {
  const removed = async (who: Actor, id: string) =>
    await begin(async (tx) => await removeProject(tx, who, id, new Date()));

  it('deletes its versions, files, team and dependents, and frees the slug', async () => {
    const made = await project(database.sql, { slug: 'to-be-deleted' });
    const own = await version(database.sql, made);
    const other = await project(database.sql);
    const dependent = await version(database.sql, other, {
      dependencies: [{ project_id: made.id, dependency_version_id: own.id }],
    });
    expect(await removed(actorFor(made.owner), made.id)).toBe(`data/${made.id}/`);
    expect(await projectRef(database.sql, made.id)).toBeNull();
    const left = await database.sql`
      select (select count(*) from versions where project_id = ${made.id}) as versions,
        (select count(*) from files where version_id = ${own.id}) as files,
        (select count(*) from team_members where team_id = ${made.team}) as members,
        (select count(*) from dependencies where version_id = ${dependent.id}) as dependencies`;
    expect(left).toEqual([{ versions: 0, files: 0, members: 0, dependencies: 0 }]);
    await expect(project(database.sql, { slug: 'to-be-deleted' })).resolves.toBeTruthy();
    expect(await happened(made.id)).toEqual([['project.deleted', { slug: 'to-be-deleted' }]]);
  });

  it('keeps a project that staff rejected for staff only, with its slug free', async () => {
    for (const status of ['rejected', 'withheld']) {
      const made = await project(database.sql, { status, slug: `${status}-thing` });
      expect(await removed(actorFor(made.owner), made.id)).toBeNull();
      expect(await findProject(database, made.id, actorFor(made.owner))).toBeNull();
      expect(await projectRef(database.sql, `${status}-thing`)).toBeNull();
      expect(await findProject(database, made.id, await someone({ role: 'moderator' }))).toMatchObject({
        slug: `${status}-thing--deleted-${made.id}`,
      });
      await expect(project(database.sql, { slug: `${status}-thing` })).resolves.toBeTruthy();
      const notes = await database.sql`
        select m.author_id, m.private, m.body ->> 'body' as body from thread_messages m
        join projects p on p.thread_id = m.thread_id where p.id = ${made.id}`;
      const body = `${made.owner.username} deleted this project while it was ${status}.`;
      expect(notes).toEqual([{ author_id: null, private: true, body }]);
    }
  });

  it('needs the permission; an unknown project gives the same refusal', async () => {
    const made = await project(database.sql);
    const person = await user(database.sql);
    await member(database.sql, made.team, person, { permissions: 1023 & ~128 });
    await expect(removed(actorFor(person), made.id)).rejects.toMatchObject({ code: 'permission_missing' });
    await expect(removed(await someone(), made.id)).rejects.toMatchObject({ code: 'not_a_member' });
    await expect(removed(await someone({ role: 'moderator' }), made.id)).rejects.toMatchObject({
      code: 'permission_missing',
    });
    await expect(removed(await someone(), 'nowhere1')).rejects.toMatchObject({ code: 'not_a_member' });
    await expect(removed(await someone({ role: 'admin' }), made.id)).resolves.toBeTruthy();
  });
});
