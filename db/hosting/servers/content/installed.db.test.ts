import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { actorFor, project, user, version } from '../../../testing/builders/build.ts';
import { countingQueries } from '../../../testing/count-queries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { planInstall, planUpdates } from './asked.ts';
import { recognise, updatesOf } from './installed.ts';
import type { Planning } from './plan.ts';

const database = testDatabase();
const target = { game_version: '1.20.1', loader: 'fabric', world: 'world' };
const settings = { CDN_URL: 'https://cdn.test' };

/** Files of `count` projects, each with a newer version that needs the same library. */
async function outdated(count: number) {
  const { sql } = database;
  const owner = await user(sql);
  const library = await project(sql, { owner });
  await version(sql, library);
  const files = [];
  for (let at = 0; at < count; at++) {
    const of = await project(sql, { owner, status: at % 10 === 0 ? 'private' : 'approved' });
    const sha512 = randomBytes(64).toString('hex');
    await version(sql, of, { date_published: new Date('2025-01-01'), files: [{ sha512 }] });
    await version(sql, of, {
      ...{ date_published: new Date('2025-02-01'), dependencies: [{ project_id: library.id }] },
    });
    files.push({ path: `mods/${at}.jar`, bytes: 1, modified: 1, sha512 });
  }
  return { owner, files };
}

it('recognises files and plans their updates in as many statements for thirty as for three', async () => {
  const used = [];
  for (const count of [3, 30]) {
    const { owner, files: listed } = await outdated(count);
    const actor = actorFor(owner);
    const { sql, count: statements } = countingQueries(database.sql);
    const files = await recognise(sql, settings, listed, target, actor);
    expect(files.every(({ known }) => known)).toBe(true);
    const recognised = statements();
    expect(recognised).toBeLessThanOrEqual(2);
    expect((await updatesOf(sql, files, target)).size).toBe(count);
    expect(statements() - recognised).toBe(1);
    const installed = { files, revision: 'r', more: 0, folders: ['mods'] };
    const planning: Planning = { settings, actor, target, installed };
    const plan = await planUpdates(sql, planning, null);
    expect(plan.add).toHaveLength(count + 1);
    expect(plan.skipped).toEqual([]);
    used.push(statements());
  }
  expect(used[1]).toBe(used[0]);
});

describe('of a project with files for the loader of the server and for one that it also loads', () => {
  type Files = Array<[number: string, loaders: string[]]>;
  const quilt: Files = [
    ['1.0', ['quilt']],
    ['1.1', ['fabric']],
  ];
  it.each<{ loader: string; files: Files; here: string; update: string | null; install: string }>([
    { loader: 'quilt', files: quilt, here: '1.0', update: null, install: '1.0' },
    { loader: 'quilt', files: [...quilt, ['1.2', ['quilt']]], here: '1.0', update: '1.2', install: '1.2' },
    { loader: 'quilt', files: [...quilt, ['1.2', ['quilt']]], here: '1.1', update: '1.2', install: '1.2' },
    {
      ...{ loader: 'quilt', here: '1.0', update: '1.1', install: '1.1' },
      files: [
        ['1.0', ['fabric']],
        ['1.1', ['fabric']],
      ],
    },
    {
      ...{ loader: 'purpur', here: '1.0', update: null, install: '1.0' },
      files: [
        ['1.0', ['purpur']],
        ['1.1', ['paper', 'spigot']],
      ],
    },
    {
      ...{ loader: 'paper', here: '1.0', update: '1.1', install: '1.1' },
      files: [
        ['1.0', ['spigot']],
        ['1.1', ['bukkit']],
      ],
    },
    {
      ...{ loader: 'fabric', here: '1.0', update: null, install: '1.0' },
      files: [
        ['1.0', ['fabric', 'quilt']],
        ['1.1', ['quilt']],
      ],
    },
  ])(
    '$loader updates $here to $update and installs $install',
    async ({ loader, files, here, ...expected }) => {
      const { sql } = database;
      const owner = await user(sql);
      const of = await project(sql, { owner });
      const hashes = new Map<string, string>();
      for (const [at, [version_number, loaders]] of files.entries()) {
        const sha512 = randomBytes(64).toString('hex');
        hashes.set(version_number, sha512);
        const date_published = new Date(2025, at, 1);
        await version(sql, of, { version_number, loaders, date_published, files: [{ sha512 }] });
      }
      const actor = actorFor(owner);
      const server = { ...target, loader };
      const folder = ['paper', 'purpur'].includes(loader) ? 'plugins' : 'mods';
      const listed = [{ path: `${folder}/a.jar`, bytes: 1, modified: 1, sha512: hashes.get(here)! }];
      const found = await recognise(sql, settings, listed, server, actor);
      const updates = [...(await updatesOf(sql, found, server)).values()];
      expect(updates.map(({ version_number }) => version_number)).toEqual(
        expected.update === null ? [] : [expected.update],
      );
      const installed = { files: [], revision: 'r', more: 0, folders: [folder] };
      const plan = await planInstall(sql, { settings, actor, target: server, installed }, [
        { project_id: of.id },
      ]);
      expect(plan.add.map((one) => one.version.version_number)).toEqual([expected.install]);
    },
  );
});
