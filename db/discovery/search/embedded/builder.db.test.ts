import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { smallDisk } from '../../../testing/small-disk.ts';
import { propertyLimit, propertyRuns } from '../../../testing/soak.ts';
import { buildBase, startBuilder } from './builder.ts';
import type { Built } from './builder-protocol.ts';
import { SearcherPort } from './searcher-port.ts';
import { factsOf } from './segment-file-read.ts';
import { baseFiles, filesIn, generationsIn } from './snapshots.ts';

const database = testDatabase();
const many = 800;
/** Tests wait for builders. */
const nice = 0;
const patience = { timeout: 20_000, interval: 20 };
let root: string;
let folder: string;
let port: SearcherPort;
let ids: string[];

const connect = () => ({ address: database.address, database: database.name });
const built = async () => (await buildBase({ connect: connect(), folder, nice })) as Built;
const load = (files: { segment: string; bodies: string }) => port.request('load', { as: 'base', files });
const reason = async (files: { segment: string; bodies: string }) => {
  const loaded = await load(files);
  return 'refused' in loaded ? loaded.refused : 'whole';
};
const namesOf = (...generations: number[]) =>
  generations
    .flatMap((one) => Object.values(baseFiles('', one)))
    .map((path) => path.replace(/^\//, ''))
    .sort();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cairn-builder-'));
  process.env.NODE_COMPILE_CACHE ??= join(root, 'compiled'); // starting is most of what builders do here
  port = new SearcherPort(pino({ level: 'silent' }));
  const { sql } = database;
  const first = await build.project(sql, { title: 'Many Lanterns', description: 'lantern '.repeat(30) });
  await sql`
    insert into projects select (jsonb_populate_record(p, jsonb_build_object(
      'id', 'Copy' || lpad(n::text, 4, '0'), 'slug', 'copy-' || n, 'title', 'Lantern ' || n))).*
    from projects p, generate_series(1, ${many - 1}) n where p.id = ${first.id}`;
  ids = (await sql<{ id: string }[]>`select id from projects order by id`).map(({ id }) => id);
});
beforeEach(() => {
  folder = mkdtempSync(join(root, 'search-'));
});
afterAll(async () => {
  await port.end();
  rmSync(root, { recursive: true });
});

describe('a builder of bases', { timeout: 120_000 }, () => {
  it('writes all searchable projects, reports its result, and keeps two bases', async () => {
    const reported: string[] = [];
    const { unlisten } = await database.sql.listen('search_snapshot', (text) => reported.push(text));
    const [first, second, third] = [await built(), await built(), await built()];
    expect(generationsIn(folder)).toEqual([third.generation, second.generation]);
    expect(readdirSync(folder).sort()).toEqual(namesOf(second.generation, third.generation));
    expect(await load(baseFiles(folder, third.generation))).toMatchObject({ facts: { documents: many } });
    await vi.waitFor(
      () => expect(reported).toEqual([first, second, third].map(({ generation }) => String(generation))),
      patience,
    );
    await unlisten();
  });

  it('lets one build while builders of all processes wait for its result', async () => {
    const given = { kind: 'base' as const, connect: connect(), folder, nice, after: 0 };
    const ended = await Promise.all([1, 2, 3].map(() => startBuilder(given).ended));
    const [generation] = generationsIn(folder);
    expect(generationsIn(folder)).toHaveLength(1);
    expect(ended.filter((one) => 'built' in one)).toMatchObject([{ built: { generation, documents: many } }]);
    expect(ended.filter((one) => 'newer' in one)).toEqual([{ newer: generation }, { newer: generation }]);
  });

  it('killed at any moment leaves complete bases only, and the next one succeeds', async () => {
    const began = performance.now();
    await built();
    const usual_ms = performance.now() - began;
    for (let part = 3; part <= 10; part++) {
      const given = {
        kind: 'base' as const,
        connect: connect(),
        folder,
        after: generationsIn(folder)[0] ?? 0,
      };
      const builder = startBuilder(given);
      await Promise.race([setTimeout((usual_ms * (part + Math.random())) / 10), builder.ended]);
      builder.kill();
      await builder.ended;
      for (const generation of generationsIn(folder))
        expect(await reason(baseFiles(folder, generation))).toBe('whole');
    }
    const { generation, documents } = await built();
    expect(documents).toBe(many);
    expect(generationsIn(folder)[0]).toBe(generation);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('cleans up what interrupted builders left', async () => {
    for (const name of ['building-base-1', 'building-warm-1']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'base-000000000000007.bodies'), 'no segment');
    const { generation } = await built();
    // the recent folder of a warm layer may be in use
    expect(readdirSync(folder).sort()).toEqual([...namesOf(generation), 'building-warm-1']);
  });

  it('lowers the priority of all its threads and of its Postgres backend', async () => {
    const { sql } = database;
    const held = await sql.reserve();
    await held`select pg_advisory_lock(hashtext('cairn.search.base'))`;
    const builder = startBuilder({ kind: 'base', connect: connect(), folder, nice: 7, after: 0 });
    // /proc lists tasks: each thread has a priority and a policy (5: SCHED_IDLE)
    const worksAt = (pid: number) => {
      const task = (id: string) =>
        readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ');
      return readdirSync(`/proc/${pid}/task`).map((id) => `${task(id)?.[16]} ${task(id)?.[38]}`);
    };
    const others = async () => {
      const rows = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity
        where application_name = 'cairn search builder' and datname = ${database.name}`;
      return rows.map(({ pid }) => pid);
    };
    await vi.waitFor(async () => {
      const [server] = await others();
      expect([...new Set([...worksAt(builder.pid as number), ...worksAt(server as number)])]).toEqual([
        '7 5',
      ]);
    }, patience);
    builder.kill();
    await builder.ended;
    await held`select pg_advisory_unlock(hashtext('cairn.search.base'))`;
    held.release();
  });

  it('exits when it loses the database, and leaves nothing', async () => {
    const { sql } = database;
    const held = await sql.reserve();
    await held`select pg_advisory_lock(hashtext('cairn.search.base'))`;
    const builder = startBuilder({ kind: 'base', connect: connect(), folder, nice, after: 0 });
    const mine = async () =>
      await sql`select pid from pg_stat_activity
        where application_name = 'cairn search builder' and datname = ${database.name}`;
    await vi.waitFor(async () => expect(await mine()).toHaveLength(1), patience);
    // the row lock suspends it in the middle of its work
    await sql.begin(async (tx) => {
      await tx`lock table projects in access exclusive mode`;
      await held`select pg_advisory_unlock(hashtext('cairn.search.base'))`;
      await vi.waitFor(
        async () =>
          expect(
            await tx`select from pg_locks where relation = 'projects'::regclass and not granted
            and database = (select oid from pg_database where datname = ${database.name})`,
          ).toHaveLength(1),
        patience,
      );
      await tx`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'cairn search builder' and datname = ${database.name}`;
      expect(await builder.ended).toMatchObject({ failed: expect.any(String) });
    });
    held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('exits when its parent dies', async () => {
    const parent = `
      import { startBuilder } from '#db/discovery/search/embedded/builder.ts';
      process.once('message', (given) => process.send(startBuilder(given).pid));`;
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('cairn.search.base'))`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', parent], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.send({ kind: 'base', connect: connect(), folder, nice, after: 0 });
      const [pid] = (await once(child, 'message')) as [number];
      child.kill('SIGKILL');
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience);
    });
  });

  it('keeps the old snapshot and leaves no partial one on a full disk', async () => {
    const program = `
      import { readdirSync } from 'node:fs';
      import { buildBase } from '#db/discovery/search/embedded/builder.ts';
      import { connect } from '#db/platform/postgres/sql.ts';
      const given = { connect: JSON.parse(process.env.CONNECT), folder: process.argv[1], nice: 0 };
      const sql = connect(given.connect);
      await sql\`update projects set status = 'draft' where id like 'Copy%'\`;
      const { generation } = await buildBase(given);
      await sql\`update projects set status = 'approved'\`;
      await sql.end();
      const failed = await buildBase(given).then(() => null, ({ message }) => message);
      console.log(JSON.stringify({ generation, failed, left: readdirSync(given.folder).sort() }));`;
    const disk = smallDisk(256 * 1024);
    try {
      const [file, ...args] = disk.command([process.execPath, '--input-type=module', '-e', program]);
      const env = { ...process.env, CONNECT: JSON.stringify(connect()) };
      const { stdout } = await promisify(execFile)(file, args, { env });
      const { generation, failed, left } = JSON.parse(stdout);
      expect(failed).toContain('ENOSPC');
      expect(left).toEqual(namesOf(generation));
    } finally {
      disk.remove();
    }
  });
});

describe('a builder of warm layers', { timeout: 60_000 }, () => {
  it('writes the given projects that are searchable, into the private folder', async () => {
    const reported = [...ids.slice(0, 300), 'Unknown1'];
    const builder = startBuilder({ kind: 'warm', connect: connect(), folder, nice, ids: reported });
    expect(await builder.ended).toMatchObject({ built: { documents: 300 } });
    expect(await load(filesIn(builder.workshop))).toMatchObject({ facts: { documents: 300 } });
    expect(generationsIn(folder)).toEqual([]);
  });
});

describe('a snapshot that was interrupted anywhere', { timeout: propertyLimit(60_000) }, () => {
  it('is refused, and the previous one is complete', async () => {
    const before = await built();
    const after = await built();
    const whole = baseFiles(folder, after.generation);
    const bytes = { segment: readFileSync(whole.segment), bodies: readFileSync(whole.bodies) };
    const cut = { segment: join(folder, 'cut.segment'), bodies: join(folder, 'cut.bodies') };
    const all = bytes.segment.length + bytes.bodies.length;
    const facts = await factsOf(whole.segment);
    expect(facts).toMatchObject({ documents: many, bodies: { length: bytes.bodies.length } });
    await fc.assert(
      fc.asyncProperty(fc.nat(all - 1), async (at) => {
        // stored hits are written first; a power failure may also lose the end of renamed files
        writeFileSync(cut.bodies, bytes.bodies.subarray(0, Math.max(0, at - bytes.segment.length)));
        writeFileSync(cut.segment, bytes.segment.subarray(0, at));
        expect(await reason(cut)).not.toBe('whole');
      }),
      { numRuns: propertyRuns(60) },
    );
    copyFileSync(whole.segment, cut.segment);
    expect(await reason({ segment: cut.segment, bodies: join(folder, 'none') })).toContain('ENOENT');
    expect(await reason(baseFiles(folder, before.generation))).toBe('whole');
    expect(await reason(whole)).toBe('whole');
  });
});
