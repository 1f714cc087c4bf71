import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { LoaderSpec } from '../content/change-work.ts';
import { type ListedFile, recognise } from '../content/installed.ts';
import { isSameLoader, whyNotChangeLoader } from '../content/loader-rules.ts';
import type { Pack, PackContext, PackFile } from '../content/pack-archive.ts';
import type { PackRecord } from '../content/pack-record.ts';
import { enabledPath } from '../content/rules.ts';
import type { PackPlan } from '../content/view.ts';
import type { FileChange } from './content.ts';

/** Most files that a change adds or removes: what an agent takes. */
const max_changed = 1_000;
/** Most paths of either list of a plan. */
const max_named = 100;
/** Most files beside the folders of content that are looked at. */
const max_looked_at = 4_000;
/** A file that the installation itself wrote is not newer than this after it. */
const written_ms = 60_000;

/** A server that gets a modpack, as it is now. */
export interface PackTarget {
  kind: string;
  now: LoaderSpec;
  world: string;
  /** The files in the folders of content, of the loader before and of the one after. */
  listed: { files: readonly ListedFile[]; revision: string; folders: string[] };
  /** The modpack before. */
  record: PackRecord | null;
  /** Which of these files there are, with the time of their last change in milliseconds since 1970. */
  look(paths: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** What becomes of each file. */
interface PackChange {
  spec: LoaderSpec | null;
  add: PackFile[];
  added: number;
  replaced: number;
  remove: string[];
  lost: string[];
}

/** The files of a modpack that servers get. Refuses `pack_too_many_files` and `pack_file_unavailable`. */
function serverFiles(pack: Pack): PackFile[] {
  const files = pack.files.filter(({ client_only }) => !client_only);
  if (files.length > max_changed)
    throw new Refused('pack_too_many_files', { count: files.length, most: max_changed });
  const lacking = files.find(({ known, urls }) => !known && urls.length === 0);
  if (lacking) throw new Refused('pack_file_unavailable', { path: lacking.path });
  return files;
}

/** What the server has to become, or null. Refuses as `whyNotChangeLoader` when its kind cannot be that. */
function specFor({ loader }: Pack, { kind, now }: PackTarget): LoaderSpec | null {
  if (!loader || isSameLoader(now, loader)) return null;
  const why = whyNotChangeLoader({ kind, now, known: {} }, loader);
  if (why) throw new Refused(why.code, why.data);
  return loader;
}

/**
 * Compares a modpack with the server: what is there in the same form stays, what the modpack before brought and this one does not
 * have goes, and so do other versions of its projects. `lost` are files that were changed since, or were never part of a modpack.
 */
async function packChange(db: Db, context: PackContext, pack: Pack, target: PackTarget): Promise<PackChange> {
  const files = serverFiles(pack);
  const spec = specFor(pack, target);
  const before = target.record?.files ?? {};
  const hashes = new Map(target.listed.files.map(({ path, sha512 }) => [path, sha512]));
  const brought = new Map([...files.map(({ path, sha512 }) => [path, sha512] as const)]);
  for (const path of pack.overrides.keys()) brought.set(path, '');
  const folders = target.listed.folders.map((folder) => `${folder}/`);
  const isListed = (path: string) =>
    folders.some((start) => path.startsWith(start) && !path.slice(start.length).includes('/'));
  const outside = [...brought.keys(), ...Object.keys(before)].filter((path) => !isListed(path));
  const looked = await target.look([...new Set(outside)].slice(0, max_looked_at));
  const isThere = (path: string) => hashes.has(path) || looked.has(path);
  const installed = Date.parse(target.record?.installed ?? '') + written_ms;
  const isOwn = (path: string) => {
    if (!Object.hasOwn(before, path)) return true;
    const [hash, was] = [hashes.get(path), before[path]];
    // what came out of an archive is known by its time only
    return hash !== undefined && was ? hash !== was : (looked.get(path) ?? 0) > installed;
  };
  const changed = [...brought].filter(
    ([path, sha512]) => !isThere(path) || sha512 === '' || hashes.get(path) !== sha512,
  );
  const replaced = changed.map(([path]) => path).filter(isThere);
  const loader = spec ?? target.now;
  const recognised = await recognise(
    db,
    context.settings,
    target.listed.files,
    { ...loader, world: target.world },
    context.actor,
  );
  const projects = new Set(files.flatMap(({ known }) => known?.project.id ?? []));
  const others = recognised
    .filter(({ known }) => known && projects.has(known.project.id))
    .map(({ path }) => path);
  const went = Object.keys(before).flatMap((path) => [path, `${path}.disabled`].filter(isThere));
  const remove = [...new Set([...went, ...others])].filter((path) => !brought.has(path));
  const added = new Set(changed.map(([path]) => path));
  return {
    spec,
    add: files.filter(({ path }) => added.has(path)),
    added: changed.length - replaced.length,
    replaced: replaced.length,
    remove: remove.slice(0, max_changed),
    lost: [...replaced, ...remove].filter((path) => isOwn(enabledPath(path))),
  };
}

/**
 * What installing a version of a modpack would do. Refuses as `whyNotChangeLoader`, `pack_too_many_files`, and
 * `pack_file_unavailable`.
 */
export async function planPack(
  db: Db,
  context: PackContext,
  pack: Pack,
  target: PackTarget,
): Promise<PackPlan> {
  const change = await packChange(db, context, pack, target);
  const { add, remove, lost, added, replaced } = change;
  const archive = pack.folders.length > 0 ? pack.version.file!.bytes : 0;
  return {
    ...{ project: pack.version.project, version: pack.version.version, loader: change.spec, added, replaced },
    ...{ removed: remove.slice(0, max_named), removed_count: remove.length },
    ...{ lost: lost.slice(0, max_named), lost_count: lost.length },
    client_only: pack.files.filter(({ client_only }) => client_only).length,
    foreign: hostsOf(add.filter(({ known }) => !known)),
    bytes: add.reduce((sum, { bytes }) => sum + bytes, archive),
    revision: target.listed.revision,
  };
}

function hostsOf(files: readonly PackFile[]): PackPlan['foreign'] {
  const hosts = Map.groupBy(files, ({ urls }) => new URL(urls[0]!).host);
  return [...hosts]
    .map(([host, { length: count }]) => ({ host, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 20);
}

/** The change that installs a version of a modpack. Refuses as `planPack`. */
export async function packInstall(
  db: Db,
  context: PackContext,
  { pack, from }: { pack: Pack; from: string | null },
  target: PackTarget,
): Promise<Omit<FileChange, 'backup' | 'stop'>> {
  const { spec, add, added, replaced, remove } = await packChange(db, context, pack, target);
  const { project, version, file } = pack.version;
  const hasArchive = pack.folders.length > 0;
  const stored = add.flatMap(({ known }) => known?.file ?? []);
  if (hasArchive) stored.push(file!);
  return {
    ...{ kind: 'modpack', spec, erase: false },
    items: [{ title: project.title, from, to: version.version_number }],
    count: added + replaced + remove.length,
    content: {
      ...{ folders: target.listed.folders, revision: target.listed.revision, move: [], remove },
      add: add.map(({ path, sha512, bytes, urls, known }) => ({
        ...{ path, sha512 },
        bytes: known?.file?.bytes ?? bytes,
        urls: known ? [] : urls,
      })),
      archive: hasArchive ? { sha512: file!.sha512, bytes: file!.bytes, folders: pack.folders } : null,
    },
    files: Object.fromEntries(stored.map(({ sha512, key }) => [sha512, key])),
    pack: { project_id: project.id, version_id: version.id, files: recordOf(pack) },
  };
}

/** What a modpack brings to servers, as `server_packs` keeps it. */
const recordOf = (pack: Pack): Record<string, string> => ({
  ...Object.fromEntries(serverFiles(pack).map(({ path, sha512 }) => [path, sha512])),
  ...Object.fromEntries([...pack.overrides.keys()].map((path) => [path, ''])),
});
