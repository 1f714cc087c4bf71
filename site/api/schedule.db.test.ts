import { beforeEach, describe, expect, it } from 'vitest';
import { releaseDue } from '#db/catalogue/publishing/release.ts';
import { eventsAfter, latestCursor } from '#db/platform/events/read.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { allOf, type Stage, stage, statusesOf } from '../testing/projects.ts';

const database = testDatabase();
const api = testApi(database);
let project: Stage['project'];
let as: Stage['as'];
let version: build.BuiltVersion;
beforeEach(async () => {
  await database.sql`update projects set status = 'draft' where status = 'scheduled'`;
  await database.sql`update versions set status = 'draft' where status = 'scheduled'`;
  ({ project, as } = await stage(database));
  version = await build.version(database.sql, project);
});

// with milliseconds that do not end with 0, which Postgres leaves out
const soon = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_123);
const later = new Date(soon.getTime() + 1);
const body = (given: object = {}) => ({ time: soon.toISOString(), requested_status: 'approved', ...given });
const schedule = async (what: 'project' | 'version', json: unknown, caller = as('editor')) =>
  await api.call('POST', `/v2/${what}/${what === 'project' ? project.slug : version.id}/schedule`, {
    ...caller,
    json,
  });
const row = async () =>
  (
    await database.sql`
  select status, requested_status, scheduled_for, approved from projects where id = ${project.id}`
  )[0]!;

describe('scheduling a project', () => {
  it('hides it until its time, then releases it once', async () => {
    const before = await row();
    expect((await schedule('project', body())).status).toBe(204);
    expect((await api.call('GET', `/v2/project/${project.id}`)).status).toBe(404);
    expect(await row()).toMatchObject({ status: 'scheduled', requested_status: 'approved' });
    expect(await releaseDue(database.sql, new Date())).toBe(0);
    const cursor = await latestCursor(database.sql);
    const released = await Promise.all([releaseDue(database.sql, later), releaseDue(database.sql, later)]);
    expect(released.toSorted()).toEqual([0, 1]);
    expect(await row()).toMatchObject({ status: 'approved', scheduled_for: null, approved: before.approved });
    expect((await api.call('GET', `/v2/project/${project.id}`)).status).toBe(200);
    expect(await eventsAfter(database.sql, cursor)).toMatchObject([
      { name: 'project.moved', actor_id: null, data: { from: 'scheduled', to: 'approved' } },
    ]);
    const messages = await database.sql`
      select m.body from thread_messages m join projects p on p.thread_id = m.thread_id
      where p.id = ${project.id} order by m.created`;
    expect(messages.map((message) => message.body)).toEqual([
      { old_status: 'approved', new_status: 'scheduled' },
      { old_status: 'scheduled', new_status: 'approved' },
    ]);
  });

  it('gets another time, and no time once it leaves that status', async () => {
    await schedule('project', body());
    const next = new Date(soon.getTime() + 86_400_000).toISOString();
    expect((await schedule('project', body({ time: next, requested_status: 'unlisted' }))).status).toBe(204);
    expect(await releaseDue(database.sql, later)).toBe(0);
    expect(await row()).toMatchObject({ requested_status: 'unlisted', scheduled_for: next });
    await api.call('PATCH', `/v2/project/${project.id}`, { ...as('editor'), json: { status: 'processing' } });
    expect(await row()).toMatchObject({ status: 'processing', scheduled_for: null });
    expect(await releaseDue(database.sql, new Date(next))).toBe(0);
  });

  it('needs EDIT_DETAILS', async () => {
    const found = await statusesOf((kind) => schedule('project', body(), as(kind)));
    expect(found).toEqual({
      ...allOf(401),
      ...allOf(204, ['editor', 'organization editor', 'moderator', 'admin']),
    });
  });

  it.each<[string, object]>([
    ['a time in the past', { time: '2020-01-01T00:00:00Z' }],
    ['no time', { time: undefined }],
    ['a time that is none', { time: 'tomorrow' }],
    ['a number', { time: 1 }],
    ['a status that nobody may request', { requested_status: 'rejected' }],
    ['archived', { requested_status: 'archived' }],
    ['no status', { requested_status: null }],
  ])('refuses %s', async (_what, given) => {
    const before = await row();
    expect((await schedule('project', body(given))).status).toBe(400);
    expect(await row()).toEqual(before);
  });

  it.each(['draft', 'processing', 'rejected', 'withheld'])('refuses a project that is %s', async (status) => {
    await database.sql`update projects set status = ${status} where id = ${project.id}`;
    const answer = await schedule('project', body());
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: { code: 'schedule_unapproved' } },
    ]);
  });

  it('that does not exist is 404', async () => {
    const answer = await api.call('POST', '/v2/project/unknown-one/schedule', {
      ...as('admin'),
      json: body(),
    });
    expect(answer.status).toBe(404);
  });
});

describe('scheduling a version', () => {
  const uploaded = (json: object) => schedule('version', json, as('uploader'));

  it('hides it until its time and dates it by its release', async () => {
    expect((await uploaded(body({ requested_status: 'listed' }))).status).toBe(204);
    const shown = async () =>
      (await (await api.call('GET', `/v2/project/${project.id}`)).json()) as Record<string, unknown>;
    expect(await shown()).toMatchObject({ versions: [], loaders: [] });
    expect((await api.call('GET', `/v2/version/${version.id}`)).status).toBe(404);
    const cursor = await latestCursor(database.sql);
    expect(await releaseDue(database.sql, later)).toBe(1);
    expect(await shown()).toMatchObject({
      versions: [version.id],
      loaders: ['fabric'],
      updated: soon.toISOString(),
    });
    expect(await (await api.call('GET', `/v2/version/${version.id}`)).json()).toMatchObject({
      status: 'listed',
      requested_status: null,
      date_published: soon.toISOString(),
    });
    expect(await eventsAfter(database.sql, cursor)).toMatchObject([
      { name: 'version.published', version_id: version.id, data: { status: 'listed' } },
    ]);
  });

  it('takes approved for listed, as the public document says', async () => {
    expect((await uploaded(body())).status).toBe(204);
    await releaseDue(database.sql, later);
    const [stored] = await database.sql`select status from versions where id = ${version.id}`;
    expect(stored!.status).toBe('listed');
  });

  it('needs UPLOAD_VERSION', async () => {
    const found = await statusesOf((kind) => schedule('version', body(), as(kind)));
    const allowed = ['uploader', 'moderator', 'admin', 'owner without the scope'] as const;
    expect(found).toEqual({ ...allOf(401), ...allOf(204, allowed) });
  });

  it.each([
    { time: '2020-01-01T00:00:00Z' },
    { requested_status: 'scheduled' },
    { requested_status: 'private' },
  ])('refuses %j', async (given) => {
    expect((await uploaded(body(given))).status).toBe(400);
    expect((await api.call('GET', `/v2/version/${version.id}`)).status).toBe(200);
  });

  it('that does not exist is 404', async () => {
    const answer = await api.call('POST', '/v2/version/1nobody1/schedule', { ...as('admin'), json: body() });
    expect(answer.status).toBe(404);
  });
});

it('what fails does not hold up the others', async () => {
  const other = await build.version(database.sql, project);
  await schedule('version', body(), as('uploader'));
  await database.sql`
    update versions set status = 'scheduled', scheduled_for = ${new Date()}, requested_status = 'nonsense'
    where id = ${other.id}`;
  await expect(releaseDue(database.sql, later)).rejects.toThrow();
  const statusOf = async ({ id }: { id: string }) =>
    (await database.sql`select status from versions where id = ${id}`)[0]!.status;
  expect([await statusOf(version), await statusOf(other)]).toEqual(['listed', 'scheduled']);
  await database.sql`update versions set requested_status = 'unlisted' where id = ${other.id}`;
  expect(await releaseDue(database.sql, later)).toBe(1);
  expect(await statusOf(other)).toBe('unlisted');
});
