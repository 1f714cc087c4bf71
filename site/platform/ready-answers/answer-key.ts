import type { IncomingMessage } from 'node:http';

/** What kind of thing an answer shows: it decides the tags. */
type AnswerKind = 'project' | 'versions' | 'version' | 'tags';

/** A read whose answer is the same for everybody who is not signed in. */
export interface AnswerKey {
  kind: AnswerKind;
  /** The project that the address names, by id or slug. */
  project: string | null;
  /** Path and those parameters of the query that matter, in one order: the key of the answer. */
  url: string;
}

const max_url = 1024;
const reads =
  /^\/v[23]\/(?:project\/([\w.-]{1,64})(\/version)?|(version)\/[0-9A-Za-z]{1,16}|(version_file)\/(?:[0-9a-f]{40}|[0-9a-f]{128})|(tag\/\w{1,32}|license|games|link_platform|loader_field))(\?.*)?$/;

const filters = [
  ...['featured', 'game_versions', 'include_changelog', 'limit', 'loader_fields', 'loaders', 'offset'],
  'version_type',
];

/** The parameters that routes read; queries of the other routes go to the routes themselves. */
const parameters = {
  versions: filters,
  file: ['algorithm', 'version_id'],
  tags: ['filters', 'loader_field', 'major', 'type'],
} as const satisfies Record<string, readonly string[]>;

/** The key of the answer to a GET; null for what has no ready answer: other routes, unusual spellings, long queries. */
export function answerKey(url: string): AnswerKey | null {
  if (url.length > max_url) return null;
  const found = reads.exec(url);
  if (!found) return null;
  const [, project = null, list, version, file, tag, query] = found;
  const kind = list
    ? 'versions'
    : project !== null
      ? 'project'
      : (version ?? file)
        ? 'version'
        : tag
          ? 'tags'
          : null;
  if (kind === null) return null;
  if (query === undefined) return { kind, project, url };
  const path = url.slice(0, -query.length);
  const names = list ? parameters.versions : file ? parameters.file : tag ? parameters.tags : null;
  const given = names && firstValues(query);
  if (!given) return null;
  const kept = new URLSearchParams();
  for (const name of names) if (given[name] !== undefined) kept.set(name, given[name]);
  return { kind, project, url: kept.size === 0 ? path : `${path}?${kept}` };
}

/** A query as the routes read it: of a key that repeats, the first value counts; undefined for what they read otherwise. */
export function firstValues(query: string): Record<string, string> | undefined {
  if (/%(?![0-9a-f]{2})/i.test(query)) return undefined;
  const given: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) given[name] ??= value;
  return given;
}

/**
 * Whether a request gets what everybody gets: it has no token and no session. Conditions do not matter: the API answers
 * them with the whole body.
 */
export const isAnonymous = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === undefined &&
  (headers.cookie === undefined || !headers.cookie.includes('auth-token'));
