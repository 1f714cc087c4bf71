import { expect, it } from 'vitest';
import { actorFor, project, user, version } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { packVersionFor, packViewOf } from './pack-view.ts';

const database = testDatabase();
const settings = { CDN_URL: 'https://cdn.test' };

type Given = [number: string, loader: string, game_version: string];

/** A modpack with these versions, one a month, of which the first is installed. */
async function pack(versions: Given[]) {
  const { sql } = database;
  const owner = await user(sql);
  const of = await project(sql, { owner, project_types: ['modpack'] });
  const ids = [];
  for (const [at, [version_number, loader, game_version]] of versions.entries())
    ids.push(
      await version(sql, of, {
        ...{ version_number, loaders: ['mrpack'], mrpack_loaders: [loader], game_versions: [game_version] },
        date_published: new Date(2025, at, 1),
      }),
    );
  const installed = '2025-12-01T00:00:00Z';
  const record = { project_id: of.id, version_id: ids[0]!.id, files: {}, installed };
  return { of, ids, record, actor: actorFor(owner) };
}

it.each<{ title: string; versions: Given[]; update: string | null }>([
  {
    title: 'another loader is no update',
    versions: [
      ['1.2', 'quilt', '1.20.1'],
      ['1.3', 'fabric', '1.20.1'],
    ],
    update: null,
  },
  {
    title: 'the newest of its loader, whatever came later for others',
    versions: [
      ['1.2', 'quilt', '1.20.1'],
      ['1.3', 'quilt', '1.20.1'],
      ['1.4', 'fabric', '1.20.1'],
    ],
    update: '1.3',
  },
  {
    title: 'its game version before a newer one',
    versions: [
      ['1.2', 'quilt', '1.20.1'],
      ['1.3', 'quilt', '1.20.1'],
      ['1.4', 'quilt', '1.21.4'],
    ],
    update: '1.3',
  },
  {
    title: 'a newer game version when its own has nothing newer',
    versions: [
      ['1.2', 'quilt', '1.20.1'],
      ['1.4', 'quilt', '1.21.4'],
    ],
    update: '1.4',
  },
  {
    title: 'an older game version is no update',
    versions: [
      ['1.2', 'quilt', '1.20.1'],
      ['1.4', 'quilt', '1.19.2'],
    ],
    update: null,
  },
])('the update of a modpack: $title', async ({ versions, update }) => {
  const { record, actor } = await pack(versions);
  const server = { kind: 'itzg', loader: 'quilt', game_version: '1.20.1' };
  const view = await packViewOf(database.sql, settings, { record, server }, actor);
  expect(view?.update?.version_number ?? null).toBe(update);
});

it('installs the newest version for the loader of the server, else the newest of all, or the one that is chosen', async () => {
  const { of, ids, actor } = await pack([
    ['1.2', 'quilt', '1.20.1'],
    ['1.3', 'fabric', '1.20.1'],
  ]);
  const chosen = (loader: string | null, version_id?: string) =>
    packVersionFor(database.sql, actor, { project_id: of.id, version_id }, { kind: 'itzg', loader });
  expect(await chosen('quilt')).toBe(ids[0]!.id);
  expect(await chosen('paper')).toBe(ids[1]!.id);
  expect(await chosen(null)).toBe(ids[1]!.id);
  expect(await chosen('quilt', ids[1]!.id)).toBe(ids[1]!.id);
});
