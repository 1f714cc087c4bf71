import { expect, test } from 'vitest';
import { removeProject } from '../../catalogue/projects/remove.ts';
import type { Status } from '../../catalogue/projects/rules.ts';
import { lockOf } from '../../catalogue/review-locks/read.ts';
import { lock_ms } from '../../catalogue/review-locks/rules.ts';
import { acquireLock, releaseLock } from '../../catalogue/review-locks/write.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { changesSinceApproval } from './changes.ts';
import { type Decision, decide, undoDecision } from './decide.ts';
import { closeReview, openReview, reviewOf, saveReview } from './progress.ts';
import { nextWaiting } from './queue.ts';
import { leftInSession, nextInSession, skipProject, startSession } from './session.ts';
import { queueFilterShape } from './shape.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

const staff = async () =>
  build.actorFor(await build.user(database.sql, { role: 'moderator' }), { role: 'moderator' });
async function waiting(title = 'Stone') {
  const project = await build.project(database.sql, { status: 'processing', title });
  await build.version(database.sql, project);
  return project;
}
type Who = Awaited<ReturnType<typeof staff>>;
const open = (actor: Who, id: string, at = now) => database.sql.begin((tx) => openReview(tx, actor, id, at));
const decideWith = (actor: Who, id: string, given: Partial<Decision> & { at?: Date } = {}) =>
  database.sql.begin((tx) =>
    decide(tx, actor, id, {
      verdict: 'approve',
      seen: 'processing',
      message: '',
      now: given.at ?? now,
      ...given,
    }),
  );
const statusOf = async (id: string) =>
  (await database.sql<Array<{ status: Status }>>`select status from projects where id = ${id}`)[0]!.status;

/** All that a decision writes about a project. */
async function traces(id: string) {
  const { sql } = database;
  const [row] = await sql<Array<Record<string, number>>>`
    select (select count(*)::int from thread_messages m join projects p on p.thread_id = m.thread_id where p.id = ${id})
        as messages,
      (select count(*)::int from notifications where body ->> 'project_id' = ${id}) as notifications,
      (select count(*)::int from notifications where body ->> 'project_id' = ${id} and mail is not null) as mails,
      (select count(*)::int from events where project_id = ${id} and name = 'project.moved') as events,
      (select count(*)::int from review_locks where project_id = ${id}) as locks,
      (select count(*)::int from reviews where project_id = ${id}) as reviews`;
  return { ...row };
}

test.each([
  ['approve', null, 'approved', ''],
  ['approve', 'unlisted', 'unlisted', 'Well done.'],
  ['withhold', null, 'withheld', 'Fix the **links**.'],
  ['reject', 'private', 'rejected', 'Fix the **links**.'],
] as const)(
  '%s with the requested status %s leads to %s, all in one transaction',
  async (verdict, requested, to, message) => {
    const { id } = await waiting();
    await database.sql`update projects set requested_status = ${requested} where id = ${id}`;
    const moderator = await staff();
    await open(moderator, id);
    await decideWith(moderator, id, { verdict, message });
    expect(await statusOf(id)).toBe(to);
    const said = message ? 1 : 0;
    expect(await traces(id)).toEqual({
      messages: 1 + said,
      notifications: 1 + said,
      mails: 1 + said,
      events: 1,
      locks: 0,
      reviews: 0,
    });
  },
);

test('a decision that fails at its end leaves nothing behind', async () => {
  const { id } = await waiting();
  const moderator = await staff();
  await open(moderator, id);
  await expect(
    database.sql.begin(async (tx) => {
      await decide(tx, moderator, id, { verdict: 'reject', seen: 'processing', message: 'No.', now });
      throw new Error('the connection broke');
    }),
  ).rejects.toThrow('broke');
  expect(await statusOf(id)).toBe('processing');
  expect(await traces(id)).toEqual({
    messages: 0,
    notifications: 0,
    mails: 0,
    events: 0,
    locks: 1,
    reviews: 1,
  });
});

test('two moderators at once: one decides, the other is told', async () => {
  const { id } = await waiting();
  const [first, second] = [await staff(), await staff()];
  const results = await Promise.allSettled([
    decideWith(first, id, { verdict: 'approve' }),
    decideWith(second, id, { verdict: 'reject', message: 'No.' }),
  ]);
  const refused = results.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(refused[0]!.reason).toMatchObject({ code: 'review_changed' });
  expect((await traces(id)).events).toBe(1);
});

test("another's live lock refuses a decision, one that ran out does not", async () => {
  const { id } = await waiting();
  const [first, second] = [await staff(), await staff()];
  await open(first, id);
  expect(await open(second, id)).toBe(false);
  await expect(decideWith(second, id)).rejects.toMatchObject({ code: 'review_locked' });
  expect(await statusOf(id)).toBe('processing');
  await decideWith(second, id, { at: later(lock_ms) });
  expect(await statusOf(id)).toBe('approved');
});

test('what changed meanwhile, is gone, says nothing or is not for staff is refused', async () => {
  const { id, owner } = await waiting();
  const moderator = await staff();
  await open(moderator, id);
  for (const verdict of ['reject', 'withhold'] as const)
    await expect(decideWith(moderator, id, { verdict, message: ' \n' })).rejects.toMatchObject({
      code: 'review_message_missing',
    });
  await expect(decideWith(build.actorFor(owner), id)).rejects.toMatchObject({ code: 'moderators_only' });
  await expect(decideWith(moderator, id, { seen: 'draft' })).rejects.toMatchObject({
    code: 'review_changed',
    data: { status: 'processing' },
  });
  await database.sql.begin((tx) => removeProject(tx, build.actorFor(owner), id, now));
  await expect(decideWith(moderator, id)).rejects.toMatchObject({ code: 'not_found' });
  const progress = { choices: {}, stage: '', message: null, now };
  await expect(database.sql.begin((tx) => saveReview(tx, moderator, id, progress))).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a public project is approved again without a change of its status, and can be withheld', async () => {
  const project = await build.project(database.sql, { status: 'private' });
  const moderator = await staff();
  await decideWith(moderator, project.id, { seen: 'private', message: 'Please improve the gallery.' });
  expect(await statusOf(project.id)).toBe('private');
  expect((await traces(project.id)).messages).toBe(1);
  await decideWith(moderator, project.id, { seen: 'private', verdict: 'withhold', message: 'Rules.' });
  expect(await statusOf(project.id)).toBe('withheld');
});

test('a review begins when the files are scanned, or the scanner is away for ten minutes', async () => {
  const { sql } = database;
  const { id } = await waiting('Unscanned');
  const actor = await staff();
  await sql`
    insert into file_scans (file_id, requested, due)
    select f.id, ${now}, ${now} from files f join versions v on v.id = f.version_id where v.project_id = ${id}`;
  const next = async () =>
    (
      await nextWaiting(sql, actor.user_id, {
        filter: queueFilterShape.parse({ query: 'unscanned' }),
        skipped: [],
        now,
      })
    ).id;
  await expect(open(actor, id)).rejects.toMatchObject({ code: 'files_being_scanned' });
  expect(await next()).toBeNull();
  await sql`update file_scans set state = 'done', rules_version = 1, complete = true`;
  expect(await next()).toBe(id);
  expect(await open(actor, id)).toBe(true);
  await sql`update file_scans set state = 'waiting', rules_version = null`;
  await expect(open(actor, id)).rejects.toMatchObject({ code: 'files_being_scanned' });
  expect(await open(actor, id, later(11 * 60_000))).toBe(true);
});

test('progress is kept per project and reviewer, and renews the lock', async () => {
  const { id } = await waiting();
  const [first, second] = [await staff(), await staff()];
  await open(first, id);
  const progress = { choices: { title_useless: 'on' }, stage: 'links', message: 'Mine' };
  expect(
    await database.sql.begin((tx) => saveReview(tx, first, id, { ...progress, now: later(60_000) })),
  ).toBe(true);
  expect(await reviewOf(database.sql, first, id)).toEqual(progress);
  expect(await reviewOf(database.sql, second, id)).toBeNull();
  expect((await lockOf(database, id))?.expires_at).toEqual(later(60_000 + lock_ms));
  await database.sql.begin((tx) => acquireLock(tx, second, id, { override: true, now }));
  expect(await database.sql.begin((tx) => saveReview(tx, first, id, { ...progress, now }))).toBe(false);
  await database.sql.begin((tx) => closeReview(tx, first, id));
  expect(await reviewOf(database.sql, first, id)).toBeNull();
  expect((await lockOf(database, id))?.moderator_id).toBe(second.user_id);
});

/** What the audit log has of a project's review and status, in order. */
const linesOf = async (id: string) =>
  (
    await database.sql`select coalesce(data ->> 'change', data ->> 'to') as line from events
      where name in ('project.review_locked', 'project.moved') and project_id = ${id} order by id`
  ).map(({ line }) => line);

test.each<[string, Array<'reload' | 'wait' | 'decide' | 'leave' | 'close' | 'override'>, string[]]>([
  ['is decided', ['decide'], ['acquired', 'approved']],
  ['is decided after reloads and a pause', ['reload', 'wait', 'reload', 'decide'], ['acquired', 'approved']],
  ['is given up', ['reload', 'leave'], ['acquired', 'released']],
  ['is given up by a page that gave the lock back', ['close', 'leave'], ['acquired', 'released']],
  ['is given up twice', ['leave', 'leave'], ['acquired', 'released']],
  ['is taken over and decided', ['override', 'decide'], ['acquired', 'overridden', 'approved']],
])('the audit log has the begin and the end of a review that %s', async (_, steps, lines) => {
  const { sql } = database;
  const { id } = await waiting();
  let [actor, at] = [await staff(), now];
  await open(actor, id);
  const save = () =>
    sql.begin((tx) => saveReview(tx, actor, id, { choices: {}, stage: '', message: null, now: at }));
  const close = () => sql.begin((tx) => releaseLock(tx, actor, id));
  const acts: Record<(typeof steps)[number], () => Promise<unknown>> = {
    close,
    reload: async () => [await close(), await save()],
    wait: async () => {
      at = new Date(at.getTime() + 2 * lock_ms);
      return await save();
    },
    leave: () => sql.begin((tx) => closeReview(tx, actor, id)),
    override: async () => {
      actor = await staff();
      return await sql.begin((tx) => acquireLock(tx, actor, id, { override: true, now: at }));
    },
    decide: () => decideWith(actor, id, { at }),
  };
  for (const step of steps) await acts[step]();
  expect(await linesOf(id)).toEqual(lines);
});

test('a session leads through the filter, without what is skipped or under review by others', async () => {
  const { sql } = database;
  await sql`update projects set status = 'draft' where status = 'processing'`;
  const ids: string[] = [];
  for (const day of [1, 2, 3]) {
    const { id } = await waiting('Session');
    await sql`update projects set queued = ${`2026-11-0${day}T00:00:00Z`} where id = ${id}`;
    ids.push(id);
  }
  await waiting('Elsewhere');
  const [first, second] = [await staff(), await staff()];
  const filter = queueFilterShape.parse({ query: 'session' });
  await open(second, ids[1]!);
  await sql.begin((tx) => startSession(tx, first, filter, now));
  const next = () => sql.begin((tx) => nextInSession(tx, first, now));
  expect(await leftInSession(sql, first, now)).toBe(2);
  expect(await next()).toBe(ids[0]);
  await sql.begin((tx) => skipProject(tx, first, ids[0]!));
  expect(await next()).toBe(ids[2]);
  await decideWith(first, ids[2]!);
  expect(await next()).toBeNull();
  expect(await leftInSession(sql, first, now)).toBeNull();
});

test('the next review shows what changed since the last approval', async () => {
  const { sql } = database;
  const { id } = await waiting();
  expect(await changesSinceApproval(sql, id)).toBeNull();
  await decideWith(await staff(), id);
  expect((await changesSinceApproval(sql, id))?.changes).toEqual([]);
  const [before] = await sql`select description from projects where id = ${id}`;
  await sql`update projects set description = 'Another summary', body = 'One' || chr(10) || 'Two' where id = ${id}`;
  const found = await changesSinceApproval(sql, id);
  expect(found?.approved).toEqual(now);
  expect(found?.changes.find(({ field }) => field === 'summary')).toEqual({
    field: 'summary',
    removed: [before!.description],
    added: ['Another summary'],
  });
  expect(found?.changes.map(({ field }) => field).sort()).toEqual(['body', 'summary']);
});

test('a decision is undone by staff, as long as nobody changed the status since', async () => {
  const moderator = await staff();
  const { id, owner } = await waiting();
  const undo = (actor: Who, seen: Status) =>
    database.sql.begin((tx) => undoDecision(tx, actor, id, { seen, now: later(1000) }));
  await expect(undo(moderator, 'processing')).rejects.toMatchObject({ code: 'review_changed' });
  await decideWith(moderator, id);
  await expect(undo(moderator, 'rejected')).rejects.toMatchObject({ code: 'review_changed' });
  await expect(undo(build.actorFor(owner) as Who, 'approved')).rejects.toMatchObject({
    code: 'moderators_only',
  });
  const queuedOf = async () =>
    (await database.sql`select queued from projects where id = ${id}`)[0]!.queued as string;
  await database.sql`update projects set queued = '2026-01-02T03:04:05Z' where id = ${id}`;
  await undo(moderator, 'approved');
  expect(await statusOf(id)).toBe('processing');
  // it waits since it was submitted
  expect(await queuedOf()).toBe('2026-01-02T03:04:05Z');
});
