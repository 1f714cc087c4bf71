import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Page } from '../../testing/page.ts';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const daysOf = (product: string): string[] =>
  readdirSync(new URL(`../../../content/changelog/${product}/`, import.meta.url))
    .map((file) => file.replace('.md', ''))
    .sort()
    .toReversed();
const web = daysOf('web');
const app = daysOf('app');
const total = web.length + daysOf('servers').length + app.length;
const newest = `/news/changelog/web/${web[0]}`;
const titles = (page: Page) =>
  page.all('heading', { level: 2, within: page.main }).filter((title) => title.closest('ol, ul'));
const linkIn = (page: Page, element: Element) => page.one('link', { within: element });

test('the changelog is found from the foot, filtered by product, and each entry has a page', async () => {
  let page = await site.open('/mods');
  page = await page.follow(page.one('link', { name: 'Changelog', within: page.one('contentinfo') }));
  expect(page.url).toBe('/news/changelog');
  expect(titles(page)).toHaveLength(total);
  const products = page.one('navigation', { name: 'Products' });
  page = await page.follow(page.one('link', { name: 'Web', within: products }));
  expect(page.url).toBe('/news/changelog/web');
  expect(titles(page)).toHaveLength(web.length);
  page = await page.follow(linkIn(page, titles(page)[0]!));
  expect(page.url).toBe(newest);
  const [time] = page.main.querySelectorAll(`time[datetime="${web[0]}"]`);
  expect(page.text(time)).toMatch(/\w+ \d+, \d{4}/);
});

test('entries of one product lead to each other', async () => {
  const others = (page: Page) => page.one('navigation', { name: 'Other entries' });
  let page = await site.open(newest);
  page = await page.follow(page.one('link', { name: /Earlier/, within: others(page) }));
  expect(page.url).toBe(`/news/changelog/web/${web[1]}`);
  page = await page.follow(page.one('link', { name: /Later/, within: others(page) }));
  expect(page.url).toBe(newest);
  expect(page.all('link', { name: /Later/, within: others(page) })).toHaveLength(0);
});

test.each([
  'launcher',
  'web/2020-01-01',
  'web/2026-13-01',
  'app/2026-11-21',
  `Web/${web[0]}`,
  `web/${web[0]}/x`,
  'launcher.atom',
  'web/_payload',
])('%s is no page of the changelog', async (path) => {
  const page = await site.open(`/news/changelog/${path}`);
  expect(page.status).toBe(404);
  page.one('heading', { name: 'Page not found', level: 1 });
});

test('elsewhere the frame is translated, and English texts are marked', async () => {
  let page = await site.open(`${newest}?hl=ar-SA`);
  expect(page.withText('هذا النص متاح بالإنجليزية فقط.')).toHaveLength(1);
  const prose = page.document.querySelector('.prose')!;
  expect([prose.getAttribute('lang'), prose.getAttribute('dir')]).toEqual(['en-US', 'ltr']);
  page = await site.open('/news/changelog?hl=de-DE');
  page.one('heading', { name: 'Änderungen', level: 1 });
  expect(page.withText('Diesen Text gibt es nur auf Englisch.')).toHaveLength(1);
  page = await page.follow(linkIn(page, titles(page)[0]!));
  expect(page.url).toBe(`${newest}?hl=de-DE`);
});

test.each([
  ['/news/changelog', total],
  ['/news/changelog/web', web.length],
  ['/news/changelog/app', app.length],
])('programs get a feed and the data of %s', async (path, count) => {
  const page = await site.open(path);
  const address = `link[rel=alternate][type="application/atom+xml"][href="${path}.atom"]`;
  expect(page.document.querySelectorAll(address)).toHaveLength(1);
  const feed = await site.fetch(`${path}.atom`);
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const text = await feed.text();
  expect(text.match(/<entry/g)?.length ?? 0).toBe(count);
  expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${site.url}${path}.atom"/>`);
  expect(text).not.toMatch(/\{\{|hl=/);
  const { entries } = await site.json<{ entries: object[] }>(`${path}/_payload.json`);
  expect(entries).toHaveLength(count);
});

test('programs get the data of an entry', async () => {
  const { entry, previous, next } = await site.json<{
    entry: object;
    previous: { date: string };
    next: null;
  }>(`${newest}/_payload.json`);
  expect(entry).toEqual({
    product: 'web',
    date: web[0],
    title: expect.any(String),
    version: null,
    body: expect.stringContaining('## Added'),
  });
  expect([previous.date, next]).toEqual([web[1], null]);
});
