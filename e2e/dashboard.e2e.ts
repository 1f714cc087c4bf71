import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from 'playwright/test';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

/** What a person hears of and decides in the dashboard, and what ends with the account. */
const password = 'Seven flat stones in a row';
const unique = () => Math.random().toString(36).slice(2, 9);

/** A new account, signed in without showing a page. */
async function newcomer(page: Page): Promise<string> {
  const username = `fern-${unique()}`;
  const data = { username, email: `${username}@example.test`, password, confirm_password: password };
  const answer = await page.request.post('/_internal/auth/sign-up', { data });
  expect(answer.status(), await answer.text()).toBe(200);
  return username;
}

/** Invites an account to the team of a project. */
async function invite(page: Page, { slug, token }: ProjectFixture, username: string): Promise<void> {
  const headers = { authorization: token };
  const project = await (await page.request.get(`/v2/project/${slug}`, { headers })).json();
  const user = await (await page.request.get(`/v2/user/${username}`)).json();
  const data = { user_id: user.id, role: 'Tester', permissions: 0, payouts_split: 0, ordering: 0 };
  const answer = await page.request.post(`/v2/team/${project.team}/members`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(204);
}

test('an invitation is counted in the bar, accepted in the list, and kept in the history', async ({
  page,
}) => {
  const project = await projectFixture(page.request, 'fern', {});
  const username = await newcomer(page);
  await invite(page, project, username);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: username })).toBeVisible();
  await expect(page.getByRole('link', { name: /1 unread/ }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Open notifications' }).click();
  await page.getByRole('button', { name: `Accept the invitation to Made ${project.slug}` }).click();
  await expect(page.getByText('You have joined the project team')).toBeVisible();
  const team = await (await page.request.get(`/v2/project/${project.slug}/members`)).json();
  expect(team.map((member: { user: { username: string } }) => member.user.username)).toContain(username);
  await page.goto('/dashboard/notifications/history');
  await expect(page.getByText(`Made ${project.slug}`)).toBeVisible();
});

test('what is heard of, and where, is chosen and undone', async ({ page }) => {
  await newcomer(page);
  await page.goto('/settings/notifications');
  const mail = page.getByRole('combobox', { name: 'By email' }).first();
  await expect(mail).toHaveValue('off');
  await mail.selectOption('weekly');
  await page.getByLabel('Fabric', { exact: true }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/saved=1/);
  await page.goto('/settings/notifications');
  await expect(mail).toHaveValue('weekly');
  await expect(page.getByLabel('Fabric', { exact: true })).toBeChecked();
});

test('everything stored about a person is a file, made in the background', async ({ page }) => {
  const username = await newcomer(page);
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const download = page.getByRole('link', { name: 'Download' });
  await expect(async () => {
    await page.goto('/settings/account');
    await expect(download).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(data.user).toMatchObject({ username });
  expect(JSON.stringify(data)).not.toContain('argon2');
});

test.describe('on a phone without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('an invitation is declined, and everything is marked as read', async ({ page }) => {
    const project = await projectFixture(page.request, 'moss', {});
    await invite(page, project, await newcomer(page));
    await page.goto('/dashboard/notifications');
    await page.getByRole('button', { name: `Decline the invitation to Made ${project.slug}` }).click();
    await expect(page.getByText('You have declined the team invitation')).toBeVisible();
    await page.goto('/dashboard/notifications');
    await expect(page.getByText('You’re all caught up')).toBeVisible();
  });

  test('an account is deleted after its name was typed', async ({ page }) => {
    const username = await newcomer(page);
    await page.goto('/settings/account');
    await page.getByRole('link', { name: 'Delete account…' }).click();
    await page.getByLabel('Type your username to confirm').fill('somebody-else');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    expect((await page.request.get(`/v2/user/${username}`)).status()).toBe(200);
    await page.getByLabel('Type your username to confirm').fill(username);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
    expect((await page.request.get(`/v2/user/${username}`)).status()).toBe(404);
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/auth\/sign-in/);
  });
});
