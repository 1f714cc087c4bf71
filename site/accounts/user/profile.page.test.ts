import { expect, test } from 'vitest';
import { send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { isShown } from '../../testing/shown.ts';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

interface Listed {
  title: string;
  approved: string | null;
  published: string;
}
/** The links to projects, without the author links beside them. */
const titles = (page: Page) =>
  [...page.main.querySelectorAll('.list h3 > a')].map((link) => link.textContent!.trim());

test('a project leads to its author, and on to their other projects', async () => {
  let page = await site.open('/mod/lanternroot');
  page = await page.follow(page.one('link', { name: 'mirelle', within: page.one('complementary') }));
  expect(page.url).toBe('/user/mirelle');
  page.one('heading', { name: 'mirelle', level: 1 });
  const downloads = [...page.document.querySelectorAll('[title]')].map((one) => one.getAttribute('title')!);
  expect(downloads.some((text) => /^[\d,]+ downloads$/.test(text))).toBe(true);

  const tab = (name: RegExp) =>
    page.all('link', { name, within: page.one('navigation', { name: 'Profile sections' }) });
  page = await page.follow(tab(/^Shaders/)[0]!);
  expect(page.url).toBe('/user/mirelle/shaders');
  expect(tab(/^Shaders/)[0]!.getAttribute('aria-current')).toBe('page');
  expect(tab(/^Plugins/)).toHaveLength(0);
  page = await page.follow(page.one('link', { name: 'Clearwater' }));
  expect(page.url).toBe('/shader/clearwater');
});

test('the newest projects come first when asked for', async () => {
  const all = (await (await site.fetch('/v2/user/mirelle/projects')).json()) as Listed[];
  const date = ({ approved, published }: Listed) => Date.parse(approved ?? published);
  const newest = all.sort((a, b) => date(b) - date(a)).map(({ title }) => title);
  expect(titles(await site.open('/user/mirelle?s=newest'))).toEqual(newest);
});

test('without scripts a list can be sorted and filtered too', async () => {
  const first = await site.open('/user/mirelle');
  expect(isShown(first.main.querySelector('summary[aria-label="More"]')!)).toBe(false);
  const page = await send(first, 'Show', { 'Search these projects': 'cave', Sort: 'Followers' });
  expect(page.url).toBe('/user/mirelle?q=cave&s=follows');
  expect(titles(page)).toContain('Lanternroot');
  expect(titles(page)).not.toContain('Clearwater');
});

test("a user's public collections are a tab, which can be searched", async () => {
  let page = await site.open('/user/mirelle');
  const tabs = page.one('navigation', { name: 'Profile sections' });
  page = await page.follow(page.one('link', { name: /^Collections/, within: tabs }));
  expect(page.url).toBe('/user/mirelle/collections');
  const gathered = () =>
    page
      .all('listitem', { within: page.main })
      .flatMap((item) => page.all('heading', { within: item }))
      .map((heading) => page.text(heading));
  expect(gathered()).toContain('Slow evenings');
  expect(gathered()).not.toContain('Caves worth the climb back'); // unlisted
  expect(gathered()).not.toContain('Christmas surprises'); // private
  page = await site.open('/user/mirelle/collections?q=farms');
  page.one('searchbox', { name: 'Search these collections' });
  expect(gathered()).toEqual(['Slow evenings']);
  page = await page.follow(page.one('link', { name: 'Slow evenings' }));
  page.one('heading', { name: 'Slow evenings', level: 1 });
});

test('addresses redirect to the canonical spelling of a name', async () => {
  const { id } = (await (await site.fetch('/v2/user/mirelle')).json()) as { id: string };
  const moved = {
    '/user/MIRELLE': [301, '/user/mirelle'],
    [`/user/${id}/mods?s=newest`]: [301, '/user/mirelle/mods?s=newest'],
    '/organization/Stonewrights/mods': [301, '/organization/stonewrights/mods'],
    '/user/mirelle?page=99&s=updated': [302, '/user/mirelle?s=updated'],
    '/user/Mirelle/collections?q=light': [301, '/user/mirelle/collections?q=light'],
    '/user/mirelle/collections?page=99999999999': [302, '/user/mirelle/collections'],
    '/collection/Following': [301, '/collection/following'],
  };
  for (const [path, [status, location]] of Object.entries(moved)) {
    const answer = await site.fetch(path);
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, status, location]);
  }
});

test.each(['/user/mirelle/hats', '/user/%00', '/organization/%00', '/organization/stonewrights/hats'])(
  '%s is no page',
  async (path) => {
    expect((await site.fetch(path)).status).toBe(404);
  },
);

test('an organization lists its members, the owner first, and they link to it', async () => {
  let page = await site.open('/organization/stonewrights');
  page.one('heading', { name: 'Stonewrights', level: 1 });
  const [first] = page.all('listitem', { within: page.one('complementary') });
  expect(page.text(first)).toMatch(/hollis\s*Owner/);
  page = await page.follow(page.one('link', { within: first! }));
  expect(page.url).toBe('/user/hollis');
  page = await page.follow(page.one('link', { name: 'Stonewrights', within: page.one('complementary') }));
  expect(page.url).toBe('/organization/stonewrights');
});
