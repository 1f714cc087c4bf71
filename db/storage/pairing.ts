import { randomUUID } from 'node:crypto';
import { getFact, setFact, withAdvisoryLock } from '../installation.ts';
import type { Pool } from '../sql.ts';
import type { Storage } from './storage.ts';

const key = 'installation_id';

/**
 * Whether these bytes belong to this database: both carry the id of the installation. Two that carry none, and a storage
 * without objects, are paired by this call; call it at every start, so that a database that was restored or mistyped
 * later is noticed. Safe in several processes at once.
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

/** Makes the storage belong to this database whatever it carried: an operator has said so. */
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
