import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

test('links keep the language of the address, and no cookie is set', async () => {
  const visitor = site.visitor();
  const page = await visitor.open('/?hl=en-XA');
  const links = [...page.document.querySelectorAll('a[href]')]
    .map((link) => link.getAttribute('href')!)
    .filter(
      (href) => href.startsWith('/') && !/^\/(v2\/|(license|source)$)/.test(href) && !href.includes('#'),
    );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((href) => !href.includes('hl=en-XA'))).toEqual([]);
  expect(visitor.cookies.size).toBe(0);
});
