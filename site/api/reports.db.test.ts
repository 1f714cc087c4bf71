import { beforeEach, describe, expect, it } from 'vitest';
import { removeProject } from '#db/catalogue/projects/remove.ts';
import { reports_per_day } from '#db/moderation/reports/rules.ts';
import { eventsAfter } from '#db/platform/events/read.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const kinds = ['visitor', 'no scope', 'stranger', 'reporter', 'moderator', 'admin'] as const;
type Kind = (typeof kinds)[number];

let reporter: build.BuiltUser;
let moderator: build.BuiltUser;
let project: build.BuiltProject;
let version: build.BuiltVersion;
let tokens: Record<Kind, string | undefined>;
beforeEach(async () => {
  const { sql } = database;
  reporter = await build.user(sql);
  moderator = await build.user(sql, { role: 'moderator' });
  project = await build.project(sql);
  version = await build.version(sql, project);
  const without = unrestrictedScopes.filter((scope) => !scope.startsWith('REPORT_'));
  tokens = {
    visitor: undefined,
    'no scope': await build.token(sql, reporter, without),
    stranger: await build.token(sql, await build.user(sql)),
    reporter: await build.token(sql, reporter),
    moderator: await build.token(sql, moderator),
    admin: await build.token(sql, await build.user(sql, { role: 'admin' })),
  };
});

interface Report {
  id: string;
  thread_id: string;
  closed: boolean;
  body: string;
}
const as = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });
const report = (given: object = {}) => ({
  report_type: 'spam',
  item_type: 'project',
  item_id: project.id,
  body: 'Look at this',
  ...given,
});
const send = (kind: Kind, given: object = {}) =>
  api.call('POST', '/v2/report', { ...as(kind), json: report(given) });
const made = async (given: object = {}) => (await (await send('reporter', given)).json()) as Report;
const patch = (kind: Kind, id: string, json: unknown) =>
  api.call('PATCH', `/v3/report/${id}`, { ...as(kind), json });
const read = async (path: string, kind: Kind = 'reporter') =>
  (await (await api.call('GET', path, as(kind))).json()) as Report[];
async function statusesOf(call: (kind: Kind) => Promise<Response>) {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) found[kind] = (await call(kind)).status;
  return found;
}
const messagesOf = async (id: string, kind: Kind = 'reporter') => {
  const thread = (await (await api.call('GET', `/v3/thread/${id}`, as(kind))).json()) as {
    messages: Array<{ author_id: string | null; body: object }>;
  };
  return thread.messages.map(({ author_id, body }) => [author_id, body]);
};
const rows = async () =>
  (await database.sql`select (select count(*) from reports) as r, (select count(*) from threads) as t`)[0];

describe('creating a report', () => {
  it('of a project, a version or a user opens a thread', async () => {
    for (const [item_type, item_id] of [
      ['project', project.id],
      ['version', version.id],
      ['user', project.owner.id],
    ] as const) {
      const answer = await send('reporter', { item_type, item_id });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        ...report({ item_type, item_id }),
        id: expect.any(String),
        reporter: reporter.id,
        created: expect.any(String),
        closed: false,
        thread_id: expect.any(String),
      });
    }
    const events = await eventsAfter(database.sql, { xact: '0', id: 0 }, 10_000);
    expect(
      events.filter(({ name, actor_id }) => name === 'report.created' && actor_id === reporter.id),
    ).toHaveLength(3);
  });

  it('is refused while one about the same is open, even when two arrive at once', async () => {
    const answers = await Promise.all([send('reporter'), send('reporter')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await (await send('reporter')).json()).toMatchObject({ details: { code: 'report_open' } });
    expect((await send('stranger')).status).toBe(200);
    await database.sql`update reports set closed = true`;
    expect((await send('reporter')).status).toBe(200);
  });

  it('is refused after twenty of one person within a day', async () => {
    const { sql } = database;
    for (let count = 0; count < reports_per_day; count++) {
      expect((await send('reporter')).status).toBe(200);
      await sql`update reports set closed = true`;
    }
    const answer = await send('reporter');
    expect([answer.status, await answer.json()]).toMatchObject([
      429,
      { details: { code: 'too_many_reports' } },
    ]);
    await sql`update reports set created = created - interval '1 day'`;
    expect((await send('reporter')).status).toBe(200);
  });

  it('needs a scope', async () => {
    expect(await statusesOf((kind) => send(kind))).toEqual({
      ...{ visitor: 401, 'no scope': 401 },
      ...{ stranger: 200, reporter: 200, moderator: 200, admin: 200 },
    });
  });

  it('refuses what does not exist or is hidden, and changes nothing', async () => {
    const hidden = await build.project(database.sql, { status: 'draft' });
    const inside = await build.version(database.sql, hidden);
    const draft = await build.version(database.sql, project, { status: 'draft' });
    const taken = await build.image(database.sql, reporter, { context: 'thread_message' });
    const before = await rows();
    for (const wrong of [
      { report_type: 'boring' },
      { item_type: 'shared-instance' },
      { item_type: 'unknown' },
      { item_id: project.slug },
      { item_id: 'Nothing1' },
      { item_id: version.id },
      { item_id: hidden.id },
      { item_type: 'version', item_id: inside.id },
      { item_type: 'version', item_id: draft.id },
      { item_type: 'user', item_id: project.id },
      { body: '' },
      { body: ' ' },
      { body: 'a\0' },
      { body: 'a'.repeat(65_537) },
      { body: 1 },
      { uploaded_images: ['Nothing1'] },
      { uploaded_images: [taken.id] },
    ])
      expect([wrong, (await send('reporter', wrong)).status]).toEqual([wrong, 400]);
    expect(await rows()).toEqual(before);
  });
});

describe('reading reports', () => {
  it('is for the reporter and staff', async () => {
    const { id } = await made();
    expect(await statusesOf((kind) => api.call('GET', `/v2/report/${id}`, as(kind)))).toEqual({
      ...{ visitor: 401, 'no scope': 401, stranger: 404 },
      ...{ reporter: 200, moderator: 200, admin: 200 },
    });
    for (const kind of ['stranger', 'reporter', 'moderator'] as const)
      expect(await read(`/v3/reports?ids=["${id}","Nothing1"]`, kind)).toHaveLength(
        kind === 'stranger' ? 0 : 1,
      );
    expect((await api.call('GET', '/v3/report/Nothing1', as('moderator'))).status).toBe(404);
    expect((await api.call('GET', '/v3/report/$', as('moderator'))).status).toBe(400);
  });

  it('lists open ones, of everyone for moderators who ask', async () => {
    const mine = await made();
    const closed = await made();
    const other = (await (await send('stranger')).json()) as Report;
    await patch('moderator', closed.id, { closed: true });
    const idsOf = async (path: string, kind: Kind) => (await read(path, kind)).map(({ id }) => id);
    expect(await idsOf('/v2/report', 'reporter')).toEqual([mine.id]);
    expect(await idsOf('/v2/report?all=true', 'reporter')).toEqual([mine.id]);
    expect(await idsOf('/v2/report?count=0', 'reporter')).toEqual([]);
    expect(await idsOf('/v2/report', 'moderator')).toEqual([]);
    expect(await idsOf('/v2/report?all=true&count=65535', 'moderator')).toEqual(
      expect.arrayContaining([mine.id, other.id]),
    );
    expect(await idsOf('/v2/report?all=true&count=65535', 'moderator')).not.toContain(closed.id);
    for (const wrong of ['count=-1', 'count=x', 'count=65536', 'all=maybe'])
      expect((await api.call('GET', `/v2/report?${wrong}`, as('reporter'))).status).toBe(400);
  });

  it('keeps the text and loses the item when that is deleted', async () => {
    const { id } = await made();
    await database.sql.begin((tx) =>
      removeProject(tx, build.actorFor(project.owner), project.id, new Date()),
    );
    expect((await read(`/v3/reports?ids=["${id}"]`))[0]).toMatchObject({
      item_type: 'unknown',
      item_id: '',
      body: 'Look at this',
    });
  });
});

describe('changing a report', () => {
  it('its text is for the reporter and moderators', async () => {
    const { id } = await made();
    expect(await statusesOf((kind) => patch(kind, id, { body: `by ${kind}` }))).toEqual({
      ...{ visitor: 401, 'no scope': 401, stranger: 404 },
      ...{ reporter: 204, moderator: 204, admin: 204 },
    });
    expect((await read(`/v3/reports?ids=["${id}"]`))[0]!.body).toBe('by admin');
    for (const wrong of [{ body: '' }, { body: 'a'.repeat(65_537) }, { closed: 'yes' }])
      expect((await patch('reporter', id, wrong)).status).toBe(400);
  });

  it('its state is for moderators, and the thread tells it', async () => {
    const { id, thread_id } = await made();
    const say = (kind: Kind, body: string) =>
      api.call('POST', `/v3/thread/${thread_id}`, { ...as(kind), json: { body: { type: 'text', body } } });
    expect((await patch('reporter', id, { closed: true })).status).toBe(400);
    expect((await patch('moderator', id, { closed: false })).status).toBe(204);
    expect((await patch('moderator', id, { closed: true })).status).toBe(204);
    expect((await patch('moderator', id, { closed: true })).status).toBe(204);
    expect((await say('reporter', 'but')).status).toBe(400);
    expect((await say('moderator', 'done')).status).toBe(204);
    expect((await patch('admin', id, { closed: false })).status).toBe(204);
    expect((await say('reporter', 'thanks')).status).toBe(204);
    const done = { type: 'text', private: false, replying_to: null, associated_images: [] };
    expect(await messagesOf(thread_id)).toEqual([
      [null, { type: 'thread_closure' }],
      [null, { ...done, body: 'done' }],
      [null, { type: 'thread_reopen' }],
      [reporter.id, { ...done, body: 'thanks' }],
    ]);
    const notes =
      await database.sql`select type, body from notifications where user_id = ${reporter.id} and on_site`;
    expect(notes).toMatchObject([{ type: 'moderator_message', body: { report_id: id, project_id: null } }]);
  });

  it('drops images that leave its text', async () => {
    const [stays, leaves] = [
      await build.image(database.sql, reporter, { context: 'report' }),
      await build.image(database.sql, reporter, { context: 'report' }),
    ];
    const body = `/${stays.key} /${leaves.key}`;
    const { id } = await made({ body, uploaded_images: [stays.id, leaves.id] });
    const used = async () =>
      (await database.sql`select id from images where report_id = ${id}`)
        .map((row) => row.id as string)
        .sort();
    expect(await used()).toEqual([stays.id, leaves.id].sort());
    await patch('reporter', id, { body: `/${stays.key}` });
    expect(await used()).toEqual([stays.id]);
  });
});

it('is deleted by moderators, with its thread and images', async () => {
  const image = await build.image(database.sql, reporter, { context: 'report' });
  const { id, thread_id } = await made({ uploaded_images: [image.id] });
  const shown = await build.image(database.sql, reporter, { context: 'thread_message' });
  await api.call('POST', `/v2/thread/${thread_id}`, {
    ...as('reporter'),
    json: { type: 'text', body: 'see', associated_images: [shown.id] },
  });
  expect(await statusesOf((kind) => api.call('DELETE', `/v2/report/${id}`, as(kind)))).toEqual({
    ...{ visitor: 401, 'no scope': 401, stranger: 404, reporter: 401 },
    ...{ moderator: 204, admin: 404 },
  });
  const { sql } = database;
  expect(await sql`select 1 from threads where id = ${thread_id}`).toHaveLength(0);
  expect(await sql`select 1 from images where id in (${image.id}, ${shown.id})`).toHaveLength(0);
});
