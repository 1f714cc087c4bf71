import { expect, it } from 'vitest';
import { every, parsed, textIn } from '../../testing/discovery.ts';
import { atom, type Feed } from './atom.ts';
import { jsonFeed } from './json-feed.ts';
import { rss } from './rss.ts';

const address = 'https://cairn.example/news/article/stones';
const feed: Feed = {
  id: 'https://cairn.example/news',
  title: 'Cairn News',
  subtitle: 'What happened',
  language: 'en-US',
  self: 'https://cairn.example/news/feed',
  page: 'https://cairn.example/news',
  since: '2026-11-01',
  entries: [
    {
      id: address,
      url: address,
      title: 'Stones & <b>more</b>\u0007',
      summary: 'A summary',
      published: '2026-11-22',
      updated: '2026-11-22',
      author: 'The Cairn team',
      categories: ['product', 'search'],
      html: '<p>]]> &amp; <a href="https://cairn.example/mods">mods</a></p>',
    },
  ],
};

it('is RSS 2.0 with absolute addresses, dates and whole texts', () => {
  const root = parsed(rss(feed));
  expect([root.name, root.attributes.version]).toEqual(['rss', '2.0']);
  const [channel] = every(root, 'channel');
  expect(textIn(channel!, 'link')).toBe('https://cairn.example/news');
  expect(textIn(channel!, 'description')).toBe('What happened');
  expect(every(channel!, 'atom:link')[0]?.attributes).toMatchObject({
    rel: 'self',
    href: 'https://cairn.example/news/feed',
  });
  const [item] = every(channel!, 'item');
  expect(textIn(item!, 'title')).toBe('Stones & <b>more</b>');
  expect(textIn(item!, 'link')).toBe(address);
  expect(every(item!, 'guid')[0]?.attributes.isPermaLink).toBe('true');
  expect(textIn(item!, 'pubDate')).toBe('Sun, 22 Nov 2026 00:00:00 GMT');
  expect(textIn(item!, 'content:encoded')).toBe(feed.entries[0]!.html);
  expect(every(item!, 'category')).toHaveLength(2);
});

it('is a JSON Feed 1.1', () => {
  const { items, ...about } = JSON.parse(jsonFeed(feed));
  expect(about).toEqual({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Cairn News',
    home_page_url: 'https://cairn.example/news',
    feed_url: 'https://cairn.example/news/feed',
    description: 'What happened',
    language: 'en-US',
  });
  expect(items).toEqual([
    expect.objectContaining({
      id: address,
      url: address,
      date_published: '2026-11-22T00:00:00.000Z',
      content_html: feed.entries[0]!.html,
      authors: [{ name: 'The Cairn team' }],
      tags: ['product', 'search'],
    }),
  ]);
});

it('has an item without text by its summary in the JSON Feed', () => {
  const bare = { ...feed, entries: [{ ...feed.entries[0]!, html: undefined }] };
  expect(JSON.parse(jsonFeed(bare)).items[0].content_text).toBe('A summary');
});

it('has entries with the same ids in Atom', () => {
  const [entry] = every(parsed(atom(feed, 'https://cairn.example')), 'entry');
  expect(textIn(entry!, 'id')).toBe(address);
  expect(textIn(entry!, 'published')).toBe('2026-11-22T00:00:00.000Z');
});
