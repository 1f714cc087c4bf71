import { document, element, plain, type Xml } from '../text/xml.ts';
import { type Entry, type Feed, max_entries } from './atom.ts';

/** The feed as an RSS 2.0 document. Source: RSS 2.0. */
export function rss(feed: Feed): string {
  const entries = feed.entries.slice(0, max_entries);
  const newest = entries.reduce((last, { updated }) => (updated > last ? updated : last), '');
  return document(
    element(
      'rss',
      {
        version: '2.0',
        'xmlns:atom': 'http://www.w3.org/2005/Atom',
        'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
        'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
      },
      element(
        'channel',
        {},
        element('title', {}, feed.title),
        element('link', {}, feed.page ?? feed.self),
        element('description', {}, plain(feed.subtitle ?? feed.title)),
        element('language', {}, feed.language),
        element('lastBuildDate', {}, instant(newest || feed.since)),
        element('generator', {}, 'Cairn'),
        element('atom:link', { rel: 'self', type: 'application/rss+xml', href: feed.self }),
        entries.map(itemOf),
      ),
    ),
  );
}

const itemOf = (entry: Entry): Xml =>
  element(
    'item',
    {},
    element('title', {}, plain(entry.title)),
    element('link', {}, entry.url),
    element('guid', { isPermaLink: String(entry.id === entry.url) }, entry.id),
    element('pubDate', {}, instant(entry.published)),
    entry.author ? element('dc:creator', {}, plain(entry.author)) : null,
    (entry.categories ?? []).map((name) => element('category', {}, name)),
    entry.summary ? element('description', {}, plain(entry.summary)) : null,
    entry.html ? element('content:encoded', {}, entry.html) : null,
  );

/** A date as RFC 822 writes it. */
const instant = (text: string): string => new Date(text).toUTCString();
