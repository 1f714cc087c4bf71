import { createHash } from 'node:crypto';
import { type PaletteName, paletteNames } from '../art/palettes.ts';
import { type Motif, motifsByType } from '../art/pictures.ts';
import { random } from '../art/random.ts';
import { type DemoProject, type DemoType, people, projects } from './world.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The same id for the same text on every installation: 8 base62 characters, the first a letter or digit above 0. */
export function demoId(text: string): string {
  let value = createHash('sha256').update(`cairn demo ${text}`).digest().readBigUInt64BE();
  let id = digits[1 + Number(value % 61n)]!;
  for (let i = 0; i < 7; i++) {
    value /= 61n;
    id += digits[Number(value % 62n)];
  }
  return id;
}

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

export interface PlannedVersion {
  id: string;
  version_number: string;
  name: string;
  version_type: 'release' | 'beta' | 'alpha';
  game_versions: string[];
  days_ago: number;
  downloads: number;
  changelog: string;
}

export interface PlannedProject {
  id: string;
  slug: string;
  type: DemoType;
  title: string;
  description: string;
  owner: string;
  categories: string[];
  loaders: string[];
  features: [string, string, string];
  license_id: string;
  needs: string[];
  environment: string;
  palette: PaletteName;
  motif: Motif;
  downloads: number;
  followers: number;
  versions: PlannedVersion[];
}

/** Which game versions each step of a project's life was made for, newest first. */
const eras = [
  ['26.2', '26.1.2'],
  ['1.21.11', '1.21.10'],
  ['1.21.4', '1.21.3', '1.21.1', '1.21'],
  ['1.20.6', '1.20.4'],
  ['1.20.1'],
];
const changes = [
  'Faster start.',
  'Fixed a crash beside deep water.',
  'New translations.',
  'Works with the newest game version.',
  'Settings are kept when updating.',
  'Smaller file.',
];
const environmentOf: Record<DemoType, string> = {
  mod: 'client_and_server',
  modpack: 'client_and_server',
  plugin: 'dedicated_server_only',
  datapack: 'server_only_client_optional',
  resourcepack: 'client_only',
  shader: 'client_only',
};

/** The whole demo catalogue, worked out from names alone. No motif and palette pair repeats within 40 projects. */
export function planned(): PlannedProject[] {
  const used: string[] = [];
  return projects.map((project, place) => plan(project, place, used));
}

function plan(
  [type, title, owner, description, categories, loaders, features, license_id, needs = []]: DemoProject,
  place: number,
  used: string[],
): PlannedProject {
  const slug = slugOf(title);
  const r = random(`plan:${slug}`);
  const [motif, palette] = picture(type, r, used);
  const rank = 1 + ((place * 7) % projects.length);
  const downloads = Math.round((4_200_000 / rank ** 1.25) * r.range(0.7, 1.3));
  const id = demoId(`project ${slug}`);
  const environment =
    categories.includes('optimization') && type === 'mod' ? 'client_only' : environmentOf[type];
  const versions = versionsOf(slug, downloads, r);
  return {
    id,
    slug,
    type,
    title,
    description,
    owner,
    categories,
    loaders,
    features,
    license_id,
    needs,
    environment,
    palette,
    motif,
    downloads,
    followers: Math.round(downloads / r.range(90, 260)),
    versions,
  };
}

function picture(type: DemoType, r: ReturnType<typeof random>, used: string[]): [Motif, PaletteName] {
  for (;;) {
    const pair: [Motif, PaletteName] = [r.pick(motifsByType[type]!), r.pick(paletteNames)];
    if (used.slice(-40).includes(pair.join())) continue;
    used.push(pair.join());
    return pair;
  }
}

function versionsOf(slug: string, downloads: number, r: ReturnType<typeof random>): PlannedVersion[] {
  const first = r.int(0, 1);
  const steps = eras.slice(first, first + r.int(3, 4)).reverse();
  let days_ago = r.int(500, 900);
  const planned = steps.map((game_versions, step): PlannedVersion => {
    days_ago = Math.max(1, Math.round(days_ago * r.range(0.25, 0.6)));
    const version_number = `${1 + Math.floor(step / 2)}.${step % 2 ? r.int(1, 9) : 0}.${r.int(0, 4)}`;
    return {
      id: demoId(`version ${slug} ${step}`),
      version_number,
      name: `${version_number}`,
      version_type: 'release',
      game_versions,
      days_ago,
      downloads: Math.round((downloads * (step + 1)) / (steps.length * (steps.length + 1) * 0.5)),
      changelog: `- ${r.pick(changes)}\n- ${r.pick(changes)}`,
    };
  });
  const newest = planned.at(-1)!;
  if (r.next() < 0.4) {
    const version_number = `${newest.version_number}-beta.1`;
    planned.push({
      ...newest,
      id: demoId(`version ${slug} beta`),
      version_number,
      name: version_number,
      version_type: 'beta',
      days_ago: Math.max(0, newest.days_ago - 1),
      downloads: 12,
      changelog: '- Try it and say what breaks.',
    });
  }
  return planned;
}

/** A description that uses what the renderer knows: headings, lists, a table, code, a quotation, a link. */
export function bodyOf({ title, description, features, type, needs, license_id }: PlannedProject): string {
  const list = features.map((one) => `- ${one}`).join('\n');
  const install =
    type === 'plugin'
      ? 'Put the file into `plugins/` and restart.'
      : type === 'modpack'
        ? 'Open the file with your launcher; it brings everything along.'
        : `Put the file into \`${type === 'resourcepack' ? 'resourcepacks' : type === 'shader' ? 'shaderpacks' : type === 'datapack' ? 'datapacks' : 'mods'}/\` and start the game.`;
  const table =
    needs.length > 0
      ? `\n\n## Good company\n\n| Project | Why |\n| --- | --- |\n${needs.map((slug) => `| [${slug}](/project/${slug}) | made to be used together |`).join('\n')}`
      : '';
  return `${description}\n\n## What it does\n\n${list}\n\n## Install\n\n1. ${install}\n2. Nothing else. There is no setup.\n\n\`\`\`json\n{ "name": "${title}", "telemetry": false }\n\`\`\`\n\n> Adding it to an old world is safe, and so is taking it out again.${table}\n\n## Licence\n\n${license_id}. Use it, change it, say where it came from.`;
}

export { people };
