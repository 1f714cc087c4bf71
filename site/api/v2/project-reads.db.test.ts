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

describe('reading a hidden project', () => {
  const outside = { visitor: 404, 'broken token': 404, stranger: 404, 'owner without the scope': 404 };
  beforeEach(async () => await made({ status: 'draft' }));

  it.each(['', '/members', '/dependencies'])('%s is for members and moderators', async (path) => {
    const answer = (kind: Kind) => api.call('GET', `/v2/project/${project.slug}${path}`, as(kind));
    expect(await statusesOf(answer)).toEqual({ ...allOf(200), ...outside });
    expect(await (await answer('visitor')).text()).toBe('');
  });

  it('answers 451 under legal hold', async () => {
    await database.sql`insert into takedowns ${database.sql({ id: project.id, project_id: project.id, project_title: 'Held', kind: 'order', reason: 'Order 7', status_before: 'approved', placed: new Date() })}`;
    for (const path of [`/v2/project/${project.slug}`, `/v3/project/${project.id}`]) {
      const answer = await api.call('GET', path);
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
        451,
        'unavailable_for_legal_reasons',
      ]);
    }
  });

  it('is left out of bulk reads', async () => {
    for (const kind of kinds) {
      const ids = encodeURIComponent(JSON.stringify([project.id, 'unknown-slug', project.slug]));
      const answer = await api.call('GET', `/v2/projects?ids=${ids}`, as(kind));
      expect(await answer.json(), kind).toHaveLength(kind in outside ? 0 : 1);
    }
  });

  it('keeps its slug in use, but its id is told by check to those inside only', async () => {
    for (const kind of kinds) {
      const answer = await api.call('GET', `/v2/project/${project.slug}/check`, as(kind));
      expect(await answer.json(), kind).toEqual({ id: kind in outside ? null : project.id });
      const by_id = await api.call('GET', `/v2/project/${project.id}/check`, as(kind));
      expect(by_id.status, kind).toBe(kind in outside ? 404 : 200);
    }
    await database.sql`
      insert into kept_names (kind, name, owner_id) values ('project', kept_name('project', 'kept-lib'), null)`;
    expect(await (await api.call('GET', '/v2/project/kept-lib/check')).json()).toEqual({ id: null });
    expect((await api.call('GET', '/v2/project/unknown-slug/check')).status).toBe(404);
  });

  it('hides its team from non-members', async () => {
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

  it('lists its dependencies, newest first, without hidden ones', async () => {
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

  it('picks random public ones', async () => {
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
  ])('%s is refused with a description', async (path) => {
    const answer = await api.call('GET', path);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'request_error', description: expect.any(String) });
  });

  it('accepts eight hundred ids', async () => {
    await made();
    const ids = [...Array.from({ length: 799 }, (_, position) => `Unknown${position}`), project.id];
    const answer = await api.call('GET', `/v2/projects?ids=${JSON.stringify(ids)}`);
    expect(await answer.json()).toMatchObject([{ id: project.id }]);
  });
});
