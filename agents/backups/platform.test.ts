import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BackupFixture, backupFixture, contentOf, fillWorld, made, mib } from '../testing/backups.ts';
import { Backups } from './backups.ts';
import type { Platform } from './targets/platform.ts';

/** Backups at the platform, as an agent sees it: the control plane is an HTTP server that answers as told. */
let on: BackupFixture;
const files = new Map<string, Buffer>();
const servers: Server[] = [];
beforeEach(() => {
  on = backupFixture();
  fillWorld(on.folder);
  files.clear();
});
afterEach(async () => {
  for (const one of servers.splice(0)) {
    one.closeAllConnections();
    await new Promise((done) => one.close(done));
  }
  on.end();
});
const job = (id: string, change = {}) => on.job(id, { target: 'platform', ...change });
const failed = (problem: RegExp) => ({
  code: 'backup_target_failed',
  data: { problem: expect.stringMatching(problem) },
});
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Faults {
  /** Answers an HTTP request instead. */
  http?: RequestListener;
  /** What arrived of a body, as the control plane says. */
  arrived?(body: Buffer): { bytes: number; sha256: string };
  /** What it has of a stored file. */
  sends?(file: Buffer): Buffer;
  /** Answers questions of this kind instead. */
  asks?: Partial<Record<string, string>>;
}

/** A control plane that keeps files in memory. */
async function platform(faults: Faults = {}): Promise<Backups> {
  const staged = new Map<string, { name: string; body: Buffer }>();
  let addresses = 0;
  const server = createServer((req, res) => {
    if (faults.http) return faults.http(req, res);
    const key = req.url!;
    const { name } = staged.get(key)!;
    if (req.method === 'GET') {
      const file = files.get(name);
      if (!file) return void res.writeHead(404).end('{"error":"backup_not_found"}');
      const sent = faults.sends?.(file) ?? file;
      res.writeHead(200, { 'content-length': file.length });
      if (sent.length < file.length) res.write(sent, () => res.destroy());
      else res.end(sent);
      return;
    }
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const body = Buffer.concat(parts);
      staged.set(key, { name, body });
      const arrived = faults.arrived?.(body) ?? { bytes: body.length, sha256: sumOf(body) };
      res.writeHead(200).end(JSON.stringify(arrived));
    });
  });
  servers.push(server);
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers: Record<string, (question: Record<string, string>) => object> = {
    'backup.address': ({ server_id, name }) => {
      const address = `/transfers?backup=${++addresses}`;
      staged.set(address, { name: `${server_id}/${name}`, body: Buffer.alloc(0) });
      return { address };
    },
    'backup.commit': ({ address }) => {
      const { name, body } = staged.get(address!)!;
      files.set(name, body);
      return {};
    },
    'backup.remove': ({ server_id, name }) => {
      files.delete(`${server_id}/${name}`);
      return {};
    },
  };
  const ask = async (request: string, question: object) => {
    const error = faults.asks?.[request];
    return error ? { ok: false, error } : { ok: true, ...answers[request]!(question as never) };
  };
  return new Backups({
    ...{ data: on.data, s3: null, log: pino({ level: 'silent' }) },
    platform: { url: () => url, ask } as Platform,
  });
}
const engineOf = async (faults: Faults = {}) => (await platform(faults)).engine('archive');
const create = async (faults: Faults, id = 'B1') =>
  (await engineOf(faults)).create(job(id), on.folder, made, 100 * mib);

describe('backups at the platform', () => {
  it('are stored, found, restored by any server on any node, and deleted', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(20 * mib));
    const engine = await engineOf();
    const facts = await engine.create(job('B1'), on.folder, made, 100 * mib);
    expect([...files.keys()].sort()).toEqual(['S1/B1.json', 'S1/B1.tar.zst']);
    expect(sumOf(files.get('S1/B1.tar.zst')!)).toBe(facts.sha256);
    // the folder of the agent is lost: another one knows nothing
    const other = backupFixture();
    const there = (await platform()).engine('archive');
    const into = other.into('out');
    await there.restore(job('B1'), into, facts.sha256);
    expect(contentOf(into.folder)).toEqual(contentOf(on.folder));
    expect(await there.verify(job('B1'), null, facts.sha256)).toMatchObject({ damaged: [] });
    other.end();
    await engine.delete(job('B1'));
    expect(files.size).toBe(0);
    await expect(engine.restore(job('B1'), on.into('out'), null)).rejects.toMatchObject({
      code: 'backup_not_found',
    });
  });

  it('leave nothing when they are too large or cancelled', async () => {
    writeFileSync(join(on.folder, 'large'), randomBytes(20 * mib));
    const engine = await engineOf();
    await expect(engine.create(job('B2'), on.folder, made, 10 * mib)).rejects.toMatchObject(
      failed(/more than/),
    );
    const abort = new AbortController();
    const cancelled = job('B3', { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(engine.create(cancelled, on.folder, made, 100 * mib)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(files.size).toBe(0);
  });

  it('are told in heartbeats', async () => {
    expect((await platform()).places()).toEqual({ backup_targets: ['node', 'platform'] });
    expect(on.backups.places()).toEqual({ backup_targets: ['node'] });
  });
});

describe('a platform that', () => {
  const answers = (status: number, error: string): Faults => ({
    http: (_, res) => void res.writeHead(status).end(JSON.stringify({ error })),
  });

  it('is full or broken says so', async () => {
    await expect(create(answers(507, 'storage_full'))).rejects.toMatchObject(failed(/^its storage is full$/));
    await expect(create(answers(502, 'backup_target_failed'))).rejects.toMatchObject(failed(/does not work/));
    await expect(create(answers(413, 'body_too_large'))).rejects.toMatchObject(failed(/more than it may/));
    await expect(create(answers(502, 'html'))).rejects.toMatchObject(failed(/answered html/));
    await expect(create({ asks: { 'backup.commit': 'backup_not_ready' } })).rejects.toMatchObject(
      failed(/not being made/),
    );
    expect(files.size).toBe(0);
  });

  it('is gone, or goes in the middle, is named', async () => {
    await expect(create({ http: (req) => void req.socket.destroy() })).rejects.toMatchObject(failed(/./));
    await expect(
      create({ http: (req) => void req.once('data', () => req.socket.destroy()) }),
    ).rejects.toMatchObject(failed(/./));
    const backups = await platform();
    const server = servers.pop();
    await new Promise((done) => server!.close(done));
    await expect(
      backups.engine('archive').create(job('B1'), on.folder, made, 100 * mib),
    ).rejects.toMatchObject(failed(/ECONNREFUSED/));
  });

  it('has other bytes than were sent is not believed', async () => {
    const short = (body: Buffer) => ({ bytes: body.length - 1, sha256: sumOf(body) });
    await expect(create({ arrived: short })).rejects.toMatchObject(failed(/^it has \d+ of \d+ bytes$/));
    const other = (body: Buffer) => ({ bytes: body.length, sha256: sumOf(Buffer.from('x')) });
    await expect(create({ arrived: other })).rejects.toMatchObject(failed(/other bytes/));
    expect(files.size).toBe(0);

    const { sha256 } = await create({});
    const flips = (file: Buffer) => {
      const bytes = Buffer.from(file);
      bytes[file.length >> 1]! ^= 1;
      return bytes;
    };
    const restore = async (sends: Faults['sends']) =>
      (await engineOf({ ...(sends && { sends }) })).restore(job('B1'), on.into('out'), sha256);
    await expect(restore(flips)).rejects.toMatchObject({ code: 'backup_damaged' });
    await expect(restore((file) => file.subarray(0, file.length >> 1))).rejects.toMatchObject(failed(/./));
  });
});
