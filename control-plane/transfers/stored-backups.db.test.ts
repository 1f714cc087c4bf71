import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryPassword } from '#db/hosting/servers/backups/passwords.ts';
import { redeemBackupTransfer } from '#db/hosting/servers/backups/transfers.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import type { Storage } from '#db/platform/storage/storage.ts';
import { testDatabase } from '#db/testing/database.ts';
import { removeBackupsJob } from '../jobs/backups.ts';
import { closeClients } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  sealer,
  startControlPlane,
  type TestControlPlane,
} from '../testing/plane.ts';
import { agent } from '../testing/scripted-agent.ts';
import {
  addressFor,
  asks,
  platformBackup,
  put,
  storageFolder,
  store,
  sumOf,
} from '../testing/stored-backups.ts';

const database = testDatabase();
const disk = storageFolder();
/** What a test lets go wrong in the storage; everything else is the storage itself. */
let faults: Partial<Storage> = {};
const real = diskStorage(disk.folder, { space: async () => ({ free_bytes: free, total_bytes: 1e12 }) });
let free = 1e12;
const storage = new Proxy(real, {
  get: (_, name) => faults[name as keyof Storage] ?? real[name as keyof Storage],
});
let planes: [TestControlPlane, TestControlPlane];
/** Gives up early what stops moving: on a busy machine that may be anything. */
let impatient: TestControlPlane;
beforeAll(async () => {
  const start = (limits: { idle_ms?: number } = {}) =>
    startControlPlane(database.sql, 0, undefined, { storage, ...limits });
  planes = [await start(), await start()];
  impatient = await start({ idle_ms: 400 });
});
afterAll(async () => {
  closeClients();
  for (const plane of [...planes, impatient]) await plane.close();
  disk.end();
});

const content = randomBytes(3_000_000);
const rent = () => rentServer(database.sql, planes[0].url);
const nameOf = (id: string) => `${id}.tar.zst`;
const own = (path: string, { id }: RentedServer) => `${id}/${path}`;
const context = (now = () => new Date()) => ({ sql: database.sql, storage, now }) as never;
const later = () => new Date(Date.now() + 3_600_000);
async function creating(
  renter: RentedServer,
): Promise<{ id: string; file: { server_id: string; name: string } }> {
  const id = await platformBackup(database.sql, renter.id);
  return { id, file: { server_id: renter.id, name: nameOf(id) } };
}
async function fetched(
  address: string,
  url = planes[0].url,
): Promise<{ status: number; bytes: Buffer | null }> {
  const answer = await fetch(new URL(address, url)).catch(() => null);
  if (!answer) return { status: 0, bytes: null };
  const bytes = await answer.arrayBuffer().then(
    (all) => Buffer.from(all),
    () => null,
  );
  return { status: answer.status, bytes };
}

describe('a backup at the platform', () => {
  it('is stored complete and fetched again, by any plane, each address once', async () => {
    const renter = await rent();
    const { file } = await creating(renter);
    const to = await addressFor(renter.runner, { ...file, direction: 'to' });
    expect(to).toMatch(/^\/transfers\?backup=\w+$/);
    // its agent came to the other plane
    expect(await put(planes[1].url, to, content)).toEqual({
      status: 200,
      body: { bytes: content.length, sha256: sumOf(content) },
    });
    expect(disk.stored(), 'nobody said yet what was sent').toEqual([]);
    const said = { address: to, bytes: content.length, sha256: sumOf(content) };
    expect(await asks(renter.runner, 'backup.commit', said)).toEqual({ ok: true });
    expect(await asks(renter.runner, 'backup.commit', said), 'repeated').toEqual({ ok: true });
    expect(disk.stored()).toEqual([own(file.name, renter)]);
    expect(disk.staged()).toEqual([]);
    expect((await put(planes[0].url, to, content)).body).toMatchObject({ error: 'ticket_invalid' });
    const from = await addressFor(renter.runner, { ...file, direction: 'from' });
    expect((await fetched(from, planes[1].url)).bytes?.equals(content)).toBe(true);
    expect((await fetched(from)).status).toBe(404);
    // a repeated creation of the same backup replaces what was there
    expect(await store({ runner: renter.runner, url: planes[0].url }, file, Buffer.from('second'))).toEqual({
      ok: true,
    });
    const again = await addressFor(renter.runner, { ...file, direction: 'from' });
    expect((await fetched(again)).bytes?.toString()).toBe('second');
  });

  it('is nothing of other nodes, of other backups, of complete ones and of older leases', async () => {
    const [renter, other] = [await rent(), await rent()];
    const { id, file } = await creating(renter);
    const ask = (runner: RentedServer['runner'], given: object) =>
      addressFor(runner, { ...file, direction: 'to', ...given });
    expect(await ask(other.runner, {})).toBe('backup_not_found');
    expect(await ask(other.runner, { direction: 'from' })).toBe('backup_not_found');
    expect(await ask(renter.runner, { name: 'Nobody1.tar.zst' })).toBe('backup_not_found');
    expect(await ask(renter.runner, { server_id: other.id })).toBe('backup_not_found');
    for (const name of ['../x.tar.zst', `${id}.tar.zst.part`, `${id}/x.json`, id])
      expect(await ask(renter.runner, { name })).toBe('invalid_input');
    expect(await asks(renter.runner, 'backup.address', { ...file, direction: 'to', lease: 0 })).toMatchObject(
      {
        error: 'lease_stale',
      },
    );
    await store({ runner: renter.runner, url: planes[0].url }, file, content);
    expect(await asks(other.runner, 'backup.remove', file)).toEqual({ ok: true });
    expect(disk.stored()).toContain(own(file.name, renter));
    const before = await addressFor(renter.runner, { ...file, direction: 'to' });
    await put(planes[0].url, before, Buffer.from('other'));
    await database.sql`update server_backups set state = 'done', rest = 'done' where id = ${id}`;
    expect(await ask(renter.runner, {}), 'a node cannot replace a complete backup').toBe('backup_not_ready');
    const late = { address: before, bytes: 5, sha256: sumOf(Buffer.from('other')) };
    expect(await asks(renter.runner, 'backup.commit', late)).toMatchObject({ error: 'backup_not_ready' });
    expect(await asks(renter.runner, 'backup.remove', file)).toMatchObject({ error: 'backup_not_ready' });
    const from = await addressFor(renter.runner, { ...file, direction: 'from' });
    expect((await fetched(from)).bytes?.equals(content)).toBe(true);
  });

  it('goes to the agent of another node for a restore to a server there, and only meanwhile', async () => {
    const [renter, other] = [await rent(), await rent()];
    const { id, file } = await creating(renter);
    await store({ runner: renter.runner, url: planes[0].url }, file, content);
    await database.sql`update server_backups set state = 'restoring', rest = 'done' where id = ${id}`;
    const row = { id: crypto.randomUUID(), kind: 'restore', backup_id: id, server_id: other.id };
    const rest = { step: 'restoring', data: { safety: false }, began: new Date() };
    await database.sql`insert into server_tasks ${database.sql({ ...row, ...rest })}`;
    const from = await addressFor(other.runner, { ...file, direction: 'from' });
    expect((await fetched(from)).bytes?.equals(content)).toBe(true);
    expect(await addressFor(other.runner, { ...file, direction: 'to' })).toBe('backup_not_found');
    await database.sql`update server_tasks set ended = now(), step = 'done' where id = ${row.id}`;
    expect(await addressFor(other.runner, { ...file, direction: 'from' })).toBe('backup_not_found');
  });

  it('is not public, and no user has its address', async () => {
    const renter = await rent();
    const { file } = await creating(renter);
    await store({ runner: renter.runner, url: planes[0].url }, file, content);
    for (const path of [
      `/data/private/backups/${renter.id}/${file.name}`,
      '/transfers?backup=',
      '/transfers?from=',
    ])
      expect((await fetch(new URL(path, planes[0].url))).status).toBe(404);
  });
});

describe('a download of a backup at the platform', () => {
  it('needs no agent, and is cut off when it is not what was made', async () => {
    const renter = await rent();
    const { id, file } = await creating(renter);
    await store({ runner: renter.runner, url: planes[0].url }, file, content);
    await database.sql`
      update server_backups set state = 'done', rest = 'done', sha256 = ${sumOf(content)} where id = ${id}`;
    // its node is lost
    renter.runner.close();
    await database.sql`update nodes set status = 'offline' where id = ${renter.node.id}`;
    const ticket = async () => {
      const answer = await renter.screen.request('backups.download', { server_id: renter.id, backup_id: id });
      if (!answer.ok) throw new Error(answer.error);
      const { pathname, search } = new URL(answer.address, planes[0].url);
      return pathname + search;
    };
    const address = await ticket();
    expect((await fetched(address, planes[1].url)).bytes?.equals(content)).toBe(true);
    expect((await fetched(address)).status).toBe(404);
    const other = Buffer.from(content);
    other[7]! ^= 1;
    faults = { read: async () => Readable.from([other.subarray(0, 9), other.subarray(9)]) };
    const damaged = await fetched(await ticket()).finally(() => {
      faults = {};
    });
    expect(damaged.bytes).toBeNull();
  });
});

describe('a transfer to the platform that', () => {
  const fails = async (work: (url: string, address: string) => Promise<unknown>) => {
    const renter = await rent();
    const { file } = await creating(renter);
    const address = await addressFor(renter.runner, { ...file, direction: 'to' });
    const result = await work(planes[0].url, address);
    await expect.poll(disk.staged).toEqual([]);
    expect(disk.stored().filter((path) => path.startsWith(renter.id))).toEqual([]);
    return { renter, address, result, file };
  };

  it('breaks leaves nothing, and cannot be confirmed', async () => {
    const { renter, address } = await fails(
      (url, path) =>
        new Promise((go) => {
          const sent = request(new URL(path, url), { method: 'PUT' });
          sent.on('error', go);
          sent.write(content.subarray(0, 1_000_000));
          setTimeout(() => sent.destroy(), 100);
        }),
    );
    const said = { address, bytes: 1_000_000, sha256: sumOf(content.subarray(0, 1_000_000)) };
    expect(await asks(renter.runner, 'backup.commit', said)).toMatchObject({ error: 'ticket_invalid' });
  });

  it('stops is given up', async () => {
    const { result } = await fails((_, address) => {
      const stalled = new Readable({ read() {} });
      stalled.push(content);
      return put(impatient.url, address, stalled);
    });
    expect(result).toMatchObject({ status: 502, body: { error: 'backup_target_failed' } });
  });

  it('has more bytes than the disk of its server is refused, told or not', async () => {
    const set = (renter: RentedServer) =>
      database.sql`update servers set disk_mb = 1 where id = ${renter.id}`;
    const renter = await rent();
    await set(renter);
    const { file } = await creating(renter);
    const large = Buffer.alloc(70 * 1024 * 1024, 7);
    const to = () => addressFor(renter.runner, { ...file, direction: 'to' });
    const refused = { status: 413, body: { error: 'body_too_large' } };
    expect(await put(planes[0].url, await to(), large)).toMatchObject(refused);
    expect(await put(planes[0].url, await to(), Readable.from([large]))).toMatchObject(refused);
    const beside = await addressFor(renter.runner, {
      ...file,
      name: file.name.replace('tar.zst', 'json'),
      direction: 'to',
    });
    expect(await put(planes[0].url, beside, Buffer.alloc(1_100_000))).toMatchObject(refused);
    expect(disk.staged()).toEqual([]);
  });

  it('sent other bytes than its agent says is not stored', async () => {
    const renter = await rent();
    const { file } = await creating(renter);
    const flipped = Buffer.from(content);
    flipped[7]! ^= 1;
    for (const said of [
      { bytes: content.length, sha256: sumOf(flipped) },
      { bytes: content.length + 1, sha256: sumOf(content) },
    ]) {
      const address = await addressFor(renter.runner, { ...file, direction: 'to' });
      await put(planes[0].url, address, content);
      const confirmed = { address, ...said };
      expect(await asks(renter.runner, 'backup.commit', confirmed)).toMatchObject({
        error: 'backup_target_failed',
      });
      expect(await asks(renter.runner, 'backup.commit', confirmed)).toMatchObject({
        error: 'ticket_invalid',
      });
    }
    expect(disk.staged()).toEqual([]);
    expect(disk.stored().filter((path) => path.startsWith(renter.id))).toEqual([]);
  });

  it('finds the storage full, broken or lying says so', async () => {
    free = 0;
    const full = await fails((url, address) => put(url, address, content)).finally(() => {
      free = 1e12;
    });
    expect(full.result).toMatchObject({ status: 507, body: { error: 'storage_full' } });
    faults = {
      appendPartial: () => Promise.reject(Object.assign(new Error('broken'), { code: 'EIO' })),
    };
    const broken = await fails((url, address) => put(url, address, content)).finally(() => {
      faults = {};
    });
    expect(broken.result).toMatchObject({
      status: 502,
      body: { error: 'backup_target_failed', description: expect.stringContaining('EIO') },
    });
    faults = { appendPartial: async (...given) => (await real.appendPartial(...given)) - 1 };
    const short = await fails((url, address) => put(url, address, content)).finally(() => {
      faults = {};
    });
    expect(short.result).toMatchObject({ status: 502, body: { error: 'backup_target_failed' } });
    // it fails when the file is to get its name
    const renter = await rent();
    const { file } = await creating(renter);
    faults = { put: () => Promise.reject(Object.assign(new Error('gone'), { code: 'EIO' })) };
    const answer = await store({ runner: renter.runner, url: planes[0].url }, file, content).finally(() => {
      faults = {};
    });
    expect(answer).toMatchObject({ ok: false, status: 500 });
    expect(disk.stored().filter((path) => path.startsWith(renter.id))).toEqual([]);
  });
});

describe('fetching from a storage that', () => {
  it('has lost it, gives fewer bytes or hangs never looks complete', async () => {
    const renter = await rent();
    const { file } = await creating(renter);
    await store({ runner: renter.runner, url: planes[0].url }, file, content);
    const from = async (url = impatient.url) =>
      await fetched(await addressFor(renter.runner, { ...file, direction: 'from' }), url);
    const during = async (given: Partial<Storage>) => {
      faults = given;
      return await from().finally(() => {
        faults = {};
      });
    };
    expect((await from(planes[0].url)).bytes?.equals(content)).toBe(true);
    expect(await during({ read: async () => Readable.from([content.subarray(0, 10)]) })).toMatchObject({
      bytes: null,
    });
    expect(await during({ read: async () => Readable.from([content, content]) })).toMatchObject({
      bytes: null,
    });
    expect(await during({ read: async () => new Readable({ read() {} }) })).toMatchObject({ bytes: null });
    expect(await during({ head: () => Promise.reject(new Error('gone')) })).toMatchObject({ status: 502 });
    expect(await during({ read: async () => null })).toMatchObject({ status: 404 });
  });
});

describe('what is left', () => {
  const remove = (now?: () => Date) => removeBackupsJob.run(context(now), {});

  it('of a deleted server is removed, and nothing of others', async () => {
    const [renter, other] = [await rent(), await rent()];
    const [gone, kept] = [await creating(renter), await creating(other)];
    await store({ runner: renter.runner, url: planes[0].url }, gone.file, content);
    await store(
      { runner: renter.runner, url: planes[0].url },
      { ...gone.file, name: `${gone.id}.json` },
      Buffer.from('{}'),
    );
    await store({ runner: other.runner, url: planes[0].url }, kept.file, content);
    // its node is lost, and will never say that the server is gone
    renter.runner.close();
    await renter.screen.request('server.delete', { server_id: renter.id });
    faults = { remove: () => Promise.reject(new Error('gone')) };
    await expect(remove(later)).rejects.toThrow('gone');
    faults = {};
    // it failed, and is tried again later, by whoever is there
    const after = () => new Date(later().getTime() + 3_600_000);
    await Promise.all([remove(after), remove(after)]);
    expect(disk.stored().filter((path) => path.startsWith(renter.id))).toEqual([]);
    expect(disk.stored()).toContain(own(kept.file.name, other));
    const [{ count } = { count: -1 }] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from backup_remains where server_id = ${renter.id}`;
    expect(count).toBe(0);
  });

  it('of a killed plane in the middle of a transfer, or before it was confirmed, is removed', async () => {
    const renter = await rent();
    const { file } = await creating(renter);
    const confirmed = await addressFor(renter.runner, { ...file, direction: 'to' });
    await put(planes[0].url, confirmed, content);
    // this one was killed in the middle
    const cut = await addressFor(renter.runner, { ...file, direction: 'to' });
    const used = { secret: cut.slice('/transfers?backup='.length), direction: 'to' } as const;
    const transfer = await redeemBackupTransfer(database.sql, used, new Date());
    await real.appendPartial(transfer.staged, 0, Readable.from([content.subarray(0, 1_000)]));
    const staged = disk.staged();
    expect(staged).toHaveLength(2);
    await remove();
    expect(disk.staged(), 'its agent may still confirm it').toEqual(staged);
    await remove(later);
    expect(disk.staged()).toEqual([]);
    const said = { address: confirmed, bytes: content.length, sha256: sumOf(content) };
    expect(await asks(renter.runner, 'backup.commit', said)).toMatchObject({ error: 'ticket_invalid' });
  });

  it('of a failed backup is removed unless it is being made again', async () => {
    const renter = await rent();
    const [failed, again] = [await creating(renter), await creating(renter)];
    for (const { id, file } of [failed, again]) {
      await store({ runner: renter.runner, url: planes[0].url }, file, content);
      await database.sql`
        insert into backup_remains (backup_id, server_id, target, engine)
        values (${id}, ${renter.id}, 'platform', 'archive')`;
    }
    await database.sql`update server_backups set state = 'failed' where id = ${failed.id}`;
    await remove();
    expect(disk.stored().filter((path) => path.startsWith(renter.id))).toEqual([
      own(again.file.name, renter),
    ]);
  });

  it('of a deleted server in a store is removed by an agent that has this store', async () => {
    const renter = await rent();
    const place = { target: 's3', state: 'done', store: `store of ${renter.id}` };
    const id = await platformBackup(database.sql, renter.id, place);
    await renter.screen.request('server.delete', { server_id: renter.id });
    await renter.runner.report('server.deleted', renter.id, {});
    const other = await rent();
    const asked: object[] = [];
    let works = false;
    other.runner.socket.on('backups.discard', ({ backups }, ack) => {
      asked.push(...backups);
      ack({ removed: works ? backups.map(({ backup_id }) => backup_id) : [] });
    });
    const shown = { node_id: other.node.id, secret: other.runner.welcome.secret };
    await database.sql`
      update nodes set facts = facts || ${database.sql.json({ backup_store: place.store })} where id = ${other.node.id}`;
    const { discardRemains } = await import('../agents/backup-storage.ts');
    const connection = () => planes[0].plane.context.agents.get(shown.node_id)!;
    const left = async () =>
      (await database.sql`select 1 from backup_remains where backup_id = ${id}`).length;
    await discardRemains({ sql: database.sql, now: () => new Date() }, connection());
    expect(asked).toEqual([{ backup_id: id, server_id: renter.id, engine: 'archive' }]);
    expect(await left()).toBe(1);
    works = true;
    await discardRemains({ sql: database.sql, now: later }, connection());
    expect(asked).toHaveLength(2);
    expect(await left()).toBe(0);
  });
});

describe('the password of a restic repository', () => {
  it('is kept sealed, first come, for the agent of its server only', async () => {
    const [renter, other] = [await rent(), await rent()];
    const [first, second] = ['a'.repeat(43), 'b'.repeat(43)];
    const ask = (runner: RentedServer['runner'], offered: string | null, server_id = renter.id) =>
      asks(runner, 'backup.password', { server_id, offered });
    expect(await ask(renter.runner, null)).toEqual({ ok: true, password: null });
    expect(await ask(renter.runner, first)).toEqual({ ok: true, password: first });
    expect(await ask(renter.runner, second)).toEqual({ ok: true, password: first });
    expect(await ask(other.runner, null)).toMatchObject({ error: 'server_not_found' });
    expect(await ask(other.runner, second)).toMatchObject({ error: 'server_not_found' });
    expect(await ask(renter.runner, 'short')).toMatchObject({ error: 'invalid_input' });
    const [row] = await database.sql<{ sealed: string }[]>`
      select sealed from backup_passwords where server_id = ${renter.id}`;
    expect(row!.sealed).not.toContain(first);
    expect(sealer.open(row!.sealed, `restic:${renter.id}`)).toBe(first);
    const old = { node_id: renter.node.id, lease: renter.runner.welcome.lease - 1 };
    const asking = repositoryPassword(database.sql, sealer, old, { server_id: renter.id, offered: null });
    await expect(asking).rejects.toMatchObject({ code: 'lease_stale' });
  });

  it('comes back to the agent of a node that was set up again', async () => {
    const renter = await rent();
    const password = 'c'.repeat(43);
    await asks(renter.runner, 'backup.password', { server_id: renter.id, offered: password });
    const shown = { node_id: renter.node.id, secret: renter.runner.welcome.secret };
    const fresh = await agent(planes[1].url, shown);
    expect(await asks(fresh, 'backup.password', { server_id: renter.id, offered: null })).toEqual({
      ok: true,
      password,
    });
  });
});
