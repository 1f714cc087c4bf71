import { randomBytes } from 'node:crypto';

/** One request of a launcher; a body makes it a POST. */
export interface LauncherRequest {
  path: string;
  body?: string;
}

interface Version {
  id: string;
  files: Array<{ hashes: { sha1: string; sha512: string } }>;
}

const projects = 200;
const hashes_in_all = 5_000;
const hashes_at_once = 100;
const made = 4_000;

/** How many of a hundred requests are of which kind, after what launchers send while people play and update. */
const shares = {
  project: 16,
  versions: 16,
  version: 8,
  file: 15,
  files: 10,
  updates: 15,
  many: 8,
  search: 9,
  tags: 3,
} as const;

const jsonText = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/**
 * Requests as launchers send them, over 200 projects of the catalogue and 5,000 hashes: those of its files, and as
 * many as are missing that belong to nothing, as most files of a player do. The same list every time, but for those.
 */
export async function launcherTraffic(url: string): Promise<LauncherRequest[]> {
  const ids = await projectIds(url);
  const known = await versionsOf(url, ids);
  const own = known.flatMap(({ files }) => files.map(({ hashes }) => hashes.sha1));
  const unknown = Array.from({ length: Math.max(0, hashes_in_all - own.length) }, () =>
    randomBytes(20).toString('hex'),
  );
  const hashes = shuffled([...own, ...unknown].slice(0, hashes_in_all));
  const requests: Record<keyof typeof shares, (n: number) => LauncherRequest> = {
    project: (n) => ({ path: `/v2/project/${ids[n % ids.length]}` }),
    versions: (n) => ({ path: `/v2/project/${ids[n % ids.length]}/version` }),
    version: (n) => ({ path: `/v2/version/${known[n % known.length]?.id}` }),
    file: (n) => ({ path: `/v2/version_file/${own[n % own.length]}?algorithm=sha1` }),
    files: (n) => ({
      path: '/v2/version_files',
      body: JSON.stringify({ algorithm: 'sha1', hashes: some(hashes, n) }),
    }),
    updates: (n) => ({
      path: '/v2/version_files/update',
      body: JSON.stringify({
        algorithm: 'sha1',
        hashes: some(hashes, n),
        loaders: ['fabric'],
        game_versions: ['1.21.1'],
      }),
    }),
    many: (n) => ({ path: `/v2/projects?ids=${jsonText(some(ids, n, 40))}` }),
    search: (n) => ({
      path: `/v2/search?limit=25&offset=${(n % 4) * 25}&index=downloads&facets=${jsonText([['project_type:mod']])}`,
    }),
    tags: (n) => ({ path: `/v2/tag/${['loader', 'category', 'game_version'][n % 3]}` }),
  };
  const kinds = Object.entries(shares).flatMap(([kind, share]) =>
    Array.from({ length: share }, () => kind as keyof typeof shares),
  );
  return shuffled(
    Array.from({ length: made }, (_, n) => requests[kinds[n % kinds.length]!](Math.floor(n / 3))),
  );
}

const some = (from: readonly string[], n: number, count = hashes_at_once): string[] =>
  Array.from({ length: Math.min(count, from.length) }, (_, at) => from[(n * 37 + at) % from.length]!);

async function projectIds(url: string): Promise<string[]> {
  const pages = await Promise.all(
    [0, 100].map((offset) => get<{ hits: Array<{ project_id: string }> }>(url, search(offset))),
  );
  return [...new Set(pages.flatMap(({ hits }) => hits.map(({ project_id }) => project_id)))].slice(
    0,
    projects,
  );
}

const search = (offset: number): string => `/v2/search?limit=100&offset=${offset}&index=downloads`;

async function versionsOf(url: string, ids: readonly string[]): Promise<Version[]> {
  const lists: Version[][] = [];
  for (const id of ids)
    lists.push(await get<Version[]>(url, `/v2/project/${id}/version?include_changelog=false`));
  return lists.flat();
}

async function get<T>(url: string, path: string): Promise<T> {
  const answer = await fetch(url + path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.json()) as T;
}

/** In an order that mixes kinds, the same each time. */
function shuffled<T>(items: T[]): T[] {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
