import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterAll, expect, test } from 'vitest';
import { diskStorage } from '#db/storage/disk.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { Version } from '#db/versions/shape.ts';
import { dataOf, form, jar } from '../../testing/versions.ts';

const database = testDatabase();
const publishes = 200;
const kills = 12;
const together = 4;

const folder = await mkdtemp(join(tmpdir(), 'cairn-kill-'));
let child: ChildProcess | undefined;
afterAll(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
const random = xoroshiro128plus(seed);
const between = (min: number, max: number) => uniformInt(random, min, max);

/** Starts the server process and gives its address. */
async function start(): Promise<string> {
  const script = fileURLToPath(new URL('../../testing/kill-server.ts', import.meta.url));
  child = fork(script, [database.address, database.name, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }, // start-up dominates this test
  });
  const [port] = (await once(child, 'message')) as [number];
  return `http://127.0.0.1:${port}`;
}

async function kill(): Promise<void> {
  const ended = once(child!, 'exit');
  child!.kill('SIGKILL');
  await ended;
}

const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

/** What the server acknowledged: published versions, and the deleted ones among them. */
const published = new Map<string, Version>();
const deleted = new Set<string>();
const uncertain = new Set<string>();
const reported = new EventEmitter();

async function reached(count: number): Promise<void> {
  while (published.size < count) await once(reported, 'published');
}

test(`200 publishes survive ${kills} SIGKILLs (KILL_SEED=${seed})`, { timeout: 120_000 }, async () => {
  console.log(`KILL_SEED=${seed}`);
  const project = await build.project(database.sql);
  const token = await build.token(database.sql, project.owner);
  let origin = '';
  let next = 0;

  /** One client: publishes under its own names until the server dies or enough is done; deletes some versions. */
  async function caller(enough: () => boolean): Promise<void> {
    while (!enough()) {
      const number = next++;
      const files = {
        file: [`mod-${number}.jar`, await jar(`kill ${number}`)],
        extra: [`b-${number}.jar`, await jar(`b ${number}`)],
      } as const;
      const data = dataOf(project.id, { version_number: `1.${number}`, file_parts: ['file', 'extra'] });
      const made = await call('POST', '/v2/version', form(data, files));
      if (!made) return;
      published.set(made.id, made);
      reported.emit('published');
      if (number % 9 !== 0) continue;
      uncertain.add(made.id);
      if (!(await call('DELETE', `/v2/version/${made.id}`))) return;
      deleted.add(made.id);
    }
  }
  async function call(method: string, path: string, body?: FormData): Promise<Version | null> {
    try {
      const answer = await fetch(origin + path, {
        method,
        headers: { authorization: token },
        body: body ?? null,
      });
      expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
      return answer.status === 204 ? ({} as Version) : ((await answer.json()) as Version);
    } catch (error) {
      if (error instanceof TypeError) return null; // the connection broke: nothing was acknowledged
      throw error;
    }
  }

  for (let life = 1; life <= kills; life++) {
    origin = await start();
    const goal = published.size + between(4, Math.floor(publishes / kills));
    const callers = Array.from(
      { length: together },
      async () => await caller(() => published.size >= publishes),
    );
    await Promise.race([reached(goal), Promise.all(callers)]);
    await new Promise((done) => setTimeout(done, between(0, 40))); // a random moment within the next uploads
    await kill();
    await Promise.all(callers);
    await everythingIsWhole(project.id);
  }
  origin = await start();
  await Promise.all(
    Array.from({ length: together }, async () => await caller(() => published.size >= publishes)),
  );
  await everythingIsWhole(project.id, origin);
  console.log(`${published.size} acknowledged of ${next} sent, ${deleted.size} deleted, ${kills} kills`);
});

/**
 * Checks that acknowledged versions are complete, deleted ones are gone, and no other version lacks a file or a byte.
 */
async function everythingIsWhole(project_id: string, origin?: string): Promise<void> {
  const storage = diskStorage(folder);
  const rows = await database.sql<
    Array<{ id: string; files: Array<{ filename: string; sha1: string; size: number; is_primary: boolean }> }>
  >`
    select v.id, (select json_agg(f.*) from files f where f.version_id = v.id) as files
    from versions v where v.project_id = ${project_id}`;
  for (const { id, files } of rows) {
    expect(deleted.has(id), `${id} was deleted`).toBe(false);
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
    const answered = published.get(id)?.files.map(({ hashes }) => hashes.sha1);
    if (answered) expect(files.map((file) => file.sha1).sort()).toEqual(answered.sort());
  }
  const there = new Set(rows.map(({ id }) => id));
  const lost = [...published.keys()].filter((id) => !there.has(id) && !uncertain.has(id));
  expect(lost, 'acknowledged and lost').toEqual([]);
  if (!origin) return;
  const list = (await (await fetch(`${origin}/v2/project/${project_id}/version`)).json()) as Version[];
  expect(new Set(list.map(({ id }) => id))).toEqual(there);
}
