import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';
import { embeddedPostgresAddress } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { zipOf } from '#db/testing/zips.ts';
import { type Product, startProduct } from './product.ts';
import { atMost, informational, type Row, ratioAtMost } from './report.ts';

const rounds = 10;
const times = 15;
const paced = 60;
/** Between two publishes, on average. */
const pause_ms = 300;

/**
 * Publishes versions while their files are scanned and while none is, in turns; then at a pace, to see how long each waits for
 * its scan. Adds to `rows`.
 */
export async function measurePublish(rows: Row[], library: Buffer): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-publish-'));
  const product = await startProduct(data_dir, Number(process.env.BENCH_PORT ?? 5395));
  const sql = connect({ address: embeddedPostgresAddress(data_dir), max: 2, application: 'cairn bench' });
  try {
    const { session, project_id } = await creator(product);
    let number = 0;
    const next = () => publish(product, { session, project_id, library, number: ++number });
    await sql`create function no_row() returns trigger language plpgsql as 'begin return null; end'`;
    await idle(sql);
    const taken = { beside: [] as number[], alone: [] as number[] };
    const ratios: number[] = [];
    const some = async (how: keyof typeof taken) => {
      if (how === 'alone')
        await sql`create trigger no_scans before insert on file_scans for each row execute function no_row()`;
      await next(); // not counted
      const round: number[] = [];
      for (let n = 0; n < times; n++) {
        round.push(await next());
        await wait(Math.random() * 2 * pause_ms); // scans of others are under way in some
      }
      if (how === 'alone') await sql`drop trigger no_scans on file_scans`;
      await idle(sql);
      taken[how].push(...round);
      return median(round);
    };
    for (let round = 0; round < rounds; round++) {
      // in turns, also which of them is first: the machine is not always as busy
      const first = round % 2 === 0 ? 'beside' : 'alone';
      const [a, b] = [await some(first), await some(first === 'beside' ? 'alone' : 'beside')];
      ratios.push(first === 'beside' ? a / b : b / a);
    }
    rows.push(
      ratioAtMost(1.1, {
        name: 'scanner: publishing every 0.3 s with scans to without',
        ratio: median(ratios),
        ours: `${median(taken.beside).toFixed(1)} ms`,
        baseline: `${median(taken.alone).toFixed(1)} ms`,
      }),
    );
    await idle(sql);
    const began = new Date();
    for (let n = 0; n < paced; n++) {
      await next();
      await wait(pause_ms);
    }
    await idle(sql);
    const [row] = await sql<Array<{ p50: number; p95: number; count: number }>>`
      select percentile_cont(0.5) within group (order by extract(epoch from scanned - requested)) as p50,
        percentile_cont(0.95) within group (order by extract(epoch from scanned - requested)) as p95, count(*)::int as count
      from file_scans where requested >= ${began} and state = 'done'`;
    if (row!.count !== paced) throw new Error(`${row!.count} of ${paced} files were scanned.`);
    rows.push(
      atMost('scanner: from upload to result, p95', row!.p95, 10, 's'),
      informational('scanner: from upload to result, p50', `${row!.p50.toFixed(2)} s`),
    );
  } finally {
    await sql.end({ timeout: 1 });
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** Waits until no file waits for a scan. */
async function idle(sql: Pool): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const [waiting] = await sql`select from file_scans where state = 'waiting' limit 1`;
    if (!waiting) return;
    await wait(200);
  }
  throw new Error('Files wait to be scanned, for two minutes.');
}

/** Signs the demo's creator in; gives the session and one of their mods. */
async function creator({ url }: Product): Promise<{ session: string; project_id: string }> {
  const signed = await fetch(`${url}/_internal/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: demoAccounts[2], password: demoPassword }),
  });
  if (!signed.ok) throw new Error(`Sign-in answered ${signed.status}: ${await signed.text()}`);
  const name = 'auth-token=';
  const cookies = signed.headers.getSetCookie().map((line) => line.split(';')[0]!);
  const session = cookies.find((one) => one.startsWith(name))!.slice(name.length);
  const answer = await fetch(`${url}/v2/user/${demoAccounts[2]}/projects`);
  const projects = (await answer.json()) as Array<{ id: string; project_type: string }>;
  return { session, project_id: projects.find(({ project_type }) => project_type === 'mod')!.id };
}

interface Publishing {
  session: string;
  project_id: string;
  library: Buffer;
  number: number;
}

/** Publishes a version with a jar that contains a library; gives the milliseconds of the request. */
async function publish(
  { url }: Product,
  { session, project_id, library, number }: Publishing,
): Promise<number> {
  const about = { schemaVersion: 1, id: 'bench', version: String(number) };
  const jar = await zipOf({ 'fabric.mod.json': JSON.stringify(about), 'META-INF/jars/library.jar': library });
  const data = {
    ...{ project_id, name: `Bench ${number}`, version_number: `0.0.${number}`, version_type: 'release' },
    ...{ featured: false, dependencies: [], game_versions: ['1.21.1'], loaders: ['fabric'] },
    file_parts: ['file'],
  };
  const body = new FormData();
  body.set('data', JSON.stringify(data));
  body.set('file', new Blob([new Uint8Array(jar)]), `bench-${number}.jar`);
  const began = performance.now();
  const answer = await fetch(`${url}/v2/version`, {
    method: 'POST',
    headers: { authorization: session },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Publishing answered ${answer.status}: ${text}`);
  return performance.now() - began;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
