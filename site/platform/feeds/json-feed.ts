import { type Entry, type Feed, max_entries } from './atom.ts';

/** The feed as a JSON Feed. Source: JSON Feed 1.1. */
export const jsonFeed = (feed: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    ...(feed.page ? { home_page_url: feed.page } : {}),
    feed_url: feed.self,
    ...(feed.subtitle ? { description: feed.subtitle } : {}),
    ...(feed.icon ? { icon: feed.icon } : {}),
    language: feed.language,
    items: feed.entries.slice(0, max_entries).map(itemOf),
  });

const itemOf = (entry: Entry) => ({
  id: entry.id,
  url: entry.url,
  title: entry.title,
  ...(entry.summary ? { summary: entry.summary } : {}),
  // an item needs a content of one form
  ...(entry.html ? { content_html: entry.html } : { content_text: entry.summary ?? entry.title }),
  date_published: new Date(entry.published).toISOString(),
  date_modified: new Date(entry.updated).toISOString(),
  ...(entry.author ? { authors: [{ name: entry.author }] } : {}),
  ...(entry.categories?.length ? { tags: entry.categories } : {}),
});
