import { mkdirSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { latestCursor } from '../../../platform/events/read.ts';
import { newId } from '../../../platform/id.ts';
import { getFact } from '../../../platform/installation.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { chunks } from '../documents/changes.ts';
import { allDocuments, documentsOf } from '../documents/documents.ts';
import type { SearchDocument } from '../engine.ts';
import type { BaseTask, BuildResult, Built, WarmTask } from './builder-protocol.ts';
import { format } from './format.ts';
import { makeSections } from './layer.ts';
import { type Facts, writeSegment } from './segment-file.ts';
import { createStoredFields } from './segment-file-stored-fields.ts';
import { filesIn, generationsIn, makeFolder, nextGeneration, publish, tidy } from './snapshots.ts';

/** Poll interval while waiting for another builder. */
const poll_ms = 250;

/**
 * Builds the next base of a folder, one builder at a time across all processes of the installation. Ends without
 * building when the folder has, or gets while waiting, a newer base than the task's. `sql` must be a single
 * connection.
 */
export async function buildBase(sql: Pool, { folder, after, workshop }: BaseTask): Promise<BuildResult> {
  for (;;) {
    const newest = generationsIn(folder)[0] ?? 0;
    if (newest > after) return { newer: newest };
    const [row] = await sql<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtext('cairn.search.base')) as mine`;
    if (row?.mine) break;
    await wait(poll_ms);
  }
  const newest = generationsIn(folder)[0] ?? 0;
  if (newest > after) return { newer: newest };
  const session = await sessionOf(sql);
  makeFolder(folder);
  tidy(folder, workshop, Date.now());
  const generation = nextGeneration(folder, Date.now());
  // read the position first: events during the read of documents are handled again
  const facts = { generation, origin: await originOf(sql), cursor: await latestCursor(sql) };
  const built = await write(allDocuments(sql), workshop, facts);
  // the lock ended with its session; another builder may have started since
  if ((await sessionOf(sql)) !== session) throw new Error('The connection to the database was lost');
  publish(folder, filesIn(workshop), generation);
  tidy(folder, workshop, Date.now());
  await sql.notify('search_snapshot', String(generation));
  return { built };
}

/** Builds a segment of a few thousand projects in the task's private folder. */
export async function buildWarm(sql: Pool, { ids, folder, workshop }: WarmTask): Promise<BuildResult> {
  makeFolder(folder);
  const facts = { generation: 0, origin: '', cursor: { xact: '0', id: 0 } };
  return { built: await write(documentsBy(sql, ids.toSorted()), workshop, facts) };
}

async function write(
  docs: AsyncIterable<SearchDocument>,
  workshop: string,
  given: Pick<Facts, 'generation' | 'origin' | 'cursor'>,
): Promise<Built> {
  const began = performance.now();
  const files = filesIn(workshop);
  mkdirSync(workshop);
  try {
    let documents = 0;
    const counted = async function* () {
      for await (const doc of docs) {
        documents++;
        yield doc;
      }
    };
    const bodies = createStoredFields(files.bodies);
    try {
      const sections = await makeSections(counted(), bodies);
      const extent = bodies.finish();
      const duration_ms = Math.round(performance.now() - began);
      const facts = { ...given, format, documents, built: Date.now(), took_ms: duration_ms, bodies: extent };
      const bytes = writeSegment(files.segment, facts, sections) + extent.length;
      return { generation: given.generation, documents, bytes, took_ms: duration_ms };
    } finally {
      bodies.close();
    }
  } catch (error) {
    rmSync(workshop, { recursive: true, force: true });
    throw error;
  }
}

async function* documentsBy(db: Db, ids: readonly string[]): AsyncGenerator<SearchDocument> {
  for (const some of chunks(ids)) yield* await documentsOf(db, some);
}

/** The backend process of this connection: it differs after a reconnect. */
async function sessionOf(sql: Pool): Promise<number> {
  const [row] = await sql<{ session: number }[]>`select pg_backend_pid() as session`;
  return row?.session ?? 0;
}

/** A generated id of this installation's catalogue: a snapshot of another catalogue is not used. */
async function originOf(sql: Pool): Promise<string> {
  await sql`
    insert into installation (key, value) values ('search_origin', ${sql.json(newId())})
    on conflict (key) do nothing`;
  return (await getFact<string>(sql, 'search_origin')) ?? '';
}
