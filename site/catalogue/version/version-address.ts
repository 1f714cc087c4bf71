import type { Project } from '#db/catalogue/projects/shape.ts';
import { addressEnd, details_end } from '#db/catalogue/versions/rules.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { projectPath } from '../../platform/paths/routes.ts';

/**
 * The path of a version's page: it ends in the number, or in the id when another version of `all` comes first by that
 * number, or when the number leads to another page (`create`, `..`). Source: specification §2.
 */
export function versionAddress(
  project: Project,
  version: Pick<Version, 'id' | 'version_number' | 'date_published'>,
  all: readonly Version[],
): string {
  const older = (other: Version) =>
    other.date_published < version.date_published ||
    (other.date_published === version.date_published && other.id < version.id);
  const comesFirst = (other: Version) =>
    other.id === version.version_number || (other.version_number === version.version_number && older(other));
  const by_id = all.some((other) => other.id !== version.id && comesFirst(other));
  return versionPath(project, version, by_id);
}

/** The same when it is known whether another version comes first by the number. */
export function versionPath(
  project: Parameters<typeof projectPath>[0],
  version: Pick<Version, 'id' | 'version_number'>,
  by_id: boolean,
): string {
  return `${projectPath(project)}/version/${addressEnd(version, by_id)}`;
}

/** The path of what is in a version and what changed, from a path of its page that nothing else has with this ending. Source: specification §2. */
export const detailsPath = (version_path: string): string => version_path + details_end;

/** The id or number whose details `requested` asks for when no version has it; null when it asks for none. */
export const detailsOf = (requested: string): string | null =>
  requested.endsWith(details_end) && requested !== details_end
    ? requested.slice(0, -details_end.length)
    : null;

/**
 * The id or number in the last part of such a path. Astro decodes parameters only as far as whole addresses are decoded,
 * so that `+`, `@`, `$` and `,`, which numbers may have, are still escaped.
 */
export function requestedVersion(parameter: string | undefined): string {
  try {
    return decodeURIComponent(parameter ?? '');
  } catch {
    return parameter ?? ''; // a percent sign that escapes nothing: no version has it
  }
}
