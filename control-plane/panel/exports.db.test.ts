import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateServer } from '#db/hosting/servers/backups/schedule.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { backupsOf, becomes } from '../testing/backups.ts';
import { closeClients } from '../testing/clients.ts';
import { exported, packedServer } from '../testing/exports.ts';
import { type RentedServer, rentServer, startControlPlane, type TestControlPlane } from '../testing/plane.ts';
import { storageFolder } from '../testing/stored-backups.ts';

/** Everything of a server as one archive, whose download goes on after a cut, on any plane. */
const database = testDatabase();
const disk = storageFolder();
const { archive, world } = packedServer();
let planes: [TestControlPlane, TestControlPlane];
beforeAll(async () => {
  const storage = diskStorage(disk.folder, { space: async () => ({ free_bytes: 1e12, total_bytes: 1e12 }) });
  const start = () => startControlPlane(database.sql, 0, undefined, { storage });
  planes = [await start(), await start()];
});
afterAll(async () => {
  closeClients();
  for (const plane of planes) await plane.close();
  disk.end();
});

const rent = () => rentServer(database.sql, planes[0].url);
const exportOf = (renter: RentedServer) => exported(renter, planes[0].url, archive);
async function addressOf({ screen, id }: RentedServer, backup_id: string): Promise<string> {
  const answer = await screen.request('backups.download', { server_id: id, backup_id });
  return answer.ok ? answer.address : answer.error;
}
const fetched = (address: string, headers: Record<string, string> = {}, plane = planes[0]) =>
  fetch(new URL(address, plane.url), { headers });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

/** The first bytes of a download that is cut off. */
async function cutAfter(address: string, bytes: number): Promise<{ part: Buffer; etag: string }> {
  const [answer] = await once(get(new URL(address, planes[0].url)), 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk);
    if (Buffer.concat(chunks).length >= bytes) break; // closes the connection
  }
  return { part: Buffer.concat(chunks).subarray(0, bytes), etag: answer.headers.etag };
}

describe('an export', () => {
  it('has all files and what is known of the server, and goes on after a cut, byte for byte', async () => {
    const renter = await rent();
    const { sql } = database;
    const friend = await build.user(sql);
    await sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${renter.id}, ${friend.id}, 'editor', ${['files']}, now())`;
    await sql`update servers set jvm_flags = ${['-Xss2m']} where id = ${renter.id}`;
    const id = await exportOf(renter);
    const [made] = renter.runner.operations.filter(({ kind }) => kind === 'backup_create');
    expect(made!.args).toMatchObject({ engine: 'archive', target: 'platform' });
    expect(await backupsOf(renter)).toMatchObject([
      { name: 'Export #1', reason: 'export', automated: false },
    ]);
    const address = await addressOf(renter, id);
    const { part, etag } = await cutAfter(address, 1_234_567);
    const rest = await fetched(address, { range: 'bytes=1234567-', 'if-range': etag }, planes[1]);
    expect(rest.status).toBe(206);
    const all = Buffer.concat([part, await bytesOf(rest)]);
    const whole = await fetched(await addressOf(renter, id));
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, etag]);
    expect(etag).toMatch(/^"\w+"$/);
    expect(rest.headers.get('content-range')).toBe(`bytes 1234567-${all.length - 1}/${all.length}`);
    expect((await bytesOf(whole)).equals(all)).toBe(true);
    expect(all.subarray(-archive.length).equals(archive)).toBe(true);

    const file = join(disk.folder, 'all.tar.zst');
    writeFileSync(file, all);
    const listed = execFileSync('tar', ['--zstd', '-tf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(listed).toEqual(['cairn-server.json', 'world/', 'world/level.dat', 'server.properties']);
    execFileSync('tar', ['--zstd', '-xf', file, '-C', disk.folder]);
    expect(readFileSync(join(disk.folder, 'world/level.dat')).equals(world)).toBe(true);
    const manifest = JSON.parse(readFileSync(join(disk.folder, 'cairn-server.json'), 'utf8'));
    expect(manifest).toMatchObject({
      ...{ format: 'cairn-server', version: 1, server: { id: renter.id, name: 'Valley' } },
      startup: { jvm_flags: ['-Xss2m'] },
      people: [
        { username: renter.owner.username, role: 'owner' },
        { username: friend.username, role: 'editor', rights: ['files'] },
      ],
      ...{ schedules: [], alerts: { quiet: null }, backups: { every_hours: null } },
    });
    const text = JSON.stringify(manifest);
    for (const { id: user_id, email } of [renter.owner, friend] as { id: string; email?: string }[])
      for (const secret of [user_id, email ?? user_id]) expect(text).not.toContain(secret);
  });

  it('gives any part, all of it when it is another one now, and refuses what is behind its end', async () => {
    const renter = await rent();
    const address = await addressOf(renter, await exportOf(renter));
    const whole = await fetched(address);
    const all = await bytesOf(whole);
    const head = all.length - archive.length;
    for (const [from, to] of [
      ...[
        [0, 9],
        [5, head - 1],
        [head - 3, head + 3],
        [head, head],
        [head + 100, head + 5_000],
      ],
      ...[
        [0, all.length - 1],
        [all.length - 1, all.length - 1],
        [head, all.length + 99],
      ],
    ] as [number, number][]) {
      const part = await fetched(address, { range: `bytes=${from}-${to}` });
      expect(part.status).toBe(206);
      expect((await bytesOf(part)).equals(all.subarray(from, to + 1)), `${from}-${to}`).toBe(true);
    }
    const other = await fetched(address, { range: 'bytes=10-', 'if-range': '"other"' });
    expect(other.status).toBe(200);
    expect((await bytesOf(other)).equals(all)).toBe(true);
    const behind = await fetched(address, { range: `bytes=${all.length}-` });
    expect([behind.status, await behind.json()]).toMatchObject([416, { error: 'range_invalid' }]);
  });

  it('that is damaged never looks complete, also when only its end is fetched', async () => {
    const renter = await rent();
    const address = await addressOf(renter, await exportOf(renter));
    const [stored] = disk.stored().filter((path) => path.startsWith(renter.id));
    const path = join(disk.folder, 'objects/private/backups', stored!);
    const bytes = readFileSync(path);
    bytes[100]! ^= 1;
    writeFileSync(path, bytes);
    for (const range of ['bytes=0-', 'bytes=2000000-'])
      await expect(fetched(address, { range }).then(bytesOf)).rejects.toThrow();
    truncateSync(path, bytes.length - 1);
    await expect(fetched(address).then(bytesOf)).rejects.toThrow();
  });

  it('can be made and downloaded in the grace period, and neither after a suspension by staff', async () => {
    const renter = await rent();
    const { sql } = database;
    await sql.begin((tx) => suspendServer(tx, renter.id, 'cancelled'));
    const address = await addressOf(renter, await exportOf(renter));
    expect((await bytesOf(await fetched(address))).length).toBeGreaterThan(archive.length);
    await sql`update nodes set last_seen = now() - interval '1 minute' where id = ${renter.node.id}`;
    expect((await fetched(address, { range: 'bytes=0-9' })).status, 'it needs no agent').toBe(206);
    await sql.begin((tx) => suspendServer(tx, renter.id, 'moderated'));
    expect(await (await fetched(address)).json()).toMatchObject({ error: 'server_suspended' });
    const message = { server_id: renter.id, op_id: crypto.randomUUID(), takes_away: true };
    expect(await renter.screen.request('backups.create', message)).toMatchObject({
      error: 'server_suspended',
    });
  });

  it('takes the place of the one before and is deleted after three days, unless it is locked', async () => {
    const renter = await rent();
    const { sql } = database;
    const first = await exportOf(renter);
    const address = await addressOf(renter, first);
    const second = await exportOf(renter);
    const names = async () => (await backupsOf(renter)).map(({ id }) => id);
    await expect.poll(names).toEqual([second]);
    expect((await fetched(address)).status).toBe(404);
    await renter.screen.request('backups.lock', { server_id: renter.id, backup_id: second, locked: true });
    const third = await exportOf(renter);
    const later = new Date(Date.now() + 73 * 3_600_000);
    await rotateServer(sql, renter.id, new Date(Date.now() + 71 * 3_600_000));
    expect(await names()).toEqual([third, second]);
    await rotateServer(sql, renter.id, later);
    await expect.poll(names).toEqual([second]);
    await becomes(renter, second, { state: 'done', locked: true });
  });

  it('is nothing of people without the right to backups, whatever address they have', async () => {
    const renter = await rent();
    const id = await exportOf(renter);
    const friend = await build.user(database.sql);
    await database.sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${renter.id}, ${friend.id}, 'editor', ${['backups']}, now())`;
    const address = await addressOf(renter, id);
    await database.sql`update server_tickets set user_id = ${friend.id} where server_id = ${renter.id}`;
    expect((await fetched(address, { range: 'bytes=0-9' })).status).toBe(206);
    await database.sql`delete from server_members where user_id = ${friend.id}`;
    expect((await fetched(address, { range: 'bytes=0-9' })).status).toBe(404);
  });
});
