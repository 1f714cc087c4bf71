import { memberOf, membersOf } from '#db/members/read.ts';
import { type User, usersByIdsOrNames } from '#db/people/read.ts';
import type { Actor } from '#db/people/rules.ts';
import { projectsByIds as projectsById } from '#db/projects/read.ts';
import type { Project } from '#db/projects/shape.ts';
import type { ReadContext } from '#db/read-context.ts';
import { type GameVersion, gameVersions } from '#db/tags/read.ts';
import { changelogHtml } from '#db/versions/changelog.ts';
import { versionByNumber, versionsByIds as versionsById } from '#db/versions/read.ts';
import type { Version } from '#db/versions/shape.ts';
import { versionPath } from '../version-address.ts';

/** A version with everything that its page shows. */
export interface LoadedVersion {
  version: Version;
  /** The path of the version page. */
  address: string;
  /** As HTML; empty without a changelog. */
  changelog: string;
  author: User | null;
  /** The author's role in the project's team; null for non-members. */
  role: string | null;
  gameVersions: readonly GameVersion[];
  /** The projects it depends on that the actor may see, by id. */
  projects: ReadonlyMap<string, Project>;
  versions: ReadonlyMap<string, Version>;
}

const ids = (list: Array<string | null>) => [...new Set(list.filter((id) => id !== null))];
const byId = <T extends { id: string }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));

/** Loads the version with this id or number and its related rows; null when there is none. */
export async function loadVersion(
  services: ReadContext,
  project: Project,
  idOrNumber: string,
  actor: Actor | null,
): Promise<LoadedVersion | null> {
  const { sql } = services;
  const version = await versionByNumber(services, project.id, idOrNumber, actor);
  if (!version) return null;
  const { dependencies, version_number, author_id } = version;
  const requested = ids(dependencies.map(({ version_id }) => version_id));
  const versions = await versionsById(services, requested, actor, { changelog: false });
  const needed = ids([...dependencies, ...versions].map(({ project_id }) => project_id));
  const [changelog, games, projects, [author], team, first] = await Promise.all([
    changelogHtml(sql, version.id),
    gameVersions(sql),
    projectsById(services, needed, actor),
    usersByIdsOrNames(services, [author_id]),
    membersOf(services, [project.team], actor),
    versionByNumber(services, project.id, version_number, actor),
  ]);
  const position = team.find(({ user_id, accepted }) => accepted && user_id === author_id);
  return {
    version,
    address: versionPath(project, version, first?.id !== version.id),
    changelog,
    author: author ?? null,
    role: position ? memberOf(position).role : null,
    gameVersions: games,
    projects: byId(projects),
    versions: byId(versions),
  };
}
