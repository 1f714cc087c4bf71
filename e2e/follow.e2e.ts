import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { messages } from '#content/messages.ts';
import { axeFinds } from './axe.ts';
import { newcomerWithPassword, signedInNewcomer } from './newcomer.ts';
import { slowEvenings } from './pages.ts';

/** A project from the middle of the list, which no other test follows or counts. */
async function quiet(request: APIRequestContext, place: number) {
  const answer = await request.get(`/v2/search?index=downloads&limit=1&offset=${150 + place}`);
  const { hits } = (await answer.json()) as { hits: Array<{ slug: string }> };
  const { slug } = hits[0]!;
  return { path: `/project/${slug}`, api: `/v2/project/${slug}` };
}

const followers = async (request: APIRequestContext, api: string): Promise<number> =>
  ((await (await request.get(api)).json()) as { followers: number }).followers;
const button = (page: Page) => page.getByRole('button', { name: 'Follow', exact: true });
/** Waits until the page knows the current user. */
const known = async (page: Page) => await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
const written = (count: number) => `${count.toLocaleString('en-US')} follower${count === 1 ? '' : 's'}`;

test('a follow by a visitor is done after sign-in, and unfollowed by keyboard', async ({ page, request }) => {
  const { path, api } = await quiet(request, 0);
  const { username, password } = await newcomerWithPassword();
  await page.goto(path);
  await known(page);
  const before = await followers(request, api);
  const here = page.url();
  await button(page).click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(here);

  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('listitem').filter({ hasText: 'Project followed' })).toBeVisible();
  await expect(page.getByTitle(written(before + 1), { exact: true })).toBeVisible();
  await expect.poll(() => followers(request, api)).toBe(before + 1);

  await page.reload();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await button(page).focus();
  await page.keyboard.press('Space');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => followers(request, api)).toBe(before);
});

test('a person is followed on their profile, and unfollowed in the list', async ({ page }) => {
  await signedInNewcomer(page);
  await page.goto('/user/mirelle');
  await known(page);
  await button(page).click();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await page.goto('/collection/following');
  await page.getByRole('button', { name: 'Unfollow mirelle' }).click();
  await expect(page.getByRole('heading', { name: 'Followed people' })).toHaveCount(0);
  await page.goto('/user/mirelle');
  await known(page);
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
});

test('a project is added to a new collection and removed again, after signing in', async ({
  page,
  request,
}) => {
  const { path } = await quiet(request, 2);
  const saved = page.getByLabel('Save to collection');
  await page.goto(path);
  await known(page);
  const here = new URL(page.url()).pathname;
  await saved.click();
  await expect(page).toHaveURL(`/auth/sign-in?redirect=${encodeURIComponent(here)}`);
  const { username } = await signedInNewcomer(page);
  await page.goto(here);
  await saved.click();
  await expect(page.getByText('You don’t have any collections yet')).toBeVisible();
  await page.getByRole('textbox', { name: 'Collection name' }).fill('Quiet places');
  await page.keyboard.press('Enter');
  const box = page.getByRole('checkbox', { name: 'Quiet places' });
  await expect(box).toBeChecked();
  const held = async () => {
    const answer = await page.request.get(`/v3/user/${username}/collections`);
    return ((await answer.json()) as Array<{ projects: string[] }>).map(({ projects }) => projects.length);
  };
  await expect.poll(held).toEqual([1]);
  await box.uncheck();
  await expect.poll(held).toEqual([0]);
  await page.reload();
  await saved.click();
  await expect(box).not.toBeChecked();
});

test('a failed follow is reverted with a message, and can be tried again', async ({ page, request }) => {
  const { path, api } = await quiet(request, 1);
  await signedInNewcomer(page);
  await page.goto(path);
  await known(page);
  const before = await followers(request, api);
  await page.route('**/v2/project/*/follow', (route) => route.abort());
  await button(page).click();
  const toast = page.getByRole('listitem').filter({ hasText: 'An error occurred' });
  await expect(toast).toContainText('offline');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByTitle(written(before), { exact: true })).toBeVisible();
  expect(await followers(request, api)).toBe(before);
  await page.unroute('**/v2/project/*/follow');
  await toast.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => followers(request, api)).toBe(before + 1);
  await expect(toast).toHaveCount(0);
  await button(page).click();
  await expect.poll(() => followers(request, api)).toBe(before);
});

test('a refused write says why in the language of the page', async ({ page, request }) => {
  const { path } = await quiet(request, 3);
  const { t } = messages('de-DE');
  await signedInNewcomer(page);
  await page.goto(`${path}?hl=de-DE`);
  await known(page);
  // the project is gone by the time of the click
  await page.route('**/v2/project/*/follow', (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/project\/\w+/, 'project/AABBCCDD'),
    }),
  );
  await page.getByRole('button', { name: t('project.follow'), exact: true }).click();
  const toast = page.getByRole('listitem').filter({ hasText: t('shell.problem_title') });
  await expect(toast).toContainText(t('error.project_unknown'));
  await expect(toast.getByRole('button', { name: t('shell.again') })).toBeHidden();
});

test('a session that has ended leads from a follow to sign-in', async ({ page, request }) => {
  const { path } = await quiet(request, 4);
  await signedInNewcomer(page);
  await page.goto(path);
  await known(page);
  await page.context().clearCookies();
  await button(page).click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
  // whoever comes back without signing in follows nothing later
  await page.goto(path);
  await known(page);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('follow'))).toBeNull();
});

test('any card is put into a collection and taken out again', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const asked: string[] = [];
  page.on('request', (one) => asked.push(new URL(one.url()).pathname));
  const chooser = page.getByRole('dialog', { name: /^Save .* to a collection$/ });
  const bookmark = page.getByRole('button', { name: /^Save .* to a collection$/ }).first();
  const boxOf = (name: string) => chooser.getByRole('checkbox', { name });
  await page.goto('/mods?q=lantern');
  await known(page);
  expect(asked.filter((one) => one.includes('chooser'))).toEqual([]);
  await bookmark.click();
  await expect(page).toHaveURL(`/auth/sign-in?redirect=${encodeURIComponent('/mods?q=lantern')}`);
  await signedInNewcomer(page);
  await page.goto('/mods?q=lantern');

  await bookmark.focus();
  await page.keyboard.press('Enter');
  await expect(chooser.getByText('You don’t have any collections yet')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await chooser.getByRole('textbox', { name: 'Collection name' }).fill('Lights');
  await page.keyboard.press('Enter');
  await expect(boxOf('Lights')).toBeChecked();
  await expect(boxOf('Lights')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(chooser.getByRole('status')).toContainText('Removed from');
  await chooser.getByRole('button', { name: 'Undo' }).click();
  await expect(chooser.getByRole('status')).toContainText('Added to');
  await expect(boxOf('Lights')).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(chooser).toBeHidden();
  await expect(bookmark).toBeFocused();
  await page.reload();
  await expect(bookmark.locator('.i')).not.toHaveCSS('fill', 'none');

  for (const [path, width] of [
    ['/', 1280],
    ['/user/mirelle', 390],
    ['/organization/stonewrights', 1280],
    [slowEvenings, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    await bookmark.click();
    await expect(boxOf('Lights')).toBeVisible();
    await page.keyboard.press('Escape');
  }
});

test('a card and a follow that are pressed before their scripts have come are done when they come', async ({
  page,
  request,
}) => {
  const { path, api } = await quiet(request, 5);
  await signedInNewcomer(page);
  let release = () => {};
  const hold = async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.unroute('**/_astro/*.js');
    await page.route('**/_astro/*.js', async (route) => {
      await held;
      await route.continue();
    });
  };
  await hold();
  await page.goto('/mods?q=lantern', { waitUntil: 'commit' });
  const bookmark = page.getByRole('button', { name: /^Save .* to a collection$/ }).first();
  await bookmark.focus();
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByRole('dialog', { name: /^Save .* to a collection$/ })).toBeVisible();

  const before = await followers(request, api);
  await hold();
  await page.goto(path, { waitUntil: 'commit' });
  await button(page).focus();
  await page.keyboard.press('Enter');
  release();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => followers(request, api)).toBe(before + 1);
});
