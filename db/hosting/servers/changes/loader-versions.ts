import type { Db } from '../../../platform/postgres/sql.ts';
import { compareVersions, type KnownLoaderVersions, max_loader_versions } from '../content/loader-rules.ts';

/** Rows that are read: distinct loaders, their versions and game versions that modpacks name. */
const max_rows = 2_000;

/** Versions of loaders that listed modpacks of the catalogue ask for, newest first. */
export async function knownLoaderVersions(db: Db): Promise<KnownLoaderVersions> {
  const rows = await db<{ loader: string; loader_version: string; game_versions: string[] }[]>`
    select m.loader, m.loader_version, array_agg(distinct m.game_version) as game_versions
    from modpack_loaders m join versions v on v.id = m.version_id
    where v.status = 'listed'
    group by m.loader, m.loader_version order by max(v.date_published) desc limit ${max_rows}`;
  const known: KnownLoaderVersions = {};
  for (const { loader, loader_version: version, game_versions } of rows)
    known[loader] = [...(known[loader] ?? []), { version, game_versions }];
  for (const [loader, versions] of Object.entries(known))
    known[loader] = versions
      .toSorted((one, other) => compareVersions(other.version, one.version))
      .slice(0, max_loader_versions);
  return known;
}
