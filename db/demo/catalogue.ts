import { readFileSync } from 'node:fs';
import { type DemoPerson, type DemoType, projects as first, people as firstPeople } from './world.ts';

/** How a project relates to another one. */
interface Need {
  slug: string;
  dependency_type: 'required' | 'optional' | 'incompatible' | 'embedded';
}

/** A hand-written project; everything else is derived from it. */
export interface ListedProject {
  type: DemoType;
  title: string;
  owner: string;
  summary: string;
  categories: string[];
  loaders: string[];
  features: [string, string, string];
  license: string;
  needs: Need[];
  /** Slug of the organization that owns it. */
  organization: string | null;
  status: 'approved' | 'unlisted' | 'private' | 'draft' | 'processing' | 'withheld';
  archived: boolean;
  /** Null: the default of the type. */
  environment: string | null;
}

export interface ListedOrganization {
  slug: string;
  name: string;
  owner: string;
  description: string;
  members: Array<{ username: string; role: string }>;
}

/** The slug of a title: lower case, hyphens between words. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const text = (name: string): string =>
  readFileSync(new URL(`./data/${name}.txt`, import.meta.url), 'utf8').trim();

/** Loaders by the abbreviation that the lists use. */
const loaderSets: Record<string, string[]> = {
  all: ['fabric', 'forge', 'neoforge', 'quilt'],
  modern: ['fabric', 'quilt', 'neoforge'],
  classic: ['forge', 'neoforge'],
  fabric: ['fabric', 'quilt'],
  neoforge: ['neoforge'],
  paper: ['paper', 'purpur'],
  bukkit: ['paper', 'spigot', 'bukkit'],
  folia: ['paper', 'purpur', 'folia'],
  velocity: ['velocity'],
  proxy: ['velocity', 'waterfall'],
  bungee: ['velocity', 'waterfall', 'bungeecord'],
  sponge: ['sponge'],
  datapack: ['datapack'],
  minecraft: ['minecraft'],
  both: ['iris', 'optifine'],
  iris: ['iris'],
};
const signs: Record<string, Need['dependency_type']> = {
  '+': 'required',
  '~': 'optional',
  '!': 'incompatible',
  '=': 'embedded',
};

/** `Title | owner | categories | loaders | licence | extras`, a summary, three features. */
function listed(type: DemoType, block: string): ListedProject {
  const [head = '', summary = '', features = ''] = block.split('\n');
  const [title, owner, categories, loaders, license, extras = ''] = head.split(' | ');
  const three = features.split(' / ');
  if (!title || !owner || !categories || !license || three.length !== 3)
    throw new Error(`Not a project: ${block}`);
  const marks = extras.split(' ').filter(Boolean);
  const mark = (name: string) => marks.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  return {
    type,
    title,
    owner,
    summary,
    categories: categories.split(' '),
    loaders: (type === 'modpack' ? loaderSets[loaders!]?.slice(0, 1) : loaderSets[loaders!])!,
    features: three as [string, string, string],
    license,
    needs: marks.flatMap((one) => {
      const dependency_type = signs[one[0]!];
      return dependency_type ? [{ slug: one.slice(1), dependency_type }] : [];
    }),
    organization: mark('org') ?? null,
    status: (mark('status') ?? 'approved') as ListedProject['status'],
    archived: marks.includes('archived'),
    environment: mark('env') ?? null,
  };
}

const files: Array<[DemoType, string]> = [
  ['mod', 'mods'],
  ['modpack', 'modpacks'],
  ['plugin', 'plugins'],
  ['datapack', 'datapacks'],
  ['resourcepack', 'resourcepacks'],
  ['shader', 'shaders'],
];

/** Every project: first those of world.ts, then those of the lists, by type. */
export const catalogue: ListedProject[] = [
  ...first.map(
    ([type, title, owner, summary, categories, loaders, features, license, needs = []]): ListedProject => ({
      ...{ type, title, owner, summary, categories, loaders, features, license },
      needs: needs.map((slug) => ({
        slug,
        dependency_type: type === 'modpack' ? 'embedded' : 'optional',
      })),
      organization: null,
      status: 'approved',
      archived: false,
      environment: null,
    }),
  ),
  ...files.flatMap(([type, name]) =>
    text(name)
      .split('\n\n')
      .map((block) => listed(type, block)),
  ),
];

/** All users; the first four can sign in. */
export const people: DemoPerson[] = [
  ...firstPeople,
  ...text('people')
    .split('\n')
    .map((line) => {
      const [username, bio] = line.split(' | ') as [string, string];
      return { username, bio };
    }),
];

export const organizations: ListedOrganization[] = text('organizations')
  .split('\n\n')
  .map((block) => {
    const [head = '', description = ''] = block.split('\n');
    const [name, owner, members] = head.split(' | ') as [string, string, string];
    return {
      slug: slugOf(name),
      ...{ name, owner, description },
      members: members.split(', ').map((one) => {
        const [username, role] = one.split(': ') as [string, string];
        return { username, role };
      }),
    };
  });
