import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { clustersBelow, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { root } from './install.mjs';
import { startOf } from './lock.mjs';
import { proportionalBytes } from './process-memory.ts';
import { ownProduct } from './testing/own-product.ts';
import { cairn, freePort, processesOf, start } from './testing/product.ts';

/** Crashes of parts of the running product, which has two control planes, and an external database. */
const own = ownProduct({ HOSTING: 'off', CONTROL_PLANES: '2' });
const { env, folder } = own;

/** The pids of site and control plane, as recorded by the supervisor. */
function children(): Record<string, number> {
  const text = readFileSync(join(env.DATA_DIR!, 'cairn.children'), 'utf8');
  const noted = JSON.parse(text) as Array<{ name: string; pid: number }>;
  return Object.fromEntries(noted.map(({ name, pid }) => [name, pid]));
}
const database = (): number => {
  const home = clustersBelow(folder)[0] ?? env.DATA_DIR!;
  return Number(readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
};
const isReady = async () => (await fetch(`${own.site}/readyz`).catch(() => null))?.status === 200;
const soonReady = () =>
  vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 60_000, interval: 100 });

/** A second control plane costs at most this much memory. */
const max_plane_mb = 150;

describe('while the product runs', () => {
  it('a second control plane costs little memory', () => {
    expect(own.product.output()).toContain('Planes    2 control planes');
    // pages that it shares, such as those of Node itself, count by their share
    const added_mb = proportionalBytes(children()['control plane 2']!) / 1024 / 1024;
    expect(added_mb).toBeGreaterThan(0);
    expect(added_mb).toBeLessThan(max_plane_mb);
  });

  it.each(['site', 'control plane', 'control plane 2'])('a killed %s is restarted', async (name) => {
    const before = children()[name]!;
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(children()[name]).not.toBe(before), 60_000);
    await soonReady();
    expect(startOf(before)).toBeNull();
  });

  it('a killed database is restarted, and the product reconnects', async () => {
    const before = database();
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(startOf(before)).toBeNull(), 60_000);
    await soonReady();
    expect(database()).not.toBe(before);
  });

  it('a second start on the same folder is refused in one line', async () => {
    const second = start(root, { ...env, PORT: '0' });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/Cairn is already running on DATA_DIR=.* \(process \d+\)/);
    expect(await isReady()).toBe(true);
  });

  it('the search index is rebuilt beside it, and the site loads the new index', async () => {
    const made = JSON.parse(await cairn(root, env, 'search', 'rebuild', '--json')) as object[];
    expect(made).toMatchObject([{ index: 'postgres' }, { index: 'embedded' }]);
    const taken = async () => {
      const report: unknown = JSON.parse(await cairn(root, env, 'search', 'status', '--json'));
      expect(report).toMatchObject({ running: true, engine: 'embedded', ready: true, cursor_lag: 0 });
      expect(report).toMatchObject({ snapshot: { unusable: null } });
    };
    await vi.waitFor(taken, { timeout: 60_000, interval: 500 });
    const answer = await fetch(`${own.site}/searchz`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(answer.status, 'passed on by a proxy').toBe(404);
  });

  it('the doctor finds no problem', async () => {
    const found = JSON.parse(await cairn(root, env, 'doctor', '--json')) as Array<{
      part: string;
      fine: boolean;
      found: string;
    }>;
    expect(found.filter(({ fine }) => !fine)).toEqual([]);
    expect(found.map(({ part }) => part)).toContain('control plane');
    expect(found.map(({ part }) => part)).toContain('search snapshot');
    // neither is the owner of the database
    expect(found.find(({ part }) => part === 'roles')?.found).toBe('cairn_plane, cairn_site');
  });

  it('when the supervisor is killed, site and control plane exit, and the next start recovers', async () => {
    const orphans = Object.values(children());
    const [supervisor] = processesOf('bin/main.ts').filter((pid) => inGroup(pid, own.product.pid));
    process.kill(supervisor!, 'SIGKILL');
    await own.product.exited;
    await vi.waitFor(() => expect(orphans.map(startOf)).toEqual(orphans.map(() => null)), 60_000);
    own.product = start(root, env);
    await own.product.ready(60_000);
    await own.product.end('SIGTERM');
  });
});

describe('with DATABASE_URL', () => {
  it('the product uses that server, starts no embedded one, and gets roles there by a command', async () => {
    const server = await startPostgres(join(folder, 'other'), [], { trust: true });
    // the embedded server has no port: a proxy to its socket stands in for an external server
    const door = createServer((from) => {
      const to = connect(join(server.address, '.s.PGSQL.5432'));
      from.pipe(to).pipe(from);
      for (const one of [from, to]) one.on('error', () => from.destroy(to.destroy().errored ?? undefined));
    });
    const port = await freePort();
    door.listen(port, '127.0.0.1');
    try {
      const elsewhere = {
        ...env,
        CONTROL_PLANES: '1',
        DATA_DIR: join(folder, 'files'),
        DATABASE_URL: `postgres://app@127.0.0.1:${port}/cairn`,
      };
      const second = start(root, elsewhere);
      await second.ready(60_000);
      expect(second.output()).toContain(`127.0.0.1:${port}/cairn (database)`);
      expect(existsSync(join(elsewhere.DATA_DIR, 'postgres'))).toBe(false);
      expect(await cairn(root, elsewhere, 'user', 'list', '--json')).toBe('[]');
      expect(second.output()).toContain('DATABASE_URL names a superuser of Postgres');
      await second.end('SIGTERM');

      const printed = (await cairn(root, elsewhere, 'database', 'roles')).trim().split('\n');
      const settings = Object.fromEntries(printed.map((line) => line.split(/=(.*)/s).slice(0, 2)));
      expect(Object.keys(settings)).toEqual(['DATABASE_URL_SITE', 'DATABASE_URL_PLANE']);
      const third = start(root, { ...elsewhere, ...settings });
      await third.ready(60_000);
      expect(third.output()).not.toContain('superuser');
      const findings = JSON.parse(await cairn(root, elsewhere, 'doctor', '--json')) as {
        part: string;
        found: string;
      }[];
      expect(findings.find(({ part }) => part === 'roles')?.found).toBe('cairn_plane, cairn_site');
      const command = cairn(
        root,
        { ...elsewhere, DATABASE_URL: settings.DATABASE_URL_SITE! },
        'user',
        'list',
      );
      await expect(command).rejects.toThrow('Commands need the owner of the database');
      await third.end('SIGTERM');
    } finally {
      door.close();
      await server.stop();
    }
  });
});

/** Whether a process belongs to the process group of `leader`. */
function inGroup(pid: number, leader: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === leader;
}
