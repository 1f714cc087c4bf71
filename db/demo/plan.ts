import { licenseIdOf } from '../catalogue/tags/read.ts';
import type { PaletteName } from './art/palettes.ts';
import type { Motif } from './art/pictures.ts';
import { random } from './art/random.ts';
import { catalogue, type ListedProject, slugOf } from './catalogue.ts';
import { showcase } from './data/showcase.ts';
import { historyOf, type PlannedVersion } from './history.ts';
import { demoId } from './ids.ts';
import { type Look, looks } from './looks.ts';
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

/** A listed project with its place in the catalogue. */
interface Ranked {
  listed: ListedProject;
  slug: string;
  downloads: number;
}

/** The complete demo catalogue in the order of its lists, derived from names and the showcase alone. */
export function planned(): PlannedProject[] {
  const ranked = rankedProjects();
  const chosen = looks([...ranked].sort((a, b) => b.downloads - a.downloads));
  return ranked.map((one) => plan(one, chosen.get(one.slug)!));
}

function plan({ listed, slug, downloads }: Ranked, look: Look): PlannedProject {
  const { summary: description, license, environment, ...project } = listed;
  const r = random(`plan:${slug}`);
  const versions = historyOf(slug, listed, { downloads, versions: showcase.get(slug)?.versions ?? null }, r);
  const quick = project.categories.includes('optimization');
  return {
    ...project,
    id: demoId(`project ${slug}`),
    slug,
    description,
    license_id: licenseIdOf(license),
    environment: environment ?? (quick ? 'client_only' : environmentOf[project.type]),
    palette: look.palette,
    motif: look.motif,
    downloads,
    followers: Math.round(downloads / r.range(90, 260)),
    versions,
    pictures: picturesOf(slug, listed, look),
  };
}

/** Downloads of the showcase as chosen; of the others decreasing by rank, all below the showcase. */
function rankedProjects(): Ranked[] {
  let others = 0;
  return catalogue.map((listed) => {
    const slug = slugOf(listed.title);
    const shown = showcase.get(slug);
    if (shown) return { listed, slug, downloads: shown.downloads };
    const rank = (others++ * 97) % (catalogue.length - showcase.size);
    const hidden = listed.status === 'draft' || listed.status === 'processing';
    const likely = (175_000 / (1 + 0.06 * rank) ** 1.6) * random(`fame:${slug}`).range(0.8, 1.05);
    return { listed, slug, downloads: hidden ? 0 : Math.round(likely) };
  });
}
