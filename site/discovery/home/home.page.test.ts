import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const names = (links: Element[]) => links.map((link) => link.textContent.replace(/\s+/g, ' ').trim());

test('the latest updates are a stack of links that nothing announces', async () => {
  const page = await site.open('/');
  const stack = page.one('list', { name: 'Latest updates' });
  const column = page.one('heading', { name: 'Fresh updates' }).closest('section')!;
  const fresh = names(page.all('link', { within: column })).slice(0, 3);
  const updates = page.all('link', { within: stack });
  expect(names(updates)).toEqual(fresh);
  expect(page.withText('Updated', stack)).toHaveLength(3);
  expect(stack.closest('[aria-live], [role=status], [role=alert], [role=log]')).toBeNull();
  const { recent } = await site.json<{ recent: Array<{ title: string }> }>('/_payload.json');
  expect(recent.map(({ title }) => title)).toEqual(fresh);
  page.one('heading', { name: 'Fresh updates' });
  const project = await page.follow(updates.at(-1)!);
  project.one('heading', { name: fresh[2]!, level: 1 });
});

test('the newest articles are on the home page, with pictures that exist', async () => {
  const page = await site.open('/');
  const news = page.one('heading', { name: 'News' }).closest('section')!;
  expect(page.all('listitem', { within: news })).toHaveLength(3);
  const pictures = [...news.querySelectorAll('img')];
  expect(pictures).toHaveLength(3);
  for (const picture of pictures) {
    const answer = await site.fetch(picture.getAttribute('src')!);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ]);
  }
  const [first] = page.all('link', { within: news.querySelector('li')! });
  const article = await page.follow(first!);
  article.one('heading', { name: names([first!])[0]!, level: 1 });
});

test('launchers are named', async () => {
  const page = await site.open('/');
  const launchers = page.one('region', { name: 'Launchers for this site' });
  const link = page.one('link', { name: 'Long Way', within: launchers });
  expect(link.getAttribute('href')).toBe('https://launcher.example');
  const setup = await page.follow(page.one('link', { name: 'How to set one up', within: launchers }));
  setup.one('heading', { name: 'App and launchers', level: 1 });
});
