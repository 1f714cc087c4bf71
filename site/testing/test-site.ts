import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { LastUsed } from '#db/platform/people/last-used.ts';
import { openSession } from '#db/platform/people/session.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings, type Settings } from '#db/platform/runtime/env.ts';
import { openSealer } from '#db/platform/secrets/key-file.ts';
import { SecurityLog } from '#db/platform/security-log/security-log.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import type { Storage } from '#db/platform/storage/storage.ts';
import { consumeEvents } from '#db/testing/consume-events.ts';
import { cloneDatabase, type TestDatabase } from '#db/testing/database.ts';
import { createApp, type RenderPage } from '../app.ts';
import { closeServer, createHttpServer, listen } from '../platform/http/http-server.ts';
import { lazyRenderer } from './api.ts';
import type { Page } from './page.ts';
import { type Sent, Visitor } from './visitor.ts';

/** The site under test; `url` is its public address, without a trailing slash. */
interface TestSite {
  url: string;
  /** Where it listens on loopback, for other programs. */
  port: number;
  settings: Settings;
  sql: Pool;
  storage: Storage;
  /** Somebody with an empty browser that runs no scripts. */
  visitor(): Visitor;
  /** The browser of an account, with a session of its own. */
  as(username: string): Promise<Visitor>;
  /** The page at `path` for a new visitor, after redirects. */
  open(path: string, sent?: Sent): Promise<Page>;
  /** One answer to a new visitor, as `fetch` gives it: no redirect is followed. */
  fetch(path: string, sent?: Sent): Promise<Response>;
  /** The JSON at `path`, as a new visitor gets it. */
  json<T>(path: string): Promise<T>;
  /** Does what the control plane does with events: search finds what is new, followers are notified. */
  consumeEvents(): Promise<void>;
}

/** What the product of the browser tests is started with, so that its pages are the same here. */
const settingsOfBrowserTests = {
  RATE_LIMIT_PER_MINUTE: '0',
  SEED: 'demo',
  SEARCH_ENGINE: 'postgres',
  SERVERS_DOMAIN: 'servers.cairn.test',
  SERVERS_ZONE_FILE: '/nowhere/servers.zone',
  ADS: 'own',
  ADS_DIR: 'e2e/ads',
  LAUNCHERS: 'Long Way=https://launcher.example',
};

/**
 * The real site, with the pages that the build made, on the test's database: `const site = testSite(testDatabase('demo'));`
 * at the top of a `*.page.test.ts`, for tests that write. `env` adds settings.
 */
export function testSite(database: TestDatabase, env: Record<string, string> = {}): TestSite {
  const made = {} as TestSite;
  const folder = mkdtempSync(join(tmpdir(), 'cairn-site-'));
  let opened: OpenSite | undefined;
  beforeAll(async () => {
    if (database.template === 'demo') linkFiles(inject('demo_files'), folder);
    opened = await openSite({ sql: database.sql, folder, storage: diskStorage(folder), env });
    Object.assign(made, opened.site);
  });
  afterAll(async () => {
    await opened?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return made;
}

let shared: Promise<OpenSite> | undefined;

/**
 * The site with the demo content that all read-only page tests of a worker share: `const site = demoSite();`. Nothing but
 * sessions may be written to its database, so forms that send are refused; those need `testSite(testDatabase('demo'))`.
 */
export function demoSite(): TestSite {
  const made = {} as TestSite;
  beforeAll(async () => {
    shared ??= openShared();
    Object.assign(made, (await shared).site);
  });
  return made;
}

async function openShared(): Promise<OpenSite> {
  const { sql } = await cloneDatabase('demo');
  const folder = mkdtempSync(join(tmpdir(), 'cairn-site-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return await openSite({ sql, folder, storage: diskStorage(inject('demo_files')), read_only: true });
}

/** Stored files are replaced and never edited, so a link is as good as a copy. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-al', join(from, 'objects'), join(to, 'objects')]);
}

interface Given {
  sql: Pool;
  /** DATA_DIR. */
  folder: string;
  storage: Storage;
  env?: Record<string, string>;
  read_only?: boolean;
}
interface OpenSite {
  site: TestSite;
  close(): Promise<void>;
}

async function openSite({ sql, folder, storage, env = {}, read_only = false }: Given): Promise<OpenSite> {
  const settings = parseSettings({ ...settingsOfBrowserTests, ...env, DATA_DIR: folder });
  const searchIndex = postgresEngine(sql);
  const renderer = lazyRenderer(settings);
  const built = new URL('../../dist/', import.meta.url);
  const { handler } = (await import(new URL('server/entry.mjs', built).href)) as { handler: RenderPage };
  const app = await createApp(
    {
      ...{ settings, sql, storage, renderer, searchIndex, search: searchIndex },
      sealer: openSealer(folder),
      lastUsed: new LastUsed(sql),
      securityLog: new SecurityLog(sql),
      log: pino({ level: 'error' }, pino.destination({ fd: 2, sync: true })),
      now: () => new Date(),
      close: async () => {},
      queue: async () => ({ enqueue: async () => {} }),
    },
    {
      pages: handler,
      built: {
        folder: new URL('client/', built),
        id: readFileSync(new URL('.cairn-build', built), 'utf8'),
      },
    },
  );
  const server = createHttpServer(app.handle);
  await listen(server, '127.0.0.1', 0);
  server.unref();
  const { port } = server.address() as AddressInfo;
  const visitor = () => new Visitor({ port, url: settings.SITE_URL, read_only });
  return {
    site: {
      ...{ url: settings.SITE_URL, port, settings, sql, storage, visitor },
      async as(username) {
        const found = visitor();
        found.keep('auth-token', await sessionOf(sql, username));
        return found;
      },
      open: (path, sent) => visitor().open(path, sent),
      fetch: (path, sent) => visitor().fetch(path, sent),
      json: async <T>(path: string) => (await (await visitor().fetch(path)).json()) as T,
      consumeEvents: () => consumeEvents(sql),
    },
    async close() {
      await closeServer(server, 1_000);
      await app.close();
      await renderer.close();
    },
  };
}

/** The token of a new session. */
async function sessionOf(sql: Pool, username: string): Promise<string> {
  const [user] = await sql<Array<{ id: string }>>`select id from users where username = ${username}`;
  if (!user) throw new Error(`There is no account ${username}`);
  const { session } = await openSession(sql, { user_id: user.id, user_agent: null, now: new Date() });
  return session!;
}
