import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordEvent } from '../../../platform/events/write.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { indexConsumer } from '../documents/index-consumer.ts';
import type { Query, SearchEngine } from '../engine.ts';
import { postgresEngine } from '../postgres/engine.ts';
import { readable } from '../testing/contract/caught-up.ts';
import { buildBase } from './builder.ts';
import { openEmbedded } from './engine.ts';
import { format } from './format.ts';
import type { Limits } from './options.ts';
import { writeSegment } from './segment-file.ts';
import { readSegment } from './segment-file-read.ts';
import { baseFiles, generationsIn } from './snapshots.ts';

const database = testDatabase();
const patience = { timeout: 30_000, interval: 20 };
const quick = { gather_ms: 20, poll_ms: 100, first_ms: 100, nice: 0 };
const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
const open: Array<ReturnType<typeof openEmbedded>> = [];
let root: string;
let folder: string;
let fallback: ReturnType<typeof postgresEngine>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cairn-search-'));
  process.env.NODE_COMPILE_CACHE ??= join(root, 'compiled'); // starting is most of what builders do here
  fallback = postgresEngine(database.sql);
});
beforeEach(async () => {
  await readable(database.sql); // skip events of earlier tests
  folder = mkdtempSync(join(root, 'search-'));
  lines.length = 0;
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ engine }) => engine.close()));
});
afterAll(() => rmSync(root, { recursive: true }));

const connect = () => ({ address: database.address, database: database.name });

function started(limits: Partial<Limits> = {}) {
  const given = { sql: database.sql, connect: connect(), folder, fallback, log };
  const one = openEmbedded({ ...given, limits: { ...quick, ...limits } });
  open.push(one);
  return one;
}
const generation = (engine: ReturnType<typeof started>['engine']) =>
  engine.status().snapshot?.generation ?? 0;
const answering = (...engines: SearchEngine[]) =>
  vi.waitFor(
    () => expect(new Set(engines.map((engine) => engine.status().engine))).toEqual(new Set(['embedded'])),
    patience,
  );
/** An engine that answers from its index. */
async function answered(limits: Partial<Limits> = {}) {
  const one = started(limits);
  await answering(one.engine);
  return one;
}

const query = (text: string, more: Partial<Query> = {}): Query => ({
  ...{ text, filter: null, sort: 'relevance', offset: 0, limit: 20 },
  ...more,
});
const titled = async (engine: SearchEngine, text: string): Promise<string[]> =>
  (await engine.search(query(text))).ids;
const finds = (engine: SearchEngine, text: string, ids: string[]) =>
  vi.waitFor(async () => expect((await titled(engine, text)).sort()).toEqual(ids.toSorted()), patience);

const made = async (title: string) => (await build.project(database.sql, { title })).id;
/** Words with an edit distance above one between them. */
const names = [
  'Amberfall',
  'Birchwood',
  'Cinderpeak',
  'Driftmoor',
  'Everglow',
  'Foxhollow',
  'Gritstone',
  'Hazelmere',
];
const edited = (id: string, change: Record<string, unknown>) =>
  database.sql.begin(async (tx) => {
    await tx`update projects set ${tx(change)} where id = ${id}`;
    await recordEvent(tx, { name: 'project.edited', project_id: id });
  });

/** Flips a bit in the middle of a file. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 4;
  writeFileSync(path, bytes);
}

describe('without a usable snapshot', { timeout: 90_000 }, () => {
  it('Postgres answers, a snapshot is built, and then the index answers', async () => {
    const { sql } = database;
    const id = await made('First Lantern');
    await indexConsumer(sql, fallback).rebuild();
    const { engine } = started();
    expect(engine.confirmedAt?.()).toBeNull();
    expect(engine.status()).toMatchObject({ engine: 'postgres', snapshot: null, last_build: null });
    expect(await titled(engine, 'lantern')).toEqual([id]);
    expect(await engine.hits({ ids: [id], versionIds: [null] }, 2, database.settings)).toMatchObject([
      { title: 'First Lantern' },
    ]);
    await answering(engine);
    await vi.waitFor(() => expect(performance.now() - engine.confirmedAt!()!).toBeLessThan(2_000), patience);
    expect(await titled(engine, 'lantern')).toEqual([id]);
    expect(
      await engine.hits({ ids: [id, 'Unknown1'], versionIds: [null, null] }, 3, database.settings),
    ).toMatchObject([{ name: 'First Lantern' }]);
    expect(engine.status()).toMatchObject({
      ready: true,
      waiting: 0,
      cursor_lag: 0,
      snapshot: {
        generation: generationsIn(folder)[0],
        documents: expect.any(Number),
        bytes: expect.any(Number),
      },
      last_build: { ms: expect.any(Number), ended: expect.any(String) },
    });
  });

  it('counts options in the thread, and in Postgres until then', async () => {
    const { sql } = database;
    const title = 'Uncommon Quern';
    await made(title);
    await indexConsumer(sql, fallback).rebuild();
    const { engine } = started();
    const options = [
      { key: 'name', op: '=', value: title } as const,
      { key: 'license', op: '=', value: 'X' } as const,
    ];
    const asked = { text: 'quern', groups: [{ filter: null, options }] };
    expect(engine.status().engine).toBe('postgres');
    expect((await engine.count(asked)).counts).toEqual([[1, 0]]);
    await answering(engine);
    expect((await engine.count(asked)).counts).toEqual([[1, 0]]);
    const many = { text: '', groups: [{ filter: null, options: Array(2_049).fill(options[0]) }] };
    await expect(engine.count(many)).rejects.toMatchObject({ code: 'invalid_input', status: 400 });
    expect(lines).toEqual([]);
  });

  it('uses the previous one when the newest is damaged', async () => {
    const older = await buildBase({ connect: connect(), folder, nice: 0 });
    await buildBase({ connect: connect(), folder, nice: 0 });
    damage(baseFiles(folder, generationsIn(folder)[0] as number).segment);
    const { engine } = await answered();
    expect(engine.status().snapshot).toMatchObject({
      generation: (older as { generation: number }).generation,
    });
    expect(lines.join()).toContain('is damaged');
  });

  it('builds a new one when one is damaged and the other has another format', async () => {
    await buildBase({ connect: connect(), folder, nice: 0 });
    const [first] = generationsIn(folder) as [number];
    const { segment } = baseFiles(folder, first);
    const { facts, sections } = await readSegment(segment, format);
    rmSync(segment);
    writeSegment(segment, { ...facts, format: 'of another time' }, sections);
    await buildBase({ connect: connect(), folder, nice: 0 });
    const [second] = generationsIn(folder) as [number];
    damage(baseFiles(folder, second).bodies);
    const { engine } = await answered();
    expect(generation(engine)).toBeGreaterThan(second);
    expect(lines.join()).toContain('of another format');
    expect(lines.join()).toContain('stored hits is damaged');
  });

  it('ignores one that is older than the retained events', async () => {
    const { sql } = database;
    const id = await made('Restless Harbour');
    await recordEvent(sql, { name: 'project.edited', project_id: id });
    await readable(sql);
    await buildBase({ connect: connect(), folder, nice: 0 });
    const [before] = generationsIn(folder) as [number];
    await sql`update projects set title = 'Quiet Harbour' where id = ${id}`;
    await sql`delete from events`;
    const { engine } = await answered();
    expect(generation(engine)).toBeGreaterThan(before);
    expect(await titled(engine, 'quiet harbour')).toEqual([id]);
    expect(lines.join()).toContain('does not reach back');
  });
});

describe('following events', { timeout: 90_000 }, () => {
  it('catches up from its snapshot, with few or many changes', async () => {
    const ids = [await made('Sleeping Meadow'), await made('Waking Meadow'), await made('Burning Meadow')];
    await buildBase({ connect: connect(), folder, nice: 0 });
    for (const id of ids.slice(1)) await edited(id, { title: 'Flooded Valley' });
    for (const hot of [10, 1]) {
      const { engine, keeper } = await answered({ hot });
      await finds(engine, 'meadow', ids.slice(0, 1));
      await finds(engine, 'flooded valley', ids.slice(1));
      const parts = hot === 10 ? { warm: 0, hot: 2 } : { warm: 2, hot: 0 };
      await vi.waitFor(() => expect(keeper.active?.held).toMatchObject(parts), patience);
    }
    expect(generationsIn(folder)).toHaveLength(1);
  });

  it('indexes new, changed, renamed, counted and removed projects in base, warm and hot layers', async () => {
    const { sql } = database;
    const owner = await build.user(sql, { username: 'early-name' });
    const ids: string[] = [];
    for (const name of names.slice(0, 4))
      ids.push((await build.project(sql, { owner, title: `${name} Tower` })).id);
    const [base, warm, hot, counted] = ids as [string, string, string, string];
    const { engine, keeper } = await answered({ hot: 1 });
    // two changes make a warm layer, the next one a hot layer above it
    await edited(warm, { title: 'Birchwood Castle' });
    await edited(hot, { title: 'Cinderpeak Castle' });
    await finds(engine, 'castle', [warm, hot]);
    await vi.waitFor(() => expect(keeper.active?.held).toMatchObject({ warm: 2, hot: 0 }), patience);
    await edited(hot, { title: 'Cinderpeak Bridge' });
    await finds(engine, 'bridge', [hot]);
    expect(keeper.active?.held).toMatchObject({ warm: 2, hot: 1 });
    expect(await titled(engine, 'castle')).toEqual([warm]);

    const by = async (name: string) =>
      (await engine.search(query('', { filter: { key: 'author', op: '=', value: name }, sort: 'downloads' })))
        .ids;
    const counters = async (id: string, downloads: number) => {
      await sql`update projects set downloads = ${downloads} where id = ${id}`;
      await recordEvent(sql, { name: 'project.counted', data: { project_ids: [id] } });
      await vi.waitFor(async () => expect((await by('early-name'))[0]).toBe(id), patience);
    };
    await counters(base, 10);
    await counters(warm, 20);
    await counters(hot, 30);
    await counters(counted, 40);
    expect(await by('early-name')).toEqual([counted, hot, warm, base]);
    expect(
      await engine.hits({ ids: [base, hot], versionIds: [null, null] }, 2, database.settings),
    ).toMatchObject([
      { downloads: 10, title: 'Amberfall Tower' },
      { downloads: 30, title: 'Cinderpeak Bridge' },
    ]);

    for (const id of [base, warm, hot]) {
      await sql`update projects set status = 'unlisted' where id = ${id}`;
      await recordEvent(sql, {
        name: 'project.moved',
        project_id: id,
        data: { from: 'draft', to: 'approved' },
      });
      await vi.waitFor(async () => expect(await by('early-name')).not.toContain(id), patience);
    }
    await sql`update users set username = 'late-name' where id = ${owner.id}`;
    await recordEvent(sql, { name: 'user.renamed', user_id: owner.id });
    await vi.waitFor(async () => expect(await by('late-name')).toEqual([counted]), patience);
    expect(await by('early-name')).toEqual([]);
  });

  it('removes a hidden project from its dependents', async () => {
    const { sql } = database;
    const target = await made('Hollow Library');
    const project = await build.project(sql, { title: 'Leaning Dependent' });
    await build.version(sql, project, { dependencies: [{ project_id: target }] });
    const { engine } = await answered();
    const dependents = query('', { filter: { key: 'dependency_project_ids', op: '=', value: target } });
    const named = async () => {
      const [hit] = await engine.hits({ ids: [project.id], versionIds: [null] }, 3, database.settings);
      return { ids: (await engine.search(dependents)).ids, named: hit?.dependency_project_ids };
    };
    expect(await named()).toEqual({ ids: [project.id], named: [target] });
    await sql.begin(async (tx) => {
      await tx`update projects set status = 'private' where id = ${target}`;
      const data = { from: 'approved', to: 'private' };
      await recordEvent(tx, { name: 'project.moved', project_id: target, data });
    });
    await vi.waitFor(async () => expect(await named()).toEqual({ ids: [], named: [] }), patience);
  });

  it('puts many pending changes into a warm layer at once', async () => {
    const ids: string[] = [];
    for (const name of names) ids.push(await made(`${name} Cellar`));
    const { engine, keeper } = await answered({ max_recent: 4, hot: 100 });
    await database.sql.begin(async (tx) => {
      await tx`update projects set title = 'Vaulted Ceiling' where id = any(${ids})`;
      for (const id of ids) await recordEvent(tx, { name: 'project.edited', project_id: id });
    });
    await finds(engine, 'vaulted ceiling', ids);
    expect(await titled(engine, 'cellar')).toEqual([]);
    expect(keeper.active?.held).toMatchObject({ warm: ids.length, hot: 0 });
  });

  it('builds a new base after many changes, and after a load that does not name its projects', async () => {
    const ids: string[] = [];
    for (const name of names.slice(0, 4)) ids.push(await made(`${name} Garden`));
    const { engine, keeper } = await answered({ hot: 1, changed: 3 });
    const first = generation(engine);
    for (const id of ids) await edited(id, { title: 'Frozen Orchard' });
    await finds(engine, 'frozen orchard', ids);
    await vi.waitFor(() => expect(generation(engine)).toBeGreaterThan(first), patience);
    expect(await titled(engine, 'frozen orchard')).toHaveLength(4);
    await vi.waitFor(() => expect(keeper.active?.changed.size).toBe(0), patience);
    expect(keeper.active?.held).toMatchObject({ warm: 0, hot: 0 });

    const loaded = await made('Loaded Orchard');
    await recordEvent(database.sql, { name: 'catalogue.loaded', data: { projects: 1 } });
    await finds(engine, 'loaded orchard', [loaded]);
  });

  it('never shows older results while new layers are swapped in', async () => {
    const ids: string[] = [];
    for (const name of names) ids.push(await made(`${name} Before`));
    const { engine } = await answered({ hot: 2 });
    let renamed = 0;
    let over = false;
    const wrong = new Set<string>();
    const fields = async (name: string) => {
      const [hit] = await engine.hits(await engine.search(query(`${name} afterwards`)), 2, database.settings);
      return hit?.title;
    };
    const watch = async () => {
      while (!over) {
        for (const name of names.slice(0, renamed)) {
          const title = await fields(name);
          if (title !== `${name} Afterwards`) wrong.add(`${name}: ${title}`);
        }
        await setImmediate();
      }
    };
    const watching = watch();
    const rename = async () => {
      const name = names[renamed] as string;
      await edited(ids[renamed] as string, { title: `${name} Afterwards` });
      await vi.waitFor(async () => expect(await fields(name)).toBe(`${name} Afterwards`), patience);
      renamed++;
    };
    for (let round = 0; round < 4; round++) {
      await rename();
      const building = buildBase({ connect: connect(), folder, nice: 0 });
      await rename();
      const { generation: built } = (await building) as { generation: number };
      await vi.waitFor(() => expect(generation(engine)).toBe(built), patience);
    }
    over = true;
    await watching;
    expect([...wrong]).toEqual([]);
  });
});

describe('failures and load', { timeout: 90_000 }, () => {
  it('Postgres answers while the searcher thread is down, including pending searches', async () => {
    const id = await made('Stubborn Donkey');
    await indexConsumer(database.sql, fallback).rebuild();
    const { engine, searcher } = await answered();
    const asked = Array.from({ length: 20 }, () => titled(engine, 'stubborn donkey'));
    const crashed = searcher.port?.end();
    expect(engine.status().engine).toBe('postgres');
    expect(await titled(engine, 'stubborn donkey')).toEqual([id]);
    expect(await Promise.all(asked)).toEqual(asked.map(() => [id]));
    await crashed;
    await answering(engine);
    expect(await titled(engine, 'stubborn donkey')).toEqual([id]);
  });

  it('queues 200 searches and refuses more as busy', async () => {
    const { engine } = await answered();
    const all = await Promise.allSettled(Array.from({ length: 205 }, () => titled(engine, '')));
    const busy = { status: 'rejected', reason: { code: 'busy', status: 503 } };
    expect(all.at(-1)).toMatchObject(busy); // four run, two hundred wait
    expect(all.slice(0, 4)).toMatchObject(Array(4).fill({ status: 'fulfilled' }));
    // on a slow machine some of them time out
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject(refused.map(() => busy));
    expect(await titled(engine, 'nothing of the kind')).toEqual([]);
  });

  it('several processes share a folder: one builds, all follow and give the same results', async () => {
    const id = await made('Common Ground');
    const engines = [started().engine, started().engine];
    await answering(...engines);
    expect(generationsIn(folder)).toHaveLength(1);
    const answers = () => Promise.all(engines.map((engine) => titled(engine, 'ground')));
    const [one, other] = await answers();
    expect(one).toContain(id);
    expect(other).toEqual(one);
    await edited(id, { title: 'Shared Meadowland' });
    for (const engine of engines) await finds(engine, 'meadowland', [id]);
    const { generation: built } = (await buildBase({ connect: connect(), folder, nice: 0 })) as {
      generation: number;
    };
    for (const engine of engines) {
      await vi.waitFor(() => expect(generation(engine)).toBe(built), patience);
      expect(await titled(engine, 'meadowland')).toEqual([id]);
    }
  });

  it('leaves nothing behind when it closes during a build', async () => {
    const { engine } = started();
    await vi.waitFor(() => expect(readdirSync(folder)).not.toEqual([]), patience);
    await engine.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('building'))).toEqual([]);
  });
});
