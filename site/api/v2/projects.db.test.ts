import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import * as build from '#db/seed/build.ts';
import { testDatabase } from '#db/test-database.ts';
import { testApi } from '../test-api.ts';
import { callers, type Kind, kinds } from './test-projects.ts';
import { onDisk } from './test-versions.ts';

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let tokens: Record<Kind, string | undefined>;

const made = async (given: build.GivenProject = {}) => {
  const organization = await build.organization(database.sql);
  project = await build.project(database.sql, given);
  await database.sql`update projects set organization = ${organization.id} where id = ${project.id}`;
  tokens = await callers(database.sql, project, organization);
};
const as = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });
const png = async () =>
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();

const nobodies: Kind[] = ['visitor', 'broken token', 'owner without the scope', 'stranger', 'pending'];
const statusesOf = async (call: (kind: Kind) => Promise<Response>) => {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) found[kind] = (await call(kind)).status;
  return found;
};
const allOf = (status: number) => Object.fromEntries(kinds.map((kind) => [kind, status]));

describe('reading a hidden project', () => {
  const outside = { visitor: 404, 'broken token': 404, stranger: 404, 'owner without the scope': 404 };
  beforeEach(async () => await made({ status: 'draft' }));

  it.each(['', '/members', '/dependencies'])('%s is for members and moderators', async (path) => {
    const answer = (kind: Kind) => api.call('GET', `/v2/project/${project.slug}${path}`, as(kind));
    expect(await statusesOf(answer)).toEqual({ ...allOf(200), ...outside });
    expect(await (await answer('visitor')).text()).toBe('');
  });

  it('leaves it out of many', async () => {
    for (const kind of kinds) {
      const ids = encodeURIComponent(JSON.stringify([project.id, 'unknown-slug', project.slug]));
      const answer = await api.call('GET', `/v2/projects?ids=${ids}`, as(kind));
      expect(await answer.json(), kind).toHaveLength(kind in outside ? 0 : 1);
    }
  });

  it('is answered by check, which says no more than the id', async () => {
    expect(
      await statusesOf((kind) => api.call('GET', `/v2/project/${project.slug}/check`, as(kind))),
    ).toEqual(allOf(200));
    expect(await (await api.call('GET', `/v2/project/${project.slug}/check`)).json()).toEqual({
      id: project.id,
    });
    expect((await api.call('GET', '/v2/project/unknown-slug/check')).status).toBe(404);
  });

  it('shows its team to nobody outside', async () => {
    for (const kind of kinds) {
      const one = (await (
        await api.call('GET', `/v2/team/${project.team}/members`, as(kind))
      ).json()) as unknown[];
      const many = (await (
        await api.call('GET', `/v2/teams?ids=["${project.team}","nowhere1"]`, as(kind))
      ).json()) as unknown[][];
      const inside = !(kind in outside);
      expect([one.length > 0, many.length], kind).toEqual([inside, inside ? 1 : 0]);
    }
  });
});

describe('reading a public project', () => {
  it('is open to everyone, whatever the token', async () => {
    await made();
    expect(await statusesOf((kind) => api.call('GET', `/v2/project/${project.id}`, as(kind)))).toEqual(
      allOf(200),
    );
  });

  it('names what it depends on, newest first, without what is hidden', async () => {
    await made();
    const library = await build.project(database.sql, { published: '2025-01-01T00:00:00Z' });
    const newer = await build.project(database.sql, { published: '2025-06-01T00:00:00Z' });
    const secret = await build.project(database.sql, { status: 'private' });
    const pinned = await build.version(database.sql, library);
    await build.version(database.sql, project, {
      dependencies: [
        { project_id: library.id, dependency_version_id: pinned.id },
        { project_id: newer.id },
        { project_id: secret.id },
        { file_name: 'loose.jar' },
      ],
    });
    const answer = await api.call('GET', `/v2/project/${project.slug}/dependencies`);
    const { projects, versions } = (await answer.json()) as Record<
      'projects' | 'versions',
      Array<{ id: string }>
    >;
    expect(projects.map(({ id }) => id)).toEqual([newer.id, library.id]);
    expect(versions.map(({ id }) => id)).toEqual([pinned.id]);
  });

  it('picks public ones by chance', async () => {
    await made();
    const answer = await api.call('GET', '/v2/projects_random?count=3');
    const found = (await answer.json()) as Array<{ status: string }>;
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ status }) => ['approved', 'archived'].includes(status))).toBe(true);
  });

  it.each([
    '/v2/projects',
    '/v2/projects?ids=nonsense',
    '/v2/projects?ids={}',
    '/v2/projects?ids=[1]',
    '/v2/projects_random',
    '/v2/projects_random?count=0',
    '/v2/projects_random?count=101',
    '/v2/projects_random?count=many',
    '/v2/team/no-id!/members',
    '/v2/teams?ids=["no id"]',
  ])('%s is refused with words', async (path) => {
    const answer = await api.call('GET', path);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'request_error', description: expect.any(String) });
  });

  it('understands eight hundred ids', async () => {
    await made();
    const ids = [...Array.from({ length: 799 }, (_, place) => `Unknown${place}`), project.id];
    const answer = await api.call('GET', `/v2/projects?ids=${JSON.stringify(ids)}`);
    expect(await answer.json()).toMatchObject([{ id: project.id }]);
  });
});

describe('changing a project', () => {
  const refused = (...allowed: Kind[]) => ({
    ...allOf(401),
    ...Object.fromEntries(allowed.map((kind) => [kind, 204])),
  });
  beforeEach(async () => await made());
  const staff = ['moderator', 'admin'] as const;

  it.each<[string, object, Kind[]]>([
    ['title', { title: 'Another one' }, ['editor', 'organization editor', ...staff]],
    ['links', { wiki_url: null }, ['editor', 'organization editor', ...staff]],
    ['status', { status: 'approved' }, ['editor', 'organization editor', ...staff]],
    ['body', { body: 'Another text' }, ['writer', ...staff]],
    ['sides', { client_side: 'optional' }, ['uploader', ...staff]],
    ['moderation_message', { moderation_message: 'Hello' }, [...staff]],
    ['monetization_status', { monetization_status: 'force-demonetized' }, [...staff]],
    ['status of staff', { status: 'withheld' }, [...staff]],
  ])('%s needs its right', async (_what, json, allowed) => {
    const before = await (await api.call('GET', `/v2/project/${project.id}`)).json();
    const people = kinds.filter((kind) => !allowed.includes(kind));
    for (const kind of people) {
      const answer = await api.call('PATCH', `/v2/project/${project.id}`, { ...as(kind), json });
      expect(answer.status, kind).toBe(401);
      expect(await answer.json()).toMatchObject({ error: 'auth_error', description: expect.any(String) });
    }
    expect(await (await api.call('GET', `/v2/project/${project.id}`)).json()).toEqual(before);
    const found = await statusesOf((kind) =>
      api.call('PATCH', `/v2/project/${project.id}`, { ...as(kind), json }),
    );
    expect(found).toEqual(refused(...allowed));
  });

  it('nothing is 204 for members and refused to others', async () => {
    const found = await statusesOf((kind) =>
      api.call('PATCH', `/v2/project/${project.id}`, { ...as(kind), json: {} }),
    );
    expect(found).toEqual({ ...allOf(204), ...Object.fromEntries(nobodies.map((kind) => [kind, 401])) });
  });

  it('that does not exist is 404', async () => {
    expect((await api.call('PATCH', '/v2/project/unknown-slug', { ...as('admin'), json: {} })).status).toBe(
      404,
    );
  });

  it('renders the body and keeps null and absent apart', async () => {
    const patch = async (json: unknown) =>
      (await api.call('PATCH', `/v2/project/${project.id}`, { ...as('admin'), json })).status;
    expect(
      await patch({
        body: '**Bold**',
        issues_url: 'https://example.test/i',
        source_url: 'https://example.test/s',
      }),
    ).toBe(204);
    expect(await patch({ issues_url: null, unknown_field: 1 })).toBe(204);
    const [row] =
      await database.sql`select body_html, issues_url, source_url from projects where id = ${project.id}`;
    expect(row).toMatchObject({ issues_url: null, source_url: 'https://example.test/s' });
    expect(row?.body_html).toContain('<strong>Bold</strong>');
  });

  it.each<[string, unknown]>([
    ['no object', []],
    ['title too short', { title: 'ab' }],
    ['title of spaces', { title: '      ' }],
    ['title of the wrong type', { title: 5 }],
    ['title with NUL', { title: 'abc\0def' }],
    ['description too long', { description: 'x'.repeat(257) }],
    ['body too long', { body: 'x'.repeat(65_537) }],
    ['too many categories', { categories: ['storage', 'utility', 'library', 'food'] }],
    ['plain http', { wiki_url: 'http://example.test' }],
    ['no address', { wiki_url: 'example' }],
    ['address too long', { wiki_url: `https://example.test/${'x'.repeat(2048)}` }],
    ['bad licence', { license_id: 'no such (' }],
    ['bad slug', { slug: 'has spaces' }],
    [
      'unknown donation platform',
      { donation_urls: [{ id: 'x', platform: 'y', url: 'https://example.test' }] },
    ],
    ['unknown status', { status: 'public' }],
    ['status that cannot be requested', { requested_status: 'rejected' }],
    ['unknown side', { client_side: 'maybe' }],
  ])('%s is refused and changes nothing', async (_what, json) => {
    const before = await (await api.call('GET', `/v2/project/${project.id}`)).json();
    const answer = await api.call('PATCH', `/v2/project/${project.id}`, { ...as('admin'), json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'request_error', description: expect.any(String) });
    expect(await (await api.call('GET', `/v2/project/${project.id}`)).json()).toEqual(before);
  });

  it('takes 256 characters counted as people count them', async () => {
    const json = { description: '🧱'.repeat(256) };
    expect((await api.call('PATCH', `/v2/project/${project.id}`, { ...as('admin'), json })).status).toBe(204);
  });

  it('to a taken slug is refused', async () => {
    const other = await build.project(database.sql);
    for (const slug of [other.slug.toUpperCase(), other.id.toLowerCase()]) {
      const answer = await api.call('PATCH', `/v2/project/${project.id}`, {
        ...as('editor'),
        json: { slug },
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ details: { code: 'project_slug_taken' } });
    }
  });

  it('is not possible from another site by cookie', async () => {
    const headers = {
      cookie: `auth-token=mra_${'x'.repeat(60)}`,
      origin: 'https://elsewhere.test',
      'sec-fetch-site': 'cross-site',
    };
    expect((await api.call('PATCH', `/v2/project/${project.id}`, { headers, json: {} })).status).toBe(401);
  });
});

describe('the icon', () => {
  beforeEach(async () => await made());
  const allowed: Kind[] = ['editor', 'organization editor', 'moderator', 'admin'];

  it('is set and removed by those who edit details', async () => {
    const body = new Uint8Array(await png());
    for (const [method, path] of [
      ['PATCH', 'icon?ext=png'],
      ['DELETE', 'icon'],
    ] as const) {
      const found = await statusesOf((kind) =>
        api.call(method, `/v2/project/${project.id}/${path}`, {
          ...as(kind),
          ...(method === 'PATCH' ? { body } : {}),
        }),
      );
      expect(found).toEqual({ ...allOf(401), ...Object.fromEntries(allowed.map((kind) => [kind, 204])) });
      const shown = (await (await api.call('GET', `/v2/project/${project.id}`)).json()) as {
        icon_url: string | null;
      };
      expect(shown.icon_url !== null).toBe(method === 'PATCH');
    }
  });

  it.each<[string, string, (() => Promise<Uint8Array>) | null]>([
    ['unknown extension', 'icon?ext=tiff', png],
    ['no extension', 'icon', png],
    ['no bytes', 'icon?ext=png', null],
    ['no picture', 'icon?ext=png', async () => Buffer.from('not a picture')],
    ['too many bytes', 'icon?ext=png', async () => Buffer.alloc(262_145)],
  ])('%s is refused and nothing is stored', async (_what, path, bytes) => {
    const before = await onDisk(api.services);
    const body = bytes ? new Uint8Array(await bytes()) : undefined;
    const answer = await api.call('PATCH', `/v2/project/${project.id}/${path}`, {
      ...as('editor'),
      ...(body ? { body } : {}),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ description: expect.any(String) });
    expect(await onDisk(api.services)).toEqual(before);
  });

  it('of a project that does not exist is 400', async () => {
    expect((await api.call('PATCH', '/v2/project/unknown-slug/icon?ext=png', as('admin'))).status).toBe(400);
    expect((await api.call('DELETE', '/v2/project/unknown-slug/icon', as('admin'))).status).toBe(400);
  });
});

describe('deleting a project', () => {
  it('needs DELETE_PROJECT', async () => {
    for (const kind of kinds) {
      await made();
      const answer = await api.call('DELETE', `/v2/project/${project.slug}`, as(kind));
      const allowed = kind === 'deleter' || kind === 'admin';
      expect(answer.status, kind).toBe(allowed ? 204 : 401);
      expect((await api.call('GET', `/v2/project/${project.id}`)).status).toBe(allowed ? 404 : 200);
    }
  });

  it('that does not exist is 401', async () => {
    await made();
    expect((await api.call('DELETE', '/v2/project/unknown-slug', as('admin'))).status).toBe(401);
  });

  it('takes its stored objects with it', async () => {
    await made();
    const body = new Uint8Array(await png());
    await api.call('PATCH', `/v2/project/${project.id}/icon?ext=png`, { ...as('editor'), body });
    expect((await onDisk(api.services)).some((key) => key.includes(project.id))).toBe(true);
    await api.call('DELETE', `/v2/project/${project.id}`, as('deleter'));
    expect((await onDisk(api.services)).some((key) => key.includes(project.id))).toBe(false);
  });
});
