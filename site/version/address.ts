import type { Project } from '#db/projects/shape.ts';
import type { Version } from '#db/versions/shape.ts';
import { projectPath } from '../project/types.ts';

/**
 * The path of a version's page: it ends in the number, or in the id when an older version of `all` has the number
 * already, or no address can end in it (`..`). Source: specification §2.
 */
export function addressOf(
  project: Project,
  version: Pick<Version, 'id' | 'version_number' | 'date_published'>,
  all: readonly Version[],
): string {
  const older = (other: Version) =>
    other.date_published < version.date_published ||
    (other.date_published === version.date_published && other.id < version.id);
  const taken = all.some((other) => other.version_number === version.version_number && older(other));
  return pathOf(project, version, taken);
}

/** The same for who knows already whether an older version has the number. */
export function pathOf(
  project: Parameters<typeof projectPath>[0],
  { id, version_number }: Pick<Version, 'id' | 'version_number'>,
  taken: boolean,
): string {
  const end = taken || /^\.\.?$/.test(version_number) ? id : version_number;
  return `${projectPath(project)}/version/${encodeURIComponent(end)}`;
}
