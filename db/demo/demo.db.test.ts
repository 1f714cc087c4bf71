import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gameVersions } from '../catalogue/tags/read.ts';
import { readSeries } from '../discovery/analytics/read.ts';
import { recentDownloads } from '../discovery/analytics/recent-downloads.ts';
import { balanceOf } from '../money/billing/revenue/balance.ts';
import { inspect } from '../platform/files/archive.ts';
import { copiesOf } from '../platform/files/image-copies.ts';
import { createSealer } from '../platform/secrets/seal.ts';
import { diskStorage } from '../platform/storage/disk.ts';
import { openFile } from '../platform/storage/disk-staged.ts';
import { versionFileKey } from '../platform/storage/url.ts';
import { createRenderer } from '../platform/text/render.ts';
import { testDatabase } from '../testing/database.ts';
import { seedDemo } from './demo.ts';
import { drawLaterPictures, drawnFirst, wantLaterPictures, wantsLaterPictures } from './later-pictures.ts';
import { type PlannedProject, planned } from './plan.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-demo-'));
const storage = diskStorage(folder);
const renderer = createRenderer(database.settings);
const services = { storage, renderer, sealer: createSealer(randomBytes(32)), log: pino({ level: 'silent' }) };
const now = new Date('2026-11-21T12:00:00Z');
/** Drawing is the slowest part: only the first projects get their images, all have their icons, texts and archives. */
const galleries = 12;

/** Left-overs of an interrupted run: a partial file, and one that is no longer generated. */
const [half, gone] = planned().map(({ id, slug, versions: [one] }) =>
  versionFileKey(id, one!.id, `${slug}-${one!.version_number}.jar`),
) as [string, string];
const left = [half, `${gone}.part`];

beforeAll(async () => {
  for (const key of left) await storage.putBytes(key, Buffer.from('cut off'));
  const settings = { ...database.settings, DEMO_GALLERIES: galleries };
  await seedDemo({ ...database, settings, ...services, now: () => now });
}, 180_000);
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the demo catalogue', () => {
  it('has three hundred projects of six types, nearly all of them public', async () => {
    const rows = await database.sql<{ type: string; count: number; public: number }[]>`
      select project_types[1] as type, count(*)::int, count(*) filter (where status = 'approved')::int as public
      from projects group by 1 order by 1`;
    expect(rows).toEqual([
      { type: 'datapack', count: 36, public: 35 },
      { type: 'mod', count: 98, public: 97 },
      { type: 'modpack', count: 40, public: 39 },
      { type: 'plugin', count: 46, public: 45 },
      { type: 'resourcepack', count: 46, public: 45 },
      { type: 'shader', count: 34, public: 34 },
    ]);
  });

  it('has a history of downloads, views and playtime that adds up to what projects state', async () => {
    const { sql } = database;
    const [sums] = await sql`
      select count(*)::int as projects, count(*) filter (where abs(t.amount - p.downloads) > 0.03 * p.downloads + 400)::int as wrong
      from projects p join (select project_id, sum(amount) as amount from analytics_totals where kind = 'download' group by 1) t
        on t.project_id = p.id`;
    expect(sums).toEqual({ projects: expect.any(Number), wrong: 0 });
    expect(sums!.projects).toBeGreaterThan(270);
    const [rows] = await sql`
      select (select count(*)::int from analytics_days) as days, (select count(*)::int from analytics_hours) as hours,
        (select count(distinct country)::int from analytics_days) as countries,
        (select sum(amount)::text from analytics_days) = (select sum(amount)::text from analytics_totals) as same,
        (select sum(amount)::text from analytics_days where at >= ${now}::date - ${database.settings.ANALYTICS_HOUR_DAYS}::int)
          = (select sum(amount)::text from analytics_hours) as hourly`;
    expect(rows).toMatchObject({ same: true, hourly: true });
    // the line of a project's page, and the analytics of its members, who live elsewhere
    const days = 30 * 86_400_000;
    const until = Date.parse('2026-11-21');
    const [{ id }] = (await sql`select id from projects where slug = 'millrace'`) as unknown as [
      { id: string },
    ];
    const seen = await recentDownloads(sql, id, now);
    const here = new Date(until + 2 * 3_600_000);
    const slices = { from: new Date(here.getTime() - days), until: here, slice_ms: 86_400_000 };
    const kept = { records_d: 8, hours_d: database.settings.ANALYTICS_HOUR_DAYS };
    const rest = await readSeries(sql, { kind: 'download', project_ids: [id], ...slices }, now, kept);
    const sum = rest.reduce((all, { amount }) => all + amount, 0);
    expect(Math.abs(sum / seen!.sum - 1)).toBeLessThan(0.1);
    const [versions] = await sql`
      select count(*)::int as versions, count(*) filter (where abs(t.amount - v.downloads) > 0.03 * v.downloads + 40)::int as wrong
      from versions v join (select version_id, sum(amount) as amount from analytics_days where kind = 'download' group by 1) t
        on t.version_id = v.id`;
    expect(versions).toEqual({ versions: expect.any(Number), wrong: 0 });
    expect(rows!.countries).toBeGreaterThan(10);
    expect(rows!.days).toBeLessThan(500_000);
    expect(rows!.hours).toBeLessThan(250_000);
  });

  it('has figures of every month of the statistics and of ninety days, without a jump', async () => {
    const { sql } = database;
    const months = await sql<Array<{ month: string; downloads: number; views: number }>>`
      select to_char(day, 'YYYY-MM') as month, sum(amount) filter (where kind = 'download')::bigint as downloads,
        sum(amount) filter (where kind = 'view')::bigint as views
      from analytics_totals where day >= '2025-11-01' and day < '2026-11-01' group by 1 order by 1`;
    const days = await sql<Array<{ week: number; downloads: number; projects: number; countries: number }>>`
      select (${now}::date - at::date - 1) / 7 as week, sum(amount)::bigint as downloads,
        count(distinct project_id)::int as projects, count(distinct country)::int as countries
      from analytics_days where kind = 'download' and at >= ${now}::date - 91 and at < ${now}::date group by 1 order by 1 desc`;
    expect([months.length, days.length]).toEqual([12, 13]);
    for (const list of [
      months.map((one) => one.downloads),
      months.map((one) => one.views),
      days.map((one) => one.downloads),
    ])
      for (const [at, amount] of list.slice(1).entries()) {
        expect(amount / list[at]!).toBeGreaterThan(0.75);
        expect(amount / list[at]!).toBeLessThan(1.5);
      }
    expect(Math.min(...days.map(({ projects }) => projects))).toBeGreaterThan(200);
    expect(Math.min(...days.map(({ countries }) => countries))).toBeGreaterThan(10);
  });

  it('gives its creator revenue, a withdrawal, an organization, a review and news, as if they had lived with it', async () => {
    const { sql } = database;
    const [{ id }] = await sql<[{ id: string }]>`select id from users where username = 'creator'`;
    const { available_minor, withdrawn_minor, pending_micros } = await balanceOf(sql, id, now);
    expect(Math.min(available_minor, withdrawn_minor, pending_micros / 10_000)).toBeGreaterThan(2_000);
    expect(await sql`select state from payouts where user_id = ${id}`).toMatchObject([{ state: 'success' }]);
    expect(await sql`select coalesce(sum(amount_minor), 0)::int as sum from ledger_entries`).toEqual([
      { sum: 0 },
    ]);
    const own = await sql<Array<{ status: string }>>`
      select p.status from projects p join team_members m on m.team_id = p.team
      where m.user_id = ${id} and m.is_owner order by 1`;
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set(['approved', 'draft', 'processing']));
    const places = await sql`
      select o.slug::text, m.is_owner, m.accepted from organizations o join team_members m using (team_id)
      where m.user_id = ${id} order by 1`;
    expect(places).toEqual([
      { slug: 'evening-shift', is_owner: false, accepted: false },
      { slug: 'millwrights', is_owner: true, accepted: true },
    ]);
    // followed projects have the followers that they count
    const [{ less }] = await sql<[{ less: number }]>`
      select count(*)::int as less from projects p
      where p.followers < (select count(*) from follows f where f.project_id = p.id)`;
    expect(less).toBe(0);
  });

  it('tells its people of what happened, some of it read, and sends no mail of it', async () => {
    const { sql } = database;
    const told = async (username: string) =>
      await sql<Array<{ type: string; read: number; unread: number }>>`
        select type, count(*) filter (where read)::int as read, count(*) filter (where not read)::int as unread
        from notifications where user_id = (select id from users where username = ${username}) group by 1 order by 1`;
    const ofCreator = await told('creator');
    expect(ofCreator.map(({ type }) => type)).toEqual([
      ...['moderator_message', 'organization_invite', 'payout_requested', 'payout_settled', 'project_update'],
      ...['status_change', 'team_invite'],
    ]);
    const ofPlayer = await told('player');
    expect(ofPlayer.map(({ type }) => type)).toEqual([
      'organization_invite',
      'project_update',
      'team_invite',
    ]);
    for (const { read, unread } of [ofCreator, ofPlayer].map(
      (list) => list.find(({ type }) => type === 'project_update')!,
    ))
      expect(Math.min(read, unread)).toBeGreaterThan(2);
    const [mails] = await sql`
      select (select count(*)::int from mails) as mails, count(*)::int as wanted from notifications where mail is not null`;
    expect(mails).toEqual({ mails: 0, wanted: 0 });
    const [wrong] = await sql`
      select count(*)::int as ahead from notifications where created > ${now} or created < ${now}::timestamptz - interval '120 days'`;
    expect(wrong).toEqual({ ahead: 0 });
  });

  it('does nothing twice', async () => {
    const { sql } = database;
    const counts = async () =>
      await sql`
      select (select count(*)::int from projects) as projects, (select count(*)::int from ledger_entries) as entries,
        (select count(*)::int from notifications) as notifications, (select count(*)::int from events) as events`;
    const before = await counts();
    await sql`update installation set value = jsonb_set(value, '{done}', 'false') where key = 'demo_lives'`;
    await seedDemo({ ...database, ...services, now: () => now });
    expect(await counts()).toEqual(before);
  });

  it('has every project status for outsiders and members', async () => {
    const rows = await database.sql<{ status: string }[]>`
      select distinct case when archived then 'archived' else status end as status from projects order by 1`;
    expect(rows.map(({ status }) => status)).toEqual([
      ...['approved', 'archived', 'draft', 'private', 'processing', 'unlisted', 'withheld'],
    ]);
  });

  it('has members, three organizations with projects, and counted followers', async () => {
    const [row] = await database.sql`
      select (select count(*)::int from users) as people,
        (select count(*)::int from organizations o where exists (
          select from projects p where p.organization = o.id)) as organizations,
        (select count(*)::int from team_members m join organizations o using (team_id)) as seats,
        (select count(*)::int from projects p where (select count(*) from follows f
          where f.project_id = p.id) > p.followers) as uncounted,
        (select count(*)::int from projects p join users u on u.id = (
          select user_id from team_members m where m.team_id = p.team and is_owner)
          where u.created > p.published) as older_than_their_owner,
        (select count(*)::int from versions v join projects p on p.id = v.project_id
          where v.date_published < p.published) as before_their_project`;
    expect(row).toEqual({
      people: 60,
      organizations: 3,
      seats: 14,
      uncounted: 0,
      older_than_their_owner: 0,
      before_their_project: 0,
    });
  });

  it('has users of different ages, some with badges, and collections with ordered projects', async () => {
    const [row] = await database.sql`
      select (select count(*)::int from users where created < ${now}::timestamptz - interval '60 months') as early,
        (select count(*)::int from users where created > ${now}::timestamptz - interval '24 months') as late,
        (select count(*)::int from users where badges <> 0) as badged,
        (select count(*)::int from collections c join users u on u.id = c.user_id where c.created < u.created) as unborn,
        (select array_agg(p.slug::text order by e.place) from collection_projects e
          join collections c on c.id = e.collection_id join projects p on p.id = e.project_id
          where c.name = 'Next weekend') as slugs`;
    expect(row?.early).toBeGreaterThan(2);
    expect(row?.late).toBeGreaterThan(2);
    expect(row?.badged).toBeGreaterThan(3);
    expect(row?.unborn).toBe(0);
    expect(row?.slugs).toEqual(['high-pastures', 'landfall', 'low-tide', 'valley-line', 'nine-rivers']);
  });

  it('has packs that embed versions of its own mods, each older than the pack', async () => {
    const [row] = await database.sql`
      select count(*)::int as embedded, count(distinct v.project_id)::int as packs,
        count(*) filter (where held.project_id <> d.project_id)::int as mixed_up
      from dependencies d join versions v on v.id = d.version_id
      join versions held on held.id = d.dependency_version_id where d.dependency_type = 'embedded'`;
    expect(row?.packs).toBe(40);
    expect(row?.embedded).toBeGreaterThan(350);
    expect(row?.mixed_up).toBe(0);
  });

  it('replaces left-overs of an interrupted run', async () => {
    const [whole, part] = await Promise.all(left.map((key) => storage.head(key)));
    expect(whole?.size).toBeGreaterThan(100);
    expect(part).toBeNull();
  });

  it('has only archives that our own checks accept', async () => {
    const known = new Map((await gameVersions(database.sql)).map((one) => [one.version, one]));
    const files = await database.sql<
      {
        version_id: string;
        project_id: string;
        filename: string;
        loaders: string[];
        game_versions: string[];
      }[]
    >`
      select v.id as version_id, v.project_id, f.filename, v.loaders, v.game_versions
      from files f join versions v on v.id = f.version_id
      where v.id in (select distinct on (project_id, loaders) id from versions) and f.size < 8000000`;
    expect(files.length).toBeGreaterThan(350);
    for (const file of files) {
      const key = versionFileKey(file.project_id, file.version_id, file.filename);
      const content = { open: async () => await openFile(join(folder, 'objects', key)) };
      const version = {
        loaders: file.loaders,
        game_versions: file.game_versions.map((name) => known.get(name)!),
        file_type: null,
      };
      const { problem, warning } = await inspect(
        { filename: file.filename, content },
        version,
        database.settings,
      );
      expect({ file: file.filename, problem, warning }).toEqual({
        file: file.filename,
        problem: null,
        warning: null,
      });
    }
  }, 60_000);

  it('has files of sizes typical of their types, which take little room on the disk', async () => {
    const rows = await database.sql<{ type: string; low: number; high: number }[]>`
      select p.project_types[1] as type, min(f.size)::int as low, max(f.size)::int as high
      from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id group by 1`;
    const bounds: Record<string, [low: number, high: number]> = {
      datapack: [10e3, 3e6],
      mod: [30e3, 12e6],
      modpack: [30e3, 6e6],
      plugin: [30e3, 2e6],
      resourcepack: [0.4e6, 80e6],
      shader: [0.15e6, 3.2e6],
    };
    for (const { type, low, high } of rows) {
      const [least, most] = bounds[type]!;
      expect([type, low >= least, high <= most, high > 2 * low]).toEqual([type, true, true, true]);
    }
    const taken = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).blocks * 512);
    expect(taken.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(100e6);
  });

  it('has the hashes and sizes of the bytes that a download gets', async () => {
    const files = await database.sql<
      {
        project_id: string;
        version_id: string;
        filename: string;
        size: number;
        sha1: string;
        sha512: string;
      }[]
    >`
      select distinct on (p.project_types[1], f.size > 2000000) v.project_id, v.id as version_id, f.filename,
        f.size::int, f.sha1, f.sha512
      from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id
      order by p.project_types[1], f.size > 2000000, f.size`;
    expect(files.length).toBeGreaterThan(8);
    for (const { project_id, version_id, filename, ...facts } of files) {
      const content = await storage.read(versionFileKey(project_id, version_id, filename));
      const [sha1, sha512] = [createHash('sha1'), createHash('sha512')];
      let size = 0;
      for await (const chunk of content!) {
        sha1.update(chunk as Buffer);
        sha512.update(chunk as Buffer);
        size += (chunk as Buffer).length;
      }
      expect([filename, { size, sha1: sha1.digest('hex'), sha512: sha512.digest('hex') }]).toEqual([
        filename,
        facts,
      ]);
    }
  });

  it('has images of correct sizes, and texts that show them', async () => {
    const rows = await database.sql<{ slug: string; key: string; raw_key: string; shown: boolean }[]>`
      select p.slug, g.key, g.raw_key, p.body_html like '%' || g.raw_key || '%' as shown
      from gallery g join projects p on p.id = g.project_id`;
    expect(new Set(rows.map(({ slug }) => slug)).size).toBeGreaterThan(galleries / 2);
    for (const { key, raw_key } of rows) {
      const files = [...copiesOf(key).map(({ name }) => name), raw_key];
      const found = await Promise.all(files.map((one) => sharp(join(folder, 'objects', one)).metadata()));
      const [small, double, triple, raw] = found.map(({ width }) => width);
      expect([key, small, double, triple, raw! >= 1280]).toEqual([key, 350, 700, 1050, true]);
    }
    expect(rows.some(({ shown }) => shown)).toBe(true);
  });

  it('gets other galleries later, with descriptions that show them, but where somebody changed something', async () => {
    const { sql } = database;
    const plans = planned();
    const early = new Set(drawnFirst(plans, { DEMO_GALLERIES: plans.length }));
    const [one, other] = plans.filter((plan) => plan.pictures.length > 0 && !early.has(plan)) as [
      PlannedProject,
      PlannedProject,
    ];
    const count = plans.indexOf(other) + 1;
    const services = {
      ...database,
      settings: { ...database.settings, DEMO_GALLERIES: count },
      storage,
      renderer,
    };
    const shown = async ({ id }: PlannedProject) =>
      (
        await sql<Array<{ keys: string[]; body_html: string }>>`
          select array(select raw_key from gallery where project_id = p.id order by ordering) as keys, body_html
          from projects p where id = ${id}`
      )[0]!;
    await sql`update projects set body = 'Changed' where id = ${other.id}`;
    expect(await wantsLaterPictures(services)).toBe(false);
    await wantLaterPictures(services, now);
    expect(await wantsLaterPictures(services)).toBe(true);

    await drawLaterPictures(services, new AbortController().signal);
    expect(await wantsLaterPictures(services)).toBe(false);
    const { keys } = await shown(one);
    expect(keys).toHaveLength(one.pictures.length);
    for (const key of keys) expect(existsSync(join(folder, 'objects', key))).toBe(true);
    expect((await shown(other)).keys).toEqual([]);
    const [event] =
      await sql`select data from events where name = 'catalogue.loaded' order by id desc limit 1`;
    expect(event!.data.project_ids).toContain(one.id);
    expect(event!.data.project_ids).not.toContain(other.id);
  });
});
