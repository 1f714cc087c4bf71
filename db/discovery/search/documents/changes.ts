import type { Db } from '../../../platform/postgres/sql.ts';
import type { DocumentChange } from '../engine.ts';
import { documentsOf } from './documents.ts';

const chunk = 250;

/** Splits `ids` into batches for one statement. */
export function* chunks(ids: readonly string[], length = chunk): Generator<string[]> {
  for (let at = 0; at < ids.length; at += length) yield ids.slice(at, at + length);
}

/** The current document of each project; projects that are no longer searchable are removed. */
export async function changesOf(db: Db, ids: readonly string[]): Promise<DocumentChange[]> {
  const docs = await documentsOf(db, ids);
  const found = new Set(docs.map(({ project_id }) => project_id));
  return [
    ...docs.map((doc) => ({ put: doc })),
    ...ids.filter((id) => !found.has(id)).map((id) => ({ remove: id })),
  ];
}

/** The current counters of the projects. */
export async function countersOf(db: Db, ids: readonly string[]): Promise<DocumentChange[]> {
  return await db<Array<{ touch: string; downloads: number; follows: number }>>`
    select id as touch, downloads, followers as follows from projects where id = any(${ids as string[]}::text[])`;
}
