import { readFileSync } from 'node:fs';
import type { Db } from '../../platform/postgres/sql.ts';

interface GameVersion {
  version: string;
  version_type: string;
  date: string;
  major: boolean;
}

/** Inserts the game versions of `game-versions.json` that are missing in the database; changes by staff stay. */
export async function loadTags(db: Db): Promise<void> {
  const rows = JSON.parse(
    readFileSync(new URL('./game-versions.json', import.meta.url), 'utf8'),
  ) as GameVersion[];
  await db`
    insert into game_versions (version, version_type, date, major)
    select version, version_type, date, major
    from jsonb_to_recordset(${db.json(rows as never)}) as t (version text, version_type text, date timestamptz, major boolean)
    on conflict (version) do nothing`;
}
