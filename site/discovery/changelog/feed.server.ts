import type { ChangelogProduct } from '#content/changelog-entries.ts';
import { atom } from '../../platform/feeds/atom.ts';
import { feedDocument } from '../../platform/feeds/routes.ts';
import { changelogEntryPath, changelogFeed, changelogPath } from '../../platform/paths/routes.ts';
import { changelogEntries } from './entries.server.ts';
import { belowHeading, plainTitle } from './entry-text.ts';
import { changelogTitle } from './metadata.ts';

/** The date of a feed without entries. */
const began = '2026-11-21T00:00:00Z';

/**
 * The changelog of a product, or of all, as an Atom feed. An entry's address is its id: it never changes, and the name of
 * the site, which tag URIs need, is known only when the feed is served.
 */
export async function feedOfChangelog(
  locals: App.Locals,
  product: ChangelogProduct | null,
): Promise<Response> {
  const { t, link, locale, messages, services } = locals;
  const site = services.settings.SITE_URL;
  const entries = (await changelogEntries(product)).map((entry) => ({
    id: site + changelogEntryPath(entry),
    title: entry.title ?? plainTitle(messages, entry),
    url: site + link(changelogEntryPath(entry)),
    published: entry.date,
    updated: entry.date,
    author: null,
    html: belowHeading(entry.html),
    categories: [entry.product],
    language: 'en-US',
  }));
  const feed = {
    id: site + changelogFeed(product),
    title: t('shell.page_title', { title: changelogTitle(locals, product), site: 'Cairn' }),
    language: locale,
    self: site + link(changelogFeed(product)),
    page: site + link(changelogPath(product)),
    since: began,
    entries,
  };
  const { type, body } = feedDocument(atom(feed, site));
  return new Response(body, { headers: { 'content-type': type } });
}
