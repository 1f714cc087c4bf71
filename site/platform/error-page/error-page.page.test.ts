import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

test.each([
  ['/mod/never-was', 'Project not found', 'Moderators took it down.'],
  ['/modpack/never-was/versions', 'Project not found', 'The URL has a typo.'],
  ['/user/nobody-at-all', 'User not found', 'The account was terminated.'],
  ['/organization/none', 'Organization not found', 'The URL has a typo.'],
  ['/collection/none', 'Collection not found', 'It’s private or was deleted.'],
  ['/no/such/page', 'Page not found', 'The page you were looking for doesn’t seem to exist.'],
])('%s is not found and has its own text', async (path, heading, text) => {
  const page = await site.open(path);
  expect(page.status).toBe(404);
  page.one('heading', { name: heading, level: 1 });
  expect(page.withText(text)).toHaveLength(1);
  const home = await page.follow(page.one('link', { name: 'Go home', within: page.main }));
  expect([home.url, home.status]).toEqual(['/', 200]);
});
