import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadTags } from '../catalogue/tags/write.ts';
import { type EmbeddedPostgres, startPostgres } from '../platform/postgres/embedded-postgres.ts';
import { connect } from '../platform/postgres/sql.ts';
import { clusterFolder } from './cluster-folder.ts';
import { prepareDatabase } from './prepare-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket folders, one for each test file that runs in parallel. */
    postgres: string[];
  }
}

/**
 * One Postgres server for each test file that runs in parallel; its database `cairn` is the migrated template that
 * every test file clones. Files do not share a server, because an open transaction delays the events of all its
 * databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = clusterFolder();
  const names = Array.from({ length: project.config.maxWorkers }, (_, index) => String(index + 1));
  const servers = await Promise.all(names.map((name) => migrated(join(folder, name))));
  project.provide(
    'postgres',
    servers.map(({ address }) => address),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A server without passwords whose database `cairn` is migrated, for clones. Its roles are those of the product. */
export async function migrated(folder: string): Promise<EmbeddedPostgres> {
  const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const server = await startPostgres(folder, quick, { trust: true });
  await prepareDatabase(server);
  const sql = connect({ address: server.address, max: 1 });
  await loadTags(sql);
  await sql.end();
  return server;
}
