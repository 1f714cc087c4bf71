import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { actorFor, project, user, version } from '../../testing/builders/build.ts';
import { countingQueries } from '../../testing/count-queries.ts';
import { testDatabase } from '../../testing/database.ts';
import { planUpdates } from './asked.ts';
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
