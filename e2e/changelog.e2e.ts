import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { projectFixture } from './project-fixture.ts';

const changelog = '/mod/lanternroot/changelog';

interface Version {
  version_number: string;
  version_type: string;
  game_versions: string[];
}
const versionsOf = async (request: APIRequestContext): Promise<Version[]> =>
  (await (await request.get('/v2/project/lanternroot/version')).json()) as Version[];
const said = (page: Page) => page.getByRole('main').locator('ol h3:has(> a[href*="/version/"])');

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a changelog is filtered by links, and each state has an address', async ({ page, request }) => {
    const versions = await versionsOf(request);
    const game = versions.at(-1)!.game_versions[0]!;
    const fitting = versions.filter(({ game_versions }) => game_versions.includes(game)).slice(0, 20);
    await page.goto(changelog);
    await expect(said(page)).toHaveCount(Math.min(versions.length, 20));
    await page.getByText('Game version', { exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Filters' })
      .getByRole('link', { name: game, exact: true })
      .click();
    await expect(page).toHaveURL(`${changelog}?v=${game}`);
    await expect(said(page)).toHaveText(
      fitting.map(({ version_number }) => new RegExp(`^\\s*${version_number}(\\s|$)`)),
    );
    await page.getByRole('link', { name: `Remove filter ${game}` }).click();
    await expect(page).toHaveURL(changelog);

    const first = versions[0]!.version_number;
    const link = page.getByRole('main').getByRole('link', { name: `Download ${first}`, exact: true });
    await expect(link).toHaveAttribute('href', new RegExp(`${first}[^/]*$`));
    await said(page).first().getByRole('link').click();
    await expect(page).toHaveURL(/\/mod\/lanternroot\/version\//);
  });
});

test('without a match, the restrictive filter can be removed', async ({ page, request }) => {
  const all = (await versionsOf(request)).length;
  await page.goto(`${changelog}?v=0.0.1&g=fabric`);
  await expect(page.getByRole('heading', { name: 'No matching versions' })).toBeVisible();
  await page.getByRole('link', { name: `Any game version (${all})` }).click();
  await expect(page).toHaveURL(`${changelog}?g=fabric`);
  await expect(said(page).first()).toBeVisible();
});

test('any query gives a page with an explanation', async ({ page, request }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${changelog}?page=9999&g=fabric`);
  await expect(page.getByRole('heading', { name: 'There’s no page 9,999' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(said(page).first()).toBeVisible();
  await page.goto(`${changelog}?v=${'a'.repeat(900)}`);
  await expect(page.getByRole('heading', { name: 'No matching versions' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  for (const query of [
    'v=%00',
    'g=%7Bx%7B',
    'c=constructor&g=__proto__',
    'page=1e99',
    'page=-1',
    'v=%ff&v&v=',
  ])
    expect((await request.get(`${changelog}?${query}`)).status(), query).toBe(200);
});

test('a page has twenty versions, and a repeated text is shown once', async ({ page, request }) => {
  const { path } = await projectFixture(request, 'repeated', { versions: 21 });
  await page.goto(`${path}/changelog`);
  await expect(said(page)).toHaveCount(20);
  await expect(page.getByText('Everything is new.')).toHaveCount(1);
  await page.getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(page).toHaveURL(`${path}/changelog?page=2`);
  await expect(said(page)).toHaveCount(1);
  await expect(page.getByText('Everything is new.')).toHaveCount(1);
});
