import { expect, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { draftOf, type Person, person, type TeamProject } from './team-fixture.ts';

/** Projects that a profile shows first: chosen, put in order by keyboard; hidden ones are not shown. */

async function publicProjectOf(owner: Person, name: string): Promise<TeamProject> {
  const project = await draftOf(owner, name);
  await cairn('project', 'status', project.slug, 'approved');
  return project;
}

test('projects are pinned to a profile by keyboard', async ({ browser }) => {
  const owner = await person(browser);
  const one = await publicProjectOf(owner, 'first');
  const two = await publicProjectOf(owner, 'second');
  const hidden = await draftOf(owner, 'hidden');
  const { page } = owner;
  const form = page.locator('#pins');
  await page.goto('/settings/profile');
  for (const { slug } of [one, two, hidden]) {
    await form.getByLabel('Pin a project').selectOption(`Made ${slug}`);
    await form.locator('.unsaved').getByRole('button', { name: 'Save' }).click();
    await expect(form.getByRole('listitem').filter({ hasText: `Made ${slug}` })).toBeVisible();
  }
  await expect(form.getByText('Only you and other members can see it')).toHaveCount(1);
  expect(await axeFinds(page, { within: '#pins' })).toEqual([]);
  await form.getByRole('button', { name: `Move Made ${two.slug}`, exact: true }).focus();
  await page.keyboard.press('Home');
  // the message of the save before is still there
  await page.keyboard.press('Control+s');
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();

  const titles = page
    .locator('section.pinned')
    .getByRole('heading', { level: 3 })
    .getByRole('link', { name: 'Made' });
  await page.goto(`/user/${owner.username}`);
  await expect(titles).toHaveText([`Made ${two.slug}`, `Made ${one.slug}`]);

  await page.goto('/settings/profile');
  await form.getByLabel(`Unpin Made ${two.slug}`).check();
  await form.locator('.unsaved').getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await page.goto(`/user/${owner.username}`);
  await expect(titles).toHaveText([`Made ${one.slug}`]);
});
