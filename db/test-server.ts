import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { connect } from './sql.ts';
import { loadTags } from './tags/write.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string;
  }
}

/** One real Postgres for the run; its database `cairn` is the migrated template that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  const server = await startEmbedded(folder, ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']);
  const sql = connect({ address: server.address, max: 1 });
  await migrate(sql);
  await loadTags(sql);
  await sql.end();
  project.provide('postgres', server.address);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
