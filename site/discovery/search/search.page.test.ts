import { expect, test } from 'vitest';
import type { Page } from '../../testing/page.ts';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const count = (page: Page) => page.text(page.one('status'));
const suggestions = (page: Page) => page.all('link', { within: page.one('list', { name: 'Suggestions' }) });
const projects = (page: Page) =>
  page.all('heading', { level: 3, within: page.main }).filter((heading) => heading.closest('li'));

test('a misspelled name still finds the project', async () => {
  const page = await site.open('/mods?q=lanterroot');
  page.one('link', { name: 'Lanternroot' });
});

test('no results has a message, and clearing the filters leads to the whole list', async () => {
  let page = await site.open('/mods?f=economy&g=rift');
  page.one('heading', { name: 'Nothing found' });
  page = await page.follow(page.one('link', { name: 'Clear all' }));
  expect(count(page)).toMatch(/^\d+ mods$/);
});

test('without scripts search, filters and pages work', async () => {
  let page = await site.open('/mods');
  const apply = () => page.one('button', { name: 'Apply' });
  page = await page.submit(apply(), { q: 'lanternroot' });
  expect(page.url).toMatch(/^\/mods\?.*q=lanternroot/);
  expect(count(page)).toBe('1 mod');

  page = await site.open('/mods?m=5');
  const fabric = page.one('checkbox', { name: 'Fabric' });
  page = await page.submit(apply(), { [fabric.getAttribute('name')!]: [fabric.getAttribute('value')!] });
  page.one('link', { name: 'Remove Fabric' });
  const pages = page.one('navigation', { name: 'Pages' });
  page = await page.follow(page.one('link', { name: 'Next page', within: pages }));
  expect(page.url).toMatch(/page=2/);
  expect(projects(page)).not.toHaveLength(0);
});

test('rarely used loaders are folded, and what folds them again says so', async () => {
  const folds = (page: Page) =>
    page.withText(/^(\d+ more|Fewer)$/, page.document.querySelector('[data-filters]')!);
  const [more, ...others] = folds(await site.open('/mods'));
  expect([more?.textContent, others]).toEqual([expect.stringMatching(/more$/), []]);
  // one of them is chosen
  expect(folds(await site.open('/mods?g=rift')).map((one) => one.textContent)).toEqual(['Fewer']);
});

test('a search without results suggests what to remove and what that gives', async () => {
  let page = await site.open('/mods?q=lanternroot&g=rift');
  page.one('heading', { name: 'Nothing found' });
  expect(suggestions(page).map((link) => page.text(link))).toEqual(['Remove Rift 1 mod']);
  page = await page.follow(suggestions(page)[0]!);
  expect(page.url).toBe('/mods?q=lanternroot');
  expect(count(page)).toBe('1 mod');

  page = await site.open('/plugins?q=lanternroot');
  page = await page.follow(page.one('link', { name: '1 mod' }));
  expect(page.url).toBe('/mods?q=lanternroot');

  page = await site.open('/mods?q=qqqqqzzzzz');
  expect(suggestions(page).map((link) => page.text(link))).toEqual([
    expect.stringMatching(/^Clear the search \d+ mods$/),
  ]);
  page = await page.follow(suggestions(page)[0]!);
  expect(page.url).toBe('/mods');
  expect(page.one('searchbox', { name: 'Search' }).getAttribute('value') ?? '').toBe('');
  expect(projects(page)).toHaveLength(20);
});

test('invalid parts of an address are named, with a suggestion', async () => {
  let page = await site.open('/mods?f=mobs&nf=mobs&f=cheese&colour=red');
  expect(page.text()).toContain('These filters don’t exist here: cheese');
  page = await page.follow(page.one('link', { name: 'Include it instead' }));
  expect(page.url).toBe('/mods?f=mobs');
  expect(page.one('checkbox', { name: 'Mobs' }).hasAttribute('checked')).toBe(true);
  expect(page.text()).not.toContain('These filters don’t exist here');
});

test('tabs count the hits of a query', async () => {
  const page = await site.open('/shaders?q=lanternroot');
  const types = page.one('navigation', { name: 'Project types' });
  expect(page.text(page.one('link', { name: /^Mods/, within: types }))).toMatch(/^Mods ?1$/);
  expect(page.text(page.one('link', { name: /^Shaders/, within: types }))).toMatch(/^Shaders ?0$/);
});
