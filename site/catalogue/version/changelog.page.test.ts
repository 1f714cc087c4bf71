import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { Page } from '../../testing/page.ts';
import { demoSite, testSite } from '../../testing/test-site.ts';

const site = demoSite();
const changelog = '/mod/lanternroot/changelog';

interface Version {
  version_number: string;
  version_type: string;
  game_versions: string[];
}
/** Newest first. */
let versions: Version[];
beforeAll(async () => {
  versions = await site.json<Version[]>('/v2/project/lanternroot/version');
});
/** The headings of the versions whose changes are shown. */
const shown = (page: Page) =>
  page
    .all('heading', { level: 3, within: page.main })
    .filter((heading) => heading.querySelector(':scope > a[href*="/version/"]'));

test('a changelog is filtered by links, and each state has an address', async () => {
  const game = versions.at(-1)!.game_versions[0]!;
  const fitting = versions.filter(({ game_versions }) => game_versions.includes(game)).slice(0, 20);
  let page = await site.open(changelog);
  expect(shown(page)).toHaveLength(Math.min(versions.length, 20));
  page.withText('Game version')[0]!.closest('details')!.setAttribute('open', '');
  page = await page.follow(
    page.one('link', { name: game, within: page.one('navigation', { name: 'Filters' }) }),
  );
  expect(page.url).toBe(`${changelog}?v=${game}`);
  expect(shown(page).map((heading) => page.text(heading))).toEqual(
    fitting.map(({ version_number }) => expect.stringMatching(new RegExp(`^${version_number}(\\s|$)`))),
  );
  page = await page.follow(page.one('link', { name: `Remove filter ${game}` }));
  expect(page.url).toBe(changelog);

  const first = versions[0]!.version_number;
  const link = page.one('link', { name: `Download ${first}`, within: page.main });
  expect(link.getAttribute('href')).toMatch(new RegExp(`${first}[^/]*$`));
  page = await page.follow(page.all('link', { within: shown(page)[0]! })[0]!);
  expect(page.url).toMatch(/^\/mod\/lanternroot\/version\//);
});

test('without a match, the restrictive filter can be removed', async () => {
  let page = await site.open(`${changelog}?v=0.0.1&g=fabric`);
  page.one('heading', { name: 'No matching versions' });
  page = await page.follow(page.one('link', { name: `Any game version (${versions.length})` }));
  expect(page.url).toBe(`${changelog}?g=fabric`);
  expect(shown(page)).not.toHaveLength(0);
});

test('any query gives a page with an explanation', async () => {
  let page = await site.open(`${changelog}?page=9999&g=fabric`);
  page.one('heading', { name: 'There’s no page 9,999' });
  page = await page.follow(page.one('link', { name: 'Go to the last page' }));
  expect(shown(page)).not.toHaveLength(0);
  page = await site.open(`${changelog}?v=${'a'.repeat(900)}`);
  page.one('heading', { name: 'No matching versions' });
  for (const query of [
    'v=%00',
    'g=%7Bx%7B',
    'c=constructor&g=__proto__',
    'page=1e99',
    'page=-1',
    'v=%ff&v&v=',
  ])
    expect((await site.fetch(`${changelog}?${query}`)).status, query).toBe(200);
});

describe('a project with many versions', () => {
  const database = testDatabase();
  const own = testSite(database);

  test('has twenty on a page, and shows a repeated text once', async () => {
    const project = await build.project(database.sql);
    for (let number = 0; number < 21; number++)
      await build.version(database.sql, project, {
        version_number: `1.0.${number}`,
        changelog: 'Everything is new.',
        changelog_html: '<p>Everything is new.</p>',
      });
    const path = `/mod/${project.slug}/changelog`;
    let page = await own.open(path);
    expect(shown(page)).toHaveLength(20);
    expect(page.withText('Everything is new.')).toHaveLength(1);
    page = await page.follow(page.one('link', { name: 'Page 2' }));
    expect(page.url).toBe(`${path}?page=2`);
    expect(shown(page)).toHaveLength(1);
    expect(page.withText('Everything is new.')).toHaveLength(1);
  });
});
