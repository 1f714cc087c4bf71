import { randomUUID } from 'node:crypto';
import { getFact, setFact, withAdvisoryLock } from '../installation.ts';
import type { Pool } from '../postgres/sql.ts';
import type { Storage } from './storage.ts';

const key = 'installation_id';

/**
 * Whether storage and database belong together, that is, have the same installation id. If neither has one and the
 * storage is empty, this call pairs them. Call it at every start, so that a restored or mistyped database is detected
 * later. Safe in several processes at once.
 */
export async function isOwnStorage(sql: Pool, storage: Storage): Promise<boolean> {
  return await withAdvisoryLock(sql, 'storage pairing', async () => {
    const [of_database, of_storage] = [await getFact<string>(sql, key), await storage.readInstallationId()];
    if (of_storage !== null) return of_storage === of_database;
    if (of_database !== null && !(await isEmpty(storage))) return false;
    const id = of_database ?? randomUUID();
    await storage.writeInstallationId(id);
    if (of_database === null) await setFact(sql, key, id);
    return true;
  });
}

/** Pairs the storage with this database whatever it had before; for an explicit order of an operator. */
export async function adoptStorage(sql: Pool, storage: Storage): Promise<void> {
  await withAdvisoryLock(sql, 'storage pairing', async () => {
    const id = (await getFact<string>(sql, key)) ?? randomUUID();
    await storage.writeInstallationId(id);
    await setFact(sql, key, id);
  });
}

async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.list('data')) return false;
  return true;
}
