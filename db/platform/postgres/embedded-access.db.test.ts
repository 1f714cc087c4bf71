import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { passwordFile } from './connection.ts';
import { accessFile } from './embedded-access.ts';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { createRoles, randomPasswords } from './roles/create.ts';
import { connect, type Pool } from './sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-access-'));
let server: EmbeddedPostgres | undefined;
const start = async (options?: { trust: boolean }) => {
  await server?.stop();
  server = await startPostgres(folder, ['fsync=off'], options);
  return server;
};
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What `work` gives on a connection with this address, or the code of what Postgres says. */
async function on<T>(address: string, work: (sql: Pool) => PromiseLike<T>): Promise<T | string> {
  const sql = connect({ address, max: 1 });
  try {
    return await work(sql);
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
const who = async (sql: Pool) => {
  const [row] =
    await sql`select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser`;
  return row;
};
const wrong_password = '28P01';
const owner = { role: 'app', superuser: true };

it('a cluster of an older release, which asked for no password, keeps its data and asks for one from then on', async () => {
  const { address } = await start({ trust: true });
  expect(await on(`app:none@${address}`, (sql) => sql`create table kept (id int)`)).toEqual([]);
  await start();
  expect(await on(`app:none@${address}`, who)).toBe(wrong_password);
  expect(await on(`cairn_site:none@${address}`, who)).toBe(wrong_password);
  expect(await on(address, who)).toEqual(owner);
  expect(await on(address, (sql) => sql`select from kept`)).toEqual([]);
});

it('the owner’s password is readable for the user of Cairn only, and stays the same', async () => {
  const { address } = await start();
  const before = readFileSync(passwordFile(address), 'utf8');
  expect(before).toMatch(/^\*:\*:\*:app:[0-9a-f]{48}\n$/);
  expect(statSync(passwordFile(address)).mode & 0o777).toBe(0o600);
  expect(statSync(address).mode & 0o777).toBe(0o700);
  await start();
  expect(readFileSync(passwordFile(address), 'utf8')).toBe(before);
});

it('a role of a process signs in with its own password, and no other role with that', async () => {
  const { address } = await start();
  const passwords = randomPasswords();
  await on(address, (sql) => createRoles(sql, passwords));
  expect(await on(`cairn_site:${passwords.cairn_site}@${address}`, who)).toEqual({
    role: 'cairn_site',
    superuser: false,
  });
  expect(await on(`cairn_plane:${passwords.cairn_site}@${address}`, who)).toBe(wrong_password);
  expect(await on(`app:${passwords.cairn_site}@${address}`, who)).toBe(wrong_password);
  const next = randomPasswords();
  await on(address, (sql) => createRoles(sql, next));
  expect(await on(`cairn_site:${passwords.cairn_site}@${address}`, who)).toBe(wrong_password);
  expect(await on(`cairn_site:${next.cairn_site}@${address}`, who)).toMatchObject({ role: 'cairn_site' });
});

it('loses rights that somebody gave a role of a process', async () => {
  const { address } = await start();
  await on(address, (sql) => sql`alter role cairn_site superuser createdb`);
  const passwords = randomPasswords();
  await on(address, (sql) => createRoles(sql, passwords));
  expect(await on(`cairn_site:${passwords.cairn_site}@${address}`, who)).toEqual({
    role: 'cairn_site',
    superuser: false,
  });
});

it('a lost or wrong password of the owner locks nobody out: the next start makes a new one', async () => {
  const { address } = await start();
  rmSync(passwordFile(address));
  expect(await on(address, who)).toBe(wrong_password);
  await start();
  expect(await on(address, who)).toEqual(owner);
  writeFileSync(passwordFile(address), '*:*:*:app:other\n');
  await start();
  expect(await on(address, who)).toEqual(owner);
});

it('a start that was killed while the owner could sign in without a password leaves the door open for no other', async () => {
  const { address, folder: cluster } = await start();
  writeFileSync(accessFile(dirname(cluster)), 'local all app trust\n');
  process.kill(server!.pid, 'SIGHUP');
  await expect.poll(() => on(`app:none@${address}`, who)).toEqual(owner);
  await start();
  expect(await on(`app:none@${address}`, who)).toBe(wrong_password);
  expect(await on(address, who)).toEqual(owner);
});
