import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

const path = '/mod/lanternroot';

interface Version {
  version_number: string;
  version_type: string;
  game_versions: string[];
  loaders: string[];
}
/** Newest first. */
const versionsOf = async (request: APIRequestContext): Promise<Version[]> =>
  (await (await request.get('/v2/project/lanternroot/version')).json()) as Version[];
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Download Lanternroot' });
const opener = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Download', exact: true });
const choice = (page: Page, name: string) => dialog(page).getByRole('radio', { name, exact: true });
const answers = (page: Page) => dialog(page).getByRole('link', { name: /^Download / });

test('a download is chosen by game version and loader, linkable, and remembered', async ({
  page,
  request,
}) => {
  const versions = await versionsOf(request);
  const oldest = versions.findLast(({ version_type }) => version_type === 'release')!;
  const [game, loader] = [oldest.game_versions[0]!, oldest.loaders[0]!];
  const expected = versions.find(
    ({ version_type, game_versions, loaders }) =>
      version_type === 'release' && game_versions.includes(game) && loaders.includes(loader),
  )!;
  await page.goto(`${path}?version=${game}&loader=${loader}#download`);
  await expect(choice(page, game)).toBeChecked();
  await expect(answers(page).first()).toHaveAccessibleName(`Download ${expected.version_number}`);
  await expect(dialog(page).getByText('sha512').first()).toBeHidden();
  await dialog(page).getByText('File details').first().click();
  await expect(dialog(page).getByText('sha512').first()).toBeVisible();
  expect(await axeFinds(page, { within: 'dialog[open]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(`${path}?version=${game}&loader=${loader}`);

  // a choice from the address is not stored, only one by the user
  await page.goto(path);
  await opener(page).click();
  const newest = versions.find(({ version_type }) => version_type === 'release')!;
  await expect(answers(page).first()).toHaveAccessibleName(`Download ${newest.version_number}`);
  await dialog(page).getByRole('searchbox', { name: 'Find a version' }).fill(game);
  await page.keyboard.press('Enter');
  await expect(choice(page, game)).toBeChecked();
  await expect(answers(page).first()).toHaveAccessibleName(`Download ${expected.version_number}`);
  await page.goBack();
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await opener(page).click();
  await expect(choice(page, game)).toBeChecked();
});

/** A project without a build for the newest release of the game. */
async function behind(request: APIRequestContext): Promise<string> {
  const games = (await (await request.get('/v2/tag/game_version')).json()) as Array<Record<string, string>>;
  const newest = games.find(({ version_type }) => version_type === 'release')!.version!;
  const answer = await request.get('/v2/search?limit=100&facets=[["project_type:mod"]]');
  const { hits } = (await answer.json()) as { hits: Array<{ slug: string; versions: string[] }> };
  return `/mod/${hits.find(({ versions }) => !versions.includes(newest))!.slug}`;
}

test('the chosen version has the focus, and the page behind does not scroll', async ({ page }) => {
  await page.goto(path);
  await opener(page).press('Enter');
  await expect(dialog(page).getByRole('radio', { checked: true }).first()).toBeFocused();
  await page.mouse.move(4, 4);
  await page.mouse.wheel(0, 600);
  await page.keyboard.press('PageDown');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('newer game versions without a build are folded', async ({ page, request }) => {
  await page.goto(`${await behind(request)}#download`);
  const opened = page.getByRole('dialog', { name: /^Download / });
  const without = opened
    .getByRole('group', { name: 'Game version' })
    .getByRole('radio', { name: /no build$/ });
  const fold = opened.getByRole('button', { name: /newer versions? ha(s|ve) no build$/ });
  await expect(fold).toBeVisible();
  const folded = await without.count();
  await fold.press('Enter');
  await expect(fold).toBeHidden();
  await expect(without.first()).toBeFocused();
  expect(await without.count()).toBeGreaterThan(folded);
});

test('an optional dependency is named', async ({ page }) => {
  await page.goto(`${path}#download`);
  await expect(dialog(page).getByText('Optional:').first()).toBeVisible();
});

test('a pair without a build says so and suggests one with a build', async ({ page, request }) => {
  const [newest] = await versionsOf(request);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${path}?version=${newest!.game_versions[0]}&loader=forge#download`);
  await expect(dialog(page).getByText(/^No build for .* with Forge yet/)).toBeVisible();
  await expect(dialog(page).getByRole('radio', { name: 'Forge no build' })).toBeChecked();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await dialog(page)
    .getByRole('button', { name: /^Choose / })
    .first()
    .click();
  await expect(answers(page).first()).toBeFocused();
  const waiting = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await waiting;
  await expect(dialog(page).getByRole('status')).toHaveText(/^Downloading ./);
});

test('options that fail to load show an error, and are requested again', async ({ page }) => {
  await page.route('**/download.part', (route) => route.abort());
  await page.goto(`${path}#download`);
  await expect(dialog(page).getByText('Error loading project data')).toBeVisible();
  await page.unroute('**/download.part');
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(answers(page).first()).toBeVisible();
});

test('the license text is loaded on demand, or shows an error', async ({ page }) => {
  await page.goto(path);
  await page.route('**/v2/tag/license/*', (route) => route.abort());
  const opened = page.getByRole('dialog', { name: 'License' });
  const license = page.getByRole('complementary').getByRole('button', { name: 'MPL-2.0' });
  await license.click();
  await expect(opened.getByText('License text could not be retrieved')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.unroute('**/v2/tag/license/*');
  await license.click();
  await expect(opened.getByRole('heading', { name: 'Mozilla Public License 2.0' })).toBeVisible();
});
