/** An address that leads elsewhere: `*` at the end of `from` stands for the rest of the path, and for the same in `to`. */
export interface RouteRule {
  from: string;
  /** A path of ours, or a whole address elsewhere. */
  to: string;
  /** 301 where ours moved for good, 302 where it lies with others. */
  status: 301 | 302;
}

/**
 * Every redirect that no page decides, in one table; the first that fits wins. Browsers get the same table with the
 * build (`/builds/meta/{id}.json`). Where a project lies is not here: its page knows.
 * Source: specification §2 (Guards and route rules).
 */
export const routeRules: readonly RouteRule[] = [
  { from: '/discover', to: '/mods', status: 301 },
  { from: '/search', to: '/mods', status: 301 },
  { from: '/projects', to: '/mods', status: 301 },
  { from: '/resource-packs', to: '/resourcepacks', status: 301 },
  { from: '/texture-packs', to: '/resourcepacks', status: 301 },
  { from: '/data-packs', to: '/datapacks', status: 301 },
  { from: '/users/*', to: '/user/*', status: 301 },
  { from: '/u/*', to: '/user/*', status: 301 },
  { from: '/organizations/*', to: '/organization/*', status: 301 },
  { from: '/collections/*', to: '/collection/*', status: 301 },
  { from: '/login', to: '/auth/sign-in', status: 301 },
  { from: '/sign-in', to: '/auth/sign-in', status: 301 },
  { from: '/register', to: '/auth/sign-up', status: 301 },
  { from: '/sign-up', to: '/auth/sign-up', status: 301 },
  { from: '/docs', to: '/v2/openapi.json', status: 301 },
  { from: '/security.txt', to: '/.well-known/security.txt', status: 301 },
  { from: '/license', to: 'https://www.gnu.org/licenses/agpl-3.0.html', status: 302 },
];

/**
 * Where `path` leads by `rules`, with `query` (`?a=b` or empty) kept on addresses of ours; null when it leads nowhere
 * else. The rest of a path is handed on as it came, so it stays below what the rule names.
 */
export function redirectOf(
  rules: readonly RouteRule[],
  path: string,
  query = '',
): { to: string; status: RouteRule['status'] } | null {
  for (const { from, to, status } of rules) {
    const open = from.endsWith('*');
    const start = open ? from.slice(0, -1) : from;
    if (open ? !path.startsWith(start) || path === start : path !== from) continue;
    const target = open ? to.slice(0, -1) + path.slice(start.length) : to;
    return { to: target.startsWith('/') ? target + query : target, status };
  }
  return null;
}
