import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { MediaSettings } from '../../../platform/storage/url.ts';
import { type CatalogueVersion, newestFitting, type VersionRef, versionsByHash } from './catalogue.ts';
import type { PackRecord } from './pack-record.ts';
import { type ContentTarget, enabledPath, isEnabled, loadersOf, typeOfFile, whyNotLoaded } from './rules.ts';
import type { ContentItem, ServerContentType } from './view.ts';

/** What an agent tells of a file. */
export interface ListedFile {
  path: string;
  bytes: number;
  modified: number;
  sha512: string;
}

/** A file of content on a server. */
export interface InstalledFile extends ListedFile {
  type: ServerContentType;
  enabled: boolean;
  /** What the catalogue knows of it: the version that fits the server, else the oldest; null when it knows nothing. */
  known: CatalogueVersion | null;
  problem: ContentItem['problem'];
}

/** The content of a server as its agent told it. */
export interface Installed {
  files: InstalledFile[];
  /** Of the folders of content. */
  revision: string;
  /** There are more files than these. */
  more: number;
  /** Folders that `revision` is about. */
  folders: string[];
}

/**
 * Recognises files by their hashes: what is content by folder and name, with what the catalogue knows of it. Projects that the
 * actor may not see look as if they were not there. One statement, another one with hidden projects.
 */
export async function recognise(
  db: Db,
  settings: MediaSettings,
  files: readonly ListedFile[],
  target: ContentTarget,
  actor: Actor | null,
): Promise<InstalledFile[]> {
  const typed = files.flatMap((file) => {
    const type = typeOfFile(file.path, target);
    return type ? [{ file, type }] : [];
  });
  const hashes = typed.map(({ file }) => file.sha512);
  const found = await versionsByHash(db, settings, hashes, actor);
  return typed.map(({ file, type }) => {
    const versions = found.get(file.sha512) ?? [];
    const fitting = versions.find((version) => whyNotLoaded(version, type, target) === null);
    const known = fitting ?? versions[0] ?? null;
    const problem = known && whyNotLoaded(known, type, target);
    return { ...file, type, enabled: isEnabled(file.path), known, problem };
  });
}

/**
 * For each file, the newest version of its project that fits the server, if that is another one: a newer one, or any when the file
 * does not fit. What is for the loader of the server, as the installation prefers it, is never updated to what is for one that it
 * also loads. One statement for all.
 */
export async function updatesOf(
  db: Db,
  files: readonly InstalledFile[],
  target: ContentTarget,
): Promise<Map<InstalledFile, VersionRef>> {
  const known = files.filter((file) => file.known);
  const questions = known.map(({ known: version, type, problem }) => ({
    ...{ project_id: version!.project.id, type },
    after: problem ? null : version!.published,
    own_loader: !problem && version!.loaders.includes(loadersOf(type, target.loader)[0]!),
  }));
  const newest = await newestFitting(db, questions, target);
  return new Map(
    known.flatMap((file, place): Array<[InstalledFile, VersionRef]> => {
      const update = newest[place];
      return update && update.id !== file.known!.version.id ? [[file, update]] : [];
    }),
  );
}

/** The items of the panel, by path. */
export function contentItems(
  files: readonly InstalledFile[],
  updates: ReadonlyMap<InstalledFile, VersionRef>,
  pack: PackRecord | null,
): ContentItem[] {
  const items = files.map((file): ContentItem => {
    const { path, bytes, modified, type, enabled, known, problem } = file;
    return {
      ...{ path, bytes, modified, type, enabled, problem },
      file_name: path.slice(path.lastIndexOf('/') + 1),
      project: known?.project ?? null,
      version: known?.version ?? null,
      update: updates.get(file) ?? null,
      from_pack: Object.hasOwn(pack?.files ?? {}, enabledPath(path)),
    };
  });
  return items.sort((a, b) => (a.path < b.path ? -1 : 1));
}
