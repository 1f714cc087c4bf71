import { licenseIdOf } from '../tags/read.ts';
import { type PaletteName, paletteNames } from './art/palettes.ts';
import { type Motif, motifsByType } from './art/pictures.ts';
import { type Random, random } from './art/random.ts';
import { firstHistoryOf } from './beginnings.ts';
import { beginnings, catalogue, type ListedProject, slugOf } from './catalogue.ts';
import { historyOf, type PlannedVersion } from './history.ts';
import { demoId } from './ids.ts';
import { type PlannedPicture, picturesOf } from './pictures.ts';
import type { DemoType } from './world.ts';

export { demoId, type PlannedVersion };

/** A listed project with everything derived from its name. */
export interface PlannedProject extends Omit<ListedProject, 'summary' | 'license' | 'environment'> {
  id: string;
  slug: string;
  description: string;
  license_id: string;
  environment: string;
  palette: PaletteName;
  motif: Motif;
  downloads: number;
  followers: number;
  versions: PlannedVersion[];
  pictures: PlannedPicture[];
}

const environmentOf: Record<DemoType, string> = {
  mod: 'client_and_server',
  modpack: 'client_and_server',
  plugin: 'dedicated_server_only',
  datapack: 'server_only_client_optional',
  resourcepack: 'client_only',
  shader: 'client_only',
};

/** The complete demo catalogue, derived from names alone. No motif and palette pair repeats within 40 projects. */
export function planned(): PlannedProject[] {
  const used: string[] = [];
  return catalogue.map((project, position) => plan(project, position, used));
}

function plan(listed: ListedProject, position: number, used: string[]): PlannedProject {
  const { summary: description, license, environment, ...project } = listed;
  const { type, title, categories, loaders } = project;
  const slug = slugOf(title);
  const r = random(`plan:${slug}`);
  const [motif, palette] = picture(type, r, used);
  const downloads = Math.round(fame(listed, position) * r.range(0.7, 1.3));
  const versions =
    position < beginnings
      ? firstHistoryOf(slug, loaders, downloads, r)
      : historyOf(slug, listed, downloads, r);
  const quick = categories.includes('optimization') && (type === 'mod' || position >= beginnings);
  return {
    ...project,
    id: demoId(`project ${slug}`),
    slug,
    description,
    license_id: licenseIdOf(license),
    environment: environment ?? (quick ? 'client_only' : environmentOf[type]),
    palette,
    motif,
    downloads: listed.status === 'draft' || listed.status === 'processing' ? 0 : downloads,
    followers: Math.round(downloads / r.range(90, 260)),
    versions,
    pictures: picturesOf(slug, listed, palette),
  };
}

/** Downloads decrease by rank; libraries gain from their dependents. */
function fame({ categories }: ListedProject, position: number): number {
  if (position < beginnings) return 4_200_000 / (1 + ((position * 7) % beginnings)) ** 1.25;
  const others = catalogue.length - beginnings;
  const rank = 1 + (((position - beginnings) * 97) % others);
  return 2_500_000 / (categories.includes('library') ? Math.min(rank, 3) : rank + 1) ** 1.45;
}

function picture(type: DemoType, r: Random, used: string[]): [Motif, PaletteName] {
  for (;;) {
    const pair: [Motif, PaletteName] = [r.pick(motifsByType[type]!), r.pick(paletteNames)];
    if (used.slice(-40).includes(pair.join())) continue;
    used.push(pair.join());
    return pair;
  }
}
