import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chown, open, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { syncFiles } from '#agents/backups/swap.ts';
import { contentHandlers } from '#agents/operations/content-handlers.ts';
import { answerQuery } from '#agents/session/file-queries.ts';
import { openStateStore } from '#agents/state/store.ts';
import { type Row, ratioAtMost } from './report.ts';

const mib = 1024 * 1024;
const rounds = 5;
const uid = 20_000;

/**
 * What an agent does with the content of a server, in turns with the least that it could do: 300 files of a MB recognised by
 * their hashes, each for the first time, and hashed alone; a pack of 100 files of 2 MB applied from an HTTP server, and
 * fetched from it one after the other, hashed and written. Both end when the bytes are on the disk. Adds to `rows`.
 */
export async function measureContent(rows: Row[]): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'cairn-bench-content-'));
  const store = openStateStore(data);
  const folder = join(data, 'servers/S1');
  const pack = Array.from({ length: 100 }, () => randomBytes(2 * mib));
  const byHash = new Map(pack.map((content) => [sha512(content), content]));
  const http = createServer((request, answer) => {
    const file = new URL(request.url ?? '', 'http://x').searchParams.get('file') ?? '';
    answer.end(byHash.get(file));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const owner = ownerOf(folder, url, store);
  const times = { list: [], hash: [], apply: [], copy: [] } as Record<string, number[]>;
  try {
    for (let round = 0; round < rounds; round++) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(join(folder, 'mods'), { recursive: true });
      // other files in every round: none is remembered
      for (let file = 0; file < 300; file++)
        writeFileSync(join(folder, `mods/${file}.jar`), randomBytes(mib));
      await inTurns(round, [
        async () => void times.hash!.push(await seconds(() => hashAll(join(folder, 'mods')))),
        async () => void times.list!.push(await seconds(() => list(owner))),
      ]);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(join(folder, 'plain'), { recursive: true });
      const files = [...byHash].map(([hash, { length }]) => [hash, length] as [string, number]);
      await inTurns(round, [
        async () =>
          void times.copy!.push(await seconds(() => copyAll(join(folder, 'plain'), url, [...byHash.keys()]))),
        async () => void times.apply!.push(await seconds(() => apply(owner, files))),
      ]);
    }
    const compare = (name: string, target: number, ours: string, baseline: string, what: string) => {
      const [is, was] = [median(times[ours]!), median(times[baseline]!)];
      const shown = (time: number) => `${(time * 1000).toFixed(0)} ms`;
      return ratioAtMost(target, {
        name,
        ratio: is / was,
        ours: shown(is),
        baseline: `${what} ${shown(was)}`,
      });
    };
    rows.push(
      compare('300 files recognised by hash', 1.5, 'list', 'hash', 'hashing'),
      compare('pack of 100 files applied', 2, 'apply', 'copy', 'fetch, hash and write'),
    );
  } finally {
    await new Promise((done) => http.close(done));
    store.close();
    rmSync(data, { recursive: true, force: true });
  }
}

type Owner = Parameters<typeof answerQuery>[0];

/** A server as far as its content needs it. */
function ownerOf(folder: string, url: string, store: ReturnType<typeof openStateStore>): Owner {
  const context = {
    usedMb: async () => 0,
    disks: {
      withFolder: (_id: string, _mb: number, work: (folder: string) => Promise<unknown>) => work(folder),
      imageMb: async () => null,
    },
    url: () => url,
    now: Date.now,
    log: pino({ level: 'silent' }),
    onProgress: () => {},
    store,
  };
  const idle = async () => {};
  return { id: 'S1', stored: { uid, spec: { disk_mb: 1e6 } }, context, idle, reconcile: () => {} } as never;
}

/** Whichever is first in one round is second in the next, since it finds other caches. Nothing waits to be written before. */
async function inTurns(round: number, both: (() => Promise<void>)[]): Promise<void> {
  for (const one of round % 2 === 0 ? both : both.toReversed()) {
    await syncFiles(tmpdir());
    await one();
  }
}

async function list(owner: Owner): Promise<void> {
  const answer = await answerQuery(owner, { query: 'content_list', args: { folders: ['mods'] } });
  if (!answer.ok || (answer.result as { files: unknown[] }).files.length !== 300) throw new Error('no list');
}

async function apply(owner: Owner, files: [string, number][]): Promise<void> {
  const add = files.map(([sha512, bytes], index) => ({ path: `mods/${index}.jar`, sha512, bytes, urls: [] }));
  const args = {
    folders: ['mods'],
    revision: null,
    get: '/transfers?content=x',
    add,
    archive: null,
    move: [],
    remove: [],
  };
  const { state, result } = await contentHandlers.content_apply.run(
    owner as never,
    args,
    crypto.randomUUID(),
  );
  if (state !== 'done') throw new Error(JSON.stringify(result));
}

async function hashAll(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) sha512(await readFile(join(folder, name)));
}

async function copyAll(folder: string, url: string, hashes: string[]): Promise<void> {
  for (const [index, hash] of hashes.entries()) {
    const answer = await fetch(`${url}/transfers?content=x&file=${hash}`);
    const sum = createHash('sha512');
    const path = join(folder, `${index}.jar`);
    const handle = await open(path, 'wx');
    for await (const chunk of answer.body!) {
      sum.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.close();
    await chown(path, uid, uid).catch(() => {});
    if (sum.digest('hex') !== hash) throw new Error('another file');
  }
  await syncFiles(folder);
}

const sha512 = (content: Buffer): string => createHash('sha512').update(content).digest('hex');

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;

async function seconds(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
