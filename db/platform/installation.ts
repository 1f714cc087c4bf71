import { newId } from './id.ts';
import type { Db, Pool } from './postgres/sql.ts';

/** A fact about this installation, or null if it was never set. */
export async function getFact<T>(db: Db, key: string): Promise<T | null> {
  const [row] = await db<{ value: T }[]>`select value from installation where key = ${key}`;
  return row?.value ?? null;
}

/** Stores a fact about this installation. */
export async function setFact(db: Db, key: string, value: unknown): Promise<void> {
  await db`
    insert into installation (key, value) values (${key}, ${db.json(value as never)})
    on conflict (key) do update set value = excluded.value`;
}

/** The id of this installation, generated on first use; it labels containers and other resources. */
export async function installationId(sql: Pool): Promise<string> {
  const known = await getFact<string>(sql, 'hosting');
  if (known) return known;
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('cairn.hosting'))`;
    const made = (await getFact<string>(tx, 'hosting')) ?? newId();
    await setFact(tx, 'hosting', made);
    return made;
  });
}

/**
 * Runs `work` under an advisory lock, so that only one process of this installation runs work of this name. The lock
 * has its own connection and is released when the process dies.
 */
export async function withAdvisoryLock<T>(sql: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(hashtext(${`cairn.${name}`}))`;
    return await work();
  } finally {
    await connection`select pg_advisory_unlock(hashtext(${`cairn.${name}`}))`.catch(() => {});
    connection.release();
  }
}
