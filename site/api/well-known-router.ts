import type { IncomingMessage, ServerResponse } from 'node:http';
import { messages } from '#content/messages.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import {
  feedOfCollection,
  feedOfOrganization,
  feedOfType,
  feedOfUser,
} from '../catalogue/feeds/projects.server.ts';
import { feedOfVersions } from '../catalogue/feeds/versions.server.ts';
import { manifest } from '../discovery/well-known/manifest.ts';
import { offline } from '../discovery/well-known/offline.ts';
import { robots, securityTxt } from '../discovery/well-known/robots.ts';
import {
  sitemapIndex,
  sitemapListings,
  sitemapPages,
  sitemapProjects,
} from '../discovery/well-known/sitemap.server.ts';
import type { AppServices } from '../platform/context.ts';
import type { Document, DocumentHandler } from '../platform/http/document.ts';
import type { PageRenderer } from '../platform/http/page-cache.ts';
import { requestLanguage } from '../platform/http/request-language.ts';

/** The routes of all machine-readable documents; the captured groups are passed on decoded. */
export const discoveryRoutes: ReadonlyArray<readonly [RegExp, DocumentHandler]> = [
  [/^\/robots\.txt$/, robots],
  [/^\/\.well-known\/security\.txt$/, securityTxt],
  [/^\/manifest\.webmanifest$/, manifest],
  [/^\/offline$/, offline],
  [/^\/sitemap\.xml$/, sitemapIndex],
  [/^\/sitemap\/pages\.xml$/, sitemapPages],
  [/^\/sitemap\/projects-([1-9]\d{0,4})\.xml$/, sitemapProjects],
  [/^\/sitemap\/(user|organization|collection)s-([1-9]\d{0,4})\.xml$/, sitemapListings],
  [/^(\/[a-z]+)\.atom$/, feedOfType],
  [/^\/user\/([^/]+)\/projects\.atom$/, feedOfUser],
  [/^\/organization\/([^/]+)\/projects\.atom$/, feedOfOrganization],
  [/^\/collection\/([^/]+)\/projects\.atom$/, feedOfCollection],
  [/^\/([a-z]+)\/([^/]+)\/versions\.atom$/, feedOfVersions],
];

/**
 * The handler for a path of a machine-readable document, as the page cache calls it; null for every other path. When
 * there is no document (or a hidden one) `pages` answers, so that visitors get the usual error page.
 */
export function discoveryRouter(
  services: AppServices,
  prerendered: readonly string[] = [],
): (path: string, pages: PageRenderer) => PageRenderer | null {
  return (path, pages) => {
    for (const [address, machine] of discoveryRoutes) {
      const found = address.exec(path);
      if (!found) continue;
      const parts = decoded(found.slice(1));
      return (
        parts && ((req, res, tag) => respond(services, machine, parts, { req, res, tag, pages, prerendered }))
      );
    }
    return null;
  };
}

interface DocumentCall {
  req: IncomingMessage;
  res: ServerResponse;
  tag: (tag: string) => void;
  pages: PageRenderer;
  prerendered: readonly string[];
}

async function respond(
  services: AppServices,
  machine: DocumentHandler,
  parts: string[],
  call: DocumentCall,
): Promise<void> {
  const { req, res, tag, pages, prerendered } = call;
  const url = new URL(req.url ?? '/', services.settings.SITE_URL);
  const language = requestLanguage(url.search, req.headers);
  const request = { services, language, messages: messages(language.tag), url, tag, prerendered };
  let made: Awaited<ReturnType<DocumentHandler>>;
  try {
    made = await machine(request, ...parts);
  } catch (error) {
    const refused = toRefused(error);
    if (!refused) throw error;
    const retry = refused.status === 503 ? { 'retry-after': '1' } : {};
    res.writeHead(refused.status, { 'cache-control': 'no-store', ...retry, ...headersOf(null) });
    res.end(request.messages.t(`error.${refused.code}`, refused.data as never));
    return;
  }
  if (!made) await pages(req, res, tag);
  else if ('to' in made)
    res.writeHead(301, { location: made.to, 'cache-control': 'no-cache', ...headersOf(null) }).end();
  else res.writeHead(200, { 'cache-control': 'no-cache', ...headersOf(made) }).end(made.body);
}

/** Headers of all documents: they contain user-written text, so no browser may sniff them as HTML. */
const headersOf = (made: Document | null): Record<string, string> => ({
  'content-type': made?.type ?? 'text/plain; charset=utf-8',
  'content-security-policy': `default-src 'none'; ${made?.style ? `style-src ${made.style}; ` : ''}frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  ...(made?.localized ? { vary: 'Accept-Language, Cookie' } : {}),
});

/** The decoded parts of a path; null when they cannot be decoded or cannot be a name. */
function decoded(parts: string[]): string[] | null {
  try {
    const texts = parts.map(decodeURIComponent);
    return texts.some((text) => /\p{Cc}/u.test(text)) ? null : texts;
  } catch {
    return null;
  }
}
