import type { Project } from '#db/projects/shape.ts';
import type { Version } from '#db/versions/shape.ts';
import { projectPath } from './routes.ts';

/**
 * The path of a version's page: it ends in the number, or in the id when an older version of `all` has the same number,
 * or when it cannot be a path segment (`..`). Source: specification §2.
 */
export function versionAddress(
  project: Project,
  version: Pick<Version, 'id' | 'version_number' | 'date_published'>,
  all: readonly Version[],
): string {
  const older = (other: Version) =>
    other.date_published < version.date_published ||
    (other.date_published === version.date_published && other.id < version.id);
  const used = all.some((other) => other.version_number === version.version_number && older(other));
  return versionPath(project, version, used);
}

/** The same when it is known whether an older version has the number. */
export function versionPath(
  project: Parameters<typeof projectPath>[0],
  { id, version_number }: Pick<Version, 'id' | 'version_number'>,
  used: boolean,
): string {
  const end = used || /^\.\.?$/.test(version_number) ? id : version_number;
  return `${projectPath(project)}/version/${encodeURIComponent(end)}`;
}
