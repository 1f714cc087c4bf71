import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { TestDatabase } from '#db/testing/database.ts';
import { compileCache, root } from '../install.mjs';
import { memory_bounds, streaming_args } from '../processes.ts';
import { freePort, privateFolder, strangersEnv } from './product.ts';

/** A site process on a test's database, as the supervisor runs it, without supervisor, seed and Postgres of its own. */
export class SiteProcess {
  /** Its settings; what is changed counts from the next start. */
  readonly env: Record<string, string>;
  url = '';
  #child: ChildProcess | undefined;

  constructor(settings: Record<string, string>) {
    const DATA_DIR = settings.DATA_DIR ?? privateFolder();
    this.env = { SEED: 'none', LOG_LEVEL: 'error', ...settings, DATA_DIR };
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it, on the same port each time, and waits until it is ready. */
  async start(): Promise<void> {
    const args = ['--enable-source-maps', ...streaming_args, ...memory_bounds.args, 'site/server.ts'];
    const own = { NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCache, ...memory_bounds.env };
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: strangersEnv({ ...own, ...this.env }),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'], // it ends with this process
    });
    this.#child = child;
    while (!(await isReady(this.url))) {
      if (hasEnded(child)) throw new Error(`The site ended: ${child.exitCode ?? child.signalCode}`);
      await setTimeout(50);
    }
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Without a control plane there is no search index; nothing else may be missing. */
async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  const { missing } = ((await answer?.json()) as { missing?: string[] }) ?? {};
  return missing?.every((part) => part === 'search') ?? false;
}

/** Settings with which a site uses a database of the tests, with its own role: Postgres' own names for what an address does not say. */
const databaseEnv = ({ address, name }: TestDatabase) => ({
  ...{ DATABASE_URL: `postgres:///${name}`, PGHOST: address, PGUSER: 'cairn_site' },
});

/**
 * A site process for a test file with a `testDatabase`, on the build of this checkout. `first` may change its settings and
 * start what it needs, once its address and its data folder are known.
 */
export function ownSite(
  database: TestDatabase,
  settings: Record<string, string> = {},
  first?: (site: SiteProcess) => Promise<void>,
): SiteProcess {
  const site = new SiteProcess(settings);
  beforeAll(async () => {
    const port = await freePort();
    site.url = `http://127.0.0.1:${port}`;
    Object.assign(site.env, {
      ...databaseEnv(database),
      PORT: String(port),
      SITE_URL: site.url,
      ...site.env,
    });
    await first?.(site);
    await site.start();
  });
  afterAll(async () => {
    await site.end();
    await rm(site.env.DATA_DIR!, { recursive: true, force: true });
  });
  return site;
}

/** The cookie of a new session of this user. */
export async function sessionCookie(
  sql: Pool,
  { id }: { id: string },
): Promise<{ name: string; value: string }> {
  const { session } = await openSession(sql, { user_id: id, user_agent: null, now: new Date() });
  return { name: 'auth-token', value: session! };
}
