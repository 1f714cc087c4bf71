import { fileURLToPath } from 'node:url';
import type { Settings } from '#db/platform/runtime/env.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commitOf } from './commit.ts';

export const version: string = manifest.version;

const started = new Date().toISOString();
const git_hash = commitOf(fileURLToPath(new URL('../../', import.meta.url)));
const profile = process.env.NODE_ENV === 'production' ? 'release' : 'debug';

/** What `/` and `/build` answer to API clients. Source: api-v2 §1.1; clients §9. */
export const about = ({ SITE_URL: siteUrl, SOURCE_URL }: Pick<Settings, 'SITE_URL' | 'SOURCE_URL'>) => ({
  name: manifest.name,
  version,
  documentation: `${siteUrl}/docs/api`,
  about:
    'A catalog of game modifications and a host for game servers, speaking versions 2 and 3 of the catalog API.',
  license: manifest.license,
  source: SOURCE_URL ?? `${siteUrl}/source`,
  build_info: { comp_date: started, git_hash, profile },
});

/**
 * Whether `/` should answer JSON: the client is not a browser (no Accept, or application/json without text/html).
 * Source: design §4.9.
 */
export function wantsApiRoot(request: Request): boolean {
  const accept = request.headers.get('accept');
  if (!accept) return true;
  return accept.includes('application/json') && !accept.includes('text/html');
}

/** Whether a path belongs to the API app rather than to the pages; `/` only when `wantsApiRoot`. */
export const isApiPath = (path: string): boolean =>
  /^\/(v2|v3|_internal|api\/v1|maven|updates|analytics)(\/|$)/.test(path) ||
  path === '/build' ||
  path === '/.well-known/oauth-authorization-server';
