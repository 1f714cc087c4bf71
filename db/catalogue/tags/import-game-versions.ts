import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ListedVersion } from './game-version-manifest.ts';

/**
 * Inserts the listed game versions that are missing, in the caller's transaction, and gives their names; those that
 * exist stay as they are. Processes see new ones within a minute (`gameVersions`). Source: api-behaviours §14.
 */
export async function importGameVersions(tx: Db, listed: readonly ListedVersion[]): Promise<string[]> {
  const rows = await tx<Array<{ version: string }>>`
    insert into game_versions (version, version_type, date, major)
    select version, version_type, date, major
    from jsonb_to_recordset(${tx.json(listed as never)})
      as t (version text, version_type text, date timestamptz, major boolean)
    on conflict (version) do nothing returning version`;
  const versions = rows.map(({ version }) => version);
  if (versions.length > 0) await recordEvent(tx, { name: 'catalogue.versions_added', data: { versions } });
  return versions;
}
