import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testSite } from '../../testing/test-site.ts';

/** Profiles of people who have published no project. */
const database = testDatabase();
const site = testSite(database);

test('a profile without projects leads with its collections', async () => {
  const { sql } = database;
  const owner = await build.user(sql);
  const project = await build.project(sql);
  for (let place = 1; place <= 8; place++)
    await build.collection(sql, [project], { owner, name: `Shelf ${place}`, status: 'listed' });
  let page = await site.open(`/user/${owner.username}`);
  expect(page.text(page.main)).not.toMatch(/No projects yet|hasn’t published/);
  const headings = page.all('heading', { level: 3, within: page.main }).map((one) => page.text(one));
  expect(headings.filter((text) => text.startsWith('Shelf'))).toHaveLength(6);
  const tabs = page.one('navigation', { name: 'Profile sections' });
  const [first, ...others] = page.all('link', { within: tabs });
  expect([page.text(first!), others]).toEqual([expect.stringMatching(/^Collections\s*8$/), []]);
  expect(first!.getAttribute('aria-current')).toBe('page');
  expect((await site.open(`/user/${owner.username}?q=nothing`)).text()).toContain('Shelf 8');
  page = await page.follow(page.one('link', { name: 'Show all 8 collections' }));
  expect(page.url).toBe(`/user/${owner.username}/collections`);
  const shown = page.all('link', { within: page.one('navigation', { name: 'Profile sections' }) });
  expect(shown.map((one) => one.getAttribute('aria-current'))).toEqual(['page']);
});

test('a profile with nothing says so in a sentence, and its owner gets a way to begin', async () => {
  const { username } = await build.user(database.sql);
  const page = await site.open(`/user/${username}`);
  expect(page.text(page.main)).toContain('hasn’t published any projects or collections yet.');
  const ways = ['/dashboard/projects/new', '/dashboard/collections/new'].map(
    (path) => page.main.querySelector(`a[href="${path}"]`)!,
  );
  // a script shows them to the owner, as the page is the same for everybody
  for (const way of ways) expect(way.closest('[hidden][data-own-profile]')).not.toBeNull();
});

test('a banner is seen on top of the profile, with its place kept, and only when there is one', async () => {
  const [plain, other] = [await build.user(database.sql), await build.user(database.sql)];
  expect((await site.open(`/user/${plain.username}`)).main.querySelector('img.banner')).toBeNull();
  await database.sql`update users set banner_key = 'data/users/x/b_480.webp' where id = ${other.id}`;
  const page = await site.open(`/user/${other.username}`);
  const image = page.main.querySelector('img.banner')!;
  expect([image.getAttribute('alt'), image.getAttribute('width'), image.getAttribute('height')]).toEqual([
    '',
    '1200',
    '300',
  ]);
  expect(image.getAttribute('srcset')).toContain('b_1600.webp 1600w');
  const heading = page.main.querySelector('h1')!;
  expect(image.compareDocumentPosition(heading) & 4).toBe(4);
});

test('links of a profile lead elsewhere, and search engines do not follow them', async () => {
  const owner = await build.user(database.sql);
  await database.sql`update users set links = array['https://www.stones.example/me/'] where id = ${owner.id}`;
  const page = await site.open(`/user/${owner.username}`);
  const link = page.one('link', { name: 'stones.example/me' });
  expect(link.getAttribute('href')).toBe('https://www.stones.example/me/');
  expect(link.getAttribute('rel')).toContain('nofollow ugc');
});

test('people are followed on their profile, and listed where one unfollows them', async () => {
  const { sql } = database;
  const [fan, maker] = [await build.user(sql), await build.user(sql)];
  await build.followPerson(sql, fan, maker);
  const profile = await site.open(`/user/${maker.username}`);
  expect(profile.document.querySelector(`[data-followers="${maker.id}"]`)!.getAttribute('title')).toBe(
    '1 follower',
  );
  // a script fills it in, and hides it on one's own profile, as the page is the same for everybody
  const button = profile.document.querySelector<HTMLElement>(`[data-follow="${maker.id}"]`)!;
  expect([button.textContent!.trim(), button.getAttribute('aria-pressed')]).toEqual(['Follow', 'false']);
  expect(button.matches('[data-others-only][data-person]')).toBe(true);
  const visitor = await site.as(fan.username);
  let page = await visitor.open('/collection/following');
  const list = () => page.one('region', { name: 'Followed people' });
  expect(page.one('link', { name: maker.username, within: list() }).getAttribute('href')).toBe(
    `/user/${maker.username}`,
  );
  page = await page.submit(page.one('button', { name: `Unfollow ${maker.username}` }));
  expect(page.url).toBe('/collection/following');
  expect(page.all('region', { name: 'Followed people' })).toEqual([]);
});
