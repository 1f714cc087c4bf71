import { expect, test } from 'vitest';
import { parseSettings } from '../../platform/runtime/env.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { pageVersion, previousVersion } from './read.ts';

const database = testDatabase();
const at = (day: number) => new Date(Date.UTC(2025, 0, day));
const context = () => ({ sql: database.sql, settings: parseSettings({}) });

test('a number means the oldest listed version, and each version knows how its address ends', async () => {
  const project = await build.project(database.sql);
  const newer = await build.version(database.sql, project, { date_published: at(3) });
  const older = await build.version(database.sql, project, { date_published: at(2) });
  const hidden = await build.version(database.sql, project, { date_published: at(1), status: 'unlisted' });
  const draft = await build.version(database.sql, project, { version_number: '2', status: 'draft' });
  const found = async (named: string, actor: Parameters<typeof pageVersion>[3] = null) => {
    const one = await pageVersion(context(), project.id, named, actor);
    return one && [one.version.id, one.by_id];
  };
  expect(await found('1.0.0')).toEqual([older.id, false]);
  expect(await found(older.id)).toEqual([older.id, false]);
  expect(await found(newer.id)).toEqual([newer.id, true]);
  expect(await found(hidden.id)).toEqual([hidden.id, true]);
  expect([await found('2'), await found(draft.id), await found('\0'), await found('3')]).toEqual(
    Array(4).fill(null),
  );
  const owner = { user_id: project.owner.id, role: null, scopes: null };
  expect(await found(draft.id, owner as never)).toEqual([draft.id, true]);
  const elsewhere = await build.version(database.sql, await build.project(database.sql));
  expect(await found(elsewhere.id)).toBeNull();
});

test('a version is compared with the newest before it for one of its loaders, of its channel first', async () => {
  const project = await build.project(database.sql);
  const make = async (day: number, given: build.GivenVersion) =>
    await build.version(database.sql, project, { date_published: at(day), ...given });
  const first = await make(1, {});
  const beta = await make(2, { version_type: 'beta' });
  await make(3, { loaders: ['forge'] });
  await make(4, { status: 'draft' });
  const last = await make(5, { loaders: ['fabric', 'quilt'] });
  const alpha = await make(6, { version_type: 'alpha', loaders: ['quilt'] });
  const before = async (id: string) => {
    const one = (await pageVersion(context(), project.id, id, null))!;
    return (await previousVersion(context(), one.version))?.id ?? null;
  };
  expect(await before(last.id)).toBe(first.id);
  expect(await before(beta.id)).toBe(first.id);
  expect(await before(alpha.id)).toBe(last.id);
  expect(await before(first.id)).toBeNull();
});
