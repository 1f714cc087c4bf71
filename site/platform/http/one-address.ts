import type { IncomingMessage } from 'node:http';
import { isLoopback, type Settings } from '#db/platform/runtime/env.ts';

/**
 * Where a page is instead that was asked for at an IP address of this machine, while the site's own address is `localhost`: for
 * browsers these are two sites, and only one has its passkeys, pictures, cookies and sockets. Null for every other host. Programs
 * may use either: the API and files are at both.
 */
export function atOwnAddress(
  { headers: { host }, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
  { SITE_URL }: Pick<Settings, 'SITE_URL'>,
): string | null {
  const site = new URL(SITE_URL);
  const asked = `${site.protocol}//${host}`;
  if (site.hostname !== 'localhost' || !host || !URL.canParse(asked)) return null;
  const { hostname, port } = new URL(asked);
  return hostname !== site.hostname && port === site.port && isLoopback(hostname) ? site.origin + url : null;
}
