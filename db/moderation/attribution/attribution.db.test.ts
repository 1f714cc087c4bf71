import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { judgeFiles } from '../../catalogue/external-files/write.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { announcing, scanned, trace } from '../../testing/scan-results.ts';
import { storeScan } from '../technical-review/store.ts';
import { attributionGroups, missingAttribution } from './read.ts';
import type { Attribution } from './shape.ts';
import { answerGroup, deleteGroups, moveFile, scanVersions, settleProjectsWith } from './write.ts';

const database = testDatabase();
const now = new Date('2026-11-24T12:00:00Z');
const sha1 = () => randomBytes(20).toString('hex');
const inProgress = async <T>(work: (tx: never) => Promise<T>) =>
  (await database.sql.begin(work as never)) as T;
const moderator = async () =>
  build.actorFor(await build.user(database.sql, { role: 'moderator' }), { role: 'moderator' });
const license: Attribution = {
  kind: 'license',
  license: 'MIT',
  link_to_work: 'https://work.test/',
  image_urls: [],
};

async function pack(files: Record<string, string>) {
  const { sql } = database;
  const owner = await build.user(sql);
  const project = await build.project(sql, { status: 'approved', owner });
  const version = await build.version(sql, project, { files: [{ filename: 'pack.mrpack' }] });
  const file_id = version.files[0]!.id;
  await sql`insert into file_scans (file_id, requested, due) values (${file_id}, ${now}, ${now})`;
  const pack_files = Object.entries(files).map(([path, hash]) => ({ path, sha1: hash }));
  const about = { file_id, version_id: version.id, project_id: project.id };
  const scan = (...traces: Parameters<typeof scanned>[0]) =>
    inProgress((tx) => storeScan(tx, about, scanned(traces, { pack_files }), { announcing, now }));
  const state = async () =>
    (
      await sql<
        Array<{ status: string; held_for: string[] }>
      >`select status, held_for from versions where id = ${version.id}`
    )[0]!;
  const groups = (moderates = false) => attributionGroups(sql, project.id, { moderates });
  const messages = async () =>
    (
      await sql<Array<{ body: { body: string } }>>`
        select m.body from thread_messages m join projects p on p.thread_id = m.thread_id
        where p.id = ${project.id} and m.type = 'text' order by m.created`
    ).map(({ body }) => body.body);
  return { owner: build.actorFor(owner), project, version, file_id, scan, state, groups, messages };
}
const answer = (actor: ReturnType<typeof build.actorFor>, group: string, given: Attribution) =>
  inProgress((tx) => answerGroup(tx, actor, group, given, { now }));

describe('a modpack with external files', () => {
  test('is hidden until each of them has an answer, and its team is told once', async () => {
    const { owner, version, scan, state, groups, messages } = await pack({
      'overrides/mods/a.jar': sha1(),
      'client-overrides/mods/b.jar': sha1(),
      'mods/listed.jar': sha1(), // a download, not in the pack
    });
    await scan();
    expect(await state()).toEqual({ status: 'draft', held_for: ['attribution'] });
    expect(await missingAttribution(database.sql, version.id)).toEqual(['a.jar', 'b.jar']);
    await scan();
    expect(await messages()).toEqual(['attribution a.jar, b.jar']);
    const [a, b] = (await groups()).sort((x, y) => (x.files[0]!.name < y.files[0]!.name ? -1 : 1));
    expect(a).toMatchObject({
      attribution: null,
      files: [{ name: 'a.jar', versions: [version.id] }],
      versions: [{ id: version.id }],
    });
    await answer(owner, a!.id, license);
    expect((await state()).status).toBe('draft');
    await answer(owner, b!.id, { kind: 'no_permission', image_urls: [] });
    expect((await state()).status).toBe('draft'); // that is no permission
    await answer(owner, b!.id, { kind: 'my_project', license: { name: 'My own' }, image_urls: [] });
    expect(await state()).toEqual({ status: 'listed', held_for: [] });
  });

  test('says which work of another site they are of, once staff have said it', async () => {
    const { sql } = database;
    const hash = sha1();
    const { scan, groups } = await pack({ 'overrides/mods/a.jar': hash });
    await scan();
    expect((await groups())[0]!.flame_project).toBeNull();
    const actor = await moderator();
    const link = 'https://work.test/';
    const work = { type: 'flame', id: 815, status: 'unidentified', title: 'Work', link } as const;
    await inProgress((tx) => judgeFiles(tx, actor, new Map([[hash, work]]), now));
    expect((await groups())[0]!.flame_project).toEqual({
      ...{ id: 815, title: 'Work', url: 'https://work.test/', icon_url: null },
    });
    await sql`delete from external_projects where flame_project_id = 815`;
  });

  test('stays hidden for what the scan found as well', async () => {
    const { owner, scan, state, groups } = await pack({ 'overrides/mods/a.jar': sha1() });
    await scan(trace());
    expect((await state()).held_for.sort()).toEqual(['attribution', 'review']);
    await answer(owner, (await groups())[0]!.id, license);
    expect(await state()).toEqual({ status: 'draft', held_for: ['review'] });
  });

  test('is public when this site hosts the files, staff know them, or it was public before that was asked', async () => {
    const { sql } = database;
    const hosted = sha1();
    const other = await build.project(sql, { status: 'approved' });
    await build.version(sql, other, { files: [{ sha1: hosted }] });
    const first = await pack({ 'overrides/mods/hosted.jar': hosted });
    await first.scan();
    expect((await first.state()).status).toBe('listed');
    const old = await pack({ 'overrides/mods/old.jar': sha1() });
    await sql`update file_scans set asks_attribution = false where file_id = ${old.file_id}`;
    await old.scan();
    expect((await old.state()).status).toBe('listed');
    const hash = sha1();
    const second = await pack({ 'overrides/mods/known.jar': hash });
    await second.scan();
    expect((await second.state()).status).toBe('draft');
    const actor = await moderator();
    const judge = (status: string) =>
      inProgress(async (tx) => {
        await judgeFiles(tx, actor, new Map([[hash, { type: 'unknown', status } as never]]), now);
        await settleProjectsWith(tx, actor, [hash], { now, words: announcing.words.attribution });
      });
    await judge('with-attribution');
    expect((await second.state()).status).toBe('listed');
    // staff may change their mind: then the team hears of it, and what is never allowed only they can release
    await judge('permanent-no');
    expect((await second.state()).status).toBe('draft');
    expect(await second.messages()).toEqual(['attribution known.jar', 'attribution known.jar']);
    const [group] = await second.groups();
    await answer(second.owner, group!.id, license);
    expect((await second.state()).status).toBe('draft');
    await answer(actor, group!.id, { ...license, moderation_status: { kind: 'approved' } });
    expect((await second.state()).status).toBe('listed');
  });
});

describe('answers', () => {
  test('that staff refuse hide the version again; what is not allowed stays so', async () => {
    const { owner, scan, state, groups } = await pack({ 'overrides/mods/a.jar': sha1() });
    await scan();
    const [group] = await groups();
    const actor = await moderator();
    await answer(owner, group!.id, license);
    await answer(actor, group!.id, {
      ...license,
      moderation_status: { kind: 'bad_proof', reason: 'No license there' },
    });
    expect((await state()).status).toBe('draft');
    await answer(owner, group!.id, {
      kind: 'special_permissions',
      link_to_work: 'https://work.test/mail.png',
      image_urls: [],
    });
    expect((await state()).status).toBe('listed');
    await answer(actor, group!.id, { ...license, moderation_status: { kind: 'not_allowed' } });
    await expect(answer(owner, group!.id, license)).rejects.toMatchObject({ code: 'attribution_frozen' });
    expect((await state()).status).toBe('draft');
  });

  test('are of members who may upload; outsiders learn nothing, and some are of staff', async () => {
    const { owner, scan, groups, project } = await pack({ 'overrides/mods/a.jar': sha1() });
    await scan();
    const [group] = await groups();
    const outsider = build.actorFor(await build.user(database.sql));
    await expect(answer(outsider, group!.id, license)).rejects.toMatchObject({ code: 'not_found' });
    const helper = await build.user(database.sql);
    await build.member(database.sql, project.team, helper, { permissions: 0 });
    await expect(answer(build.actorFor(helper), group!.id, license)).rejects.toMatchObject({
      code: 'permission_missing',
    });
    for (const given of [
      { kind: 'globally_allowed', link_to_work: 'https://work.test/', image_urls: [] },
      { ...license, moderation_status: { kind: 'approved' } },
    ] as Attribution[])
      await expect(answer(owner, group!.id, given)).rejects.toMatchObject({ code: 'moderators_only' });
    await expect(
      inProgress((tx) => deleteGroups(tx, owner, { groups: [group!.id] }, { now })),
    ).rejects.toMatchObject({ code: 'moderators_only' });
  });

  test('count for all files of a group; files move between groups and out of them', async () => {
    const [a, b] = [sha1(), sha1()];
    const { owner, project, scan, state, groups } = await pack({
      'overrides/mods/a.jar': a,
      'overrides/mods/b.jar': b,
    });
    await scan();
    const of = async (hash: string) =>
      (await groups()).find(({ files }) => files.some((file) => file.sha1 === hash))!;
    const move = async (target: string | null) =>
      await inProgress((tx) =>
        moveFile(tx, owner, { project_id: project.id, sha1: b, target_group_id: target }, { now }),
      );
    await move((await of(a)).id);
    expect(await groups()).toHaveLength(1);
    await answer(owner, (await of(a)).id, license);
    expect((await state()).status).toBe('listed');
    await move(null);
    expect((await state()).status).toBe('draft');
    const other = await pack({ 'overrides/mods/c.jar': sha1() });
    await other.scan();
    await expect(move((await other.groups())[0]!.id)).rejects.toMatchObject({ code: 'not_found' });
    const actor = await moderator();
    await inProgress((tx) => deleteGroups(tx, actor, { project_id: project.id }, { now }));
    expect((await groups()).map(({ attribution }) => attribution)).toEqual([null, null]); // asked again
  });
});

test('a pack is read again for its members, and for nobody else', async () => {
  const { owner, version, scan, file_id } = await pack({ 'overrides/mods/a.jar': sha1() });
  await scan();
  expect(await inProgress((tx) => scanVersions(tx, owner, [version.id], { now }))).toBe(1);
  expect((await database.sql`select state from file_scans where file_id = ${file_id}`)[0]!.state).toBe(
    'waiting',
  );
  await expect(inProgress((tx) => scanVersions(tx, owner, ['AAAAAAAA'], { now }))).rejects.toMatchObject({
    code: 'not_found',
  });
});
