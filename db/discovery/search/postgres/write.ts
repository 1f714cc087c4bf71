import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { type CounterChange, coalesce } from '../documents/coalesce.ts';
import type { DocumentChange, SearchDocument } from '../engine.ts';
import { deletions } from '../query/edit-distance.ts';
import { documentColumns, mistypable } from './columns.ts';
import { format } from './format.ts';

/** Inserts or replaces whole documents. Gives the number of new ones. */
async function put(db: Db, docs: SearchDocument[]): Promise<number> {
  const terms = new Set<string>();
  const documents = docs.map((doc) => {
    for (const term of mistypable(doc)) terms.add(term);
    return documentColumns(doc);
  });
  const hits = docs.map(({ rows: _rows, ...shown }) => ({ project_id: shown.project_id, shown }));
  const tokens = [...terms].sort().map((term) => ({ term, deletions: deletions(term) }));
  const before = await remove(
    db,
    docs.map(({ project_id }) => project_id),
  );
  await db`
    insert into search_documents
      (project_id, keys, versions, row_keys, masks, whole, downloads, follows, created_timestamp, modified_timestamp,
      newest_version, loader_count, title_key, title_sorted, title_words, terms, stamp)
    select t.*, s.stamp from jsonb_to_recordset(${db.json(documents as never)}) as t (
      project_id text, keys text[], versions text[], row_keys text[], masks varbit[], whole varbit, downloads bigint,
      follows bigint, created_timestamp bigint, modified_timestamp bigint, newest_version bigint, loader_count int,
      title_key text, title_sorted text, title_words int, terms tsvector), search_state s`;
  await db`
    insert into search_hits (project_id, shown)
    select * from jsonb_to_recordset(${db.json(hits as never)}) as t (project_id text, shown jsonb)`;
  await db`
    insert into search_terms (term, deletions, stamp)
    select t.*, s.stamp from search_state s, jsonb_to_recordset(${db.json(tokens as never)}) as t (term text, deletions int[])
    on conflict (term) do update set stamp = excluded.stamp where search_terms.stamp <> excluded.stamp`;
  return docs.length - before;
}

/** Gives the number of removed documents. */
async function remove(db: Db, ids: string[]): Promise<number> {
  await db`delete from search_hits where project_id = any(${ids}::text[])`;
  const { count } = await db`delete from search_documents where project_id = any(${ids}::text[])`;
  return count;
}

async function touch(db: Db, touches: CounterChange[]): Promise<void> {
  await db`
    update search_documents d set downloads = coalesce(t.downloads, d.downloads), follows = coalesce(t.follows, d.follows)
    from jsonb_to_recordset(${db.json(touches as never)}) as t (touch text, downloads bigint, follows bigint)
    where d.project_id = t.touch
      and (d.downloads, d.follows) is distinct from (coalesce(t.downloads, d.downloads), coalesce(t.follows, d.follows))`;
}

/** Applies changes in order within the caller's transaction. Ignores unknown ids. */
export async function applyChanges(db: Db, changes: DocumentChange[]): Promise<void> {
  const { puts, removes, touches } = coalesce(changes);
  const deleted = removes.length > 0 ? await remove(db, removes) : 0;
  const inserted = puts.length > 0 ? await put(db, puts) : 0;
  if (touches.length > 0) await touch(db, touches);
  await db`update search_state set generation = generation + 1, documents = documents + ${inserted - deleted}`;
}

const chunk = 250;

/**
 * Rebuilds the index: each document replaces its old row, rows without a document are deleted at the end. In short
 * transactions, because a long one would delay all event consumers; searches always see a complete index.
 */
export async function rebuildFrom(sql: Pool, docs: AsyncIterable<SearchDocument>): Promise<void> {
  await sql`update search_state set stamp = stamp + 1`;
  let waiting: SearchDocument[] = [];
  const flush = async () => {
    const puts = waiting.map((doc) => ({ put: doc }));
    waiting = [];
    if (puts.length > 0) await sql.begin((tx) => applyChanges(tx, puts));
  };
  for await (const doc of docs) if (waiting.push(doc) >= chunk) await flush();
  await flush();
  await sql.begin(async (tx) => {
    await tx`delete from search_hits where project_id in (
      select project_id from search_documents where stamp < (select stamp from search_state))`;
    await tx`delete from search_documents where stamp < (select stamp from search_state)`;
    await tx`delete from search_terms where stamp < (select stamp from search_state)`;
    await tx`update search_state set generation = generation + 1, built = true, format = ${format},
      documents = (select count(*) from search_documents)`;
  });
  await sql`analyze search_documents, search_terms`;
}
