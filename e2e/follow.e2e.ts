import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { demoAccounts, demoPassword } from '../db/seed/demo.ts';

/** A project in the middle, which no other test follows or counts. */
async function quiet(request: APIRequestContext, place: number) {
  const answer = await request.get(`/v2/search?index=downloads&limit=1&offset=${150 + place}`);
  const { hits } = (await answer.json()) as { hits: Array<{ slug: string; title: string }> };
  const { slug, title } = hits[0]!;
  return { path: `/project/${slug}`, api: `/v2/project/${slug}`, title };
}

const followers = async (request: APIRequestContext, api: string): Promise<number> =>
  ((await (await request.get(api)).json()) as { followers: number }).followers;
const button = (page: Page) => page.getByRole('button', { name: 'Follow', exact: true });
/** Waits until the page knows who looks. */
const known = async (page: Page) =>
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeHidden();
const written = (count: number) => `${count.toLocaleString('en-US')} follower${count === 1 ? '' : 's'}`;

async function signIn(page: Page, account: number): Promise<void> {
  await page.getByLabel('E-mail or username').fill(demoAccounts[account]!);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('whoever is not signed in is led to sign in and back, then follows by keyboard', async ({
  page,
  request,
}) => {
  const { path, api, title } = await quiet(request, 0);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  const here = page.url();
  await button(page).click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
  await signIn(page, 0);
  await expect(page).toHaveURL(here);

  const before = await followers(request, api);
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByTitle(written(before), { exact: true })).toBeVisible();
  await known(page);
  await button(page).focus();
  await page.keyboard.press('Enter');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByTitle(written(before + 1), { exact: true })).toBeVisible();
  await expect.poll(() => followers(request, api)).toBe(before + 1);

  await page.reload();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await button(page).focus();
  await page.keyboard.press('Space');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => followers(request, api)).toBe(before);
});

test('a follow that did not reach the server is undone and said', async ({ page, request }) => {
  const { path, api } = await quiet(request, 1);
  await page.goto('/auth/sign-in?redirect=/');
  await signIn(page, 1);
  await expect(page).toHaveURL('/');
  await page.goto(path);
  await known(page);
  const before = await followers(request, api);
  await page.route('**/v2/project/*/follow', (route) => route.abort());
  await button(page).click();
  await expect(page.getByText('This did not work')).toBeVisible();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByTitle(written(before), { exact: true })).toBeVisible();
  expect(await followers(request, api)).toBe(before);
});
