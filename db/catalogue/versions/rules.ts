import type { RefusalCode } from '../../platform/errors.ts';
import { showsSomething } from '../../platform/plain-text/rules.ts';
import { listedVersionStatuses } from '../projects/rules.ts';
import { type Access, isMemberOrInvited, whyNotActInTeam } from '../teams/rules.ts';

export const versionStatuses = ['listed', 'archived', 'draft', 'unlisted', 'scheduled', 'unknown'] as const;
export type VersionStatus = (typeof versionStatuses)[number];

/** Statuses that members may give a version. Source: api-v2 §5.1, §5.3. */
export const settableStatuses = ['listed', 'archived', 'draft', 'unlisted'] as const;

export const versionTypes = ['release', 'beta', 'alpha'] as const;
export const dependencyTypes = ['required', 'optional', 'incompatible', 'embedded'] as const;
export const versionNumberPattern = /^[a-zA-Z0-9!@$()`.+,_"-]+$/;

/** What is wrong with the characters of a version number, in words, with the first one that it may not have; null else. */
export function numberProblem(number: string): string | null {
  const wrong = [...number].find((one) => !versionNumberPattern.test(one));
  if (wrong === undefined) return null;
  const code = `U+${wrong.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  const shown = wrong === ' ' ? 'a blank' : showsSomething(wrong) ? `“${wrong}”` : code;
  return `may have letters from a to z, digits and the signs . - _ + ! @ $ ( ) \` , ", but not ${shown}`;
}

/** What the last part of a version's path means before it means a number: pages, and parts that browsers leave out. */
const reserved_numbers: readonly string[] = ['.', '..', 'create'];

/**
 * The last part of the path of a version's page: its number, or its id when another version comes first by that number
 * (`by_id`) or the number leads to another page. Source: specification §2.
 */
export const addressEnd = ({ id, version_number }: { id: string; version_number: string }, by_id: boolean) =>
  encodeURIComponent(by_id || reserved_numbers.includes(version_number) ? id : version_number);

/** What follows on the last part in the path of a version's details. Source: specification §2. */
export const details_end = '-new';

/** Maximum number of items per request; ids are also limited by the size of the request headers. */
export const limits = {
  version_number: 32,
  name: 64,
  changelog: 65_536,
  dependencies: 4096,
  file_parts: 256,
  /** Of either sign. */
  ordering: 2_147_483_647,
  ids: 2000,
  hashes: 4096,
  /** Maximum versions of a project, in total and within 24 hours. */
  per_project: 10_000,
  per_day: 500,
} as const;

/** What a version is called when nobody named it: its project and number, the title cut where both are too long. */
export const usualName = (title: string, version_number: string): string =>
  [
    [...title]
      .slice(0, limits.name - version_number.length - 1)
      .join('')
      .trim(),
    version_number,
  ]
    .join(' ')
    .trim();

/** Why a project with `total` versions, `today` of them within the last 24 hours, may not get another one, or null. */
export function whyNotAddVersion({
  total,
  today,
}: {
  total: number;
  today: number;
}): 'versions_full' | 'versions_too_many_today' | null {
  if (total >= limits.per_project) return 'versions_full';
  return today >= limits.per_day ? 'versions_too_many_today' : null;
}

/** Statuses of versions that the project lists. Source: api-behaviours §4, §17 (1). */
export const listedStatuses: readonly VersionStatus[] = listedVersionStatuses;
/** Statuses of versions that outsiders find by id and by the hashes of their files. Source: api-behaviours §4, §17 (1). */
export const openStatuses: readonly VersionStatus[] = [...listedVersionStatuses, 'unlisted'];

const moderates = ({ role }: Access) => role === 'moderator' || role === 'admin';

/** Why an actor with this access may not ..., or null. Source: api-v2 §5, §6; api-behaviours §1, §4. */
/**
 * Hidden and unknown versions give the same answer; pending invitees count as members. The visibility of the project
 * is checked separately.
 */
export const whyNotSeeVersion = (status: VersionStatus, access: Access): RefusalCode | null =>
  openStatuses.includes(status) || isMemberOrInvited(access) || moderates(access) ? null : 'not_found';

export const whyNotPublishVersion = (access: Access): RefusalCode | null =>
  whyNotActInTeam(access, 'UPLOAD_VERSION');

export const whyNotEditVersion = (access: Access): RefusalCode | null =>
  whyNotActInTeam(access, 'UPLOAD_VERSION');

/** Why the actor may not have a version released at `time`, or null. */
export const whyNotScheduleVersion = (
  access: Access,
  { time, now }: { time: Date; now: Date },
): RefusalCode | null => whyNotEditVersion(access) ?? (time > now ? null : 'schedule_past');

export const whyNotRemoveVersion = (access: Access): RefusalCode | null =>
  whyNotActInTeam(access, 'DELETE_VERSION');

/**
 * Why a member may not change the status of a version that technical review holds, nor delete it or its files: only a person
 * of staff releases it.
 */
export const whyNotChangeHeld = (held: string | null, access: Access): RefusalCode | null =>
  held !== null && !moderates(access) ? 'version_held' : null;

/** Only moderators may correct download counts. */
export const whyNotRecountDownloads = (access: Access): RefusalCode | null =>
  moderates(access) ? null : 'moderators_only';

/** A version must have at least one of its `files`. */
export const whyNotRemoveFile = (access: Access, files: number): RefusalCode | null =>
  whyNotRemoveVersion(access) ?? (files > 1 ? null : 'last_file');

export interface DependencyReference {
  version_id?: string | null | undefined;
  project_id?: string | null | undefined;
  file_name?: string | null | undefined;
}

/** Why these dependencies are invalid: one names nothing, or two name the same target. */
export function whyNotDependencies(dependencies: readonly DependencyReference[]): RefusalCode | null {
  const known = new Set<string>();
  for (const { version_id, project_id, file_name } of dependencies) {
    if (!version_id && !project_id && !file_name) return 'dependency_empty';
    const triple = JSON.stringify([version_id ?? null, project_id ?? null, file_name ?? null]);
    if (known.has(triple)) return 'dependency_repeated';
    known.add(triple);
  }
  return null;
}

const isPack = (name: string) => name.toLowerCase().endsWith('.mrpack');

/**
 * Whether an upload is a modpack: its first declared part or any of its files is named `*.mrpack`. Source: api-v2
 * §5.1.
 */
export const isModpack = (file_parts: readonly string[], filenames: readonly string[]): boolean =>
  isPack(file_parts[0] ?? '') || filenames.some(isPack);

interface Listed {
  featured: boolean;
  game_versions: readonly string[];
  loaders: readonly string[];
}

/**
 * Applies `featured` to a window of versions (newest first). If none is featured, falls back to the newest version for
 * each pair of major game version and loader, then to the whole window. Source: api-v2 §5.2.
 */
export function pickFeatured<V extends Listed>(
  window: readonly V[],
  featured: boolean,
  majors: readonly string[],
): V[] {
  const chosen = window.filter((version) => version.featured === featured);
  if (!featured || chosen.length > 0 || window.length === 0) return chosen;
  const major = new Set(majors);
  const pairs = new Set<string>();
  const standIns = window.filter((version) => {
    const newest = version.game_versions
      .filter((game) => major.has(game))
      .flatMap((game) => version.loaders.map((loader) => `${game} ${loader}`))
      .filter((pair) => !pairs.has(pair));
    for (const pair of newest) pairs.add(pair);
    return newest.length > 0;
  });
  return standIns.length > 0 ? standIns : [...window];
}
