import { beforeEach, describe, expect, it } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { allOf, type Kind, kinds, type Stage, stage, statusesOf } from '../../testing/projects.ts';

const database = testDatabase();
const api = testApi(database);

let project: Stage['project'];
let as: Stage['as'];
const get = async (path: string, kind: Kind = 'visitor') =>
  (await (await api.call('GET', path, as(kind))).json()) as Record<string, unknown>;
const patch = async (json: unknown, kind: Kind = 'editor') =>
  await api.call('PATCH', `/v3/project/${project.id}`, { ...as(kind), json });

beforeEach(async () => {
  ({ project, as } = await stage(database));
});

describe('a project in v3', () => {
  it('has the names of v3 and none of v2', async () => {
    await build.version(database.sql, project, {
      loaders: ['mrpack'],
      mrpack_loaders: ['quilt'],
      environment: 'client_only',
    });
    await database.sql`
      update projects set archived = true, issues_url = 'https://example.test/i', store_url = 'https://example.test/s',
        donation_urls = '[{"id": "github", "platform": "Github", "url": "https://example.test/g"}]' where id = ${project.id}`;
    await database.sql`insert into gallery ${database.sql({ project_id: project.id, key: 'k.webp', raw_key: 'k.png', title: 'Night' })}`;
    const v2 = await get(`/v2/project/${project.id}`);
    const v3 = await get(`/v3/project/${project.slug}`);
    expect(v3).toMatchObject({
      id: project.id,
      name: v2.title,
      summary: v2.description,
      description: v2.body,
      team_id: v2.team,
      status: 'approved',
      project_types: ['modpack'],
      games: ['minecraft-java'],
      loaders: ['mrpack'],
      mrpack_loaders: ['quilt'],
      environment: ['client_only'],
      game_versions: ['1.20.1'],
      link_urls: {
        issues: { platform: 'issues', donation: false, url: 'https://example.test/i' },
        store: { platform: 'store', donation: false, url: 'https://example.test/s' },
        github: { platform: 'github', donation: true, url: 'https://example.test/g' },
      },
      minecraft_server: null,
      versions: v2.versions,
    });
    expect(v2.status).toBe('archived');
    expect(v3.gallery).toMatchObject([{ name: 'Night', featured: false }]);
    const removed = [
      'title',
      'body',
      'body_url',
      'team',
      'project_type',
      'client_side',
      'server_side',
      'issues_url',
      'donation_urls',
    ];
    expect(removed.filter((key) => key in v3)).toEqual([]);
  });

  it('leaves out fields that no version has', async () => {
    const v3 = await get(`/v3/project/${project.id}`);
    expect(['game_versions', 'environment', 'mrpack_loaders'].filter((key) => key in v3)).toEqual([]);
    expect(v3.loaders).toEqual([]);
  });

  it('is hidden, counted and checked as in v2', async () => {
    await database.sql`update projects set status = 'draft' where id = ${project.id}`;
    const outside: Kind[] = ['visitor', 'broken token', 'stranger', 'owner without the scope'];
    const requested = { ...allOf(200), ...allOf(404, outside) };
    expect(await statusesOf((kind) => api.call('GET', `/v3/project/${project.id}`, as(kind)))).toEqual(
      requested,
    );
    const missing = await api.call('GET', `/v3/project/${project.id}`);
    expect(await missing.json()).toMatchObject({ error: 'not_found', description: expect.any(String) });
    for (const kind of kinds) {
      const many = await get(`/v3/projects?ids=["${project.id}"]`, kind);
      expect(many, kind).toHaveLength(outside.includes(kind) ? 0 : 1);
    }
    expect(await get(`/v3/project/${project.slug}/check`)).toEqual({ id: null });
  });
});

describe('editing a project in v3', () => {
  it('needs the same permissions as in v2', async () => {
    const staff: Kind[] = ['moderator', 'admin'];
    const table: Array<[object, Kind[]]> = [
      [{ name: 'Another' }, ['editor', 'organization editor', ...staff]],
      [{ description: 'Text' }, ['writer', ...staff]],
      [{ environment: 'client_only' }, ['uploader', ...staff]],
      [{ status: 'withheld' }, staff],
    ];
    for (const [json, allowed] of table) {
      const requested = { ...allOf(401), ...allOf(204, allowed) };
      expect(await statusesOf((kind) => patch(json, kind)), JSON.stringify(json)).toEqual(requested);
    }
  });

  it('uses v3 names, so `description` is the long text', async () => {
    await build.version(database.sql, project);
    const json = {
      name: 'New name',
      summary: 'New summary',
      description: '*Long*',
      link_urls: { wiki: 'https://example.test/w', 'ko-fi': 'https://example.test/k' },
      environment: 'server_only',
    };
    expect((await patch(json, 'admin')).status).toBe(204);
    expect(await get(`/v2/project/${project.id}`)).toMatchObject({
      title: 'New name',
      description: 'New summary',
      body: '*Long*',
      wiki_url: 'https://example.test/w',
      donation_urls: [{ id: 'ko-fi', platform: 'Ko-fi', url: 'https://example.test/k' }],
      environment: ['server_only'],
    });
    expect((await patch({ title: 'Not a name here', link_urls: { wiki: null } })).status).toBe(204);
    expect(await get(`/v3/project/${project.id}`)).toMatchObject({
      name: 'New name',
      link_urls: { 'ko-fi': { donation: true } },
    });
    expect((await get(`/v3/project/${project.id}`)).link_urls as object).not.toHaveProperty('wiki');
  });

  it('earns by choice of its members, unless moderators exclude it', async () => {
    const status = async () => (await get(`/v3/project/${project.id}`)).monetization_status;
    const set = async (monetization_status: string, kind: Kind) =>
      (await patch({ monetization_status }, kind)).status;
    expect([await set('demonetized', 'editor'), await status()]).toEqual([204, 'demonetized']);
    expect([await set('force-demonetized', 'editor'), await status()]).toEqual([401, 'demonetized']);
    expect([await set('force-demonetized', 'moderator'), await status()]).toEqual([204, 'force-demonetized']);
    expect([await set('monetized', 'editor'), await status()]).toEqual([401, 'force-demonetized']);
    expect([await set('monetized', 'moderator'), await status()]).toEqual([204, 'monetized']);
    expect((await patch({ monetization_status: 'sometimes' })).status).toBe(400);
  });

  it('keeps the archived disclosure when the status changes', async () => {
    expect((await patch({ status: 'archived' })).status).toBe(204);
    expect((await patch({ status: 'approved' })).status).toBe(204);
    expect((await get(`/v2/project/${project.id}`)).status).toBe('archived');
  });

  it.each<[string, unknown]>([
    ['an unknown link platform', { link_urls: { pigeon: 'https://example.test' } }],
    ['a plain http link', { link_urls: { wiki: 'http://example.test' } }],
    ['a short name', { name: 'ab' }],
    ['an unknown environment', { environment: 'moon' }],
    ['no object', 'text'],
  ])('%s is refused', async (_what, json) => {
    const answer = await patch(json, 'admin');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'request_error', description: expect.any(String) });
  });
});
