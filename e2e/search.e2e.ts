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
  const shaders = page
    .getByRole('navigation', { name: 'Project types' })
    .getByRole('link', { name: 'Shaders' });
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
  await check(page, 'Exclude Forge').check({ force: true }); // visible on hover
  await check(page, 'Exclude 1.20.1').check({ force: true });
  await check(page, 'Exclude Server').check({ force: true });
  await expect(page).toHaveURL('/mods?g=fabric&ng=forge&nv=1.20.1&ne=server');
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
  await expect(chips).toHaveText(['Fabric', 'not 1.20.1', 'not Forge', 'not Server', 'Clear all']);
  await page.getByRole('link', { name: 'Remove not 1.20.1' }).focus();
  await page.keyboard.press('Enter');
  await expect(chips).toHaveCount(4);
  await expect(page.getByRole('link', { name: 'Remove not Forge' })).toBeFocused();
  await expect(check(page, 'Exclude 1.20.1')).not.toBeChecked();
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/mods');
  await page.goBack();
  await expect(page).toHaveURL('/mods?g=fabric&ng=forge&ne=server');
  await expect(check(page, 'Exclude Server')).toBeChecked();
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

test('a view is remembered per type, and shows the wanted number in full rows', async ({ page }) => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const show = page.getByRole('combobox', { name: 'Show' });
  const sizes = show.getByRole('option');
  const pictures = page.getByRole('listitem').locator('.shot');
  await open(page, '/mods');
  await expect(button('List')).toHaveAttribute('aria-pressed', 'true');
  await expect(pictures.first()).toBeHidden();
  await button('Gallery').click();
  await expect(pictures.first()).toBeVisible();
  await expect(sizes).toHaveText(['6', '12', '18', '24', '48', '96']);
  await expect(names(page)).toHaveCount(18);
  await button('Grid').click();
  await expect(show).toHaveValue('18');
  await expect(names(page)).toHaveCount(18);
  await expect(page).toHaveURL('/mods');
  await names(page).first().getByRole('link').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(names(page).nth(1).getByRole('link').first()).toBeFocused();
  await button('List').click();
  await expect(show).toHaveValue('20');
  await expect(names(page)).toHaveCount(20);
  await expect(page).toHaveURL('/mods');

  // what the visitor chose stays in the address, whatever the view
  await show.selectOption('50');
  await expect(page).toHaveURL('/mods?m=50');
  await button('Grid').click();
  await expect(show).toHaveValue('48');
  await expect(names(page)).toHaveCount(48);
  await expect(page).toHaveURL('/mods?m=50');
  await page.goBack();
  await expect(show).toHaveValue('18');
  await expect(names(page)).toHaveCount(18);

  await open(page, '/shaders');
  await expect(button('Gallery')).toHaveAttribute('aria-pressed', 'true');
  await expect(names(page)).toHaveCount(18);
  await open(page, '/mods');
  await expect(button('Grid')).toHaveAttribute('aria-pressed', 'true');
  await expect(names(page)).toHaveCount(18);
  await expect(page).toHaveURL('/mods');
});

test('on a phone the sheet of filters says how many projects each gives', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // a word that no other test publishes
  await open(page, '/mods?q=wood');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.locator('#filters');
  // excluding needs no hover there, also where a mouse is
  const out = sheet.locator('.filter', { has: check(page, 'Fabric') }).locator('.out');
  await expect(out).toHaveCSS('opacity', '1');
  const { width, height } = (await out.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  const count = await check(page, 'Fabric').evaluate(
    (input) => input.closest('li')!.querySelector('.n')!.textContent,
  );
  await check(page, 'Fabric').check();
  await sheet.getByRole('button', { name: `Show ${count} mods` }).click();
  await expect(sheet).toBeHidden();
  await expect(found(page)).toHaveText(`${count} mods`);
  await expect(page).toHaveURL('/mods?q=wood&g=fabric');
});

test('by keyboard the search comes before the filters, and every filter is one Tab stop', async ({
  page,
}) => {
  await open(page, '/mods');
  const presses = async (until: () => Promise<boolean>): Promise<number> => {
    for (let count = 1; count < 400; count++) {
      await page.keyboard.press('Tab');
      if (await until()) return count;
    }
    return Number.POSITIVE_INFINITY;
  };
  const isFocused = (one: ReturnType<typeof box>) => () => one.evaluate((e) => e === document.activeElement);
  expect(await presses(isFocused(box(page)))).toBeLessThanOrEqual(16);
  const skip = page.getByRole('link', { name: 'Skip filters' });
  expect(await presses(isFocused(skip))).toBeLessThanOrEqual(8);
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  expect(await presses(isFocused(names(page).first().getByRole('link').first()))).toBeLessThanOrEqual(4);

  await check(page, 'Fabric').focus();
  await page.keyboard.press('Tab');
  await expect(check(page, 'Forge')).toBeFocused();
  const keys = () =>
    check(page, 'Exclude Forge').evaluate((box) => getComputedStyle(box.parentElement!, '::after').content);
  expect(await keys()).toBe('"Shift+Space"');
  await page.keyboard.press('Shift+Space');
  await expect(page).toHaveURL('/mods?ng=forge');
  await expect(check(page, 'Forge')).toBeFocused();
  await expect(check(page, 'Forge')).not.toBeChecked();
  await expect(check(page, 'Forge')).toHaveAccessibleDescription(/Excluded\. Shift\+Space/);
  await page.keyboard.press('Space');
  await expect(page).toHaveURL('/mods?g=forge');
  await page.keyboard.press('Delete');
  await expect(page).toHaveURL('/mods?ng=forge');
  await page.keyboard.press('Delete');
  await expect(page).toHaveURL('/mods');
});

test('a typed version is the first of its list, which starts at its top', async ({ page }) => {
  await open(page, '/mods');
  const list = page.locator('#versions');
  await list.evaluate((element) => element.scrollTo(0, 600));
  await page.getByRole('searchbox', { name: 'Find a version' }).fill('1.20');
  await expect(list.getByRole('checkbox').first()).toHaveValue('1.20');
  expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
  await expect(check(page, '1.20')).toBeInViewport();
  // with all versions, too, and without text the order is that of the versions again
  const values = () =>
    list.getByRole('checkbox').evaluateAll((boxes) => boxes.map((one) => (one as HTMLInputElement).value));
  await check(page, 'Show all versions').check();
  await expect(check(page, '1.20.3-rc1')).toBeVisible();
  await expect(list.getByRole('checkbox').first()).toHaveValue('1.20');
  await page.getByRole('searchbox', { name: 'Find a version' }).fill('');
  const all = await values();
  expect(all.indexOf('1.20.3-rc1')).toBeGreaterThan(all.indexOf('1.20.3'));
  expect(all.indexOf('1.20.3-rc1')).toBeLessThan(all.indexOf('1.20.2'));
  await check(page, 'Show all versions').uncheck();
  const newest = await list.getByRole('checkbox').first().getAttribute('value');
  await page.reload();
  await expect(list.getByRole('checkbox').first()).toHaveValue(newest!);
});

test('on a phone the current tab is in view from the start', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/shaders', '/shaders?hl=ar-SA', '/resourcepacks']) {
    await page.goto(path, { waitUntil: 'commit' });
    const tab = page.locator('[data-kinds] [aria-current]');
    await tab.waitFor();
    await expect(tab).toBeInViewport({ ratio: 0.95 });
  }
  // where tabs are cut off they fade
  const fade = () => page.locator('[data-kinds]').evaluate((tabs) => getComputedStyle(tabs).maskImage);
  await page.goto('/mods');
  expect(await fade()).toContain('to right');
  await page.goto('/mods?hl=ar-SA');
  expect(await fade()).toContain('to left');
});

test('nothing is cut off at 320 px, and at 200 % zoom', async ({ page }) => {
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 640, height: 450 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of [
      '/mods',
      '/mods?q=shader',
      `/mods?q=${'x'.repeat(2000)}`,
      '/mods?q=lanternroot&g=rift',
    ]) {
      await open(page, path);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  }
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

test('a suggestion of a search without results is followed in place', async ({ page }) => {
  await open(page, '/mods?q=qqqqqzzzzz');
  const ways = page.getByRole('list', { name: 'Suggestions' }).getByRole('link');
  await expect(ways).toHaveText([/^Clear the search \d+ mods$/]);
  await ways.first().click();
  await expect(page).toHaveURL('/mods');
  await expect(box(page)).toHaveValue('');
  await expect(names(page)).toHaveCount(20);
});

test('Enter in a type without hits leads to the type that has some', async ({ page }) => {
  await open(page, '/plugins');
  await box(page).fill('lanternroot');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mods?q=lanternroot');
  await open(page, '/mods');
  await box(page).fill('shader');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/shaders');
  await page.goBack();
  await expect(page).toHaveURL('/mods?q=shader');
  await expect(page.getByRole('link', { name: /^\d+ shaders$/ })).toHaveAttribute('href', '/shaders');
  // with a filter the type stays
  await open(page, '/plugins?g=paper');
  await box(page).fill('lanternroot');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: '1 mod', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/plugins?q=lanternroot&g=paper');
});

test('tabs count hits while there is a query, all projects else', async ({ page }) => {
  const tab = (name: string) =>
    page
      .getByRole('navigation', { name: 'Project types' })
      .getByRole('link', { name: new RegExp(`^${name}`) });
  await open(page, '/shaders');
  const all = await tab('Shaders').textContent();
  await box(page).fill('lanternroot');
  await expect(tab('Shaders')).toHaveText(/Shaders\s*0/);
  await expect(tab('Mods')).toHaveText(/Mods\s*1/);
  await box(page).fill('');
  await expect(tab('Shaders')).toHaveText(all!);
});

test('each filter says how many projects it gives', async ({ page }) => {
  const total = async () => Number.parseInt((await found(page).textContent())!, 10);
  const count = (name: string) =>
    check(page, name).evaluate((input) => Number(input.closest('li')!.querySelector('.n')!.textContent));
  await open(page, '/mods?q=stone');
  const fabric = await count('Fabric');
  expect(fabric).toBeGreaterThan(0);
  await expect(check(page, 'Fabric')).toHaveAccessibleDescription(
    `${fabric}. Shift+Space or Delete excludes it`,
  );
  await check(page, 'Fabric').check();
  await expect(page).toHaveURL('/mods?q=stone&g=fabric');
  await expect.poll(total).toBe(fabric);
  // an option that gives none is weaker, and still works
  const [none] = await page.locator('.filter.none input[name=f]').all();
  await none!.check();
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Suggestions' }).getByRole('link').first()).toBeVisible();
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
  const trouble = page.locator('[data-trouble].on');
  await expect(trouble).toBeVisible();
  await expect(found(page)).toHaveText(before!);
  await expect(names(page)).toHaveCount(20);
  await lost;
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1); // one message, that of the page
  await page.context().setOffline(false);
  await expect(found(page)).toHaveText('1 mod');
  await expect(trouble).toBeHidden();

  await page.route('**/found/**', (route) => route.fulfill({ status: 500, body: '' }));
  await box(page).fill('nightjar');
  await expect(page.getByText(/^Search isn’t responding/)).toBeVisible();
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
