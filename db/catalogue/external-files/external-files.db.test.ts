import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { storeScan } from '../../moderation/technical-review/store.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { announcing, scanned } from '../../testing/scan-results.ts';
import { changeStatus } from '../projects/change-status.ts';
import { lockProject } from '../projects/locked.ts';
import { externalProjects, packFilesOf } from './read.ts';
import type { Permission } from './rules.ts';
import { editExternalProject, judgeFiles, linkFiles } from './write.ts';

const database = testDatabase();
const now = new Date('2026-11-24T12:00:00Z');
const sha1 = () => randomBytes(20).toString('hex');
const inProgress = async <T>(work: (tx: never) => Promise<T>) =>
  (await database.sql.begin(work as never)) as T;
const moderator = async () =>
  build.actorFor(await build.user(database.sql, { role: 'moderator' }), { role: 'moderator' });

/** A modpack whose scan found these files. */
async function pack(
  files: Record<string, string>,
  status: 'processing' | 'approved' | 'draft' = 'processing',
) {
  const { sql } = database;
  const project = await build.project(sql, { status });
  const version = await build.version(sql, project, { files: [{ filename: 'pack.mrpack' }] });
  const file_id = version.files[0]!.id;
  await sql`insert into file_scans (file_id, requested, due) values (${file_id}, ${now}, ${now})`;
  const pack_files = Object.entries(files).map(([path, hash]) => ({ path, sha1: hash }));
  const scan = async () =>
    await inProgress((tx) =>
      storeScan(
        tx,
        { file_id, version_id: version.id, project_id: project.id },
        scanned([], { pack_files }),
        { announcing, now },
      ),
    );
  const messages = async () =>
    (
      await sql<Array<{ body: { body: string } }>>`
        select m.body from thread_messages m join projects p on p.thread_id = m.thread_id
        where p.id = ${project.id} and m.type = 'text' order by m.created`
    ).map(({ body }) => body.body);
  return { project, scan, messages, files: () => packFilesOf(sql, project.id) };
}
const judge = async (hash: string, status: Permission, more: object = {}) => {
  const actor = await moderator();
  await inProgress((tx) =>
    judgeFiles(tx, actor, new Map([[hash, { type: 'unknown', status, ...more } as never]]), now),
  );
};

describe('files of a modpack', () => {
  test('that nobody knows are listed, those of public versions are not', async () => {
    const { sql } = database;
    const [hosted, unknown] = [sha1(), sha1()];
    const other = await build.project(sql, { status: 'approved' });
    await build.version(sql, other, { files: [{ sha1: hosted }] });
    const { scan, files, messages } = await pack({ 'mods/a.jar': unknown, 'mods/b.jar': hosted });
    await scan();
    expect(await files()).toMatchObject([
      { sha1: unknown, name: 'a.jar', permission: null, group: 'unknown' },
    ]);
    expect(await messages()).toEqual([
      expect.stringMatching(/Nobody has said yet where these files are from[\s\S]*- `a\.jar`/),
    ]);
    await scan();
    expect(await messages()).toHaveLength(1); // the same file is not announced twice
  });

  test('are known in every later pack once somebody decided', async () => {
    const hash = sha1();
    const first = await pack({ 'overrides/mods/known.jar': hash });
    await first.scan();
    await judge(hash, 'permanent-no', { title: 'Known work', proof: 'Its license' });
    const second = await pack({ 'overrides/mods/other-name.jar': hash });
    await second.scan();
    expect(await second.files()).toMatchObject([
      { permission: 'permanent-no', group: 'forbidden', title: 'Known work' },
    ]);
    expect((await second.messages())[0]).toMatch(
      /do not allow these files in modpacks[\s\S]*- `other-name\.jar`/,
    );
    await judge(hash, 'yes');
    const third = await pack({ 'overrides/mods/known.jar': hash });
    await third.scan();
    expect(await third.messages()).toEqual([]);
  });

  test('are written to the thread when a scanned draft is submitted', async () => {
    const { project, scan, messages } = await pack({ 'mods/late.jar': sha1() }, 'draft');
    await scan();
    expect(await messages()).toEqual([]);
    const actor = await moderator();
    await inProgress(async (tx) =>
      changeStatus(tx, actor, await lockProject(tx, project.id, actor), { to: 'processing', api: 3, now }),
    );
    expect(await messages()).toEqual([expect.stringContaining('`late.jar`')]);
  });
});

describe('works from elsewhere', () => {
  test('get several files, keep what was given before, and are found by title, hash and ID', async () => {
    const { sql } = database;
    const [a, b] = [sha1(), sha1()];
    const { scan } = await pack({ 'mods/a.jar': a, 'mods/b.jar': b });
    await scan();
    const actor = await moderator();
    const flame = {
      type: 'flame' as const,
      id: 4711,
      status: 'with-attribution' as const,
      title: 'Work of 100%',
      link: 'https://work.test/',
    };
    await inProgress((tx) => judgeFiles(tx, actor, new Map([[a, flame]]), now));
    await inProgress((tx) => judgeFiles(tx, actor, new Map([[b, { ...flame, link: null }]]), now));
    const [work, ...rest] = await externalProjects(sql, { title: '100%' });
    expect(rest).toEqual([]);
    expect(work).toMatchObject({
      title: 'Work of 100%',
      link: 'https://work.test/',
      flame_project_id: 4711,
      inserted_by: actor.user_id,
    });
    expect(work!.linked_files.map(({ name }) => name)).toEqual(['a.jar', 'b.jar']);
    for (const filter of [{ hashes: [b] }, { flame_ids: [4711] }, { ids: [work!.id] }])
      expect((await externalProjects(sql, filter)).map(({ id }) => id)).toEqual([work!.id]);
    expect(await externalProjects(sql, { title: '_' })).toEqual([]);
  });

  test('take files of others only when asked to, and no ID that another one has', async () => {
    const { sql } = database;
    const [a, b] = [sha1(), sha1()];
    const { scan } = await pack({ 'mods/one.jar': a, 'mods/two.jar': b });
    await scan();
    await judge(a, 'no', { title: 'One' });
    await judge(b, 'yes', { title: 'Two' });
    const [one] = await externalProjects(sql, { hashes: [a] });
    const actor = await moderator();
    const link = (moves: boolean) =>
      inProgress((tx) => linkFiles(tx, actor, { hashes: [b], id: one!.id, moves }));
    await link(false);
    expect((await externalProjects(sql, { hashes: [b] }))[0]!.title).toBe('Two');
    await link(true);
    expect((await externalProjects(sql, { hashes: [b] }))[0]!.title).toBe('One');
    await inProgress((tx) =>
      editExternalProject(
        tx,
        actor,
        one!.id,
        { flame_project_id: 12, exceptions: 'Not in packs for sale' },
        now,
      ),
    );
    const [two] = await externalProjects(sql, { title: 'Two' });
    await expect(
      inProgress((tx) => editExternalProject(tx, actor, two!.id, { flame_project_id: 12 }, now)),
    ).rejects.toMatchObject({ code: 'external_project_taken' });
  });

  test('are for moderators, and for files that a pack has', async () => {
    const member = build.actorFor(await build.user(database.sql));
    const judgement = { type: 'unknown' as const, status: 'yes' as const };
    const judgeAs = (actor: typeof member) =>
      inProgress((tx) => judgeFiles(tx, actor, new Map([[sha1(), judgement]]), now));
    await expect(judgeAs(member)).rejects.toMatchObject({ code: 'moderators_only' });
    await expect(judgeAs(await moderator())).rejects.toMatchObject({ code: 'file_unknown' });
  });
});
