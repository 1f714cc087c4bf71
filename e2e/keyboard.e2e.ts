import { expect, test } from 'playwright/test';

// shimmering skeletons keep a machine without a GPU busy
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a menu closes when the focus leaves it', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByText('Discover').focus();
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('link', { name: 'Shaders' })).toBeVisible();
  for (let step = 0; step < 7; step++) await page.keyboard.press('Tab');
  await expect(menu.getByRole('link', { name: 'Shaders' })).toBeHidden();
  await expect(menu.getByRole('link', { name: 'Servers' })).toBeFocused();
});

test('the filter sheet traps the focus until it closes, and restores it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/mods');
  await page.locator('form[data-live]').waitFor();
  const opener = page.getByRole('button', { name: 'Filters', exact: true });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Close filters' })).toBeFocused();
  const behind = page.getByRole('searchbox', { name: 'Search', exact: true });
  await behind.evaluate((box) => box.focus());
  await expect(behind).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await behind.evaluate((box) => box.focus());
  await expect(behind).toBeFocused();
});

test('a tooltip opens on focus and hover, and closes with Escape', async ({ page }) => {
  await page.goto('/dev/ui');
  const tip = page.getByRole('tooltip').and(page.locator('#tip'));
  const idle = page.getByRole('button', { name: 'Not yet' });
  await page.keyboard.press('Tab');
  await idle.focus();
  await expect(tip).toHaveText('Add a version before you submit');
  await expect(idle).toHaveAccessibleDescription('Add a version before you submit');
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await expect(idle).toBeFocused();

  const number = page.getByRole('button', { name: '2.31M' });
  await number.hover();
  await expect(tip).toHaveText('2,314,882 downloads');
  await tip.hover();
  await expect(tip).toBeVisible();
  await page.getByRole('heading', { name: 'Menu and tooltip' }).hover();
  await expect(tip).toHaveCount(0);
});

test('a tooltip goes when the menu of its button opens', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  const tip = page.getByRole('tooltip').and(page.locator('#tip'));
  const more = page.getByRole('main').getByLabel('More', { exact: true });
  await more.hover();
  await expect(tip).toHaveText('More');
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Share' })).toBeVisible();
  await expect(tip).toHaveCount(0);
});

test('a dialog traps the focus, closes in every way and restores the focus', async ({ page }) => {
  await page.goto('/dev/ui');
  const opener = page.getByRole('button', { name: 'Restore a backup' });
  const dialog = page.getByRole('dialog', { name: 'Restore “Before the flood”?' });
  const close = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Keep things as they are' }).click(),
    () => page.mouse.click(5, 5),
  ];
  for (const way of close) {
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await way();
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('a combobox filters a long list by typing, and restores the previous choice', async ({ page }) => {
  await page.goto('/dev/ui');
  // the select that it replaces has this role too
  const box = page.getByRole('combobox', { name: 'Combobox' }).and(page.locator('input'));
  const options = page.getByRole('listbox', { name: 'Combobox' }).getByRole('option');
  await expect(box).toHaveValue('MIT');
  await box.fill('cc');
  await expect(options).toHaveText(['CC-BY-4.0', 'CC0-1.0']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('CC0-1.0');
  await box.fill('cc');
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('CC-BY-4.0');
  await box.fill('cc0');
  await page.keyboard.press('Enter');
  await expect(options).toHaveCount(0);
  await box.fill('no licence of that name');
  await expect(options).toHaveText(['No matches']);
  await page.keyboard.press('Escape');
  await expect(box).toHaveValue('CC0-1.0');
});

test('nothing moves with reduced motion, and states are distinguishable with forced colors', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/dev/ui');
  await expect(page.getByRole('combobox', { name: 'Combobox' })).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  const ground = async (role: 'switch' | 'checkbox' | 'radio', name: string) =>
    await page
      .getByRole(role, { name, exact: true })
      .evaluate((one) => getComputedStyle(one).backgroundColor);
  // a frame painted during the change of media may still have the old colors
  const differ = async (role: 'switch' | 'checkbox' | 'radio', one: string, other: string) =>
    await expect.poll(async () => (await ground(role, one)) !== (await ground(role, other))).toBe(true);
  await differ('switch', 'On', 'Off');
  await differ('checkbox', 'Checked', 'Open');
  await differ('radio', 'One', 'Other');
  const tabs = page.getByRole('navigation', { name: 'Parts of a project' });
  const under = async (name: string) =>
    await tabs.getByRole('link', { name }).evaluate((tab) => getComputedStyle(tab).borderBlockEndColor);
  expect(await under('Description')).not.toBe(await under('Gallery'));
});
