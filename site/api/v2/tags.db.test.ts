import { beforeAll, expect, test } from 'vitest';
import { loadTags } from '#db/catalogue/tags/write.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
type Row = Record<string, unknown> & { name: string };

beforeAll(async () => {
  await loadTags(database.sql);
});

const read = async <T = Row[]>(path: string): Promise<T> => {
  const answer = await api.call('GET', `/v2${path}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
};

test('categories have icon, type and header', async () => {
  const rows = await read('/tag/category');
  expect(rows[0]).toEqual({
    icon: expect.stringMatching(/^<svg/),
    name: 'adventure',
    project_type: 'mod',
    header: 'categories',
  });
  expect(new Set(rows.map(({ project_type }) => project_type))).toEqual(
    new Set(['mod', 'modpack', 'resourcepack', 'shader']),
  );
  expect(rows.filter(({ header }) => header === 'resolutions')).toHaveLength(8);
});

test('loaders are listed without mrpack, sorted, each with its project types', async () => {
  const rows = await read('/tag/loader');
  expect(rows).toHaveLength(28);
  expect(rows.find(({ name }) => name === 'quilt')).toEqual({
    icon: expect.stringMatching(/^<svg/),
    name: 'quilt',
    supported_project_types: ['project', 'mod', 'modpack'],
  });
});

test('game versions are newest first and can be filtered', async () => {
  type Version = { version: string; version_type: string; date: string; major: boolean };
  const all = await read<Version[]>('/tag/game_version');
  const dates = all.map(({ date }) => Date.parse(date));
  expect(dates).toEqual(dates.toSorted((a, b) => b - a));
  const releases = await read<Version[]>('/tag/game_version?type=release');
  expect(releases.every(({ version_type }) => version_type === 'release')).toBe(true);
  const major = await read<Version[]>('/tag/game_version?type=release&major=true');
  expect(major.length).toBeGreaterThan(0);
  expect(major.length).toBeLessThan(releases.length);
  expect(all.find(({ version }) => version === '1.20.1')).toEqual({
    version: '1.20.1',
    version_type: 'release',
    date: expect.stringMatching(/^2023-06-12T.*Z$/),
    major: expect.any(Boolean),
  });
});

test('licenses can be listed and read', async () => {
  expect(await read('/tag/license')).toContainEqual({ short: 'MIT', name: 'MIT License' });
  expect(await read<object>('/tag/license/MIT')).toEqual({
    title: 'MIT License',
    body: expect.stringContaining('Permission is hereby granted'),
  });
  expect(await read<object>('/tag/license/LicenseRef-All-Rights-Reserved')).toMatchObject({
    title: 'All Rights Reserved',
  });
  const stored = await api.call('GET', '/v2/tag/license/MIT');
  expect(stored.headers.get('cache-control')).toBe('public, max-age=86400');
  const unknown = await api.call('GET', '/v2/tag/license/Nonsense-1.0');
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toMatchObject({ error: 'request_error' });
});

test('the short lists match the reference', async () => {
  expect(await read('/tag/donation_platform')).toEqual([
    { short: 'patreon', name: 'Patreon' },
    { short: 'bmac', name: 'Buy Me A Coffee' },
    { short: 'paypal', name: 'PayPal' },
    { short: 'github', name: 'GitHub Sponsors' },
    { short: 'ko-fi', name: 'Ko-fi' },
    { short: 'other', name: 'Other' },
  ]);
  expect(await read('/tag/report_type')).toEqual([
    'spam',
    'copyright',
    'inappropriate',
    'malicious',
    'name-squatting',
  ]);
  expect(await read('/tag/side_type')).toEqual(['required', 'optional', 'unsupported', 'unknown']);
  expect(await read('/tag/project_type')).toEqual([
    'mod',
    'modpack',
    'plugin',
    'datapack',
    'resourcepack',
    'shader',
  ]);
});

test('statistics count what is publicly listed', async () => {
  const owner = await build.user(database.sql);
  const displayed = await build.project(database.sql, { owner, status: 'approved' });
  const hidden = await build.project(database.sql, { owner, status: 'draft' });
  for (const project of [displayed, hidden]) await build.version(database.sql, project, { author: owner });
  expect(await read<object>('/statistics')).toMatchObject({ projects: 1, versions: 1, authors: 1 });
});
