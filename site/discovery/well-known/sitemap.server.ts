import {
  chunkDates,
  countListingPages,
  type ListingKind,
  listingPages,
  projectChunk,
} from '#db/discovery/sitemap/read.ts';
import type { Document, DocumentHandler } from '../../platform/http/document.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';
import { collectionPath, organizationPath, projectPath, userPath } from '../../platform/paths/routes.ts';
import { document, element, type Xml } from '../../platform/text/xml.ts';

/** Maximum number of addresses in one part. */
const part_size = 10_000;

const answer = (name: 'sitemapindex' | 'urlset', children: Xml[]): Document => ({
  type: 'application/xml; charset=utf-8',
  body: document(element(name, { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }, children)),
  localized: false,
});
const item = (name: 'sitemap' | 'url', address: string, changed: string | null): Xml =>
  element(
    name,
    {},
    element('loc', {}, address),
    changed ? element('lastmod', {}, new Date(changed).toISOString()) : null,
  );

const pathTo: Record<ListingKind, (name: string) => string> = {
  user: userPath,
  organization: organizationPath,
  collection: collectionPath,
};

/**
 * The sitemap index: our own pages, then the searchable projects by id, then users, organizations and collections with
 * such projects. Source: sitemaps.org.
 */
export const sitemapIndex: DocumentHandler = async ({ services: { sql, settings }, tag }) => {
  tag('counts'); // cached for a minute, invalidated when the visibility of something changes
  const parts = await chunkDates(sql, part_size);
  const counts = await Promise.all(
    (Object.keys(pathTo) as ListingKind[]).map(async (kind) => ({
      kind,
      parts: Math.ceil((await countListingPages(sql, kind)) / part_size),
    })),
  );
  return answer('sitemapindex', [
    item('sitemap', `${settings.SITE_URL}/sitemap/pages.xml`, null),
    ...parts.map((updated, part) =>
      item('sitemap', `${settings.SITE_URL}/sitemap/projects-${part + 1}.xml`, updated),
    ),
    ...counts.flatMap(({ kind, parts }) =>
      Array.from({ length: parts }, (_, part) =>
        item('sitemap', `${settings.SITE_URL}/sitemap/${kind}s-${part + 1}.xml`, null),
      ),
    ),
  ]);
};

/** Our own public pages: those without parameters, and all that the build prerendered. */
export const sitemapPages: DocumentHandler = async ({ services: { settings }, prerendered }) =>
  answer(
    'urlset',
    ['/', ...projectTypes.map(({ path }) => path), ...prerendered].map((path) =>
      item('url', settings.SITE_URL + path, null),
    ),
  );

/** The pages of the searchable projects in one part, counted from 1. */
export const sitemapProjects: DocumentHandler = async ({ services: { sql, settings }, tag }, part = '') => {
  tag('counts');
  const projects = await projectChunk(sql, Number(part) - 1, part_size);
  if (projects.length === 0) return null;
  return answer(
    'urlset',
    projects.map((project) => item('url', settings.SITE_URL + projectPath(project), project.updated)),
  );
};

/** The pages of users, organizations and collections with searchable projects, counted from 1. */
export const sitemapListings: DocumentHandler = async (
  { services: { sql, settings }, tag },
  kind = '',
  part = '',
) => {
  tag('counts');
  const found = await listingPages(sql, kind as ListingKind, Number(part) - 1, part_size);
  if (found.length === 0) return null;
  const to = pathTo[kind as ListingKind];
  return answer(
    'urlset',
    found.map(({ name, updated }) => item('url', settings.SITE_URL + to(name), updated)),
  );
};
