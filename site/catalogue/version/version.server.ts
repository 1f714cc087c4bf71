import { memberOf, membersOf } from '#db/catalogue/members/read.ts';
import { projectsByIds as projectsById } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { type ScanState, scanStateOf } from '#db/catalogue/scans/read.ts';
import { type GameVersion, gameVersions } from '#db/catalogue/tags/read.ts';
import { changelogHtml } from '#db/catalogue/versions/changelog.ts';
import { pageVersion, previousVersion, versionsByIds as versionsById } from '#db/catalogue/versions/read.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { missingAttribution } from '#db/moderation/attribution/read.ts';
import { holdOf } from '#db/moderation/technical-review/read.ts';
import { usersByIdsOrNames } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { User } from '#db/platform/people/shape.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { outsidePack, packOf } from '../pack-contents/pack-link.ts';
import { detailsPath, versionPath } from './version-address.ts';

/** A version with everything that its page shows. */
export interface LoadedVersion extends DependencyTargets {
  version: Version;
  /** The path of the version page. */
  address: string;
  /** The path of what is in it and what changed. */
  details_address: string;
  /** As HTML; empty without a changelog. */
  changelog: string;
  author: User | null;
  /** The author's role in the project's team; null for non-members. */
  role: string | null;
  gameVersions: readonly GameVersion[];
  /** How far the scan of its files is; null when they never had to be scanned. */
  scan: ScanState | null;
  /** Why technical review keeps it from the public: members and staff see it only. */
  held: { since: string; issue_types: string[] } | null;
  /** Files from elsewhere that nobody answers for: while there are any, members and staff see it only. */
  unanswered: string[];
}

/** What dependencies lead to, as far as the actor may see it, by id. */
interface DependencyTargets {
  projects: ReadonlyMap<string, Project>;
  versions: ReadonlyMap<string, Version>;
}

const ids = (list: Array<string | null>) => [...new Set(list.filter((id) => id !== null))];
const byId = <T extends { id: string }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));

/** The projects and versions that dependencies name: two queries, however many there are. */
async function targetsOf(
  services: ReadContext,
  dependencies: Version['dependencies'],
  actor: Actor | null,
): Promise<DependencyTargets> {
  const requested = ids(dependencies.map(({ version_id }) => version_id));
  const versions = await versionsById(services, requested, actor, { changelog: false });
  const needed = ids([...dependencies, ...versions].map(({ project_id }) => project_id));
  return { projects: byId(await projectsById(services, needed, actor)), versions: byId(versions) };
}

/** Loads the version with this id or number and its related rows; null when there is none. */
export async function loadVersion(
  services: ReadContext,
  project: Project,
  idOrNumber: string,
  actor: Actor | null,
): Promise<LoadedVersion | null> {
  const { sql } = services;
  const found = await pageVersion(services, project.id, idOrNumber, actor);
  if (!found) return null;
  const { version, by_id, details_by_id } = found;
  const { dependencies, author_id } = version;
  const [changelog, games, targets, [author], team, scan, held, unanswered] = await Promise.all([
    changelogHtml(sql, version.id),
    gameVersions(sql),
    targetsOf(services, packOf(project, version) ? outsidePack(dependencies) : dependencies, actor),
    usersByIdsOrNames(services, [author_id]),
    membersOf(services, [project.team], actor),
    scanStateOf(sql, version.id),
    version.status === 'draft' ? holdOf(sql, version.id) : null,
    version.status === 'draft' ? missingAttribution(sql, version.id) : [],
  ]);
  const position = team.find(({ user_id, accepted }) => accepted && user_id === author_id);
  return {
    version,
    address: versionPath(project, version, by_id),
    details_address: detailsPath(versionPath(project, version, details_by_id)),
    changelog,
    author: author ?? null,
    role: position ? memberOf(position).role : null,
    gameVersions: games,
    ...{ scan, held, unanswered },
    ...targets,
  };
}

/** What is in a version, and the one that it is compared with. */
export interface LoadedDetails extends DependencyTargets {
  version: Version;
  /** The path of the version page. */
  address: string;
  previous: Version | null;
  /** The path of the page of `previous`. */
  previous_address: string | null;
  gameVersions: readonly GameVersion[];
}

/** Loads what the details of a version show; null when there is no version with this id or number. */
export async function loadDetails(
  services: ReadContext,
  project: Project,
  idOrNumber: string,
  actor: Actor | null,
): Promise<LoadedDetails | null> {
  const found = await pageVersion(services, project.id, idOrNumber, actor);
  if (!found) return null;
  const { version, by_id } = found;
  const [previous, games] = await Promise.all([
    previousVersion(services, version),
    gameVersions(services.sql),
  ]);
  return {
    version,
    address: versionPath(project, version, by_id),
    previous,
    // by its id, which needs no look at the numbers of others
    previous_address: previous && versionPath(project, previous, true),
    gameVersions: games,
    ...(await targetsOf(services, [...version.dependencies, ...(previous?.dependencies ?? [])], actor)),
  };
}
