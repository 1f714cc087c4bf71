import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { seedDemo } from '../demo/demo.ts';
import { openQueue } from '../platform/jobs/queue.ts';
import { connect } from '../platform/postgres/sql.ts';
import { parseSettings } from '../platform/runtime/env.ts';
import { createSealer } from '../platform/secrets/seal.ts';
import { diskStorage } from '../platform/storage/disk.ts';
import { createRenderer } from '../platform/text/render.ts';
import { clusterFolder } from './cluster-folder.ts';
import { consumeEvents } from './consume-events.ts';
import { migrated } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the stored files of the demo content; never written to. */
    demo_files: string;
  }
}

/** Projects that get pictures: drawing them takes longer than everything else, and page tests look at few. */
const galleries = '12';

/**
 * One Postgres server for all page tests of a run, with two templates: `cairn`, migrated, and `demo` with the demo content.
 * One, because seeding takes seconds; a page keeps no transaction open that would delay the events of others.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = clusterFolder();
  const server = await migrated(join(folder, 'postgres'));
  // with those of the tests, which link to its files
  const files = mkdtempSync(join(tmpdir(), `cairn-test-${process.pid}-`));
  await seedTemplate(server.address, files);
  project.provide('postgres', Array(project.config.maxWorkers).fill(server.address));
  project.provide('demo_files', files);
  return async () => {
    await server.stop();
    for (const path of [folder, files]) rmSync(path, { recursive: true, force: true });
  };
}

async function seedTemplate(address: string, folder: string): Promise<void> {
  const admin = connect({ address, database: 'postgres', max: 1 });
  await admin`create database demo template cairn strategy file_copy`;
  await admin.end();
  const settings = parseSettings({ DATA_DIR: folder, DEMO_GALLERIES: galleries });
  const sql = connect({ address, database: 'demo' });
  const renderer = createRenderer(settings, sql);
  const storage = diskStorage(folder);
  const log = pino({ level: 'silent' });
  const sealer = createSealer(randomBytes(32));
  await seedDemo({ sql, settings, storage, renderer, sealer, log, now: () => new Date() });
  await consumeEvents(sql);
  await createJobQueue(address);
  await sql`analyze`;
  await renderer.close();
  await sql.end();
}

/** What the control plane creates at its first start: pages for staff count the jobs. */
async function createJobQueue(address: string): Promise<void> {
  const none = {} as NonNullable<Parameters<typeof openQueue>[2]>['queues'];
  const queue = await openQueue(address, pino({ level: 'silent' }), { database: 'demo', queues: none });
  await queue.close(0);
}
