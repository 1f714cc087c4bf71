import { recordEvent } from '../../platform/events/write.ts';
import { actorsOf } from '../../platform/people/read.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { DownloadMeta } from './download-meta.ts';
import { earningProjects } from './earning-projects.ts';
import { countInWindows } from './networks.ts';
import { type AnalyticsRecord, insertRecords } from './records.ts';
import { countedDownloads } from './rules.ts';

export interface Download {
  project_id: string;
  version_id: string;
  /** An IPv4 address, or the /64 of an IPv6 one. */
  network: string;
  /** What the client said about it. */
  meta?: DownloadMeta | null;
  /** ISO 3166 of where the network is; XX or left out if not known. */
  country?: string;
  /** Through what it was downloaded, see `sourceOfDownload`. */
  source?: string;
  /** The site whose link was followed. */
  domain?: string;
  /** What the app sent as `Authorization`: it is only looked up, never stored. */
  token?: string;
}

interface Known {
  id: string;
  project_id: string;
  /** The loader or game version of the version if there is only one. */
  loader: string | null;
  game_version: string | null;
}

/**
 * Adds downloads to versions and projects, stores their records and records one `project.counted` with `{project_ids}`.
 * Each network stands once with each project. Downloads of unknown versions, and more than six of a network in its window,
 * are dropped. Locks projects before versions, by id, in the same order as publishing. Source: api-behaviours §10.
 */
export async function addDownloads(tx: Db, downloads: readonly Download[], now: Date): Promise<void> {
  const versions = await knownVersions(
    tx,
    downloads.map(({ version_id }) => version_id),
  );
  const known = downloads.filter(
    ({ version_id, project_id }) => versions.get(version_id)?.project_id === project_id,
  );
  const rules = { purpose: 'download', most: countedDownloads, renews: true } as const;
  const counted = await countInWindows(tx, known, rules, now);
  if (counted.length === 0) return;
  const project_ids = counted.map(({ project_id }) => project_id);
  const version_ids = counted.map(({ version_id }) => version_id);
  await tx`select 1 from projects where id = any(${project_ids}) order by id for no key update`;
  await tx`select 1 from versions where id = any(${version_ids}) order by id for no key update`;
  await tx`
    update versions v set downloads = v.downloads + c.added
    from (select id, count(*) as added from unnest(${version_ids}::text[]) as id group by id) c where v.id = c.id`;
  await tx`
    update projects p set downloads = p.downloads + c.added
    from (select id, count(*) as added from unnest(${project_ids}::text[]) as id group by id) c where p.id = c.id`;
  const about = await knownMeta(tx, counted);
  const earning = await earningDownloads(tx, counted, now);
  await insertRecords(
    tx,
    counted.map((download) => ({
      ...recordOf(download, versions.get(download.version_id)!, about, now),
      monetized: earning.has(download),
    })),
  );
  await recordEvent(tx, {
    name: 'project.counted',
    data: { project_ids: [...new Set(project_ids)].sort() },
  });
}

/** Downloads that earn money: by the app for somebody who is signed in, of projects that may. Source: screens §A.6. */
async function earningDownloads(tx: Db, downloads: readonly Download[], now: Date): Promise<Set<Download>> {
  const signed = downloads.filter(({ source, token }) => source === 'app' && token);
  if (signed.length === 0) return new Set();
  const tokens = [...new Set(signed.map(({ token }) => token!))];
  const people = await actorsOf(tx, tokens, now);
  const may = await earningProjects(
    tx,
    signed.map(({ project_id }) => project_id),
  );
  return new Set(signed.filter(({ token, project_id }) => people.has(token!) && may.has(project_id)));
}

async function knownVersions(tx: Db, ids: readonly string[]): Promise<Map<string, Known>> {
  const rows = await tx<Known[]>`
    select id, project_id,
      case when cardinality(case when loaders = '{mrpack}' then mrpack_loaders else loaders end) = 1
        then (case when loaders = '{mrpack}' then mrpack_loaders else loaders end)[1] end as loader,
      case when cardinality(game_versions) = 1 then game_versions[1] end as game_version
    from versions where id = any(${[...new Set(ids)]})`;
  return new Map(rows.map((row) => [row.id, row]));
}

interface KnownMeta {
  game_versions: Set<string>;
  /** By the id of a project or version: the project. */
  dependents: Map<string, string>;
}

/** What downloads named and exists: anything else is not kept. */
async function knownMeta(tx: Db, downloads: readonly Download[]): Promise<KnownMeta> {
  const games = downloads.flatMap(({ meta }) => meta?.game_version ?? []);
  const ids = downloads.flatMap(({ meta }) => meta?.dependent_on ?? []);
  if (games.length === 0 && ids.length === 0) return { game_versions: new Set(), dependents: new Map() };
  const rows = await tx<Array<{ name: string; project_id: string | null }>>`
    select version as name, null as project_id from game_versions where version = any(${games})
    union all select id, project_id from versions where id = any(${ids})
    union all select id, id from projects where id = any(${ids})`;
  return {
    game_versions: new Set(rows.filter((row) => row.project_id === null).map(({ name }) => name)),
    dependents: new Map(rows.flatMap(({ name, project_id }) => (project_id ? [[name, project_id]] : []))),
  };
}

function recordOf(
  { project_id, version_id, meta, country, source, domain }: Download,
  { loader, game_version }: Known,
  about: KnownMeta,
  at: Date,
): AnalyticsRecord {
  const named = meta?.game_version;
  return {
    ...{ kind: 'download', at, project_id, version_id },
    loader: meta?.loader ?? loader ?? '',
    game_version: (named && about.game_versions.has(named) ? named : game_version) ?? '',
    dependent_id: (meta?.dependent_on && about.dependents.get(meta.dependent_on)) ?? '',
    reason: meta?.reason ?? '',
    ...(country && { country }),
    ...(source && { source }),
    ...(domain && { domain }),
  };
}
