import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { signedInNewcomer } from './newcomer.ts';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

/** What a follower hears of one project. */
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
  await signedInNewcomer(page);
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

  await expect(page.getByRole('radio', { name: /Same as for all projects/ })).toBeChecked();
  await expect(page.getByLabel('Fabric', { exact: true })).toBeHidden();
  await page.getByRole('radio', { name: /Same as for all projects/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /Just for this project/ })).toBeChecked();
  await page.getByLabel('Fabric', { exact: true }).check();
  await page.getByRole('textbox', { name: 'Game versions' }).fill('1.20.1, 0.0.0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There’s no game version 0.0.0.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Game versions' }).fill('1.20.1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await page.getByRole('link', { name: 'All notification settings' }).click();
  const row = page.getByRole('listitem').filter({ hasText: `Made ${project.slug}` });
  await expect(row).toContainText('Fabric');
  await expect(row).toContainText('1.20.1');
});
