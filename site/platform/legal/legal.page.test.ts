import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

test('a page has the details of the operator filled in, and shows visitors no gaps', async () => {
  const page = await site.open('/legal/terms');
  page.one('heading', { name: 'Terms of use', level: 1 });
  expect(page.html).toContain('Operator details are missing');
  expect(page.text()).not.toContain('Operator details are missing');
  expect(page.main.textContent).not.toMatch(/\{\{|undefined/);
});

test('the pages lead to each other and keep the language', async () => {
  let page = await site.open('/legal?hl=de-DE');
  expect(page.url).toBe('/legal/terms?hl=de-DE');
  page.one('heading', { name: 'Nutzungsbedingungen', level: 1 });
  const list = page.one('navigation', { name: 'Rechtliches' });
  const here = page.one('link', { name: 'Nutzungsbedingungen', within: list });
  expect(here.getAttribute('aria-current')).toBe('page');
  page = await page.follow(page.one('link', { name: 'Inhaltsregeln', within: list }));
  expect(page.url).toBe('/legal/rules?hl=de-DE');

  const contents = page.one('navigation', { name: 'Auf dieser Seite' });
  const links = page.one('link', { name: 'Links', within: contents });
  expect(links.getAttribute('href')).toBe(`#${page.one('heading', { name: 'Links', level: 2 }).id}`);
  page = await page.follow(page.all('link', { name: 'Urheberrecht', within: page.main }).at(-1)!);
  expect(page.url).toBe('/legal/copyright?hl=de-DE');
});

test('a payload has the text of its page', async () => {
  const { title, text } = await site.json<{ title: string; text: string }>(
    '/legal/terms/_payload.json?hl=ar-SA',
  );
  expect(title).toBe('شروط الاستخدام');
  expect(text).toContain('## من يدير هذا الموقع');
  expect((await site.fetch('/legal/nothing')).status).toBe(404);
});

test('without scripts there is nothing to choose, and the page says so', async () => {
  const page = await site.open('/legal/cmp');
  expect(page.text(page.document.querySelector('noscript .say')!)).toContain(
    'Without it nothing optional happens',
  );
  expect(page.all('button', { name: 'Accept all' })).toHaveLength(0);
  page.one('rowheader', { name: /^auth-token/ });
});
