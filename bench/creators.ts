import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadTags } from '#db/catalogue/tags/write.ts';
import { usageCounter } from '#db/discovery/analytics/counter.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { taxFormProvider } from '#db/money/payouts/tax/select.ts';
import { LastUsed } from '#db/platform/people/last-used.ts';
import { openSession } from '#db/platform/people/session.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { openSealer } from '#db/platform/secrets/key-file.ts';
import { SecurityLog } from '#db/platform/security-log/security-log.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import * as build from '#db/testing/builders/build.ts';
import { createApi } from '../site/api/app.ts';
import { measureBrowserUpload } from './browser-upload.ts';
import { inOwnDatabase } from './own-database.ts';
import { startProduct } from './product.ts';
import { type Row, ratioAtMost } from './report.ts';

const times = 300;
const warm_up = 50;

/** What creators do: saves a form of a project's settings, in a Postgres of its own, and sends a large file. Adds to `rows`. */
export async function measureCreators(rows: Row[]): Promise<void> {
  await inOwnDatabase('creators', async (sql, folder) => {
    await loadTags(sql);
    rows.push(await saving(sql, folder));
  });
  await inProduct(rows);
}

/** What needs a browser and the whole product. */
async function inProduct(rows: Row[]): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-creators-'));
  const product = await startProduct(data_dir, Number(process.env.BENCH_PORT ?? 5390));
  try {
    rows.push(...(await measureBrowserUpload(product)));
  } finally {
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** A form through the API, and the same transaction by hand, in turns: medians. */
async function saving(sql: Pool, folder: string): Promise<Row> {
  const api = apiOn(sql, folder);
  const project = await build.project(sql);
  const { session } = await openSession(sql, {
    user_id: project.owner.id,
    user_agent: null,
    now: new Date(),
  });
  const [ours, hand]: [number[], number[]] = [[], []];
  for (let i = 0; i < times + warm_up; i++) {
    const body = new URLSearchParams({
      project: project.id,
      title: `By form ${i}`,
      slug: project.slug,
      summary: 'A project made for a test',
    });
    const headers = {
      cookie: `auth-token=${session}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const began = performance.now();
    const answer = await api('/_internal/project/general', { method: 'POST', headers, body: String(body) });
    ours.push(performance.now() - began);
    if (!answer.headers.get('location')?.endsWith('?saved=1'))
      throw new Error(`The form was answered with ${answer.status} ${answer.headers.get('location')}.`);
    hand.push(await byHand(sql, { session: String(session), project_id: project.id, title: `By hand ${i}` }));
  }
  const [a, b] = [median(ours.slice(warm_up)), median(hand.slice(warm_up))];
  return ratioAtMost(2, {
    name: 'saving a form to the same transaction by hand',
    ratio: a / b,
    ours: `${a.toFixed(2)} ms`,
    baseline: `${b.toFixed(2)} ms`,
  });
}

/** Session, lock, update, event, commit, one statement each; gives the milliseconds. */
async function byHand(
  sql: Pool,
  { session, project_id, title }: { session: string; project_id: string; title: string },
): Promise<number> {
  const began = performance.now();
  const hash = createHash('sha256').update(session).digest('hex');
  await sql`
    select u.id, u.username, u.role from sessions s join users u on u.id = s.user_id where s.id = ${hash}`;
  await sql.begin(async (tx) => {
    await tx`select id, title, team from projects where id = ${project_id} for no key update`;
    await tx`update projects set title = ${title} where id = ${project_id}`;
    await tx`insert into events (name, project_id, data) values ('project.edited', ${project_id}, '{}')`;
  });
  return performance.now() - began;
}

function apiOn(sql: Pool, folder: string) {
  const settings = parseSettings({ RATE_LIMIT_PER_MINUTE: '0', DATA_DIR: folder });
  const app = createApi({
    settings,
    sql,
    storage: diskStorage(join(folder, 'files')),
    search: postgresEngine(sql),
    renderer: { render: () => Promise.reject(new Error('no text is saved')), close: async () => {} },
    sealer: openSealer(folder),
    lastUsed: new LastUsed(sql),
    securityLog: new SecurityLog(sql),
    log: pino({ level: 'silent' }),
    now: () => new Date(),
    usage: usageCounter({ sql, log: pino({ level: 'silent' }), now: () => new Date() }),
    ads: null,
    payouts: [],
    taxForms: taxFormProvider(settings),
    queue: async () => ({ enqueue: async () => {} }),
  });
  const incoming = { socket: { remoteAddress: '127.0.0.1' }, headers: {} };
  return async (path: string, init: RequestInit): Promise<Response> =>
    await app.fetch(new Request(new URL(path, settings.SITE_URL), init), { incoming });
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
