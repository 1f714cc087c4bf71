import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { usageCounter } from '#db/discovery/analytics/counter.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { payoutProviders } from '#db/money/payouts/providers/select.ts';
import { taxFormProvider } from '#db/money/payouts/tax/select.ts';
import { LastUsed } from '#db/platform/people/last-used.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings, type Settings } from '#db/platform/runtime/env.ts';
import { openSealer } from '#db/platform/secrets/key-file.ts';
import { SecurityLog } from '#db/platform/security-log/security-log.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import type { Renderer } from '#db/platform/text/rendered.ts';
import { createApi } from '../api/app.ts';
import type { AppServices } from '../platform/context.ts';
import type { Api } from '../platform/route/types.ts';

export interface Calling {
  /**
   * Sent unchanged in the Authorization header; to a form of the site (`/_internal`, which takes no such header) a session's
   * as the cookie of a page of ours.
   */
  token?: string;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  /** The client's socket address; loopback by default. */
  address?: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
}

export interface TestApi {
  services: AppServices;
  /** The app behind `call`, for tests that listen on a port. */
  app: Api;
  call(method: string, path: string, calling?: Calling): Promise<Response>;
}

/**
 * The real API on the file's test database, with its own storage folder and no rate limit unless `env` sets one: `const
 * api = testApi(database);` below `testDatabase()`, then `await api.call('GET', '/v2/user', { token })`.
 */
export function testApi(database: { sql: Pool }, env: Record<string, string> = {}): TestApi {
  const made = {} as TestApi;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
    const settings = parseSettings({ RATE_LIMIT_PER_MINUTE: '0', ...env, DATA_DIR: folder });
    made.services = {
      settings,
      sql: database.sql,
      storage: diskStorage(folder),
      search: postgresEngine(database.sql),
      renderer: lazyRenderer(settings),
      sealer: openSealer(folder),
      lastUsed: new LastUsed(database.sql),
      securityLog: new SecurityLog(database.sql),
      log: pino({ level: 'silent' }),
      now: () => new Date(),
      usage: usageCounter(
        { sql: database.sql, log: pino({ level: 'silent' }), now: () => made.services.now() },
        { flush_ms: 3_600_000 },
      ),
      ads: null,
      payouts: payoutProviders(settings, database.sql),
      taxForms: taxFormProvider(settings),
      queue: async () => ({ enqueue: async () => {} }),
    };
    const app = createApi(made.services);
    made.app = app;
    made.call = async (
      method,
      path,
      { token, json, body, headers = {}, address = '127.0.0.1', signal } = {},
    ) => {
      const request = new Request(new URL(path, settings.SITE_URL), {
        method,
        headers: {
          ...(token === undefined ? {} : credential(path, token, settings)),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? (body ?? null) : JSON.stringify(json),
        ...(signal ? { signal } : {}),
        duplex: 'half',
      } as RequestInit);
      const incoming = { socket: { remoteAddress: address }, headers };
      return await app.fetch(request, { incoming });
    };
  });
  afterAll(async () => {
    await made.services?.renderer.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return made;
}

const credential = (path: string, token: string, { SITE_URL }: Settings): Record<string, string> =>
  path.startsWith('/_internal/') && token.startsWith('mra_')
    ? { cookie: `auth-token=${token}`, origin: new URL(SITE_URL).origin }
    : { authorization: token };

/** The real renderer, started only by tests that write text. */
export function lazyRenderer(settings: Settings): Renderer {
  let real: Promise<Renderer> | undefined;
  const start = async () => (await import('#db/platform/text/render.ts')).createRenderer(settings);
  return {
    render: async (source, from) => {
      real ??= start();
      return await (await real).render(source, from);
    },
    close: async () => await (await real)?.close(),
  };
}
