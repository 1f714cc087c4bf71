import { beforeEach, expect, it } from 'vitest';
import { postMessage } from '../../messages/threads/post.ts';
import { markRead } from '../../messages/threads/write.ts';
import {
  actorFor,
  type BuiltProject,
  type BuiltUser,
  project,
  user,
  version,
} from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { listReports, type ReportQuery, reports_per_page, reportsAboutSame } from './staff-list.ts';
import { createReport, decideReport, editReport } from './write.ts';

const database = testDatabase();
const usual: ReportQuery = { view: 'all', order: 'oldest', text: '', page: 1 };
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute));
let [reporter, moderator, target]: [BuiltUser, BuiltUser, BuiltProject] = [] as never;
beforeEach(async () => {
  const { sql } = database;
  await sql`delete from reports`;
  [reporter, moderator] = [await user(sql), await user(sql, { role: 'moderator' })];
  target = await project(sql);
});
const staff = () => actorFor(moderator, { role: 'moderator' });
const made = async (minute: number, given: object = {}) =>
  await database.sql.begin((tx) =>
    createReport(
      tx,
      actorFor(reporter),
      { report_type: 'spam', item_type: 'project', item_id: target.id, body: 'Look', ...given } as never,
      at(minute),
    ),
  );
const threadOf = async (id: string) =>
  (await database.sql<[{ thread_id: string }]>`select thread_id from reports where id = ${id}`)[0].thread_id;
const say = async (id: string, who: BuiltUser, minute: number, more: object = {}) =>
  await postMessage(
    database.sql,
    actorFor(who, { role: who === moderator ? 'moderator' : 'developer' }),
    await threadOf(id),
    { type: 'text', body: 'Words', ...more },
    at(minute),
  );
const ids = async (query: Partial<ReportQuery>) =>
  (await listReports(database, moderator.id, { ...usual, ...query })).reports.map(({ id }) => id);

it('is unread until a moderator has the last public word; closed ones stand apart', async () => {
  const first = await made(0);
  const second = await made(1, { item_type: 'user', item_id: target.owner.id });
  expect(await ids({ view: 'unread' })).toEqual([first, second]);
  expect(await ids({ view: 'unread', order: 'newest' })).toEqual([second, first]);
  await say(first, moderator, 2, { private: true });
  expect(await ids({ view: 'read' })).toEqual([]);
  await say(first, moderator, 3);
  expect([await ids({ view: 'read' }), await ids({ view: 'unread' })]).toEqual([[first], [second]]);
  await say(first, reporter, 4);
  expect(await ids({ view: 'unread' })).toEqual([first, second]);
  await editReport(database.sql, staff(), first, { closed: true }, at(5));
  expect([await ids({}), await ids({ view: 'closed' })]).toEqual([[second], [first]]);
});

it('marks what the viewer has not read, each moderator for themselves', async () => {
  const id = await made(0);
  const { sql } = database;
  const isNew = async (who: BuiltUser) => (await listReports(database, who.id, usual)).reports[0]!.is_new;
  const other = await user(sql, { role: 'moderator' });
  await markRead(sql, { user_id: moderator.id }, await threadOf(id), at(1));
  expect([await isNew(moderator), await isNew(other)]).toEqual([false, true]);
  await say(id, reporter, 2);
  expect(await isNew(moderator)).toBe(true);
});

it('is found by text, ids and names, and by its own id in every view', async () => {
  const { sql } = database;
  const made_version = await version(sql, target, {});
  const one = await made(0, { body: 'It says 100%_sure' });
  const two = await made(1, { item_type: 'version', item_id: made_version.id });
  for (const text of ['100%_SURE', '%_']) expect(await ids({ text })).toEqual([one]);
  for (const text of [target.slug, target.id, reporter.username])
    expect(await ids({ text })).toEqual([one, two]);
  expect(await ids({ text: made_version.id })).toEqual([two]);
  expect(await ids({ text: one, view: 'closed' })).toEqual([one]);
  for (const text of ['nothing like it', '\\', "'; drop"]) expect(await ids({ text })).toEqual([]);
});

it('has pages of fifteen in one query, and keeps reports whose item is gone', async () => {
  const { sql } = database;
  for (let count = 0; count <= reports_per_page; count++) {
    const person = await user(sql);
    await sql.begin((tx) =>
      createReport(
        tx,
        actorFor(person),
        { report_type: 'spam', item_type: 'user', item_id: target.owner.id, body: `Number ${count}` },
        at(count),
      ),
    );
  }
  const gone = await user(sql);
  const lost = await made(30, { item_type: 'user', item_id: gone.id });
  await sql`delete from users where id = ${gone.id}`;
  const first = await listReports(database, moderator.id, usual);
  expect([first.reports.length, first.total]).toEqual([reports_per_page, reports_per_page + 2]);
  const { reports } = await listReports(database, moderator.id, { ...usual, page: 2 });
  expect(reports.at(-1)).toMatchObject({ id: lost, item_type: 'unknown', item_name: null, messages: 0 });
  const same = await reportsAboutSame(database, first.reports[0]!);
  expect(same).toHaveLength(10);
  expect(await reportsAboutSame(database, reports.at(-1)!)).toEqual([]);
});

it('that a closed report is decided otherwise is an event of its own', async () => {
  const id = await made(1);
  const decide = (outcome: 'accepted' | 'rejected') =>
    database.sql.begin((tx) => decideReport(tx, staff(), id, outcome, at(2)));
  const decisions = async () =>
    (
      await database.sql<
        Array<{ data: { to: string } }>
      >`select data from events where name = 'report.edited' and report_id = ${id} order by id`
    ).map(({ data }) => data.to);
  await decide('accepted');
  await decide('accepted');
  expect(await decisions()).toEqual(['closed']);
  await decide('rejected');
  expect(await decisions()).toEqual(['closed', 'decided']);
});
