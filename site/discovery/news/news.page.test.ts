import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const article = '/news/article/how-search-works';

test('a reader goes from the bar to an article, through its contents and on to the next', async () => {
  let page = await site.open('/');
  page = await page.follow(
    page.one('link', { name: 'News', within: page.one('navigation', { name: 'Main' }) }),
  );
  page.one('heading', { name: 'News', level: 1, within: page.main });
  expect(page.all('article', { within: page.main }).length).toBeGreaterThanOrEqual(10);

  const topics = page.one('navigation', { name: 'Topics' });
  page = await page.follow(page.one('link', { name: 'Search', within: topics }));
  expect(page.url).toBe('/news/topic/search');
  page = await page.follow(page.one('link', { name: 'How search works', within: page.main }));
  expect(page.url).toBe(article);
  expect(page.text(page.main)).toContain('The Cairn team');
  const picture = page.one('img', { name: /dotted trail/, within: page.main });
  const answer = await site.fetch(picture.getAttribute('src')!);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\//),
  ]);

  const contents = page.one('navigation', { name: 'On this page' });
  const section = page.one('link', { name: 'What we compared it with', within: contents });
  const target = page.one('heading', { name: 'What we compared it with', within: page.main });
  expect(section.getAttribute('href')).toBe(`#${target.id}`);
  const more = page.one('navigation', { name: 'More articles' });
  page = await page.follow(page.one('link', { name: /^Earlier/, within: more }));
  expect(page.status).toBe(200);
  expect(page.url).toMatch(/^\/news\/article\/(?!how-search-works)/);
});

test('related articles share a topic, and what proves the text is named', async () => {
  const page = await site.open(article);
  const related = page.one('region', { name: 'Related articles' });
  page.one('link', { name: 'How pages are served', within: related });
  const proof = page.withText('Evidence')[0]!.closest('details')!;
  proof.setAttribute('open', '');
  expect(page.withText('bench/search.ts', proof)).toHaveLength(1);
});

test('an address is mailed, and followed by feed readers', async () => {
  const page = await site.open(article);
  const mail = page.one('link', { name: 'Send by email', within: page.main });
  expect(mail.getAttribute('href')).toBe(`mailto:?subject=How%20search%20works&body=${site.url}${article}`);
  const feeds = page.document.querySelectorAll(
    'head link[rel=alternate][type*="feed"], head link[rel=alternate][type*="rss"], head link[rel=alternate][type*="atom"]',
  );
  const paths = [...feeds].map((link) => link.getAttribute('href'));
  expect(paths).toEqual(['/news/feed.atom', '/news/feed.rss', '/news/feed.json']);
});

test('feeds have the addresses of this site, and their own types', async () => {
  const types = {
    atom: 'application/atom+xml',
    rss: 'application/rss+xml',
    json: 'application/feed+json',
  };
  for (const [ending, type] of Object.entries(types)) {
    const answer = await site.fetch(`/news/feed.${ending}`);
    expect([ending, answer.status, answer.headers.get('content-type')]).toEqual([
      ending,
      200,
      `${type}; charset=utf-8`,
    ]);
    const text = await answer.text();
    expect(text).toContain(`${site.url}${article}`);
    expect(text).not.toMatch(/\{\{[A-Z_]+\}\}/);
  }
  const feed = await site.json<{ items: object[] }>('/news/feed.json');
  expect(feed.items.length).toBeGreaterThanOrEqual(10);
});

test('previews of links get a picture, and programs the facts', async () => {
  const page = await site.open(article);
  const meta = (name: string) =>
    page.document.querySelector(`head meta[property="${name}"]`)?.getAttribute('content');
  expect(meta('og:type')).toBe('article');
  expect(meta('article:published_time')).toBe('2026-11-22');
  const picture = meta('og:image')!;
  expect(picture).toMatch(new RegExp(`^${site.url}/_astro/.*\\.png$`));
  expect((await site.fetch(picture)).headers.get('content-type')).toBe('image/png');
  const data = page.document.querySelector('script[type="application/ld+json"]')!.textContent;
  const about = JSON.parse(data)['@graph'].find((one: { '@type': string }) => one['@type'] === 'Article');
  expect(about).toMatchObject({
    headline: 'How search works',
    datePublished: '2026-11-22',
    image: picture,
    url: site.url + article,
  });
  const payload = await site.json(`${article}/_payload.json`);
  expect(payload).toMatchObject({ article: { slug: 'how-search-works', authors: [{ id: 'cairn-team' }] } });
});

test('without scripts topics are pages, and nothing is offered that needs a script', async () => {
  let page = await site.open('/news');
  const topics = page.one('navigation', { name: 'Topics' });
  page = await page.follow(page.one('link', { name: 'Hosting', within: topics }));
  page.one('heading', { name: 'News: Hosting', within: page.main });
  page = await page.follow(page.one('link', { name: 'How hosting works', within: page.main }));
  page.one('link', { name: 'Send by email', within: page.main });
  expect(page.all('button', { name: 'Copy link' })).toHaveLength(0);
  expect(page.html).toContain('Copy link');
});

test('in Arabic the frame is Arabic, and the text is marked as English', async () => {
  const page = await site.open(`${article}?hl=ar-SA`);
  expect(page.document.documentElement.getAttribute('dir')).toBe('rtl');
  expect(page.withText('هذا النص متاح بالإنجليزية فقط.', page.main)).toHaveLength(1);
  const title = page.one('heading', { name: 'How search works', level: 1, within: page.main });
  expect(title.getAttribute('lang')).toBe('en-US');
  expect(title.getAttribute('dir')).toBe('ltr');
});

test('an unknown article is a page that was not found', async () => {
  expect((await site.open('/news/article/never-written')).status).toBe(404);
});

interface AppArticle {
  title: string;
  summary: string;
  date: string;
  link: string;
  thumbnail: string;
}

test('an app gets up to four articles with a picture, from any origin', async () => {
  const answer = await site.fetch('/news/app.json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const { articles } = (await answer.json()) as { articles: AppArticle[] };
  expect(articles).toHaveLength(4);
  for (const { title, summary, date, link, thumbnail } of articles) {
    expect([title, summary, date]).toEqual([
      expect.any(String),
      expect.any(String),
      expect.stringMatching(/^\d{4}-/),
    ]);
    expect(link).toContain(`${site.url}/news/article/`);
    expect((await site.fetch(link)).status).toBe(200);
    expect((await site.fetch(thumbnail)).headers.get('content-type')).toBe('image/png');
  }
});
