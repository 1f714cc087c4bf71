import { flushCompileCache } from 'node:module';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import { usageCounter } from '#db/discovery/analytics/counter.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { taxFormProvider } from '#db/money/payouts/tax/select.ts';
import { LastUsed } from '#db/platform/people/last-used.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { openSealer } from '#db/platform/secrets/key-file.ts';
import { SecurityLog } from '#db/platform/security-log/security-log.ts';
import { openStorage } from '#db/platform/storage/open.ts';
import { createRenderer } from '#db/platform/text/render.ts';
import { createApi } from '../api/app.ts';
import { createHttpServer, listen } from '../platform/http/http-server.ts';

/** The API in its own process, for the kill test: `node kill-server.ts POSTGRES DATABASE DATA_DIR`. */
const [address = '', database = '', DATA_DIR = ''] = process.argv.slice(2);
const sql = connect({ address, database });
const settings = parseSettings({ RATE_LIMIT_PER_MINUTE: '0', DATA_DIR });
const app = createApi({
  settings,
  sql,
  storage: openStorage({ DATA_DIR }),
  search: postgresEngine(sql),
  renderer: createRenderer(settings),
  sealer: openSealer(DATA_DIR),
  lastUsed: new LastUsed(sql),
  securityLog: new SecurityLog(sql),
  log: pino({ level: 'error' }, pino.destination(2)),
  now: () => new Date(),
  usage: usageCounter({ sql, log: pino({ level: 'silent' }), now: () => new Date() }),
  ads: null,
  payouts: [],
  taxForms: taxFormProvider(settings),
  queue: async () => ({ enqueue: async () => {} }),
});
const server = createHttpServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
await listen(server, '127.0.0.1', 0);
flushCompileCache(); // a killed process writes no compile cache
process.send?.((server.address() as { port: number }).port);
