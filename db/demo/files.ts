import type { Storage } from '../platform/storage/storage.ts';
import { type MediaSettings, mediaUrl, versionFileKey } from '../platform/storage/url.ts';
import { entriesOf, type PackedFile, packEntries } from './archives.ts';
import { random } from './art/random.ts';
import { each } from './each.ts';
import type { PlannedProject, PlannedVersion } from './plan.ts';
import { paddingOf } from './sizes.ts';
import { zip } from './zip.ts';

/** A demo file with its version. */
interface StoredFile extends PackedFile {
  project_id: string;
  version_id: string;
}
/** Results by version: its file and, for modpacks, the files in its index. */
export interface MadeFiles {
  files: Map<string, StoredFile>;
  held: Map<string, StoredFile[]>;
}

const endings: Record<PlannedProject['type'], string> = {
  mod: 'jar',
  plugin: 'jar',
  modpack: 'mrpack',
  datapack: 'zip',
  resourcepack: 'zip',
  shader: 'zip',
};

/** The name of a version's file. */
export const filenameOf = (
  { slug, type }: Pick<PlannedProject, 'slug' | 'type'>,
  { version_number }: Pick<PlannedVersion, 'version_number'>,
): string => `${slug}-${version_number}.${endings[type]}`;

/** Removes files of an interrupted run; call it before anything is stored, because it removes folders too. */
export async function clearFiles(storage: Storage, plans: PlannedProject[]): Promise<void> {
  for (const { id } of plans) await storage.removeAll(`data/${id}`);
}

/** Creates and stores the archive of every version; modpacks last, because their index names files of mods. */
export async function storeFiles(
  storage: Storage,
  settings: MediaSettings,
  plans: PlannedProject[],
): Promise<MadeFiles> {
  const made: MadeFiles = { files: new Map(), held: new Map() };
  const all = plans.flatMap((plan) => plan.versions.map((version) => ({ plan, version })));
  const ofPacks = ({ plan }: (typeof all)[number]) => plan.type === 'modpack';
  for (const part of [all.filter((one) => !ofPacks(one)), all.filter(ofPacks)])
    await each(part, async ({ plan, version }) => {
      const held = ofPacks({ plan, version }) ? filesOf(plans, plan, version, made.files) : null;
      if (held) made.held.set(version.id, held);
      made.files.set(version.id, await storeFile(storage, settings, plan, version, held));
    });
  return made;
}

async function storeFile(
  storage: Storage,
  settings: MediaSettings,
  plan: PlannedProject,
  version: PlannedVersion,
  held: StoredFile[] | null,
): Promise<StoredFile> {
  const of = {
    slug: plan.slug,
    title: plan.title,
    summary: plan.description,
    number: version.version_number,
    loaders: version.loaders,
    game_version: version.game_versions.at(-1)!,
  };
  const place = plan.versions.indexOf(version);
  const padding = paddingOf(plan.slug, plan, { place, count: plan.versions.length });
  const { chunks, ...facts } = zip(held ? packEntries(of, held) : entriesOf(of), padding);
  const filename = filenameOf(plan, version);
  const key = versionFileKey(plan.id, version.id, filename);
  const staged = await storage.stage(chunks());
  try {
    await storage.put(key, staged);
  } finally {
    await staged.discard();
  }
  const url = mediaUrl(settings, key);
  return { project_id: plan.id, version_id: version.id, filename, url, ...facts };
}

/** The mods in a modpack version: those its page names, and some that fit its loader. */
function filesOf(
  plans: PlannedProject[],
  pack: PlannedProject,
  version: PlannedVersion,
  known: Map<string, StoredFile>,
): StoredFile[] {
  const named = pack.needs.flatMap(({ slug }) => plans.find((one) => one.slug === slug) ?? []);
  const r = random(`pack:${pack.slug}`);
  const fitting = plans.filter(
    (one) => one.type === 'mod' && one.status === 'approved' && !named.includes(one),
  );
  const extra = fitting.filter(() => r.next() < 0.12);
  return [...named, ...extra].flatMap((mod) => {
    const newest = matches(mod, pack.loaders[0]!, version);
    const file = newest && known.get(newest.id);
    return file ? [file] : [];
  });
}

/** The newest version of a mod at the time of the pack, preferably for its own game version. */
function matches(mod: PlannedProject, loader: string, pack: PlannedVersion): PlannedVersion | undefined {
  const before = mod.versions.filter(
    ({ days_ago, loaders }) => days_ago > pack.days_ago && loaders.includes(loader),
  );
  return (
    before.findLast(({ game_versions }) => game_versions.includes(pack.game_versions.at(-1)!)) ??
    before.at(-1)
  );
}
