import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

/** The page that the search box of the bar leads to without scripts. */
async function searched(q: string) {
  const page = await site.open('/mod/lanternroot');
  const form = page.one('searchbox', { name: 'Search' }).closest('form')!;
  return await page.submit(form, { q });
}

test('without scripts the search box is a plain form', async () => {
  const found = await searched('nightjar');
  expect(found.url).toBe('/mods?q=nightjar');
  found.one('link', { name: 'Nightjar' });
  expect((await searched('shader')).url).toBe('/shaders');
});

test.each([
  ['of another script', '灯籠'],
  ['of one letter', 'ж'],
  ['of stop words', 'the of and'],
  ['of 2,000 letters', `${'lantern '.repeat(249)}lantern`],
  ['of markup', '<b>&"'],
])('text %s is searched for', async (_, query) => {
  const page = await searched(query);
  expect(page.url).toMatch(/^\/mods\?q=/);
  expect(page.one('searchbox', { name: 'Search' }).getAttribute('value')).toBe(query);
});
