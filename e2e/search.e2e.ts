import { expect, type Page, test } from 'playwright/test';

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true });
const check = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const found = (page: Page) => page.getByRole('status');
const names = (page: Page) => page.getByRole('listitem').getByRole('heading', { level: 3 });

/** A search page whose script is loaded. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('form[data-live]').waitFor();
}

test('a search works by keyboard alone, back and forth', async ({ page }) => {
  await open(page, '/mods');
  await page.keyboard.press('/');
  await page.keyboard.type('lantern');
  await expect(found(page)).toHaveText('1 mod');
  await expect(page).toHaveURL('/mods?q=lantern');
  await expect(page).toHaveTitle('lantern - Mods - Cairn');
  await expect(box(page)).toBeFocused();
  const shaders = page.getByRole('navigation', { name: 'Kind' }).getByRole('link', { name: 'Shaders' });
  await expect(shaders).toHaveAttribute('href', /\/shaders\?q=lantern$/);
  await box(page).fill('');
  await expect(found(page)).not.toHaveText('1 mod');

  const link = (place: number) => names(page).nth(place).getByRole('link').first();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(link(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const title = (await link(0).textContent())!;
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await page.goBack();
  await expect(names(page).first()).toContainText(title);
});

test('everything can be excluded, and focus moves from a removed chip to the next', async ({ page }) => {
  await open(page, '/mods');
  await check(page, 'Fabric').check();
  await check(page, 'Leave out Forge').check({ force: true }); // visible on hover
  await check(page, 'Leave out 1.20.1').check({ force: true });
  await check(page, 'Leave out Server').check({ force: true });
  await expect(page).toHaveURL('/mods?g=fabric&ng=forge&nv=1.20.1&ne=server');
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
  await expect(chips).toHaveText(['Fabric', 'not 1.20.1', 'not Forge', 'not Server', 'Clear all']);
  await page.getByRole('link', { name: 'Remove not 1.20.1' }).focus();
  await page.keyboard.press('Enter');
  await expect(chips).toHaveCount(4);
  await expect(page.getByRole('link', { name: 'Remove not Forge' })).toBeFocused();
  await expect(check(page, 'Leave out 1.20.1')).not.toBeChecked();
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/mods');
  await page.goBack();
  await expect(page).toHaveURL('/mods?g=fabric&ng=forge&ne=server');
  await expect(check(page, 'Leave out Server')).toBeChecked();
  await expect(chips).toHaveText(['Fabric', 'not Forge', 'not Server', 'Clear all']);
});

test('all versions can be listed and filtered', async ({ page }) => {
  await open(page, '/mods');
  await expect(check(page, '26.3-snapshot-9')).toHaveCount(0);
  await check(page, 'Show all versions').check();
  await page.getByRole('searchbox', { name: 'Find a version' }).fill('26.3-snap');
  await check(page, '26.3-snapshot-9').check();
  await expect(page).toHaveURL('/mods?v=26.3-snapshot-9&h=1');
  await check(page, 'Show all versions').uncheck();
  await expect(check(page, '26.3-snapshot-9')).toBeChecked();
  await page.reload();
  await expect(check(page, '26.3-snapshot-9')).toBeChecked();
});

test('a view is remembered per type, with its own page sizes', async ({ page }) => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const sizes = page.getByRole('combobox', { name: 'Show' }).getByRole('option');
  const pictures = page.getByRole('listitem').locator('.shot');
  await open(page, '/mods');
  await expect(button('List')).toHaveAttribute('aria-pressed', 'true');
  await expect(pictures.first()).toBeHidden();
  await button('Gallery').click();
  await expect(pictures.first()).toBeVisible();
  await expect(sizes).toHaveText(['6', '10', '16', '20', '50', '100']);
  await button('Grid').click();
  await expect(sizes).toHaveText(['6', '12', '18', '24', '48', '96']);
  await expect(page).toHaveURL('/mods?m=18');
  await expect(names(page)).toHaveCount(18);
  await names(page).first().getByRole('link').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(names(page).nth(1).getByRole('link').first()).toBeFocused();

  await open(page, '/shaders');
  await expect(button('Gallery')).toHaveAttribute('aria-pressed', 'true');
  await open(page, '/mods');
  await expect(button('Grid')).toHaveAttribute('aria-pressed', 'true');
});

test('changing the page scrolls to the top, going back restores the position', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await open(page, '/mods?s=newest');
  const height = () => page.evaluate(() => Math.round(scrollY));
  const next = page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Page 2', exact: true });
  await next.scrollIntoViewIfNeeded();
  const before = await height();
  expect(before).toBeGreaterThan(300);
  await next.click();
  await expect(page.getByText(/^21 to 40 of/)).toBeVisible();
  await expect.poll(height).toBeLessThan(before);
  await expect(page.getByRole('heading', { name: 'Results' })).toBeFocused();
  await page.goBack();
  await expect(page.getByText(/^1 to 20 of/)).toBeVisible();
  await expect.poll(height).toBeGreaterThan(before - 100);
});

test('a search without results suggests what to remove and what that gives', async ({ page }) => {
  await open(page, '/mods?q=lanternroot&g=rift');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  const ways = page.getByRole('list', { name: 'What to take away' }).getByRole('link');
  await expect(ways).toHaveText(['Without Rift 1 mod']);
  await ways.first().click();
  await expect(page).toHaveURL('/mods?q=lanternroot');
  await expect(found(page)).toHaveText('1 mod');

  await open(page, '/plugins?q=lanternroot');
  await page.getByRole('link', { name: '1 mod', exact: true }).click();
  await expect(page).toHaveURL('/mods?q=lanternroot');
});

test('invalid parts of an address are named, with a suggestion', async ({ page }) => {
  await open(page, '/mods?f=mobs&nf=mobs&f=cheese&colour=red');
  await expect(page.getByText('Not known here and ignored: colour=red and f=cheese')).toBeVisible();
  await page.getByRole('link', { name: 'Want it instead' }).click();
  await expect(page).toHaveURL('/mods?f=mobs');
  await expect(check(page, 'Mobs')).toBeChecked();
  await expect(page.getByText('Not known here')).toBeHidden();
});

test('offline, the old results stay, and the search continues by itself', async ({ page }) => {
  await open(page, '/mods');
  const before = await found(page).textContent();
  // the code of the results is requested only now: it is tried twice while offline
  const lost = page.evaluate(
    () => new Promise((told) => document.addEventListener('astro:hydration-error', told, { once: true })),
  );
  await page.context().setOffline(true);
  await box(page).fill('lantern');
  await expect(
    page.getByRole('alert').getByText(/^No connection\. What you see is from before/),
  ).toBeVisible();
  await expect(found(page)).toHaveText(before!);
  await expect(names(page)).toHaveCount(20);
  await lost;
  await page.context().setOffline(false);
  await expect(found(page)).toHaveText('1 mod');
  await expect(page.getByText(/^No connection/)).toBeHidden();

  await page.route('**/found/**', (route) => route.fulfill({ status: 500, body: '' }));
  await box(page).fill('nightjar');
  await expect(page.getByText(/^The search did not answer/)).toBeVisible();
  await page.unroute('**/found/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Nightjar' })).toBeVisible();
  await expect(page).toHaveURL('/mods?q=nightjar');
});

test('an image that fails to load keeps its space with a placeholder', async ({ page }) => {
  await page.route('**/data/**', (route) => route.abort());
  await open(page, '/shaders');
  const first = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3 }) })
    .first();
  await expect(first.locator('.shot.none')).toBeVisible();
  await expect(first.locator('.pic.none')).toBeVisible();
});
