import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Health } from '#db/platform/runtime/status-endpoints.ts';
import { routeRules } from './redirects.ts';

interface Options {
  /** The build that this process serves. */
  id: string;
  health(): Promise<Pick<Health, 'missing'>>;
}

/** How long clients cache an answer about our health, in milliseconds: every open tab polls it. */
const max_age_ms = 5_000;
const started = new Date().toISOString();

/** The build id used in pages and addresses: the first 16 characters of its hash are enough to tell builds apart. */
export const shortBuild = (id: string): string => id.trim().slice(0, 16);

/**
 * Answers what open pages request about the build; gives false for any other path. `/builds/latest.json`: `id`, since
 * when it runs, and which dependencies are unavailable now (`missing`, as `/readyz` names them).
 * `/builds/meta/{id}.json`: the route rules of that build, cached forever; 404 for a build that this process does not
 * serve. Source: specification §4 (Navigation), §7.
 */
export function builds({ id, health }: Options) {
  let known: { until: number; missing: Promise<readonly string[]> } | null = null;

  function missing(): Promise<readonly string[]> {
    if (!known || known.until < Date.now()) {
      const requested_at = health().then(
        (found) => found.missing,
        () => ['state'],
      );
      known = { until: Date.now() + max_age_ms, missing: requested_at };
    }
    return known.missing;
  }

  return async (req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> => {
    if (!path.startsWith('/builds/') || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const meta = /^\/builds\/meta\/([\w-]+)\.json$/.exec(path);
    if (path === '/builds/latest.json') {
      json(res, 200, { id, timestamp: started, missing: await missing() }, 'no-store');
    } else if (meta) {
      if (meta[1] === id) json(res, 200, { id, timestamp: started, redirects: routeRules }, cachedStatus);
      else json(res, 404, { error: 'not_found', description: 'This build is not served here.' }, 'no-store');
    } else return false;
    return true;
  };
}

const cachedStatus = 'public, max-age=31536000, immutable';

function json(res: ServerResponse, status: number, value: unknown, cache: string): void {
  res
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': cache,
      'x-content-type-options': 'nosniff',
    })
    .end(JSON.stringify(value));
}
