import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

/** What a follower hears of one project. */
const password = 'Seven flat stones in a row';

async function newcomer(page: Page): Promise<void> {
  const username = `moss-${Math.random().toString(36).slice(2, 9)}`;
  const data = { username, email: `${username}@example.test`, password, confirm_password: password };
  const answer = await page.request.post('/_internal/auth/sign-up', { data });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function follow(page: Page, { slug }: ProjectFixture): Promise<string> {
  const { id } = await (await page.request.get(`/v2/project/${slug}`)).json();
  await page.goto(`/project/${id}`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  return id;
}

test('followers come from the menu of a project to its notifications, by keyboard', async ({ page }) => {
  const project = await projectFixture(page.request, 'heard', {});
  await newcomer(page);
  await page.goto(`/mod/${project.slug}`);
  await page.getByLabel('More', { exact: true }).click();
  const entry = page.getByRole('link', { name: 'Notifications for this project' });
  await expect(page.getByRole('link', { name: 'Report' })).toBeVisible();
  await expect(entry).toBeHidden();
  await follow(page, project);
  await page.getByLabel('More', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(entry).toBeVisible();
  await entry.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/settings\/notifications\/\w+$/);
  await expect(page.getByRole('heading', { name: `Made ${project.slug}` })).toBeVisible();

  await expect(page.getByRole('radio', { name: /As for all projects/ })).toBeChecked();
  await expect(page.getByLabel('Fabric', { exact: true })).toBeHidden();
  await page.getByRole('radio', { name: /As for all projects/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /Only for this project/ })).toBeChecked();
  await page.getByLabel('Fabric', { exact: true }).check();
  await page.getByRole('textbox', { name: 'Game versions' }).fill('1.20.1, 0.0.0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There’s no game version 0.0.0.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Game versions' }).fill('1.20.1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/saved=1/);
  await page.getByRole('link', { name: 'All notification settings' }).click();
  const row = page.getByRole('listitem').filter({ hasText: `Made ${project.slug}` });
  await expect(row).toContainText('Fabric');
  await expect(row).toContainText('1.20.1');
});

test.describe('on a phone without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('a project is muted from the settings, and a mistake is kept beside its field', async ({ page }) => {
    const project = await projectFixture(page.request, 'quiet', {});
    await newcomer(page);
    const { id } = await (await page.request.get(`/v2/project/${project.slug}`)).json();
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await page.request.post(`/v2/project/${id}/follow`, { headers })).status()).toBe(204);
    await page.goto('/settings/notifications');
    await page.getByRole('link', { name: `Change notifications for Made ${project.slug}` }).click();
    await page.getByText('Only for this project').click();
    await page.getByText('Quilt', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Game versions' }).fill('nothing');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('There’s no game version nothing.')).toBeVisible();
    await expect(page.getByLabel('Quilt', { exact: true })).toBeChecked();
    await page.getByText('No news').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Changes saved')).toBeVisible();
    await page.goto('/settings/notifications?page=7');
    await expect(page.getByRole('listitem').filter({ hasText: `Made ${project.slug}` })).toContainText(
      'No news',
    );
    await page.goto(`/settings/notifications/${id}`);
    expect((await page.request.delete(`/v2/project/${id}/follow`, { headers })).status()).toBe(204);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('You aren’t following this project.')).toBeVisible();
    await expect(page).toHaveURL(/\/settings\/notifications\?error=not_following/);
    expect((await page.goto('/settings/notifications/AABBCCDD'))?.status()).toBe(404);
  });
});
