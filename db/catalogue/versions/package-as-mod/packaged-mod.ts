import { buffer } from 'node:stream/consumers';
import { iconAsPng } from '../../../platform/files/image.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { bylineOf } from '../../projects/public.ts';
import type { Project } from '../../projects/shape.ts';
import { gameVersions } from '../../tags/read.ts';
import type { VersionRow } from '../row.ts';
import { gameRuns } from './game-runs.ts';
import type { PackagedMod } from './manifests.ts';
import { modIdOf } from './mod-id.ts';

/** The release of Minecraft 1.20.5, since which NeoForge reads a manifest of its own name. */
const own_neoforge_manifest = Date.parse('2024-04-23T00:00:00Z');

type Source = { sql: Db; storage: Pick<Storage, 'head' | 'read'> };

/** What the mod of a version's data pack says about itself, without its icon. `homepage`: the address of the project. */
export async function packagedMod(
  { sql }: Pick<Source, 'sql'>,
  project: Project,
  version: VersionRow,
  { number, homepage }: { number: string; homepage: string },
): Promise<PackagedMod> {
  const [games, { maker }] = await Promise.all([gameVersions(sql), bylineOf(sql, project.id)]);
  const dates = games.filter(({ version: name }) => version.game_versions.includes(name));
  return {
    id: modIdOf(project.slug ?? project.id),
    version: number,
    name: project.title,
    description: project.description,
    authors: maker ? [maker] : [],
    license: project.license.id,
    icon: null,
    homepage,
    issues: project.issues_url,
    sources: project.source_url,
    games: gameRuns(version.game_versions, games),
    old_neoforge: dates.some(({ date }) => Date.parse(date) < own_neoforge_manifest),
  };
}

/** Icons are far smaller; a larger object is none that we stored as one. */
const max_icon_bytes = 1024 * 1024;

/** The icon of a project as a PNG; null without one, or when it cannot be read. */
export async function projectIcon({ sql, storage }: Source, project_id: string): Promise<Buffer | null> {
  const { icon_key } = await bylineOf(sql, project_id);
  const size = icon_key ? ((await storage.head(icon_key))?.size ?? 0) : 0;
  if (!icon_key || size === 0 || size > max_icon_bytes) return null;
  const stream = await storage.read(icon_key);
  // a picture is no reason to refuse the mod
  return stream && (await iconAsPng(await buffer(stream)).catch(() => null));
}
