/** A redirect: `*` at the end of `from` matches the rest of the path, which replaces the `*` in `to`. */
export interface RouteRule {
  from: string;
  /** One of our paths, or an absolute external address. */
  to: string;
  /** 301 for our own permanent moves, 302 for external targets. */
  status: 301 | 302;
}

/**
 * Every redirect that no page decides, in one table; the first match wins. Browsers get the same table with the build
 * (`/builds/meta/{id}.json`). Renamed projects are not here: the project page redirects them.
 * Source: specification §2 (Guards and route rules).
 */
export const routeRules: readonly RouteRule[] = [
  { from: '/discover', to: '/mods', status: 301 },
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
  { from: '/legal', to: '/legal/terms', status: 301 },
  { from: '/terms', to: '/legal/terms', status: 301 },
  { from: '/privacy', to: '/legal/privacy', status: 301 },
  { from: '/security.txt', to: '/.well-known/security.txt', status: 301 },
  { from: '/license', to: 'https://www.gnu.org/licenses/agpl-3.0.html', status: 302 },
];

/**
 * The redirect target of `path`, with `query` (`?a=b` or empty) kept on our own addresses; null without a match. The
 * rest of a path is passed on as received, so it stays below the target of the rule.
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
