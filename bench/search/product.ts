import { readFileSync } from 'node:fs';
import { snapshotFolder } from '#db/discovery/search/create-engine.ts';
import { buildBase } from '#db/discovery/search/embedded/builder.ts';
import type { SiteStatus } from '#db/discovery/search/report.ts';
import type { Target } from '#db/discovery/search/testing/evaluation/target.ts';
import { embeddedPostgresAddress } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { type Product, startProduct } from '../product.ts';
import { atMost, informational, type Row } from '../report.ts';
import { residentBytes } from '../resident.ts';
import { edit } from './changes.ts';
import { childrenOf, startOf, uptime } from './cpu.ts';
import { until } from './embedded.ts';
import { queryMix } from './query-mix.ts';
import { inWords, short, timesOf } from './timing.ts';

const requests = 3_000;
const edits = 5;

/** The running product on the catalogue in `data_dir`: memory, changes by HTTP, a swap of the base, a restart. */
export async function measureProduct(rows: Row[], data_dir: string): Promise<void> {
  const port = Number(process.env.BENCH_PORT ?? 5390);
  const start = () => startProduct(data_dir, port, { SEED: 'none' });
  const address = embeddedPostgresAddress(data_dir);
  let product = await start();
  const sql = connect({ address, max: 2, application: 'cairn bench' });
  try {
    await until(() => answersEmbedded(product), 600, 100);
    rows.push(
      informational('search: GET /v2/search by HTTP', await byHttp(product, sql)),
      atMost('search: memory of the site process', await memory(product), 600, 'MB'),
      atMost('search: a change is seen by HTTP, slowest', await slowestEdit(product, sql), 2, 's'),
      atMost('search: memory at a swap, highest', await swap(product, data_dir, address), 900, 'MB'),
      atMost('search: memory after it', await memory(product), 600, 'MB'),
    );
    await product.stop();
    const first = firstAnswer(product.url);
    product = await start();
    const took_s = (await first) - startOf(siteOf(product));
    rows.push(atMost('search: restart of the site to first answer from a snapshot', took_s, 3, 's'));
  } finally {
    await sql.end({ timeout: 1 });
    await product.stop();
  }
}

const statusOf = async ({ url }: Pick<Product, 'url'>): Promise<SiteStatus> =>
  (await (await fetch(`${url}/searchz`)).json()) as SiteStatus;
const answersEmbedded = async (product: Pick<Product, 'url'>): Promise<boolean> =>
  (await statusOf(product)).engine === 'embedded';

const memory = async ({ url }: Product): Promise<number> => Math.round((await residentBytes(url)) / 1e6);

async function byHttp({ url }: Product, sql: Pool): Promise<string> {
  const targets = await sql<Target[]>`
    select id as project_id, title, '' as author, downloads, '' as summary, '{}'::text[] as tags
    from projects order by id limit 20000`;
  const taken: number[] = [];
  for (const { query } of queryMix(targets, requests, 'http')) {
    const { text, sort, offset, limit } = query;
    const asked = new URLSearchParams({ query: text, index: sort, offset: `${offset}`, limit: `${limit}` });
    const began = performance.now();
    const answer = await fetch(`${url}/v2/search?${asked}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`GET /v2/search?${asked} was answered ${answer.status}`);
    taken.push(performance.now() - began);
  }
  return inWords(timesOf(taken));
}

async function slowestEdit({ url }: Product, sql: Pool): Promise<number> {
  const ids = await sql<{ id: string }[]>`select id from projects order by id limit ${edits}`;
  let slowest = 0;
  for (const [n, { id }] of ids.entries()) {
    const word = `zqy${n}${Date.now().toString(36)}`;
    const began = performance.now();
    await edit(sql, id, word);
    const seen = async () => {
      const answer = await fetch(`${url}/v2/search?query=${word}`);
      return ((await answer.json()) as { total_hits: number }).total_hits > 0;
    };
    await until(seen, 60, 20);
    slowest = Math.max(slowest, (performance.now() - began) / 1000);
  }
  return short(slowest);
}

/** Has a new base built and samples memory until shortly after it is active. */
async function swap(product: Product, data_dir: string, address: string): Promise<number> {
  let highest = 0;
  const watch = setInterval(() => {
    memory(product).then(
      (now) => {
        highest = Math.max(highest, now);
      },
      () => {}, // the next sample counts
    );
  }, 100);
  try {
    const built = await buildBase({
      connect: { address },
      folder: snapshotFolder({ DATA_DIR: data_dir }),
    });
    const newest = 'newer' in built ? built.newer : built.generation;
    await until(async () => ((await statusOf(product)).snapshot?.generation ?? 0) >= newest, 120, 50);
    await new Promise((done) => setTimeout(done, 3_000));
    return highest;
  } finally {
    clearInterval(watch);
  }
}

/** When the index first answers searches, in seconds since boot. */
async function firstAnswer(url: string): Promise<number> {
  await until(() => answersEmbedded({ url }).catch(() => false), 120, 10);
  return uptime();
}

/** Pid of the site process, so that the start of the supervisor is not measured. */
function siteOf({ pid }: Product): number {
  const site = childrenOf(pid).find((one) =>
    readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('site/server.ts'),
  );
  if (!site) throw new Error('The site process was not found');
  return site;
}
