import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { filesAt } from '../content/asked.ts';
import { type CatalogueVersion, versionsById } from '../content/catalogue.ts';
import { whyNothingFits } from '../content/fits.ts';
import type { InstalledFile } from '../content/installed.ts';
import { assertFree, type Planning, pathOf } from '../content/plan.ts';
import { type ContentTarget, pathAs, whyNotInstall } from '../content/rules.ts';
import type { ChangeRequest } from './request.ts';

/** What a change of content does to the files of a server: the request of `requestServerChange` without what the caller adds. */
export type FileChange = Pick<
  ChangeRequest,
  'kind' | 'items' | 'count' | 'spec' | 'content' | 'files' | 'pack' | 'erase' | 'backup' | 'stop'
>;

/** Most files that the list of a change names. */
const max_items = 20;

/** A change while the server runs; its files are read at the next start. */
function fileChange(
  kind: FileChange['kind'],
  { installed }: Pick<Planning, 'installed'>,
  { items, add = [], move = [], remove = [], files = {} }: Parts,
): FileChange {
  return {
    ...{ kind, items: items.slice(0, max_items), count: items.length, files },
    content: { folders: installed.folders, revision: installed.revision, add, archive: null, move, remove },
    ...{ spec: null, pack: null, erase: false, backup: false, stop: false },
  };
}

type Content = Extract<ChangeRequest['content'], { add: unknown }>;
interface Parts
  extends Partial<Pick<Content, 'add' | 'move' | 'remove'>>,
    Partial<Pick<FileChange, 'files'>> {
  items: FileChange['items'];
}

/** Refuses `content_changed` unless the content is what the user saw when they decided. */
export function assertRevision(now: { revision: string }, revision: string): void {
  if (now.revision !== revision) throw new Refused('content_changed');
}

/** A version to install; `path` is the file that it replaces, null for the one of its project if there is one. */
interface Choice {
  version_id: string;
  path: string | null;
}

/**
 * Installs versions, or replaces files by them. Refuses what does not fit (`content_wrong_loader`, `content_wrong_game_version`,
 * `content_client_only`, `content_not_supported`), `not_found` for versions that the actor may not see, `version_of_other_project`
 * when `path` is of another project, `file_not_found`, `content_path_taken`, and `content_unchanged`.
 */
export async function installChange(
  db: Db,
  planning: Planning,
  kind: 'install' | 'update',
  choices: readonly Choice[],
): Promise<FileChange> {
  const { settings, actor, target, installed } = planning;
  const ids = choices.map(({ version_id }) => version_id);
  const versions = await versionsById(db, settings, ids, actor);
  if (ids.some((id) => !versions.has(id))) throw new Refused('not_found');
  for (const version of versions.values()) await assertFits(db, version, target);
  const here = new Map(installed.files.map((file) => [file.known?.project.id, file]));
  const byVersion = new Map(choices.map((choice) => [choice.version_id, choice]));
  const chosen = [...byVersion.values()].map(({ version_id, path }) => {
    const version = versions.get(version_id)!;
    const [named] = path === null ? [] : filesAt(installed.files, [path]);
    if (named && named.known?.project.id !== version.project.id)
      throw new Refused('version_of_other_project');
    return { version, replaced: named ?? here.get(version.project.id) ?? null };
  });
  const placed = chosen
    .filter(({ version, replaced }) => !isSame(version, replaced, kind))
    .map(({ version, replaced }) => ({
      ...{ version, replaced, replaces: replaced?.path ?? null },
      path: pathOf(version, target, kind === 'install' || (replaced?.enabled ?? true)),
    }));
  if (placed.length === 0) throw new Refused('content_unchanged');
  assertFree(placed, installed.files);
  const added = new Set(placed.map(({ path }) => path));
  return fileChange(kind, planning, {
    items: placed.map(({ version, replaced }) => ({
      title: version.project.title,
      from: replaced?.known?.version.version_number ?? null,
      to: version.version.version_number,
    })),
    add: placed.map(({ version, path }) => {
      const { sha512, bytes } = version.file!;
      return { path, sha512, bytes, urls: [] };
    }),
    remove: placed.flatMap(({ replaces }) => (replaces === null || added.has(replaces) ? [] : [replaces])),
    files: Object.fromEntries(placed.map(({ version: { file } }) => [file!.sha512, file!.key])),
  });
}

/** Whether the version is there already; installing one that is switched off switches it on. */
const isSame = (version: CatalogueVersion, file: InstalledFile | null, kind: 'install' | 'update'): boolean =>
  file !== null && (kind === 'update' || file.enabled) && file.sha512 === version.file!.sha512;

async function assertFits(db: Db, version: CatalogueVersion, target: ContentTarget): Promise<void> {
  const problem = whyNotInstall(version, target);
  if (problem === null) return;
  const { project, version: ref } = version;
  const data = { title: project.title, version: ref.version_number };
  if (problem !== 'wrong_loader' && problem !== 'wrong_game_version')
    throw new Refused(problem === 'client_only' ? 'content_client_only' : 'content_not_supported', data);
  const { fits } = (await whyNothingFits(db, [project.id], target)).get(project.id)!;
  const names = problem === 'wrong_loader' ? version.loaders : version.game_versions;
  throw new Refused(`content_${problem}`, {
    ...data,
    ...{ loader: target.loader ?? 'vanilla', game_version: target.game_version },
    fits: names.slice(0, 10).join(', ') || fits.loaders.join(', '),
  });
}

const titleOf = ({ known, path }: InstalledFile): string =>
  known?.project.title ?? path.slice(path.lastIndexOf('/') + 1);

/** Switches files on or off by their names. Refuses `file_not_found`, `content_path_taken` and `content_unchanged`. */
export function toggleChange(planning: Planning, paths: readonly string[], enabled: boolean): FileChange {
  const { installed } = planning;
  const files = filesAt(installed.files, paths).filter((file) => file.enabled !== enabled);
  if (files.length === 0) throw new Refused('content_unchanged');
  const move = files.map(({ path }) => ({ from: path, to: pathAs(path, enabled) }));
  assertFree(
    move.map(({ from, to }) => ({ path: to, replaces: from })),
    installed.files,
  );
  const state = (is: boolean) => (is ? 'on' : 'off');
  const items = files.map((file) => ({
    title: titleOf(file),
    from: state(file.enabled),
    to: state(enabled),
  }));
  return fileChange('toggle', planning, { items, move });
}

/** Removes files. Refuses `file_not_found`. */
export function removeChange(planning: Planning, paths: readonly string[]): FileChange {
  const files = filesAt(planning.installed.files, paths);
  const items = files.map((file) => ({
    title: titleOf(file),
    from: file.known?.version.version_number ?? titleOf(file),
    to: null,
  }));
  return fileChange('remove', planning, { items, remove: files.map(({ path }) => path) });
}
