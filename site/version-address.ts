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

const details_end = '-new';

/** The path of what is in a version and what changed, from the path of its page. Source: specification §2. */
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
