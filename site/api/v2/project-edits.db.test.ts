import { beforeEach, describe, expect, it } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { allOf, type Kind, kinds, type Stage, stage, statusesOf } from '../../testing/projects.ts';

const database = testDatabase();
const api = testApi(database);

let project: Stage['project'];
let as: Stage['as'];
const made = async (given: build.GivenProject = {}) => {
  ({ project, as } = await stage(database, given));
};
const nobodies: Kind[] = ['visitor', 'broken token', 'owner without the scope', 'stranger', 'pending'];

describe('editing a project', () => {
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

  it('with an empty body is 204 for members and refused to others', async () => {
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

  it('renders the body and distinguishes null from absent', async () => {
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
    ['body with half a character', { body: 'abc\ud83e' }],
    [
      'donation address with half a character',
      { donation_urls: [{ id: 'other', url: 'https://example.test/\ud800' }] },
    ],
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

  it('accepts 256 characters, counted as graphemes', async () => {
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
