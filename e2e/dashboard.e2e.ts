import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from 'playwright/test';
import { type Account, signInAs } from './accounts.ts';
import { newcomerWithPassword, signedInNewcomer } from './newcomer.ts';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

/** An invitation in the dashboard, and the file of everything that is stored about a person. */

/** Invites an account to the team of a project. */
async function invite(page: Page, { slug, token }: ProjectFixture, { id: user_id }: Account): Promise<void> {
  const headers = { authorization: token };
  const project = await (await page.request.get(`/v2/project/${slug}`, { headers })).json();
  const data = { user_id, role: 'Tester', permissions: 0, payouts_split: 0, ordering: 0 };
  const answer = await page.request.post(`/v2/team/${project.team}/members`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(204);
}

test('an invitation is counted in the bar, accepted in the list, and kept in the history', async ({
  page,
}) => {
  const project = await projectFixture(page.request, 'fern', {});
  const invited = await signedInNewcomer(page);
  const { username } = invited;
  await invite(page, project, invited);
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

test('everything stored about a person is a file, made in the background', async ({ page }) => {
  const { username } = await newcomerWithPassword();
  await signInAs(page, username);
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
