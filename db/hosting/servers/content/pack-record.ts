import type { Db } from '../../../platform/postgres/sql.ts';

/** The modpack that was installed last, with the files it brought: path -> SHA-512, '' for files out of its archive. */
export interface PackRecord {
  project_id: string;
  version_id: string;
  files: Record<string, string>;
  /** ISO 8601. */
  installed: string;
}

/** The modpack of a server, or null. One statement. */
export async function packRecord(db: Db, server_id: string): Promise<PackRecord | null> {
  const [row] = await db<PackRecord[]>`
    select project_id, version_id, files, installed from server_packs where server_id = ${server_id}`;
  return row ?? null;
}
