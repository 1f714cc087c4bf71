import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

test('both handbooks are lists of pages that lead on', async () => {
  let page = await site.open('/docs');
  const handbook = page.one('region', { name: 'Creator’s handbook' });
  page = await page.follow(page.one('link', { name: 'Modpacks', within: handbook }));
  page.one('heading', { level: 1, name: 'Modpacks' });
  const nav = page.one('navigation', { name: 'Creator’s handbook' });
  const here = page.one('link', { name: 'Modpacks', within: nav });
  expect(here.getAttribute('aria-current')).toBe('page');
  const steps = page.one('navigation', { name: 'Other pages of this handbook' });
  page = await page.follow(page.one('link', { name: /^Next/, within: steps }));
  page.one('heading', { level: 1, name: 'Teams and organizations' });
});

test('without scripts the search box is absent and the lists remain', async () => {
  const page = await site.open('/docs');
  expect(page.all('combobox', { name: 'Search the documentation' })).toHaveLength(0);
  expect(page.all('link', { name: 'Configuration' })).not.toHaveLength(0);
});

test('text that exists in English only is marked', async () => {
  const page = await site.open('/docs/operators/configuration?hl=ar-SA');
  const marked = page.one('heading', { level: 1, name: 'Configuration' }).closest('[lang="en-US"]')!;
  expect(marked.getAttribute('dir')).toBe('ltr');
});
