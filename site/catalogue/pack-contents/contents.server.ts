import type { Project } from '#db/catalogue/projects/shape.ts';
import {
  type PackContents,
  type PackVersion,
  packContents,
  packVersions,
} from '#db/catalogue/versions/pack-contents/read.ts';
import { pageVersion, previousVersion, versionsByIds } from '#db/catalogue/versions/read.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import type { Actor } from '#db/platform/people/rules.ts';

/** What the tab of a modpack's contents shows. */
export interface LoadedContents {
  /** What may be chosen, newest first. */
  versions: PackVersion[];
  /** Null for a modpack without versions. */
  shown: { version: Version; contents: PackContents } | null;
  /** The older versions that it may be compared with, newest first. */
  older: PackVersion[];
  /** What it is compared with; null for the first one. */
  before: { version: Version; contents: PackContents } | null;
  /** The version in the address, when there is none of that id or number. */
  missing: string | null;
  /** What narrows the list. */
  text: string;
}

/**
 * Loads the version of a modpack that `version` names by id or number, else its newest release, with what is in it and in the
 * older one that `since` names, else the one before it.
 */
export async function loadContents(
  services: App.Locals['services'],
  project: Project,
  asked: URLSearchParams,
  actor: Actor | null,
): Promise<LoadedContents> {
  const versions = await packVersions(services.sql, project.id);
  const requested = asked.get('version') ?? '';
  const found = requested === '' ? null : await pageVersion(services, project.id, requested, actor);
  const usual = versions.find(({ version_type }) => version_type === 'release') ?? versions[0];
  const [version] = found ? [found.version] : await byId(services, usual?.id, actor);
  const missing = requested !== '' && !found ? requested : null;
  const text = (asked.get('q') ?? '').slice(0, 200);
  if (!version) return { versions, shown: null, older: [], before: null, missing, text };
  const older = versions.filter(
    ({ id, date_published }) => id !== version.id && date_published <= version.date_published,
  );
  const since = asked.get('since') ?? '';
  const named =
    older.find(({ id }) => id === since) ?? older.find(({ version_number }) => version_number === since);
  const [previous] = named
    ? await byId(services, named.id, actor)
    : [(await previousVersion(services, version)) ?? undefined];
  const [contents, earlier] = await packContents(services, previous ? [version, previous] : [version], actor);
  return {
    ...{ versions, older, missing, text },
    shown: { version, contents: contents! },
    before: previous && earlier ? { version: previous, contents: earlier } : null,
  };
}

const byId = (
  services: App.Locals['services'],
  id: string | undefined,
  actor: Actor | null,
): Promise<Version[]> =>
  id === undefined ? Promise.resolve([]) : versionsByIds(services, [id], actor, { changelog: false });
