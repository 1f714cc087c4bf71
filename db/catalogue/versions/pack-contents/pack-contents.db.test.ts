import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { diskStorage } from '../../../platform/storage/disk.ts';
import type { MediaSettings } from '../../../platform/storage/url.ts';
import { versionFileKey } from '../../../platform/storage/url.ts';
import * as build from '../../../testing/builders/build.ts';
import { countingQueries } from '../../../testing/count-queries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { zipOf } from '../../../testing/zips.ts';
import { versionsByIds } from '../read.ts';
import { type PackEntry, packContents, packVersions } from './read.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-packs-'));
const storage = diskStorage(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const settings = { CDN_URL: 'https://cdn.example.test' } as MediaSettings;
const hashOf = (text: string) => createHash('sha1').update(text).digest('hex');

interface Listed {
  name: string;
  env?: object | null;
  folder?: string;
}
/** A modpack whose archive lists files, each with the hash of its name. */
const archiveOf = (files: readonly Listed[], overrides: Record<string, string> = {}) =>
  zipOf({
    'modrinth.index.json': JSON.stringify({
      ...{ game: 'minecraft', formatVersion: 1, versionId: '1', name: 'A pack' },
      files: files.map(({ name, env = null, folder: at = 'mods' }) => ({
        path: `${at}/${name}`,
        hashes: { sha1: hashOf(name), sha512: hashOf(name).repeat(4).slice(0, 128) },
        ...(env && { env }),
        downloads: [`https://example.test/${name}`],
        fileSize: 10,
      })),
      dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.16.0' },
    }),
    ...overrides,
  });

async function packOf(archive: Buffer | null, given: build.GivenVersion = {}) {
  const { sql } = database;
  const project = await build.project(sql, { project_types: ['modpack'] });
  const { id } = await build.version(sql, project, {
    ...{ loaders: ['mrpack'], mrpack_loaders: ['fabric'], files: [{ filename: 'pack.mrpack' }] },
    ...given,
  });
  if (archive) await storage.putBytes(versionFileKey(project.id, id, 'pack.mrpack'), archive);
  const [version] = await versionsByIds({ sql, settings }, [id], null);
  return version!;
}
const warn = vi.fn();
const context = (sql = database.sql) => ({ sql, settings, storage, log: { warn } as never });
const said = ({ path, hosted, bytes, client, server, is_override }: PackEntry) => [
  path,
  hosted && [hosted.project.title, hosted.version?.version_number ?? null],
  bytes,
  [client, server],
  ...(is_override ? ['override'] : []),
];
/** A mod with a file of this name. */
async function mod(name: string, given: build.GivenProject = {}, version: build.GivenVersion = {}) {
  const project = await build.project(database.sql, { title: `Mod ${name}`, ...given });
  await build.version(database.sql, project, { files: [{ filename: name, sha1: hashOf(name) }], ...version });
  return project;
}

describe('the contents of a modpack', () => {
  test('are what its archive lists, with the projects that the visitor may see', async () => {
    await mod('known.jar', {}, { version_number: '2.0.0' });
    await mod('hidden.jar', { status: 'private', title: 'A secret' });
    await mod('draft.jar', { title: 'Known project' }, { status: 'draft' });
    const version = await packOf(
      await archiveOf(
        [
          { name: 'known.jar', env: { client: 'required', server: 'optional' } },
          { name: 'hidden.jar' },
          { name: 'draft.jar' },
          {
            name: 'elsewhere.zip',
            folder: 'resourcepacks',
            env: { client: 'optional', server: 'unsupported' },
          },
        ],
        {
          'overrides/options.txt': '1234',
          'overrides/config/': '',
          'client-overrides/mods/inside.jar': '12',
          'other.txt': 'not unpacked',
        },
      ),
    );
    const [contents] = await packContents(context(), [version], null);
    expect(contents!.entries.map(said)).toEqual([
      ['mods/known.jar', ['Mod known.jar', '2.0.0'], 10, ['required', 'optional']],
      ['mods/hidden.jar', null, 10, [null, null]],
      ['mods/draft.jar', null, 10, [null, null]],
      ['resourcepacks/elsewhere.zip', null, 10, ['optional', 'unsupported']],
      ['mods/inside.jar', null, 2, [null, 'unsupported'], 'override'],
    ]);
    expect(contents).toMatchObject({ more: 0, overrides: { count: 2, bytes: 6 } });
    expect(JSON.stringify(contents)).not.toMatch(/secret|Known project/);
  });

  test('name the oldest version with a file that several have, and members see what is hidden from others', async () => {
    const { sql } = database;
    const owner = await build.user(sql);
    await mod('twice.jar', { title: 'Second' }, { date_published: '2026-02-02T00:00:00Z' });
    await mod('twice.jar', { title: 'First' }, { date_published: '2026-01-01T00:00:00Z' });
    await mod('own.jar', { owner, status: 'draft', title: 'Own' });
    const version = await packOf(await archiveOf([{ name: 'twice.jar' }, { name: 'own.jar' }]));
    const titles = async (actor: Parameters<typeof packContents>[2]) =>
      (await packContents(context(), [version], actor))[0]!.entries.map(
        ({ hosted }) => hosted?.project.title ?? null,
      );
    expect(await titles(null)).toEqual(['First', null]);
    expect(await titles(build.actorFor(owner))).toEqual(['First', 'Own']);
  });

  test.each<[string, () => Promise<Buffer | null>]>([
    ['is not stored', async () => null],
    ['is damaged', async () => Buffer.from('no archive')],
    ['has no index', () => zipOf({ 'overrides/a.txt': 'a' })],
    ['has a wrong index', () => zipOf({ 'modrinth.index.json': '{"game":' })],
  ])('are what is recorded of a pack whose archive %s', async (_, archive) => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Recorded' });
    const hidden = await build.project(sql, { title: 'A secret', status: 'private' });
    const { id } = await build.version(sql, project, { version_number: '3.0.0' });
    const embedded = { dependency_type: 'embedded' };
    const version = await packOf(await archive(), {
      dependencies: [
        { ...embedded, project_id: project.id, dependency_version_id: id },
        { ...embedded, project_id: hidden.id },
        { ...embedded, file_name: 'inside.jar' },
        { dependency_type: 'required', project_id: project.id },
      ],
    });
    const [contents] = await packContents(context(), [version], null);
    expect(contents!.entries.map(said)).toEqual([
      ['', ['Recorded', '3.0.0'], null, [null, null]],
      ['inside.jar', null, null, [null, null]],
    ]);
    expect(contents).toMatchObject({ more: 0, overrides: null });
    expect(warn).not.toHaveBeenCalled();
  });

  test('of two versions with 500 files each take a few statements, and list 2,000 files at most', async () => {
    const names = Array.from({ length: 500 }, (_, place) => ({ name: `many-${place}.jar` }));
    await mod('many-7.jar');
    const versions = [await packOf(await archiveOf(names)), await packOf(await archiveOf(names.slice(1)))];
    const { sql, count } = countingQueries(database.sql);
    const [first, second] = await packContents(context(sql as never), versions, null);
    expect([first!.entries.length, second!.entries.length]).toEqual([500, 499]);
    expect(count()).toBe(2);
    const huge = await packOf(
      await archiveOf(Array.from({ length: 2100 }, (_, place) => ({ name: `${place}.jar` }))),
    );
    const [contents] = await packContents(context(), [huge], null);
    expect([contents!.entries.length, contents!.more]).toEqual([2000, 100]);
  });

  test('of a store that is away are what is recorded, and the operator is told', async () => {
    const version = await packOf(null);
    const away = { ...storage, head: () => Promise.reject(new Error('the store is away')) };
    const [contents] = await packContents({ ...context(), storage: away }, [version], null);
    expect(contents).toEqual({ entries: [], more: 0, overrides: null });
    expect(warn).toHaveBeenCalledOnce();
  });
});

test('versions that may be chosen are the listed ones, newest first', async () => {
  const { sql } = database;
  const project = await build.project(sql);
  for (const [number, status, day] of [
    ['1', 'listed', '01'],
    ['2', 'archived', '03'],
    ['3', 'unlisted', '04'],
    ['4', 'draft', '05'],
    ['5', 'listed', '02'],
  ] as const)
    await build.version(sql, project, {
      ...{ version_number: number, status, date_published: `2026-01-${day}T00:00:00Z` },
    });
  const found = await packVersions(sql, project.id);
  expect(found.map(({ version_number }) => version_number)).toEqual(['2', '5', '1']);
});
