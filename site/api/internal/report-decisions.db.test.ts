import { beforeEach, expect, test } from 'vitest';
import { createReport, editReport } from '#db/moderation/reports/write.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const callers = ['visitor', 'stranger', 'reporter', 'moderator', 'admin'] as const;
type Caller = (typeof callers)[number];
let people: Record<Exclude<Caller, 'visitor'>, build.BuiltUser>;
let report: { id: string; thread_id: string };
beforeEach(async () => {
  const { sql } = database;
  people = {
    stranger: await build.user(sql),
    reporter: await build.user(sql),
    moderator: await build.user(sql, { role: 'moderator' }),
    admin: await build.user(sql, { role: 'admin' }),
  };
  const project = await build.project(sql);
  const given = { report_type: 'spam', item_type: 'project', item_id: project.id, body: 'Look' } as const;
  const id = await sql.begin((tx) => createReport(tx, build.actorFor(people.reporter), given, new Date()));
  const [row] = await sql<[typeof report]>`select id, thread_id from reports where id = ${id}`;
  report = row;
});

async function send(caller: Caller, path: string, json: object): Promise<number> {
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  if (caller !== 'visitor') {
    const person = { user_id: people[caller].id, user_agent: null, now: new Date() };
    headers.cookie = `auth-token=${(await openSession(database.sql, person)).session}`;
  }
  return (await api.call('POST', `/_internal/${path}`, { headers, json })).status;
}
const isClosed = async () =>
  (await database.sql`select closed from reports where id = ${report.id}`)[0]!.closed;
const texts = async () =>
  await database.sql`select type, private from thread_messages where thread_id = ${report.thread_id} order by created, id`;

test.each<[Caller, number, boolean]>([
  ['visitor', 401, false],
  ['stranger', 404, false],
  ['reporter', 400, false],
  ['moderator', 200, true],
  ['admin', 200, true],
])('a %s closes a report: %i', async (caller, status, closed) => {
  expect(await send(caller, 'reports/state', { report: report.id, state: 'closed' })).toBe(status);
  expect(await isClosed()).toBe(closed);
});

test.each<[Caller, number]>([
  ['visitor', 401],
  ['stranger', 404],
  ['reporter', 400],
  ['moderator', 200],
  ['admin', 200],
])('a %s closes it with a reply: %i, both or neither', async (caller, status) => {
  const json = { thread: report.thread_id, reply: 'Done', decision: 'close' };
  expect(await send(caller, 'threads/reply', json)).toBe(status);
  expect(await isClosed()).toBe(status === 200);
  expect((await texts()).map(({ type }) => type)).toEqual(status === 200 ? ['text', 'thread_closure'] : []);
});

test('closed, it takes no word of the reporter until it is open again, and tells them both times', async () => {
  await send('moderator', 'reports/state', { report: report.id, state: 'closed' });
  const word = { thread: report.thread_id, reply: 'But…' };
  expect(await send('reporter', 'threads/reply', word)).toBe(400);
  await send('moderator', 'reports/state', { report: report.id, state: 'open' });
  expect(await send('reporter', 'threads/reply', word)).toBe(200);
  const news = await database.sql`
    select body from notifications where user_id = ${people.reporter.id} and type = 'report_status_updated'`;
  expect(news).toHaveLength(2);
});

test('the thread of a project closes no report', async () => {
  const project = await build.project(database.sql);
  const [{ thread_id }] = await database.sql<[{ thread_id: string }]>`
    select thread_id from projects where id = ${project.id}`;
  const json = { thread: thread_id, reply: 'Done', decision: 'close' };
  expect(await send('moderator', 'threads/reply', json)).toBe(404);
  expect(await database.sql`select 1 from thread_messages where thread_id = ${thread_id}`).toHaveLength(0);
});

test('a report that is gone is refused', async () => {
  expect(await send('moderator', 'reports/state', { report: 'Nothing1', state: 'closed' })).toBe(404);
});

test('a report is closed with a decision by staff only, and opening it again takes the decision back', async () => {
  const outcome = async () =>
    (await database.sql`select outcome from reports where id = ${report.id}`)[0]!.outcome;
  const decide = (caller: Caller, given: string) =>
    send(caller, 'reports/decide', { report: report.id, outcome: given });
  for (const caller of ['visitor', 'stranger', 'reporter'] as const) {
    expect(await decide(caller, 'accepted')).toBe(401);
    expect([await isClosed(), await outcome()]).toEqual([false, null]);
  }
  expect(await decide('moderator', 'never_heard_of')).toBe(400);
  expect(await decide('moderator', 'accepted')).toBe(200);
  expect([await isClosed(), await outcome()]).toEqual([true, 'accepted']);
  expect(await decide('admin', 'withheld')).toBe(200);
  expect(await outcome()).toBe('withheld');
  const actor = build.actorFor(people.moderator, { role: 'moderator' });
  await database.sql.begin((tx) => editReport(tx, actor, report.id, { closed: false }, new Date()));
  expect([await isClosed(), await outcome()]).toEqual([false, null]);
});
