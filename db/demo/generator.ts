import { loaderData } from '../catalogue/tags/data/loaders.ts';
import { categoriesOf, environments, projectTypesOf } from '../catalogue/tags/rules.ts';
import { type Random, random } from './art/random.ts';
import { accented, beginnings, cjk, cyrillic, domain, endings, middles, sentences } from './bulk-words.ts';
import { demoId } from './plan.ts';

export interface GeneratedVersion {
  id: string;
  version_number: string;
  version_type: 'release' | 'beta' | 'alpha';
  loaders: string[];
  mrpack_loaders: string[];
  game_versions: string[];
  environment: string;
  /** days before the day of seeding */
  days_ago: number;
  downloads: number;
}

export interface GeneratedProject {
  id: string;
  slug: string;
  title: string;
  description: string;
  author: { id: string; username: string };
  license_id: string;
  categories: string[];
  additional_categories: string[];
  downloads: number;
  followers: number;
  days_ago: number;
  /** oldest first */
  versions: GeneratedVersion[];
}

export interface Generating {
  /** The same seed and index give the same project. */
  seed: number;
  /** Index of the first project; continue where an earlier run ended. */
  from: number;
  count: number;
  /** Names of released game versions, oldest first. */
  game_versions: readonly string[];
}

/** Draws by Zipf: the first of the list is twice as likely as the second, three times as the third. */
const byRank = <T>(source: Random, list: readonly T[]): T =>
  list[Math.min(list.length - 1, Math.floor((list.length + 1) ** source.next()) - 1)] as T;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const word = (source: Random): string => capital(byRank(source, domain));
const invented = (source: Random): string => {
  const middle = source.next() < 0.5 ? source.pick(middles) : '';
  return capital(source.pick(beginnings) + middle + source.pick(endings));
};
/** A name for a title: three of five titles contain an invented word. */
const name = (source: Random): string => (source.next() < 0.6 ? invented(source) : word(source));

function titleOf(source: Random): string {
  const script = source.next();
  if (script < 0.03)
    return `${source.pick(cjk)}${source.next() < 0.5 ? source.pick(cjk) : ` ${invented(source)}`}`;
  if (script < 0.05)
    return `${source.pick(cyrillic)} ${source.next() < 0.5 ? source.pick(cyrillic) : invented(source)}`;
  if (script < 0.06) return `${source.pick(accented)} ${word(source)}`;
  const first = name(source);
  const shape = source.next();
  if (shape < 0.14) return `${first}${word(source)}`;
  if (shape < 0.24) return `${first}'s ${word(source)}`;
  if (shape < 0.6) return `${first} ${word(source)}`;
  if (shape < 0.68) return `${word(source)} of ${first}`;
  if (shape < 0.74) return `${first}: ${word(source)} ${word(source)}`;
  if (shape < 0.82) return first;
  return `${first} ${word(source)} ${word(source)}`;
}

const summaryOf = (source: Random): string =>
  source.pick(sentences).replaceAll('*', () => byRank(source, domain));

const slugOf = (title: string, index: number): string => {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${plain || 'project'}-${index.toString(36)}`;
};

/** The number of authors grows with the catalogue: about one per three projects, early ones with many projects. */
function authorOf(seed: number, index: number, source: Random): GeneratedProject['author'] {
  const number = Math.floor(source.next() ** 1.4 * (index + 3) * 0.35);
  const own = random(`${seed} author ${number}`);
  const suffix = seed === 1 ? '' : `_${seed}`;
  return { id: demoId(`${seed} author ${number}`), username: `${invented(own)}${number}${suffix}` };
}

const types = [
  'mod',
  'mod',
  'mod',
  'mod',
  'mod',
  'mod',
  'modpack',
  'plugin',
  'resourcepack',
  'shader',
  'datapack',
];
const common: Record<string, string[]> = {
  mod: ['fabric', 'forge', 'neoforge', 'quilt'],
  modpack: ['fabric', 'forge', 'neoforge', 'quilt'],
  plugin: ['paper', 'spigot', 'bukkit', 'purpur', 'velocity'],
  resourcepack: ['minecraft'],
  shader: ['iris', 'optifine'],
  datapack: ['datapack'],
};
const loadersOfType = (type: string, source: Random): string[] => {
  if (source.next() > 0.02 || type === 'modpack') return common[type] as string[];
  return loaderData.filter(([, , of]) => (of as readonly string[]).includes(type)).map(([loader]) => loader);
};
const licenses = [
  'MIT',
  'LicenseRef-All-Rights-Reserved',
  'LGPL-3.0-only',
  'GPL-3.0-only',
  'Apache-2.0',
  'CC0-1.0',
  'MPL-2.0',
];

const some = <T>(source: Random, list: readonly T[], max: number): T[] => {
  const chosen = new Set<T>();
  for (let n = source.int(1, max); n > 0; n--) chosen.add(byRank(source, list));
  return [...chosen];
};

function versionsOf(
  source: Random,
  { id, type, days_ago, downloads }: { id: string; type: string; days_ago: number; downloads: number },
  games: readonly string[],
): GeneratedVersion[] {
  const count = Math.max(1, Math.round(20 * source.next() ** 1.3) + source.int(0, 2));
  const loaders = some(source, loadersOfType(type, source), 3);
  const apart = source.next() < 0.5; // one file per loader, or one for all
  const environment = type === 'mod' || type === 'modpack' ? byRank(source, environments) : 'unknown';
  let game = Math.max(0, games.length - 1 - Math.floor(source.next() ** 2 * games.length));
  const versions: GeneratedVersion[] = [];
  for (let n = 0; n < count; n++) {
    const mine = apart ? [loaders[n % loaders.length] as string] : loaders;
    const width = source.int(1, 4);
    versions.push({
      id: demoId(`${id} version ${n}`),
      version_number: `${1 + Math.floor(n / 10)}.${n % 10}.${source.int(0, 3)}`,
      version_type: source.next() < 0.75 ? 'release' : source.next() < 0.7 ? 'beta' : 'alpha',
      loaders: type === 'modpack' ? ['mrpack'] : mine,
      mrpack_loaders: type === 'modpack' ? mine : [],
      game_versions: games.slice(game, game + width),
      environment,
      days_ago: (days_ago * (count - n)) / (count + source.next()),
      downloads: Math.floor(downloads / count),
    });
    if (source.next() < 0.75) game = Math.min(games.length - 1, game + 1);
  }
  return versions;
}

/**
 * An unlimited, realistic catalogue that can be generated from any index: three of five titles with an invented word,
 * domain words and downloads by Zipf, camelCase, possessives, 3 % in unspaced scripts, 2 % Cyrillic, 1 % with accents,
 * many authors. Pure: the same input gives the same projects. Source: search §3.6.
 */
export function* generated({ seed, from, count, game_versions }: Generating): Generator<GeneratedProject> {
  for (let index = from; index < from + count; index++) {
    const source = random(`${seed} project ${index}`);
    // the source has only 2^32 values, too few for ids
    const id = demoId(`${seed} project ${index}`);
    const title = titleOf(source);
    const type = source.pick(types);
    const rank = 1 + source.next() * 100_000;
    const downloads = Math.floor(2e7 / rank ** 1.02 + source.next() * 40);
    const days_ago = source.range(1, 1_500);
    const versions = versionsOf(source, { id, type, days_ago, downloads }, game_versions);
    const tags = some(
      source,
      categoriesOf(projectTypesOf(versions.flatMap(({ loaders }) => loaders))),
      5,
    ).map((category) => category.name);
    yield {
      id,
      slug: slugOf(title, index),
      title,
      description: summaryOf(source),
      author: authorOf(seed, index, source),
      license_id: byRank(source, licenses),
      categories: tags.slice(0, 3),
      additional_categories: tags.slice(3),
      downloads,
      followers: Math.floor(downloads * source.range(0.001, 0.01)),
      days_ago,
      versions,
    };
  }
}
