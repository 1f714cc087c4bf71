import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startAgent } from '#agents/agent.ts';
import { agentSettings } from '#agents/settings.ts';
import { browser, closeClients } from '#control/testing/clients.ts';
import {
  newNode,
  type RentedServer,
  rentServer,
  siteUrl,
  startControlPlane,
  type TestControlPlane,
} from '#control/testing/plane.ts';
import {
  beginUpload,
  patchUpload,
  placeUpload,
  sendUpload,
  tus,
  variedBytes,
} from '#control/testing/uploads.ts';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { newId } from '#db/platform/id.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { freePort } from './testing/product.ts';

/** Files that an agent gives and takes at a port of its own: a real control plane and a real agent, without Docker. */
const database = testDatabase();
const data = mkdtempSync(join(tmpdir(), 'cairn-port-'));
let port = 0;
let plane: TestControlPlane;
let plane_port = 0;
let agent: ReturnType<typeof startAgent>;
let renter: Pick<RentedServer, 'screen' | 'id' | 'owner' | 'key'>;
let folder: string;
let node: { id: string; join_token: string };

const origin = () => `http://127.0.0.1:${port}`;
const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
function start(): void {
  const env = {
    ...{ CAIRN_AGENT_DISK: 'measured', CAIRN_AGENT_TRANSFER_PORT: String(port) },
    CAIRN_AGENT_TRANSFER_URL: origin(),
  };
  const settings = agentSettings({ url: `http://127.0.0.1:${plane_port}`, join: node.join_token, data }, env);
  agent = startAgent({ settings, log, onRejected: (error) => log.error(error) });
}
/** Its agent is connected and has told its port. */
const named = () =>
  vi.waitFor(async () => {
    const [row] = await database.sql`
      select facts->>'transfer_url' as url, lease_holder as plane from nodes where id = ${node.id}`;
    expect(row).toEqual({ url: origin(), plane: plane.plane.context.id });
  }, 30_000);

/** The owner gets a token and a panel. */
async function signIn(): Promise<void> {
  renter.key = await token(database.sql, renter.owner);
  renter.screen = await browser(plane.url, { token: renter.key });
}
/** Transfers that go on, as the plane counts them. */
const openTransfers = () => plane.plane.transfers.count;

beforeAll(async () => {
  vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock');
  [port, plane_port] = [await freePort(), await freePort()];
  plane = await startControlPlane(database.sql, plane_port, undefined, { env: { BACKUP_TARGET: 'node' } });
  const region = `r-${newId().toLowerCase()}`;
  node = await newNode(database.sql, region);
  start();
  await named();
  // a machine without Docker gets no servers: this one was there before
  const { sql } = database;
  await sql`update nodes set status = 'online' where id = ${node.id}`;
  const owner = await user(sql);
  const id = await server(sql, owner, { region });
  await sql.begin((tx) => scheduleServer(tx, id, new Date()));
  await sql`update servers set node_id = ${node.id}, lifecycle = 'ready', seen = '{"installed": 1}' where id = ${id}`;
  renter = { id, owner, key: '', screen: undefined as never };
  await signIn();
  folder = join(data, 'servers', id);
  mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  closeClients();
  agent.close();
  await plane.close();
  rmSync(data, { recursive: true, force: true });
});

const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
/** An address of a download at the port. */
async function download(paths: string[], as: 'file' | 'zip' | 'tar.zst' = 'file') {
  const answer = await renter.screen.request('files.download', { server_id: renter.id, paths, as });
  if (!answer.ok) throw new Error(answer.error);
  expect(answer.direct).toBe(origin() + answer.address);
  return { site: plane.url + answer.address, port: answer.direct! };
}
/** An upload at the port. */
async function upload(path: string, bytes: number) {
  const { address, upload_id, direct } = await beginUpload(renter as RentedServer, { path, bytes });
  expect(direct).toBe(origin() + address);
  return { port: direct!, site: plane.url + address, upload_id };
}
/** So many bytes of an upload are on the disk. */
const arrived = (upload_id: string, bytes: number) =>
  vi.waitFor(() => expect(statSync(join(folder, '.cairn/uploads', upload_id)).size).toBe(bytes), 20_000);
const offsetAt = async (address: string) =>
  (await fetch(address, { method: 'HEAD', headers: tus })).headers.get('upload-offset');
const refusalOf = async (answer: Response) => {
  const { error, description } = (await answer.json()) as Record<string, string>;
  return { status: answer.status, error, description };
};
/** Status of a request whose bytes are written by hand. */
const raw = (path: string, options: object) =>
  new Promise<{ status: number; body: string; headers: object }>((go, fail) => {
    request(origin() + path, options, async (answer) => {
      let body = '';
      for await (const chunk of answer) body += chunk;
      go({ status: answer.statusCode!, body, headers: answer.headers });
    })
      .on('error', fail)
      .end();
  });

describe('a download at the port of an agent', () => {
  it('has the same bytes and headers as through the site, in parts too', async () => {
    put('page "1".html', '0123456789');
    const [one, two] = [await download(['page "1".html']), await download(['page "1".html'])];
    const [direct, relayed] = [await fetch(one.port), await fetch(two.site)];
    const kept = ({ headers }: Response) =>
      ['content-type', 'content-disposition', 'content-security-policy', 'x-content-type-options', 'etag']
        .concat('accept-ranges', 'content-length')
        .map((name) => [name, headers.get(name)]);
    expect([direct.status, await direct.text()]).toEqual([200, '0123456789']);
    expect(kept(direct)).toEqual(kept(relayed));
    const part = await fetch((await download(['page "1".html'])).port, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ]);
    const beyond = await fetch((await download(['page "1".html'])).port, { headers: { range: 'bytes=10-' } });
    expect(await refusalOf(beyond)).toMatchObject({ status: 416, error: 'range_invalid' });
  });

  it('is an archive of folders, and empty when a file is', async () => {
    mkdirSync(join(folder, 'world'), { recursive: true });
    put('world/level.dat', 'level');
    const zip = Buffer.from(await (await fetch((await download(['world'], 'zip')).port)).arrayBuffer());
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    expect(zip.includes('world/level.dat')).toBe(true);
    put('empty', '');
    const empty = await fetch((await download(['empty'])).port);
    expect([empty.status, await empty.text()]).toEqual([200, '']);
  });

  it('is there once, at whichever address, and refused in the words of the site', async () => {
    put('a', 'a');
    const first = await download(['a']);
    await (await fetch(first.port)).arrayBuffer();
    const again = await refusalOf(await fetch(first.port));
    expect(again).toMatchObject({ status: 404, error: 'ticket_invalid' });
    expect(await refusalOf(await fetch(first.site))).toEqual(again);
    const second = await download(['a']);
    await (await fetch(second.site)).arrayBuffer();
    expect((await fetch(second.port)).status).toBe(404);
    const both = await download(['a']);
    const statuses = await Promise.all([fetch(both.port), fetch(both.site)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
    const gone = await download(['a']);
    rmSync(join(folder, 'a'));
    expect(await refusalOf(await fetch(gone.port))).toMatchObject({ status: 404, error: 'file_not_found' });
  });

  it('ends when the right to it is taken away', async () => {
    put('map', randomBytes(64_000_000));
    const [address, unused] = [await download(['map']), await download(['map'])];
    const answer = await fetch(address.port);
    const reader = answer.body!.getReader();
    await reader.read();
    await database.sql`delete from tokens where user_id = ${renter.owner.id}`;
    // the plane hears of it, then its agent; nothing is read meanwhile, so that it cannot end by itself
    await vi.waitFor(() => expect(openTransfers()).toBe(0));
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow();
    expect((await fetch(unused.port)).status).toBe(404);
    await signIn();
  });

  it('is a backup on the disk of its node, which is prepared meanwhile, or says why it failed', async () => {
    put('kept', randomBytes(3_000_000));
    const { screen, id: server_id } = renter;
    const made = await screen.request('backups.create', { server_id, op_id: randomUUID() });
    if (!made.ok) throw new Error(made.description);
    const backup_id = made.backup.id;
    const state = async () =>
      (await database.sql`select state from server_backups where id = ${backup_id}`)[0]?.state;
    await vi.waitFor(async () => expect(await state()).toBe('done'), 20_000);
    const fetched = async () => {
      const answer = await screen.request('backups.download', { server_id, backup_id });
      if (!answer.ok) throw new Error(answer.error);
      expect(answer.direct).toBe(origin() + answer.address);
      return await fetch(answer.direct!);
    };
    const answer = await fetched();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zstd']);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*\.tar\.zst/);
    const archive = Buffer.from(await answer.arrayBuffer());
    expect(zstdDecompressSync(archive).length).toBeGreaterThan(3_000_000);
    await vi.waitFor(async () => expect(await state()).toBe('done'));
    rmSync(join(data, 'backups'), { recursive: true });
    const refused = await refusalOf(await fetched());
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.error).not.toBe('ticket_invalid');
    await vi.waitFor(() => expect(openTransfers()).toBe(0));
  });

  it('of a server of another node is none', async () => {
    put('a', 'a');
    const address = await download(['a']);
    const other = await newNode(database.sql, `r-${newId().toLowerCase()}`);
    await database.sql`update servers set node_id = ${other.id} where id = ${renter.id}`;
    expect((await fetch(address.port)).status).toBe(404);
    await database.sql`update servers set node_id = ${node.id} where id = ${renter.id}`;
    expect((await fetch(address.port)).status).toBe(200);
  });
});

describe('an upload at the port of an agent', () => {
  it('by tus-js-client comes in pieces, and then to its place', async () => {
    const content = variedBytes(3_500_000);
    const { port: address, upload_id } = await upload('mods/a.jar', content.length);
    await sendUpload(address, content);
    expect(await placeUpload(renter as RentedServer, upload_id)).toMatchObject({
      ok: true,
      path: 'mods/a.jar',
    });
    expect(readFileSync(join(folder, 'mods/a.jar')).equals(content)).toBe(true);
    expect((await fetch(address, { method: 'HEAD', headers: tus })).status).toBe(404);
  });

  it('that is cut goes on where it was, also at the site and after its agent started again', async () => {
    const content = variedBytes(3_000_000);
    const { port: address, site, upload_id } = await upload('world.zip', content.length);
    const broken = new ReadableStream({
      start: (body) => body.enqueue(content.subarray(0, 1_000_000)),
      async pull(body) {
        await arrived(upload_id, 1_000_000);
        body.error(new Error('the line is cut'));
      },
    });
    await expect(patchUpload(address, 0, broken)).rejects.toThrow();
    await vi.waitFor(async () => expect(await offsetAt(address)).toBe('1000000'));
    expect(await offsetAt(site)).toBe('1000000');
    agent.close();
    await expect(fetch(address)).rejects.toThrow();
    start();
    await named();
    await vi.waitFor(async () => expect(await offsetAt(address)).toBe('1000000'), 20_000);
    expect(
      (await patchUpload(site, 1_000_000, new Uint8Array(content.subarray(1_000_000, 1_500_000)))).status,
    ).toBe(204);
    await sendUpload(address, content);
    expect(await placeUpload(renter as RentedServer, upload_id)).toMatchObject({ ok: true });
    expect(readFileSync(join(folder, 'world.zip')).equals(content)).toBe(true);
  });

  it('takes bytes of one request at a time, wherever it comes', async () => {
    const { port: address, site } = await upload('one', 10);
    const { promise: rest, resolve: go } = Promise.withResolvers<void>();
    const slow = new ReadableStream({
      async start(body) {
        body.enqueue(Buffer.from('01234'));
        await rest;
        body.enqueue(Buffer.from('56789'));
        body.close();
      },
    });
    const first = patchUpload(address, 0, slow);
    await vi.waitFor(() => expect(openTransfers()).toBe(1));
    for (const at of [address, site])
      expect(await refusalOf(await patchUpload(at, 5, 'abcde'))).toMatchObject({
        status: 423,
        error: 'upload_busy',
      });
    go();
    const answer = await first;
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, '10']);
    expect(await refusalOf(await patchUpload(address, 5, 'abcde'))).toMatchObject({ status: 409 });
  });

  it('ends when the right to it is taken away, and keeps what arrived', async () => {
    const { port: address, site } = await upload('two', 10);
    const slow = new ReadableStream({ start: (body) => body.enqueue(Buffer.from('01234')) });
    const sending = patchUpload(address, 0, slow);
    await vi.waitFor(() => expect(openTransfers()).toBe(1));
    await database.sql`delete from tokens where user_id = ${renter.owner.id}`;
    expect(await refusalOf(await sending)).toMatchObject({ status: 404, error: 'ticket_invalid' });
    expect(await refusalOf(await patchUpload(site, 5, 'x'))).toEqual(
      await refusalOf(await patchUpload(address, 5, 'x')),
    );
    await signIn();
  });

  it('is refused what the site refuses, in the same words', async () => {
    const { port: address, site } = await upload('three', 10);
    const large = { 'content-length': String(65 * 1024 * 1024) };
    for (const [method, headers, body] of [
      ['HEAD', {}, undefined],
      ['PATCH', tus, 'x'],
      ['PATCH', { ...tus, 'upload-offset': 'x', 'content-type': 'application/offset+octet-stream' }, 'x'],
      ['PATCH', { ...tus, 'upload-offset': '3', 'content-type': 'application/offset+octet-stream' }, 'x'],
    ] as const) {
      const asked = async (at: string) => {
        const answer = await fetch(at, { method, headers, body } as RequestInit);
        return [answer.status, await answer.text(), answer.headers.get('tus-resumable')];
      };
      const here = await asked(address);
      expect(here).toEqual(await asked(site));
      expect(here[0]).toBeGreaterThanOrEqual(400);
    }
    const patch = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const path = new URL(address).pathname;
    expect(await raw(path, { method: 'PATCH', headers: { ...patch, ...large } })).toMatchObject({
      status: 413,
      body: expect.stringContaining('body_too_large'),
    });
    expect((await patchUpload(address, 0, 'much more than ten bytes')).status).toBe(409);
    await expect(upload('four', 10 ** 12)).rejects.toThrow('disk_full');
    await database.sql.begin((tx) => suspendServer(tx, renter.id, 'other'));
    expect(await refusalOf(await patchUpload(address, 0, 'x'))).toMatchObject({ error: 'server_suspended' });
    await database.sql`update servers set lifecycle = 'ready' where id = ${renter.id}`;
    expect((await fetch(address, { method: 'DELETE', headers: tus })).status).toBe(204);
    expect((await patchUpload(address, 0, 'x')).status).toBe(404);
  });
});

describe('the port of an agent', () => {
  it('is named for its own servers only: those of other nodes have the site', async () => {
    const other = await rentServer(database.sql, plane.url);
    other.runner.files.files.set('a', Buffer.from('a'));
    const wanted = { server_id: other.id, paths: ['a'], as: 'file' as const };
    expect(await other.screen.request('files.download', wanted)).toEqual({
      ok: true,
      address: expect.stringMatching(/^\/transfers\?ticket=/),
    });
    expect((await beginUpload(other, { path: 'b', bytes: 1 })).direct).toBeUndefined();
  });

  it('tells pages of the site what they may read, and others nothing', async () => {
    put('a', 'a');
    const { port: address } = await download(['a']);
    const asked = { 'access-control-request-method': 'PATCH' };
    const own = await fetch(address, { method: 'OPTIONS', headers: { origin: siteUrl, ...asked } });
    expect(own.status).toBe(204);
    expect(Object.fromEntries(own.headers)).toMatchObject({
      'access-control-allow-origin': siteUrl,
      'access-control-allow-headers': expect.stringContaining('tus-resumable'),
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-expose-headers': expect.stringContaining('upload-offset'),
    });
    for (const origin of ['https://evil.example', 'null', `${siteUrl}.evil.example`])
      for (const method of ['OPTIONS', 'GET']) {
        const answer = await fetch(address, { method, headers: { origin } });
        expect([
          answer.status,
          await answer.text(),
          answer.headers.get('access-control-allow-origin'),
        ]).toEqual([404, '', null]);
      }
    // none of them has used it up
    expect((await fetch(address, { headers: { origin: siteUrl } })).status).toBe(200);
  });

  it('has nothing else', async () => {
    const secret = 'x'.repeat(40);
    const unknown = await fetch(`${origin()}/transfers?ticket=sft_${secret}`);
    expect(await refusalOf(unknown)).toMatchObject({ status: 404, error: 'ticket_invalid' });
    const gone = await fetch(`${origin()}/transfers/uploads/sfu_${secret}`, { method: 'HEAD', headers: tus });
    expect(gone.status).toBe(404);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/transfers'],
      ['GET', '/transfers?ticket=../../etc/passwd'],
      ['PUT', '/transfers?to=x'],
      ['POST', '/transfers'],
      ['HEAD', `/transfers?ticket=sft_${secret}`],
      ['PUT', `/transfers/uploads/sfu_${secret}`],
      ['GET', '/transfers/uploads/..%2f..%2fx'],
      ['GET', '//'],
      ['OPTIONS', '*'],
    ] as const)
      expect(await raw('', { method, path }), `${method} ${path}`).toMatchObject({ status: 404, body: '' });
    const large = { cookie: 'x'.repeat(20_000) };
    expect(await raw('', { path: '/', headers: large })).toMatchObject({ status: 431 });
  });

  it('answers that the plane is away, and goes on when it is back', async () => {
    const content = variedBytes(2_000_000);
    put('a', 'a');
    const { port: ticket } = await download(['a']);
    const { port: address, upload_id } = await upload('later.jar', content.length);
    const slow = new ReadableStream({ start: (body) => body.enqueue(content.subarray(0, 500_000)) });
    const sending = patchUpload(address, 0, slow);
    await arrived(upload_id, 500_000);
    await plane.close();
    expect(await refusalOf(await sending)).toMatchObject({ status: 503 });
    for (const answer of [await fetch(ticket), await fetch(address, { method: 'HEAD', headers: tus })])
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    plane = await startControlPlane(database.sql, plane_port, undefined, { env: { BACKUP_TARGET: 'node' } });
    await named();
    await signIn();
    await vi.waitFor(async () => expect(await offsetAt(address)).toBe('500000'), 20_000);
    await sendUpload(address, content);
    expect(await placeUpload(renter as RentedServer, upload_id)).toMatchObject({ ok: true });
    expect(readFileSync(join(folder, 'later.jar')).equals(content)).toBe(true);
    expect((await fetch(ticket)).status).toBe(200);
  });
});
