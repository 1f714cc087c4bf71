import { describe, expect, test } from 'vitest';
import { blockedFilesOf } from '../../catalogue/projects/malware.ts';
import { editVersion } from '../../catalogue/versions/edit.ts';
import { removeVersion } from '../../catalogue/versions/remove.ts';
import * as build from '../../testing/builders/build.ts';
import { actorFor } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { announcing, scanned, trace } from '../../testing/scan-results.ts';
import type { Trace } from '../scanner/scan-archive.ts';
import { ingestFindings } from './ingest.ts';
import { holdOf, judgedCode, knownMalware, placesOfCode, reportsOf } from './read.ts';
import { searchReviews } from './review-list.ts';
import { searchShape } from './shape.ts';
import { storeScan } from './store.ts';
import { reportFile, submitReview } from './submit.ts';
import { refreshTrusted, setTrust, trustOf } from './trusted.ts';
import { decideEverywhere, decideTraces } from './verdicts.ts';

const database = testDatabase();
const now = new Date('2026-11-24T12:00:00Z');
const told = { announcing, now };

async function published(given: { author?: build.BuiltUser; status?: 'approved' | 'processing' } = {}) {
  const { sql } = database;
  const owner = given.author ?? (await build.user(sql));
  const project = await build.project(sql, { owner, status: given.status ?? 'approved' });
  const version = await build.version(sql, project, { author: owner });
  const [file] = version.files;
  await sql`insert into file_scans (file_id, requested, due) values (${file!.id}, ${now}, ${now})`;
  const scan = async (...traces: Trace[]) =>
    await sql.begin((tx) =>
      storeScan(
        tx,
        { file_id: file!.id, version_id: version.id, project_id: project.id },
        scanned(traces),
        told,
      ),
    );
  const state = async () =>
    (
      await sql<
        Array<{ status: string; held: string | null }>
      >`select status, held from versions where id = ${version.id}`
    )[0]!;
  const reports = async () => await reportsOf(database, { projects: [project.id] });
  const details = async () =>
    (await reports()).flatMap(({ issues }) => issues.flatMap((issue) => issue.details));
  return { owner, project, version, file: file!, scan, state, reports, details };
}
const moderator = async () =>
  actorFor(await build.user(database.sql, { role: 'moderator' }), { role: 'moderator' });
const inProgress = async <T>(work: (tx: never) => Promise<T>) =>
  (await database.sql.begin(work as never)) as T;
const messagesOf = async (project_id: string) =>
  (
    await database.sql<Array<{ body: { body: string } }>>`
      select m.body from thread_messages m join projects p on p.thread_id = m.thread_id
      where p.id = ${project_id} and m.type = 'text' order by m.created`
  ).map(({ body }) => body.body);

describe('a scan', () => {
  test('with nothing grave leaves the version public; low traces need nobody', async () => {
    const { scan, state, reports } = await published();
    await scan(trace({ severity: 'low', issue_type: 'network_address' }));
    expect(await state()).toEqual({ status: 'listed', held: null });
    expect((await reports())[0]).toMatchObject({ severity: 'low', flag_reason: 'delphi' });
    const [open] =
      await database.sql`select open from scan_reports where file_id = ${(await reports())[0]!.file_id}`;
    expect(open!.open).toBe(false);
  });

  test('with a severe trace hides the version, blocks its files, and tells team and staff why', async () => {
    const { scan, state, project, version, owner } = await published();
    await scan(trace());
    expect(await state()).toEqual({ status: 'draft', held: '2026-11-24T12:00:00Z' });
    expect((await blockedFilesOf(database.sql)).versions.get(version.id)).toEqual({
      project_id: project.id,
      reason: 'review',
    });
    expect(await holdOf(database.sql, version.id)).toEqual({
      since: '2026-11-24T12:00:00Z',
      issue_types: ['chat_webhook'],
    });
    expect(await messagesOf(project.id)).toEqual(['held 1.0.0: chat_webhook']);
    const [notified] = await database.sql`select type from notifications where user_id = ${owner.id}`;
    expect(notified).toEqual({ type: 'moderator_message' });
    const [notice] =
      await database.sql`select data from staff_notices where data ->> 'version_id' = ${version.id}`;
    expect(notice!.data).toMatchObject({ is_held: true, project_id: project.id });
    const [aggregate] = await database.sql`select loaders from projects where id = ${project.id}`;
    expect(aggregate!.loaders).toEqual([]);
  });

  test('done again keeps what was decided about the same trace, and tells nobody twice', async () => {
    const { scan, details, project, reports, state } = await published();
    const same = trace();
    await scan(same, trace({ severity: 'medium', issue_type: 'process_start' }));
    const [first] = await details();
    const actor = await moderator();
    await inProgress((tx) => decideTraces(tx, actor, [{ detail_id: first!.id, verdict: 'safe' }], told));
    await scan(same);
    expect((await details()).map(({ status }) => status)).toEqual(['safe']);
    expect(await messagesOf(project.id)).toHaveLength(1);
    // nothing grave is left, but only a person releases what is held
    await scan();
    expect((await searchReviews(database.sql, searchShape.parse({}))).ids).toContain(project.id);
    await inProgress((tx) => submitReview(tx, actor, project.id, { verdict: 'safe', message: '', ...told }));
    expect((await state()).held).toBeNull();
    await scan();
    expect(await reports()).toEqual([]);
  });

  test('of hostile texts is stored without what Postgres does not take', async () => {
    const { scan, details } = await published();
    await scan(trace({ file_path: 'a\0b', disassembly: '\ud800', data: { values: ['\0'] } }));
    expect(await details()).toMatchObject([{ file_path: 'ab', data: { values: [''] } }]);
  });

  test('of a trusted creator hides nothing, and staff hear of it', async () => {
    const { sql } = database;
    const author = await build.user(sql);
    await sql`insert into trusted_creators (user_id, since) values (${author.id}, ${now})`;
    const { scan, state, version, details } = await published({ author });
    await scan(trace(), trace());
    expect(await state()).toEqual({ status: 'listed', held: null });
    const [notice] = await sql`select data from staff_notices where data ->> 'version_id' = ${version.id}`;
    expect(notice!.data).toMatchObject({ is_held: false });
    // a person hides it
    const [one, other] = await details();
    const actor = await moderator();
    const decide = (detail_id: string, verdict: 'safe' | 'unsafe') =>
      inProgress((tx) => decideTraces(tx, actor, [{ detail_id, verdict }], told));
    await decide(one!.id, 'safe');
    expect((await state()).status).toBe('listed');
    await decide(other!.id, 'unsafe');
    expect((await state()).status).toBe('draft');
  });
});

describe('a held version', () => {
  test('is released and deleted by staff only', async () => {
    const { scan, state, version, owner } = await published();
    await scan(trace());
    const member = actorFor(owner);
    for (const work of [
      (tx: never) => editVersion(tx, member, version.id, { status: 'listed' } as never, null),
      (tx: never) => removeVersion(tx, member, version.id),
    ])
      await expect(inProgress(work as never)).rejects.toMatchObject({ code: 'version_held' });
    expect((await state()).held).not.toBeNull();
    await inProgress((tx) => editVersion(tx, member, version.id, { name: 'Renamed' } as never, null));
  });

  test('gets its status back when the project is safe, and the team hears of it', async () => {
    const { scan, state, details, project, version } = await published();
    await database.sql`update versions set status = 'unlisted' where id = ${version.id}`;
    await scan(trace());
    const actor = await moderator();
    const submit = (verdict: 'safe' | 'unsafe') =>
      inProgress((tx) => submitReview(tx, actor, project.id, { verdict, message: 'Thank you', ...told }));
    await expect(submit('safe')).rejects.toMatchObject({ code: 'traces_undecided' });
    const [found] = await details();
    await inProgress((tx) => decideTraces(tx, actor, [{ detail_id: found!.id, verdict: 'unsafe' }], told));
    await expect(submit('safe')).rejects.toMatchObject({ code: 'traces_unsafe' });
    await inProgress((tx) => decideTraces(tx, actor, [{ detail_id: found!.id, verdict: 'safe' }], told));
    expect((await state()).held).not.toBeNull(); // a verdict alone releases nothing
    await submit('safe');
    expect(await state()).toEqual({ status: 'unlisted', held: null });
    expect(await messagesOf(project.id)).toEqual(['held 1.0.0: chat_webhook', 'released 1.0.0', 'Thank you']);
    expect((await blockedFilesOf(database.sql)).versions.has(version.id)).toBe(false);
    expect((await searchReviews(database.sql, searchShape.parse({}))).ids).not.toContain(project.id);
  });

  test('that is unsafe rejects the project, and its file is known from then on', async () => {
    const { scan, details, project, file } = await published();
    await scan(trace());
    const actor = await moderator();
    const [found] = await details();
    await inProgress((tx) => decideTraces(tx, actor, [{ detail_id: found!.id, verdict: 'unsafe' }], told));
    await inProgress((tx) =>
      submitReview(tx, actor, project.id, { verdict: 'unsafe', message: '', ...told }),
    );
    const [row] = await database.sql`select status, malware from projects where id = ${project.id}`;
    expect(row).toEqual({ status: 'rejected', malware: true });
    expect(await knownMalware(database.sql)).toContain(file.sha512);
  });
});

test.each(['draft', 'processing', 'approved', 'unlisted', 'withheld', 'rejected'] as const)(
  'a project that is %s is rejected as malware',
  async (status) => {
    const { scan, details, project } = await published();
    await database.sql`update projects set status = ${status} where id = ${project.id}`;
    await scan(trace());
    const actor = await moderator();
    const [found] = await details();
    await inProgress((tx) => decideTraces(tx, actor, [{ detail_id: found!.id, verdict: 'unsafe' }], told));
    await inProgress((tx) =>
      submitReview(tx, actor, project.id, { verdict: 'unsafe', message: '', ...told }),
    );
    const [row] = await database.sql`select status, malware from projects where id = ${project.id}`;
    expect(row).toEqual({ status: 'rejected', malware: true });
  },
);

describe('the same code', () => {
  test('that is unsafe everywhere is found and hidden in other projects; what was decided there stays', async () => {
    const [one, two, three] = [await published(), await published(), await published()];
    const same = trace({ severity: 'medium', issue_type: 'process_start' });
    for (const { scan } of [one, two, three]) await scan(same);
    const actor = await moderator();
    const [own] = await three.details();
    await inProgress((tx) => decideTraces(tx, actor, [{ detail_id: own!.id, verdict: 'safe' }], told));
    await inProgress((tx) =>
      decideEverywhere(tx, actor, [{ detail_key: same.key, verdict: 'unsafe' }], told),
    );
    expect([(await one.state()).status, (await two.state()).status, (await three.state()).status]).toEqual([
      'draft',
      'draft',
      'listed',
    ]);
    expect(await two.details()).toMatchObject([
      { local_status: null, global_status: 'unsafe', status: 'unsafe' },
    ]);
    expect(await placesOfCode(database.sql, same.key)).toHaveLength(3);
    expect(
      (await judgedCode(database.sql, { limit: 20, page: 0, query: 'webhooks/1' })).traces,
    ).toMatchObject([{ key: same.key, verdict: 'unsafe', files: 3 }]);
    await inProgress((tx) =>
      decideEverywhere(tx, actor, [{ detail_key: same.key, verdict: 'pending' }], told),
    );
    expect(await two.details()).toMatchObject([{ status: 'pending' }]);
  });

  test('that was safe everywhere before a scan hides nothing', async () => {
    const [one, two] = [await published(), await published()];
    const same = trace();
    await one.scan(same);
    const actor = await moderator();
    await inProgress((tx) => decideEverywhere(tx, actor, [{ detail_key: same.key, verdict: 'safe' }], told));
    await two.scan(same);
    expect((await two.state()).status).toBe('listed');
  });

  test('that nobody found is refused', async () => {
    const actor = await moderator();
    const unknown = [{ detail_key: 'f'.repeat(64), verdict: 'safe' as const }];
    await expect(inProgress((tx) => decideEverywhere(tx, actor, unknown, told))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

test('what people and other scanners report stays beside what our scanner finds', async () => {
  const { scan, file, details, state } = await published();
  const actor = await moderator();
  const manual = { file_id: file.id, severity: 'severe' as const, reason: 'Seen in a chat' };
  await inProgress((tx) => reportFile(tx, actor, manual, told));
  expect((await state()).status).toBe('draft');
  const other = { key: 'a'.repeat(64), file_path: 'x', severity: 'high' as const, data: {} };
  await inProgress((tx) => ingestFindings(tx, { file_id: file.id, issues: { other_rule: [other] } }, told));
  await scan(trace({ severity: 'medium', issue_type: 'process_start' }));
  expect((await details()).map(({ severity }) => severity)).toEqual(['severe', 'high', 'medium']);
  await inProgress((tx) => ingestFindings(tx, { file_id: file.id, issues: { other_rule: [] } }, told));
  expect((await details()).map(({ severity }) => severity)).toEqual(['severe', 'medium']);
  for (const type of ['chat_webhook', 'manual_report'])
    await expect(
      inProgress((tx) => ingestFindings(tx, { file_id: file.id, issues: { [type]: [] } }, told)),
    ).rejects.toMatchObject({ code: 'issue_type_reserved' });
});

test('the list is filtered and ordered', async () => {
  const { sql } = database;
  await sql`update scan_reports set open = false`;
  const [grave, mild] = [await published(), await published({ status: 'processing' })];
  await mild.scan(trace({ severity: 'medium', issue_type: 'process_start' }));
  await grave.scan(trace());
  const ids = async (given: object) => (await searchReviews(sql, searchShape.parse(given))).ids;
  expect(await ids({})).toEqual([grave.project.id, mild.project.id]);
  expect(await ids({ sort_by: 'severity_asc' })).toEqual([mild.project.id, grave.project.id]);
  expect(await ids({ filter: { issue_type: ['process_start'] } })).toEqual([mild.project.id]);
  expect(await ids({ filter: { project_status: ['approved'] } })).toEqual([grave.project.id]);
  expect(await ids({ filter: { project_type: ['modpack'] } })).toEqual([]);
  expect(await ids({ filter: { replied_to: 'unreplied' } })).toHaveLength(2);
  expect(await ids({ filter: { replied_to: 'replied' } })).toEqual([]);
});

test('a clean record earns trust, a finding and staff take it away', async () => {
  const { sql } = database;
  const author = await build.user(sql);
  await sql`update users set created = '2026-01-01' where id = ${author.id}`;
  const { project } = await published({ author });
  await sql`update projects set approved = '2026-02-01' where id = ${project.id}`;
  const days = [1, 3, 5, 7, 9, 20, 25, 40, 41, 42];
  for (const day of days) {
    const { id, files } = await build.version(sql, project, { author });
    await sql`update versions set date_published = '2026-06-01'::timestamptz + ${`${day} days`}::interval where id = ${id}`;
    await sql`
      insert into file_scans (file_id, requested, due, state, complete, rules_version)
      values (${files[0]!.id}, ${now}, ${now}, 'done', true, 1)`;
  }
  const actor = await moderator();
  expect(await trustOf(sql, author.id)).toBeNull();
  await refreshTrusted(sql, now);
  expect(await trustOf(sql, author.id)).toBe('trusted');
  await inProgress((tx) => setTrust(tx, actor, author.id, { is_allowed: false, now }));
  await refreshTrusted(sql, now);
  expect(await trustOf(sql, author.id)).toBe('taken_away');
  await inProgress((tx) => setTrust(tx, actor, author.id, { is_allowed: true, now }));
  await refreshTrusted(sql, now);
  expect(await trustOf(sql, author.id)).toBe('trusted');
  await sql`update users set suspended_until = '2030-01-01' where id = ${author.id}`;
  expect((await refreshTrusted(sql, now)).went).toBe(1);
  expect(await trustOf(sql, author.id)).toBeNull();
});

test('only moderators decide', async () => {
  const { scan, details, owner, project } = await published();
  await scan(trace());
  const [found] = await details();
  const member = actorFor(owner);
  for (const work of [
    (tx: never) => decideTraces(tx, member, [{ detail_id: found!.id, verdict: 'safe' }], told),
    (tx: never) => decideEverywhere(tx, member, [{ detail_key: found!.key, verdict: 'safe' }], told),
    (tx: never) => submitReview(tx, member, project.id, { verdict: 'safe', message: '', ...told }),
    (tx: never) => setTrust(tx, member, owner.id, { is_allowed: true, now }),
  ])
    await expect(inProgress(work as never)).rejects.toMatchObject({ code: 'moderators_only' });
});
