import { newId } from './id.ts';
import type { Db, Pool } from './sql.ts';

/** A small fact about this installation, or null when it was never noted. */
export async function getFact<T>(db: Db, key: string): Promise<T | null> {
  const [row] = await db<{ value: T }[]>`select value from installation where key = ${key}`;
  return row?.value ?? null;
}

/** Notes a fact about this installation. */
export async function setFact(db: Db, key: string, value: unknown): Promise<void> {
  await db`
    insert into installation (key, value) values (${key}, ${db.json(value as never)})
    on conflict (key) do update set value = excluded.value`;
}

/** The id under which everything of this installation is labelled; made at first use. */
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
 * Runs `work` while no other process of this installation runs the work of the same name. The lock belongs to a
 * connection of its own, so it falls with the process.
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
