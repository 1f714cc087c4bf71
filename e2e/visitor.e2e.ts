import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from 'playwright/test';

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true });

test('a visitor finds a project by part of its name, reads it and downloads it byte for byte', async ({
  page,
  request,
}) => {
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search projects' }).fill('lanternr');
  await page.getByRole('option', { name: /^Lanternroot/ }).click();
  await expect(page).toHaveURL('/mod/lanternroot');
  await expect(page.getByRole('heading', { name: 'Lanternroot', level: 1 })).toBeVisible();
  await expect(page.getByRole('complementary').getByText('MPL-2.0')).toBeVisible();

  await page.getByRole('link', { name: 'Download', exact: true }).click();
  const waiting = page.waitForEvent('download');
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Download/ })
    .first()
    .click();
  const download = await waiting;
  const bytes = await readFile(await download.path());
  const [newest] = (await (await request.get('/v2/project/lanternroot/version')).json()) as Array<{
    files: Array<{ filename: string; size: number; hashes: { sha512: string } }>;
  }>;
  const [file] = newest!.files;
  expect(download.suggestedFilename()).toBe(file!.filename);
  expect(bytes.length).toBe(file!.size);
  expect(createHash('sha512').update(bytes).digest('hex')).toBe(file!.hashes.sha512);
});

test('the results on the home page are above everything else', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search projects' }).fill('stone');
  const last = page.getByRole('listbox').getByRole('option').last();
  await expect(last).toBeVisible();
  const onTop = await last.evaluate((link) => {
    const { x, y, width, height } = link.getBoundingClientRect();
    return link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(onTop).toBe(true);
});

test('results follow typing and filters, and so does the address', async ({ page }) => {
  await page.goto('/mods');
  await searchBox(page).fill('lanternroot');
  await expect(page).toHaveURL('/mods?q=lanternroot');
  await expect(page.getByRole('status')).toHaveText('1 mod');
  await expect(searchBox(page)).toBeFocused();

  await searchBox(page).fill('');
  await expect(page.getByRole('status')).toHaveText(/^\d+ mods$/);
  await page.getByRole('checkbox', { name: 'Forge', exact: true }).check();
  await expect(page).toHaveURL('/mods?g=forge');
  await expect(page.getByRole('link', { name: 'Lanternroot' })).toBeHidden();
  await page.getByRole('link', { name: 'Remove Forge', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Lanternroot' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Forge', exact: true })).not.toBeChecked();

  await page.getByRole('combobox', { name: 'Show' }).selectOption('5');
  await expect(page).toHaveURL('/mods?m=5');
  const first = await page.getByRole('heading', { level: 3 }).first().textContent();
  const second = page.getByRole('link', { name: 'Page 2', exact: true });
  // the address is there before the results, whose links lead to their pages
  await expect(second).toHaveAttribute('href', /m=5/);
  await second.click();
  await expect(page).toHaveURL('/mods?m=5&page=2');
  await expect(page.getByRole('heading', { level: 3 }).first()).not.toHaveText(first!);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText(first!);
  await page.reload();
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText(first!);
});

test('excluded values are excluded', async ({ page }) => {
  await page.goto('/mods');
  await page.getByRole('checkbox', { name: 'Exclude Mobs' }).check({ force: true });
  await expect(page).toHaveURL('/mods?nf=mobs');
  await expect(page.getByRole('link', { name: 'Remove not Mobs' })).toHaveText('not Mobs');
  await expect(page.getByRole('link', { name: 'Lanternroot' })).toBeHidden();
  await page.getByRole('checkbox', { name: 'Mobs', exact: true }).check();
  await expect(page).toHaveURL('/mods?f=mobs');
  await expect(page.getByRole('link', { name: 'Lanternroot' })).toBeVisible();
});

test('the theme button toggles light and dark, and the choice is kept', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).colorScheme);
  await page.goto('/mods');
  expect(await ground()).toBe('dark');
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect.poll(ground).toBe('light');
  await page.goto('/mod/lanternroot');
  expect(await ground()).toBe('light');
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await page.reload();
  expect(await ground()).toBe('dark');
});

test('everything is reachable without a mouse', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Mods' })).toBeFocused();

  await page.keyboard.press('/');
  await page.keyboard.type('nightjar');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/mods\?q=nightjar/);
  const link = page.getByRole('link', { name: 'Nightjar' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nightjar', level: 1 })).toBeVisible();

  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByText('Discover').focus();
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('link', { name: 'Shaders' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu.getByRole('link', { name: 'Shaders' })).toBeHidden();
});

test('on a phone the filters are a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/mods');
  await expect(page.getByRole('checkbox', { name: 'Forge', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Forge', exact: true }).check();
  await page.getByRole('button', { name: /^Show \d+ mods?$/ }).click();
  await expect(page.getByRole('checkbox', { name: 'Forge', exact: true })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Remove Forge', exact: true })).toBeVisible();
});
