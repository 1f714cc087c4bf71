import { beforeEach, describe, expect, it } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const key = 'a-key-of-sixteen';
const api = testApi(database, {
  ADMIN_KEY: key,
  CDN_URL: 'https://cdn.example',
  COUNTRY_HEADER: 'cf-ipcountry',
});
const closed = testApi(database);

let project: build.BuiltProject;
let old: build.BuiltVersion;
let version: build.BuiltVersion;
let last = 0;
beforeEach(async () => {
  const { sql } = database;
  await sql`truncate analytics_records`;
  project = await build.project(sql);
  old = await build.version(sql, project, { version_number: '1.0', date_published: '2026-01-01T00:00:00Z' });
  version = await build.version(sql, project, {
    version_number: '1.0',
    date_published: '2026-02-01T00:00:00Z',
  });
});

const count = async (
  given: object = {},
  headers: Record<string, string> = { 'modrinth-admin': key },
  to = api,
) =>
  await to.call('PATCH', '/_internal/admin/_count-download', {
    headers,
    json: {
      url: 'https://cdn.example/data/x',
      project_id: project.id,
      version_name: '1.0',
      ip: `203.0.113.${++last}`,
      headers: { 'User-Agent': 'PrismLauncher/9.1' },
      ...given,
    },
  });
const rows = async () => {
  await api.services.usage.flush();
  return await database.sql`select * from analytics_records order by at`;
};

describe('PATCH admin/_count-download', () => {
  it('counts the version of the file, with what its request said', async () => {
    const [file] = await database.sql`select filename from files where version_id = ${old.id}`;
    await database.sql`insert into game_versions (version, version_type, date, major) values ('1.20.1', 'release', now(), false) on conflict do nothing`;
    const url = `https://cdn.example/data/${project.id}/versions/${old.id}/${encodeURIComponent(file!.filename)}`;
    const meta = { reason: 'update', loader: 'fabric', game_version: '1.20.1' };
    const headers = {
      'User-Agent': 'PrismLauncher/9.1',
      'Modrinth-Download-Meta': JSON.stringify(meta),
      'CF-IPCountry': 'nl',
      Referer: 'https://blog.example/x',
    };
    expect((await count({ url, project_id: 'AABBCCDD', headers })).status).toBe(204);
    expect(await rows()).toMatchObject([
      {
        kind: 'download',
        version_id: old.id,
        ...meta,
        country: 'NL',
        source: 'prism',
        domain: 'blog.example',
      },
    ]);
    const [row] = await database.sql`select downloads from versions where id = ${old.id}`;
    expect(row!.downloads).toBe(1);
  });

  it('else that with the number or id in the project, the newest of several', async () => {
    await count();
    await count({ version_name: old.id });
    await count({ url: `https://evil.example/data/${project.id}/versions/${old.id}/x.jar` });
    expect((await rows()).map(({ version_id }) => version_id).sort()).toEqual(
      [version.id, version.id, old.id].sort(),
    );
  });

  it('counts a network once, and no crawler', async () => {
    for (let i = 0; i < 5; i++) expect((await count({ ip: '2001:db8::1' })).status).toBe(204);
    await count({ headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } });
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    { ip: 'nowhere' },
    { url: 'nonsense' },
    { project_id: 'not an id' },
    { version_name: '2.0' },
    { project_id: 'AABBCCDD' },
    { url: 'https://cdn.example/x?mr_loader=nonsense' },
    { url: 'https://cdn.example/x?mr_game_version=0.0.0' },
    { headers: { 'modrinth-download-meta': '{' } },
    { headers: { 'modrinth-download-meta': '{"reason":"fun"}' } },
  ])('refuses %o', async (wrong) => {
    expect((await count(wrong)).status).toBe(400);
    expect(await rows()).toEqual([]);
  });

  it('needs the key', async () => {
    expect((await count({}, {})).status).toBe(401);
    expect((await count({}, { 'modrinth-admin': `${key}x` })).status).toBe(401);
    expect((await count({}, { 'modrinth-admin': key }, closed)).status).toBe(404);
    expect(await rows()).toEqual([]);
  });
});
