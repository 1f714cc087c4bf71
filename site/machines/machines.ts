import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie } from 'cookie';
import { messages } from '#content/messages.ts';
import { toRefused } from '#db/refusal-of.ts';
import { ofCollection, ofKind, ofOrganization, ofUser } from '../feeds/projects.server.ts';
import { versions } from '../feeds/versions.server.ts';
import type { Render } from '../http/page-store.ts';
import type { Services } from '../services.ts';
import { negotiate } from '../text/languages.ts';
import type { Machine, Made } from './machine.ts';
import { manifest } from './manifest.ts';
import { robots, securityTxt } from './robots.ts';
import { sitemapGatherings, sitemapIndex, sitemapPages, sitemapProjects } from './sitemap.server.ts';

/** Everything here that is read by programs, by its address; what stands in brackets is handed on decoded. */
export const addresses: ReadonlyArray<readonly [RegExp, Machine]> = [
  [/^\/robots\.txt$/, robots],
  [/^\/\.well-known\/security\.txt$/, securityTxt],
  [/^\/manifest\.webmanifest$/, manifest],
  [/^\/sitemap\.xml$/, sitemapIndex],
  [/^\/sitemap\/pages\.xml$/, sitemapPages],
  [/^\/sitemap\/projects-([1-9]\d{0,4})\.xml$/, sitemapProjects],
  [/^\/sitemap\/(user|organization|collection)s-([1-9]\d{0,4})\.xml$/, sitemapGatherings],
  [/^(\/[a-z]+)\.atom$/, ofKind],
  [/^\/user\/([^/]+)\/projects\.atom$/, ofUser],
  [/^\/organization\/([^/]+)\/projects\.atom$/, ofOrganization],
  [/^\/collection\/([^/]+)\/projects\.atom$/, ofCollection],
  [/^\/([a-z]+)\/([^/]+)\/versions\.atom$/, versions],
];

/**
 * What answers a path that programs read, as the page store wants it; null for every other path. Where nothing is (and
 * what is hidden alike) `pages` answers, so that people get the error page they know.
 */
export function machinesOf(services: Services): (path: string, pages: Render) => Render | null {
  return (path, pages) => {
    for (const [address, machine] of addresses) {
      const found = address.exec(path);
      if (!found) continue;
      const parts = decoded(found.slice(1));
      return parts && ((req, res, shows) => answer(services, machine, parts, { req, res, shows, pages }));
    }
    return null;
  };
}

interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  shows: (tag: string) => void;
  pages: Render;
}

async function answer(services: Services, machine: Machine, parts: string[], call: Call): Promise<void> {
  const { req, res, shows, pages } = call;
  const url = new URL(req.url ?? '/', services.settings.SITE_URL);
  const language = negotiate({
    hl: url.searchParams.get('hl'),
    cookie: parseCookie(req.headers.cookie ?? '').locale,
    accept: req.headers['accept-language'],
  });
  const asked = { services, language, messages: messages(language.tag), url, shows };
  let made: Awaited<ReturnType<Machine>>;
  try {
    made = await machine(asked, ...parts);
  } catch (error) {
    const refused = toRefused(error);
    if (!refused) throw error;
    res.writeHead(refused.status, { 'cache-control': 'no-store', ...always(null) });
    res.end(asked.messages.t(`error.${refused.code}`, refused.data as never));
    return;
  }
  if (!made) await pages(req, res, shows);
  else if ('to' in made)
    res.writeHead(301, { location: made.to, 'cache-control': 'no-cache', ...always(null) }).end();
  else res.writeHead(200, { 'cache-control': 'no-cache', ...always(made) }).end(made.body);
}

/** Headers of all of them: what people wrote is in there, and no browser may take it for a page. */
const always = (made: Made | null): Record<string, string> => ({
  'content-type': made?.type ?? 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  ...(made?.said ? { vary: 'Accept-Language, Cookie' } : {}),
});

/** The parts of a path as they were meant; null when they are no text that anything could be called. */
function decoded(parts: string[]): string[] | null {
  try {
    const texts = parts.map(decodeURIComponent);
    return texts.some((text) => /\p{Cc}/u.test(text)) ? null : texts;
  } catch {
    return null;
  }
}
