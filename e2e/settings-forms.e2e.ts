import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { projectTypes } from '../db/catalogue/tags/rules.ts';
import { axeFinds } from './axe.ts';
import { main, title } from './buyer.ts';
import { withDatabase } from './database.ts';
import { signedInNewcomer } from './newcomer.ts';

/** Settings that save something: the profile, tokens; the bar for unsaved changes. */
const save = (page: Page) => main(page).getByRole('button', { name: 'Save', exact: true });
const reset = (page: Page) => main(page).getByRole('button', { name: 'Reset' });
const bar = (page: Page) => page.locator('[data-unsaved]');
const unsaved = (page: Page) => page.getByRole('status').filter({ hasText: 'Unsaved changes' });
const about = (page: Page) => page.getByLabel('About you');

test('a profile is changed, saved, undone, and nobody leaves it unasked', async ({ page }) => {
  const { username } = await signedInNewcomer(page);
  await page.goto('/settings/profile');
  await expect(title(page)).toHaveText('Profile');
  await expect(unsaved(page)).toHaveCount(0);

  await about(page).fill('I stack stones.');
  await expect(unsaved(page)).toBeVisible();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(bar(page)).toBeInViewport();
  }
  await expect(page.locator('[data-preview=bio]')).toHaveText('I stack stones.');
  expect(await axeFinds(page)).toEqual([]);

  const asked = page.waitForEvent('dialog');
  const left = page.evaluate(() => location.assign('/settings'));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await left.catch(() => {});
  await expect(about(page)).toHaveValue('I stack stones.');

  await reset(page).click();
  await expect(about(page)).toHaveValue('');
  await expect(unsaved(page)).toHaveCount(0);

  await about(page).fill('I stack stones.');
  await about(page).press('Control+s');
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await expect(about(page)).toHaveValue('I stack stones.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(about(page)).toHaveValue('');

  await page.getByLabel('Username').fill('has space');
  await save(page).click();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Use up to 39 letters/);
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.getByLabel('Username').fill(`${username}-2`);
  await save(page).click();
  const profile = page.getByRole('link', { name: 'View your profile' });
  await expect(profile).toHaveAttribute('href', `/user/${username}-2`);
  await profile.click();
  await expect(title(page)).toHaveText(`${username}-2`);
  await page.getByRole('link', { name: 'Edit profile' }).click();
  await expect(title(page)).toHaveText('Profile');
});

test('a picture is cropped by keyboard, saved and removed', async ({ page }) => {
  await signedInNewcomer(page);
  await page.goto('/settings/profile');
  const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#3a6' } })
    .jpeg()
    .toBuffer();
  await page.getByLabel('Avatar').setInputFiles({ name: 'wide.jpg', mimeType: 'image/jpeg', buffer: wide });
  const square = page.getByRole('img', { name: 'This part will be visible' });
  await square.focus();
  await square.press('ArrowRight');
  await square.press('+');
  await page.getByRole('button', { name: 'Save image' }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  const shown = page.locator('.picture .now img');
  await expect(shown).toHaveJSProperty('complete', true);
  const [width, height] = await shown.evaluate((img: HTMLImageElement) => [
    img.naturalWidth,
    img.naturalHeight,
  ]);
  expect(width).toBe(height);
  await page.getByRole('button', { name: 'Remove image' }).click();
  await expect(shown).toHaveCount(0);
});

test('a token is made, shown once, used, edited and revoked', async ({ page, request }) => {
  await signedInNewcomer(page);
  await page.goto('/settings/pats');
  await page.getByRole('link', { name: 'Create token' }).click();
  const create = page.getByRole('button', { name: 'Create token' });
  await create.click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(page.getByText('Choose at least one permission.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('My CI');
  await page.getByLabel('Expires', { exact: true }).selectOption('30');
  await page.getByRole('checkbox', { name: /Publish versions/ }).check();
  await create.click();
  await expect(page).toHaveURL('/settings/pats');
  const secret = (await page.locator('.secret code').textContent()) ?? '';
  expect(secret).toMatch(/^mrp_\w{60}$/);
  expect(await axeFinds(page)).toEqual([]);
  const use = () => request.get('/v3/oauth/authorizations', { headers: { authorization: secret } });
  expect(await (await use()).json()).toMatchObject({ details: { code: 'scope_missing' } });
  await page.reload();
  await expect(page.locator('.secret')).toHaveCount(0);

  await page.getByRole('link', { name: 'Edit My CI' }).click();
  await expect(title(page)).toHaveText('My CI');
  // before the bar lies over whichever boxes are at the bottom of the window
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('checkbox', { name: /Create projects/ }).check();
  await expect(unsaved(page)).toBeVisible();
  await save(page).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /Create projects/ })).toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('checkbox', { name: /Create projects/ })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: /Publish versions/ })).toBeChecked();
  await page.getByRole('link', { name: 'All tokens' }).click();
  await page.getByRole('button', { name: 'Revoke My CI' }).click();
  await expect(page.getByText('Token revoked')).toBeVisible();
  expect(await (await use()).json()).toMatchObject({ details: { code: 'token_invalid' } });
});

/** The pages of a project's settings that end with the bar to save. */
const screens = [
  'general',
  'description',
  'disclosures',
  'environment',
  'license',
  'links',
  'tags',
  'analytics',
];

test('a form that nobody touched says of no kind of project that something is unsaved', async ({ page }) => {
  await signedInNewcomer(page);
  const own = { 'sec-fetch-site': 'same-origin' };
  const make = async (what: string, data: object): Promise<string> => {
    const answer = await page.request.post(`/_internal/create/${what}`, { data, headers: own });
    expect(answer.status()).toBe(200);
    return (await answer.json()).to;
  };
  const paths = ['/settings/profile', '/settings/notifications', '/settings/pats/new'];
  for (const type of projectTypes) {
    const draft = { type, name: `Untouched ${type} ${Date.now()}`, summary: 'Nothing was said about it' };
    const at = (await make('project', draft)).replace('/version/create', '/settings');
    paths.push(...screens.map((screen) => `${at}/${screen}`));
  }
  paths.push(`${await make('collection', { name: 'Untouched shelf' })}/edit`);
  const dirty: string[] = [];
  let bars = 0;
  for (const path of paths) {
    await page.goto(path);
    bars += await bar(page).count();
    if ((await page.locator('[data-unsaved][data-dirty]').count()) > 0) dirty.push(path);
  }
  expect(dirty).toEqual([]);
  expect(bars).toBeGreaterThan(projectTypes.length * 6);
});

test('an address that waits for its link is said on every page, and what was refused goes on once it is verified', async ({
  page,
}) => {
  const { username } = await signedInNewcomer(page);
  const verify = (is_verified: boolean) =>
    withDatabase((sql) => sql`update users set email_verified = ${is_verified} where username = ${username}`);
  await verify(false);
  await page.goto('/mods');
  const banner = page.locator('.unverified');
  await expect(banner).toContainText(`${username}@`);
  await banner.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('Email sent')).toBeVisible();
  await expect(page).toHaveURL('/mods');

  await page.goto('/organization/new');
  await expect(banner).toBeHidden(); // the form says it itself
  await page.getByLabel('Name', { exact: true }).fill(`Verified ${username}`);
  await page.getByLabel('Description').fill('We wait for a mail.');
  await main(page).getByRole('button', { name: 'Create organization' }).click();
  const step = page.getByRole('alert').getByRole('link', { name: 'Verify address' });
  await expect(step).toHaveAttribute('href', /^\/auth\/verify-email\?redirect=/);
  // the link of the mail was opened in another tab
  await verify(true);
  await page.evaluate(() => setTimeout(() => dispatchEvent(new Event('focus')), 5500));
  await expect(page).toHaveURL(/\/organization\/verified-/);
});
