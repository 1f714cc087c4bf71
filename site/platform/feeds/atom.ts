import { document, element, plain, type Xml } from '../text/xml.ts';

export interface Entry {
  /** A permanent identifier, whatever its address becomes. */
  id: string;
  title: string;
  /** The absolute address of its page. */
  url: string;
  published: string;
  updated: string;
  /** The author's name. */
  author: string | null;
  summary?: string;
  /** Sanitized HTML; addresses in it may be relative to the site. */
  html?: string;
  categories?: readonly string[];
  /** The language of its title and text, when it is not that of the feed. */
  language?: string;
}

export interface Feed {
  id: string;
  title: string;
  subtitle?: string | null;
  /** The language of our own texts. */
  language: string;
  /** Absolute addresses: of the feed, and of the corresponding page, if there is one. */
  self: string;
  page: string | null;
  icon?: string | null;
  /** The date of the feed while it has no entries. */
  since: string;
  entries: readonly Entry[];
}

/** Maximum number of entries: feed readers poll often and remember. */
export const max_entries = 30;
/** Maximum amount of HTML in a feed, in UTF-16 units; further entries have no content. */
const max_html = 256 * 1024;

/** A tag URI, the permanent identifier of a resource in feeds. Source: RFC 4151. */
export const tagOf = (site: string, kind: string, id: string): string =>
  `tag:${new URL(site).hostname.replace(/[[\]]/g, '')},2026:${kind}/${id}`;

/** The feed as an Atom document. `site`: the base of relative addresses in texts. Source: RFC 4287. */
export function atom(feed: Feed, site: string): string {
  const entries = feed.entries.slice(0, max_entries);
  const newest = entries.reduce((last, { updated }) => (updated > last ? updated : last), '');
  let room = max_html;
  const reported = entries.map((entry) => {
    room -= entry.html?.length ?? 0;
    return entryOf(entry, room >= 0, site);
  });
  return document(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.language },
      element('id', {}, feed.id),
      element('title', {}, feed.title),
      feed.subtitle ? element('subtitle', {}, plain(feed.subtitle)) : null,
      element('link', { rel: 'self', type: 'application/atom+xml', href: feed.self }),
      feed.page ? element('link', { rel: 'alternate', type: 'text/html', href: feed.page }) : null,
      element('updated', {}, instant(newest || feed.since)),
      element('author', {}, element('name', {}, 'Cairn')),
      feed.icon ? element('icon', {}, feed.icon) : null,
      element('generator', { uri: site }, 'Cairn'),
      reported,
    ),
  );
}

function entryOf(entry: Entry, whole: boolean, site: string): Xml {
  return element(
    'entry',
    { 'xml:lang': entry.language ?? null },
    element('id', {}, entry.id),
    element('title', {}, plain(entry.title)),
    element('link', { rel: 'alternate', type: 'text/html', href: entry.url }),
    element('published', {}, instant(entry.published)),
    element('updated', {}, instant(entry.updated)),
    entry.author ? element('author', {}, element('name', {}, plain(entry.author))) : null,
    (entry.categories ?? []).map((term) => element('category', { term })),
    entry.summary ? element('summary', {}, plain(entry.summary)) : null,
    whole && entry.html ? element('content', { type: 'html', 'xml:base': `${site}/` }, entry.html) : null,
  );
}

const instant = (text: string): string => new Date(text).toISOString();
