import { assertAllowed, Refused } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { exportText } from './export-text.ts';
import { type ExportState, kept_days, max_per_day, shownState, whyNotExport } from './rules.ts';

/** An export of a user's data. */
export interface DataExport {
  id: string;
  state: ExportState;
  /** Of the file, in bytes; null until it is there. */
  size: number | null;
  created: string;
}

const columns = (db: Db) => db`id, state, size, created`;

/** The storage key below which the files of a user's exports lie: nothing below `private/` has a URL. */
export const exportsOf = (user_id: string): string => `private/exports/${user_id}`;
const keyOf = (user_id: string, id: string): string => `${exportsOf(user_id)}/${id}.json`;

/** The actor's exports with a file or on the way to one, the newest first. */
export async function dataExports(db: Db, { user_id }: Actor, now: Date): Promise<DataExport[]> {
  const since = new Date(now.getTime() - kept_days * 86_400_000);
  const rows = await db<DataExport[]>`
    select ${columns(db)} from data_exports
    where user_id = ${user_id} and state <> 'streamed' and created > ${since}
    order by created desc, id limit 30`;
  return rows.map((row) => ({ ...row, state: shownState(row, now) }));
}

/**
 * Begins an export of the actor's own data and gives its id: as a file that a job makes, or `streamed` as an answer. At
 * most one runs at a time, and a few a day. Refuses `proof_required`, `export_running`, `exports_too_many`.
 */
export async function beginExport(
  tx: Db,
  actor: Actor,
  now: Date,
  state: 'waiting' | 'streamed' = 'waiting',
): Promise<string> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id } = actor;
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const past = await tx<DataExport[]>`
    select ${columns(tx)} from data_exports where user_id = ${user_id} order by created desc limit 30`;
  assertAllowed(whyNotExport(past, now), { limit: max_per_day });
  const id = newId();
  await tx`insert into data_exports ${tx({ id, user_id, state, created: now })}`;
  return id;
}

interface Context extends ReadContext {
  storage: Storage;
}

/** Makes the file of an export; may run twice. Gives its size, null when the export or its user is gone. */
export async function makeExport(context: Context, id: string, now: Date): Promise<number | null> {
  const { sql, storage } = context;
  const [row] = await sql<Array<{ user_id: string }>>`
    update data_exports set state = 'running' where id = ${id} and state in ('waiting', 'running') returning user_id`;
  if (!row) return null;
  const key = keyOf(row.user_id, id);
  await storage.remove(key); // of a run that was interrupted
  const file = await storage.stage(encoded(exportText(context, row.user_id)));
  try {
    await storage.put(key, file);
  } finally {
    await file.discard();
  }
  const { count } = await sql`
    update data_exports set state = 'done', size = ${file.size}, finished = ${now} where id = ${id}`;
  if (count > 0) return file.size;
  await storage.remove(key); // the user was deleted meanwhile
  return null;
}

/** In pieces of some size: rows are small. */
async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const piece of texts) {
    text += piece;
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Marks an export as failed, after its last try. */
export async function failExport(db: Db, id: string): Promise<void> {
  await db`update data_exports set state = 'failed' where id = ${id} and state in ('waiting', 'running')`;
}

/** The file of the actor's own export. Refuses `not_found` (others' too), `proof_required`. */
export async function openExport(
  { sql, storage }: Pick<Context, 'sql' | 'storage'>,
  actor: Actor,
  id: string,
  now: Date,
): Promise<{ size: number; created: string; body: NodeJS.ReadableStream }> {
  const found = (await dataExports(sql, actor, now)).find((one) => one.id === id && one.state === 'done');
  if (!found) throw new Refused('not_found');
  assertAllowed(whyNotProved(actor, now));
  const body = await storage.read(keyOf(actor.user_id, id));
  if (!body) throw new Refused('not_found');
  return { size: found.size ?? 0, created: found.created, body };
}

/** Deletes exports that are older than a week, with their files, also files whose user is gone. Gives how many files. */
export async function deleteOldExports(
  { sql, storage }: Pick<Context, 'sql' | 'storage'>,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - kept_days * 86_400_000);
  await sql`delete from data_exports where created <= ${before}`;
  let removed = 0;
  for await (const { key, modified } of storage.list('private/exports')) {
    if (modified > before) continue;
    await storage.remove(key);
    removed++;
  }
  return removed;
}
