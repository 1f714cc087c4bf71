import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackupFixture, backupFixture, contentOf, fillWorld, made, mib } from '../testing/backups.ts';
import { Backups } from './backups.ts';
import { isInstalled } from './programs.ts';

/** s3rver brings no types. */
interface Store {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
/** A store on this machine, and stores that do not work. */
let store: Store;
let objects: string;
let port: number;
let on: BackupFixture;
const others: Server[] = [];
const settings = (at: number, idle_ms = 10_000) => ({
  endpoint: `http://127.0.0.1:${at}`,
  region: 'us-east-1',
  bucket: 'games',
  prefix: 'cairn/one',
  access_key: 'S3RVER',
  secret_key: 'S3RVER',
  idle_ms,
});
beforeAll(async () => {
  objects = mkdtempSync(join(tmpdir(), 'cairn-s3-'));
  // @ts-expect-error it brings no types
  const { default: S3rver } = (await import('s3rver')) as { default: new (options: object) => Store };
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: objects,
    configureBuckets: [{ name: 'games', configs: [] }],
  });
  ({ port } = await store.run());
});
afterAll(async () => {
  await store.close();
  rmSync(objects, { recursive: true, force: true });
});
beforeEach(() => {
  on = backupFixture(settings(port));
  fillWorld(on.folder);
});
afterEach(async () => {
  for (const one of others.splice(0)) {
    one.closeAllConnections();
    await new Promise((done) => one.close(done));
  }
  on.end();
});
const job = (id: string, change = {}) => on.job(id, { target: 's3', ...change });
/** Names of the objects of backups: s3rver keeps the content of each in a file with this ending. */
const names = () =>
  readdirSync(objects, { recursive: true })
    .flatMap((path) => /(B\d+\.[a-z.]+)\._S3rver_object$/.exec(`${path}`)?.[1] ?? [])
    .sort();

/** A store that answers as told, or passes a request on. */
async function storeThat(
  answer: (pass: (change: (bytes: Buffer) => Buffer) => void) => RequestListener,
  idle_ms = 10_000,
) {
  const server = createServer((req, res) => {
    const pass = (change: (bytes: Buffer) => Buffer) => {
      const { method = 'GET', url = '/', headers } = req;
      const streams = /^STREAMING/.test(`${headers['x-amz-content-sha256']}`);
      if (streams) headers['content-length'] = String(headers['x-amz-decoded-content-length']);
      const onward = request({ port, host: '127.0.0.1', method, path: url, headers }, (got) => {
        const parts: Buffer[] = [];
        got.on('data', (part: Buffer) => parts.push(part));
        got.on('end', () => {
          res.writeHead(got.statusCode ?? 500, got.headers);
          const whole = Buffer.concat(parts);
          const changed = method === 'GET' ? change(whole) : whole;
          if (changed.length < whole.length) res.write(changed, () => res.destroy());
          else res.end(changed);
        });
      });
      if (!streams) {
        req.pipe(onward);
        return;
      }
      // restic signs each piece over plain HTTP, which the store for tests does not take apart
      const pieces: Buffer[] = [];
      req.on('data', (piece: Buffer) => pieces.push(piece));
      req.on('end', () => onward.end(withoutSignatures(Buffer.concat(pieces))));
    };
    answer(pass)(req, res);
  });
  others.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port: at } = server.address() as AddressInfo;
  const { pino } = await import('pino');
  const s3 = settings(at, idle_ms);
  return new Backups({ data: on.data, s3, log: pino({ level: 'silent' }) });
}
const brokenStore = async (...store_options: Parameters<typeof storeThat>) =>
  (await storeThat(...store_options)).engine('archive');

/** The content of a body that was sent as signed pieces: `SIZE;chunk-signature=...`, then so many bytes. */
function withoutSignatures(body: Buffer): Buffer {
  const content: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    content.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(content);
}
const failed = (problem: RegExp) => ({
  code: 'backup_target_failed',
  data: { problem: expect.stringMatching(problem) },
});

describe('backups in an S3 store', () => {
  const engine = () => on.backups.engine('archive');

  it('are stored, found, restored by any server, and deleted', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(40 * mib));
    const facts = await engine().create(job('B1'), on.folder, made, 100 * mib);
    expect(await engine().describe(job('B1'))).toMatchObject({ ...facts, server_id: 'S1' });
    const into = on.into('out');
    await engine().restore(job('B1', { server_id: 'S2' }), into, facts.sha256);
    expect(contentOf(into.folder)).toEqual(contentOf(on.folder));
    await engine().delete(job('B1'));
    expect(names()).toEqual([]);
    await expect(engine().restore(job('B1'), on.into('out'), null)).rejects.toMatchObject({
      code: 'backup_not_found',
    });
  });

  it('leave nothing when they are too large or cancelled', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(40 * mib));
    await expect(engine().create(job('B2'), on.folder, made, 30 * mib)).rejects.toMatchObject(
      failed(/more than/),
    );
    const abort = new AbortController();
    const cancelled = job('B3', {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(engine().create(cancelled, on.folder, made, 100 * mib)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(names()).toEqual([]);
  });

  it.runIf(isInstalled('restic'))(
    'may be deduplicated',
    async () => {
      const restic = (await storeThat((pass) => () => pass((bytes) => bytes))).engine('restic');
      await restic.create(job('B4'), on.folder, made, 100 * mib);
      expect(await restic.create(job('B5'), on.folder, made, 100 * mib)).toMatchObject({ unchanged: true });
      const into = on.into('out');
      await restic.restore(job('B4', { server_id: 'S2' }), into, null);
      expect(contentOf(into.folder)).toEqual(contentOf(on.folder));
      const left = () => readdirSync(objects, { recursive: true }).filter((name) => /restic/.test(`${name}`));
      expect(left()).not.toEqual([]);
      const gone = ['B4', 'B5'].map((id) => ({ backup_id: id, server_id: 'S1', engine: 'restic' }) as const);
      expect(await on.backups.discard(gone)).toEqual(['B4', 'B5']);
      // the store for tests leaves empty folders
      expect(left().filter((name) => /_S3rver_object$/.test(`${name}`))).toEqual([]);
    },
    120_000,
  );

  it('of deleted servers are removed, and of stores that do not work another time', async () => {
    const of = (backup_id: string) => ({ backup_id, server_id: 'S1', engine: 'archive' }) as const;
    await engine().create(job('B6'), on.folder, made, 100 * mib);
    await engine().create(job('B7'), on.folder, made, 100 * mib);
    const broken = await storeThat(() => (req, res) => {
      req.resume();
      res.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    });
    expect(await broken.discard([of('B6')])).toEqual([]);
    const bare = backupFixture();
    expect(await bare.backups.discard([of('B6')])).toEqual([]);
    bare.end();
    expect(await on.backups.discard([of('B6'), of('B8')])).toEqual(['B6', 'B8']);
    expect(names()).toEqual(['B7.json', 'B7.tar.zst']);
    await on.backups.discard([of('B7')]);
    expect(names()).toEqual([]);
  });

  it('of a store that is not set, or of the platform, are refused', async () => {
    const bare = backupFixture();
    for (const target of ['s3', 'platform'] as const)
      await expect(
        bare.backups.engine('archive').create(bare.job('B1', { target }), on.folder, made, mib),
      ).rejects.toMatchObject(failed(/settings of the target/));
    bare.end();
  });
});

describe('a store that', () => {
  it('is gone is named', async () => {
    const closed = await brokenStore(() => () => {});
    const [server] = others.splice(0);
    await new Promise((done) => server!.close(done));
    await expect(closed.create(job('B1'), on.folder, made, 100 * mib)).rejects.toMatchObject(
      failed(/ECONNREFUSED/),
    );
    await expect(closed.restore(job('B1'), on.into('out'), null)).rejects.toMatchObject(
      failed(/ECONNREFUSED/),
    );
  });

  it('never answers is given up', async () => {
    const slow = await brokenStore(() => (req) => void req.resume(), 300);
    await expect(slow.create(job('B1'), on.folder, made, 100 * mib)).rejects.toMatchObject(
      failed(/time|sent no/i),
    );
    await expect(slow.restore(job('B1'), on.into('out'), null)).rejects.toMatchObject(failed(/time/i));
  });

  it('is full says so', async () => {
    const full = await brokenStore(() => (req, res) => {
      req.resume();
      res.writeHead(507).end('<Error><Code>QuotaExceeded</Code><Message>No space is left</Message></Error>');
    });
    await expect(full.create(job('B1'), on.folder, made, 100 * mib)).rejects.toMatchObject(
      failed(/QuotaExceeded/),
    );
  });

  it('keeps less than it got, or gives other bytes, is not believed', async () => {
    const short = await brokenStore((pass) => (req, res) => {
      if (req.method !== 'HEAD') return pass((bytes) => bytes);
      res.writeHead(200, { 'content-length': '5' }).end();
    });
    await expect(short.create(job('B1'), on.folder, made, 100 * mib)).rejects.toMatchObject(
      failed(/^it has 5 of \d+ bytes$/),
    );
    expect(names()).toEqual([]);

    const { sha256 } = await on.backups.engine('archive').create(job('B1'), on.folder, made, 100 * mib);
    const flips = await brokenStore(
      (pass) => () =>
        pass((bytes) => {
          const other = Buffer.from(bytes);
          other[other.length >> 1]! ^= 1;
          return other;
        }),
    );
    await expect(flips.restore(job('B1'), on.into('out'), sha256)).rejects.toMatchObject({
      code: 'backup_damaged',
    });
    const cuts = await brokenStore((pass) => () => pass((bytes) => bytes.subarray(0, bytes.length >> 1)));
    await expect(cuts.restore(job('B1'), on.into('out'), sha256)).rejects.toMatchObject(
      failed(/aborted|bytes/),
    );
    await on.backups.engine('archive').delete(job('B1'));
  });
});
