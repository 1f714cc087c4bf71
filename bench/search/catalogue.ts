import { loadTags } from '#db/catalogue/tags/write.ts';
import { seedBulk } from '#db/demo/bulk.ts';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';

/** Location and size of the measured catalogue. */
export interface Size {
  data_dir: string;
  projects: number;
  /** Seed of the generated catalogue: another one than that used for tuning. */
  seed: number;
}

/** A running Postgres of the benchmark. */
export interface Catalogue {
  sql: Pool;
  /** Pid of the server; its children are the backends. */
  pid: number;
  address: string;
  /** Seconds that building the search index took, null when it existed from an earlier run. */
  index_s: number | null;
  close(): Promise<void>;
}

// without fsync: a benchmark's folder can be generated again
const hasty = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB'];

/**
 * Starts Postgres on the folder and adds what is missing: schema, generated projects, the index of the Postgres
 * engine.
 */
export async function openCatalogue({ data_dir, projects, seed }: Size): Promise<Catalogue> {
  const server = await startPostgres(data_dir, hasty);
  const sql = connect({ address: server.address, max: 10, application: 'cairn bench' });
  try {
    await migrate(sql);
    await loadTags(sql);
    await fill(sql, projects, seed);
    return {
      sql,
      pid: server.pid,
      address: server.address,
      index_s: await index(sql),
      close: () => close(sql, server),
    };
  } catch (error) {
    await close(sql, server);
    throw error;
  }
}

async function fill(sql: Pool, projects: number, seed: number): Promise<void> {
  const [row] = await sql<{ there: number }[]>`select count(*)::int as there from projects`;
  const missing = projects - (row?.there ?? 0);
  if (missing <= 0) return;
  console.log(`seeding ${missing} projects into ${sql.options.host}`);
  await seedBulk(sql, missing, { seed, onProgress: tellEvery(20_000) });
}

const tellEvery = (step: number) => (done: number, of: number) => {
  if (done % step === 0) console.log(`  ${done} of ${of}`);
};

/** Builds the Postgres engine's index like the control plane does. */
async function index(sql: Pool): Promise<number | null> {
  const engine = postgresEngine(sql);
  const [row] = await sql<{ whole: boolean }[]>`
    select documents = (select count(*) from projects where status = 'approved') as whole from search_state`;
  if (row?.whole && (await engine.current())) return null;
  const began = performance.now();
  await indexConsumer(sql, engine).rebuild();
  return (performance.now() - began) / 1000;
}

async function close(sql: Pool, server: EmbeddedPostgres): Promise<void> {
  await sql.end({ timeout: 5 });
  await server.stop();
}
