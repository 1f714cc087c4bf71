import type { NewsTopic } from '#content/front-matter.ts';
import type { MessageKey } from '#content/keys.ts';
import type { Translate } from '#content/messages.ts';

export const newsPath = '/news';
export const articlePath = (slug: string): string => `/news/article/${slug}`;
/** A page of its own for each topic: a prerendered page cannot read a query, and this works without scripts. */
export const topicPath = (topic: NewsTopic): string => `/news/topic/${topic}`;

export const topicNames: Record<NewsTopic, MessageKey> = {
  product: 'news.topic_product',
  performance: 'news.topic_performance',
  search: 'news.topic_search',
  hosting: 'news.topic_hosting',
  'self-hosting': 'news.topic_self_hosting',
  api: 'news.topic_api',
  security: 'news.topic_security',
};

/** The feeds of all articles, which are in English. */
export const newsFeeds = [
  { path: '/news/feed.atom', name: 'Atom', type: 'application/atom+xml' },
  { path: '/news/feed.rss', name: 'RSS', type: 'application/rss+xml' },
  { path: '/news/feed.json', name: 'JSON Feed', type: 'application/feed+json' },
] as const;

/** The feeds as the head of a page names them. */
export const feedLinks = (t: Translate) =>
  newsFeeds.map(({ path, name, type }) => ({ path, type, title: t('news.feed_in', { format: name }) }));
