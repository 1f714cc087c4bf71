/** Pages below /auth/ that are no pages of signing in themselves. */
const target = /^\/auth\/(launcher|authorize)\b/;

/**
 * The path of the sign-in page. Afterwards it redirects to `back`, a local path with its query, except to pages of
 * signing in.
 */
export function signInPath(back: string | null = null): string {
  if (back === null || (back.startsWith('/auth/') && !target.test(back))) return '/auth/sign-in';
  return `/auth/sign-in?redirect=${encodeURIComponent(back)}`;
}

const max_port = 65_535;

/** Where a launcher on this computer waits for its session. */
export interface LauncherAddress {
  port: number;
  ipver: 4 | 6;
}

/**
 * The address that a launcher's sign-in names by `launcher=true`, `port` and `ipver` (4 without one); null when it is none.
 * Source: specification §5, §7.
 */
export function launcherAddress(query: URLSearchParams): LauncherAddress | null {
  const port = query.get('port') ?? '';
  const ipver = query.get('ipver') ?? '4';
  if (!isForLauncher(query) || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > max_port) return null;
  return ipver === '4' || ipver === '6' ? { port: Number(port), ipver: ipver === '4' ? 4 : 6 } : null;
}

/** Whether a launcher asks for the sign-in. */
export const isForLauncher = (query: URLSearchParams): boolean => query.get('launcher') === 'true';

/** The query by which the pages of signing in know the launcher. */
export const launcherQuery = ({ port, ipver }: LauncherAddress): string =>
  String(new URLSearchParams({ launcher: 'true', ipver: String(ipver), port: String(port) }));

/** The page on which somebody signed in hands a session to the launcher of `query`; null without one. */
export function launcherPath(query: URLSearchParams): string | null {
  const address = launcherAddress(query);
  return address && `/auth/launcher?${launcherQuery(address)}`;
}

/** Where the launcher listens. */
export const loopbackUrl = ({ port, ipver }: LauncherAddress): string =>
  `http://${ipver === 6 ? '[::1]' : '127.0.0.1'}:${port}/`;
