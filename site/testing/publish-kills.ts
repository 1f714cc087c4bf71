import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect } from 'vitest';
import type { Version } from '#db/catalogue/versions/shape.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import * as build from '#db/testing/builders/build.ts';
import { dataOf, form, jar } from './versions.ts';

interface Options {
  /** Versions in all. */
  publishes: number;
  kills: number;
  /** The same one kills after as many publishes. */
  seed: number;
}

interface Database {
  sql: Pool;
  address: string;
  name: string;
}

/** What the server acknowledged: published versions, and the deleted ones among them. */
class Acknowledged {
  readonly published = new Map<string, Version>();
  readonly deleted = new Set<string>();
  readonly uncertain = new Set<string>();
  readonly #reported = new EventEmitter();

  publish(version: Version): void {
    this.published.set(version.id, version);
    this.#reported.emit('published');
  }

  async reached(count: number): Promise<void> {
    while (this.published.size < count) await once(this.#reported, 'published');
  }
}

const clients = 4;
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

/**
 * Publishes versions by four clients while the process of the API is killed again and again. Expects after each kill that
 * every acknowledged version is complete, deleted ones are gone, and no other version lacks a file or a byte.
 */
export async function publishUnderKills(
  database: Database,
  { publishes, kills, seed }: Options,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-kill-'));
  const random = xoroshiro128plus(seed);
  const between = (min: number, max: number) => uniformInt(random, min, max);
  const project = await build.project(database.sql);
  const token = await build.token(database.sql, project.owner);
  const done = new Acknowledged();
  const enough = () => done.published.size >= publishes;
  let next = 0;
  let server: ApiProcess | undefined;

  /** One client: publishes under its own names until the server dies or enough is done; deletes some versions. */
  async function client(origin: string): Promise<void> {
    while (!enough()) {
      const number = next++;
      const files = {
        file: [`mod-${number}.jar`, await jar(`kill ${number}`)],
        extra: [`b-${number}.jar`, await jar(`b ${number}`)],
      } as const;
      const data = dataOf(project.id, { version_number: `1.${number}`, file_parts: ['file', 'extra'] });
      const made = await call(origin, token, 'POST', '/v2/version', form(data, files));
      if (!made) return;
      done.publish(made);
      if (number % 9 !== 0) continue;
      done.uncertain.add(made.id);
      if (!(await call(origin, token, 'DELETE', `/v2/version/${made.id}`))) return;
      done.deleted.add(made.id);
    }
  }
  const startClients = (origin: string) => Array.from({ length: clients }, () => client(origin));
  const isWhole = (origin?: string) =>
    expectWhole(database.sql, { folder, project_id: project.id, done, origin });

  try {
    for (let life = 1; life <= kills; life++) {
      server = await startApi(database, folder);
      const goal = done.published.size + between(4, Math.max(4, Math.floor(publishes / kills)));
      const working = startClients(server.origin);
      await Promise.race([done.reached(goal), Promise.all(working)]);
      await new Promise((go) => setTimeout(go, between(0, 40))); // a random moment within the next uploads
      await server.kill();
      await Promise.all(working);
      await isWhole();
    }
    server = await startApi(database, folder);
    await Promise.all(startClients(server.origin));
    await isWhole(server.origin);
    console.log(
      `${done.published.size} acknowledged of ${next} sent, ${done.deleted.size} deleted, ${kills} kills`,
    );
  } finally {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

interface ApiProcess {
  origin: string;
  kill(): Promise<void>;
}

async function startApi({ address, name }: Database, folder: string): Promise<ApiProcess> {
  const script = fileURLToPath(new URL('kill-server.ts', import.meta.url));
  const child: ChildProcess = fork(script, [address, name, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }, // start-up dominates this test
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    origin: `http://127.0.0.1:${port}`,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The answer; null when the connection broke, so that nothing was acknowledged. */
async function call(
  origin: string,
  token: string,
  ...[method, path, body]: [method: string, path: string, body?: FormData]
): Promise<Version | null> {
  try {
    const headers = { authorization: token };
    const answer = await fetch(origin + path, { method, headers, body: body ?? null });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return answer.status === 204 ? ({} as Version) : ((await answer.json()) as Version);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

interface Checked {
  folder: string;
  project_id: string;
  done: Acknowledged;
  /** The list of a running API is checked as well. */
  origin: string | undefined;
}

/** Acknowledged versions are complete, deleted ones are gone, and no other version lacks a file or a byte. */
async function expectWhole(sql: Pool, { folder, project_id, done, origin }: Checked): Promise<void> {
  const storage = diskStorage(folder);
  const rows = await sql<
    Array<{ id: string; files: Array<{ filename: string; sha1: string; size: number; is_primary: boolean }> }>
  >`
    select v.id, (select json_agg(f.*) from files f where f.version_id = v.id) as files
    from versions v where v.project_id = ${project_id}`;
  for (const { id, files } of rows) {
    expect(done.deleted.has(id), `${id} was deleted`).toBe(false);
    expect(files, id).toHaveLength(2);
    expect(
      files.filter(({ is_primary }) => is_primary),
      id,
    ).toHaveLength(1);
    for (const file of files) {
      const bytes = await storage.read(`data/${project_id}/versions/${id}/${file.filename}`);
      expect(bytes, `${id}/${file.filename}`).not.toBeNull();
      const whole = await buffer(bytes!);
      expect([whole.length, sha1(whole)], `${id}/${file.filename}`).toEqual([file.size, file.sha1]);
    }
    const answered = done.published.get(id)?.files.map(({ hashes }) => hashes.sha1);
    if (answered) expect(files.map((file) => file.sha1).sort()).toEqual(answered.sort());
  }
  const there = new Set(rows.map(({ id }) => id));
  const lost = [...done.published.keys()].filter((id) => !there.has(id) && !done.uncertain.has(id));
  expect(lost, 'acknowledged and lost').toEqual([]);
  if (!origin) return;
  const list = (await (await fetch(`${origin}/v2/project/${project_id}/version`)).json()) as Version[];
  expect(new Set(list.map(({ id }) => id))).toEqual(there);
}
