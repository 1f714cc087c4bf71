import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { draftOf, type Person, person, type TeamProject } from './team-fixture.ts';

/** Projects that a profile shows first: chosen, put in order by keyboard, undone; hidden ones are seen by nobody. */
const pinned = (page: Page) => page.locator('section.pinned');

async function publicProjectOf(owner: Person, name: string): Promise<TeamProject> {
  const project = await draftOf(owner, name);
  await cairn('project', 'status', project.slug, 'approved');
  return project;
}

for (const javaScriptEnabled of [true, false]) {
  test(`projects are pinned to a profile ${javaScriptEnabled ? 'by keyboard' : 'without scripts'}`, async ({
    browser,
  }) => {
    const viewport = { width: javaScriptEnabled ? 1280 : 390, height: 800 };
    const owner = await person(browser, { javaScriptEnabled, viewport });
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
    await expect(form.getByText('Only you and other members see it')).toHaveCount(1);
    if (javaScriptEnabled) {
      expect(await axeFinds(page, { within: '#pins' })).toEqual([]);
      await form.getByRole('button', { name: `Move Made ${two.slug}`, exact: true }).focus();
      await page.keyboard.press('Home');
      // the message of the save before is still there
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+s')]);
      await expect(page.getByText('Changes saved')).toBeVisible();
    } else await form.getByRole('button', { name: `Move Made ${two.slug} up` }).click();

    const titles = pinned(page).getByRole('heading', { level: 3 }).getByRole('link', { name: 'Made' });
    await page.goto(`/user/${owner.username}`);
    await expect(titles).toHaveText([`Made ${two.slug}`, `Made ${one.slug}`]);

    await page.goto('/settings/profile');
    await form.getByLabel(`Unpin Made ${two.slug}`).check();
    await form.locator('.unsaved').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Changes saved')).toBeVisible();
    await page.goto(`/user/${owner.username}`);
    await expect(titles).toHaveText([`Made ${one.slug}`]);
  });
}

test('an organization pins its projects', async ({ browser }) => {
  const owner = await person(browser);
  const { page, token } = owner;
  const headers = { authorization: token };
  const name = `Pinners ${Date.now().toString(36)}`;
  const data = { name, slug: name.toLowerCase().replace(' ', '-'), description: 'They pin.' };
  const made = await (await page.request.post('/v3/organization', { headers, data })).json();
  const project = await publicProjectOf(owner, 'pinned');
  const given = await page.request.post(`/v3/organization/${made.id}/projects`, {
    headers,
    data: { project_id: project.id },
  });
  expect(given.ok(), await given.text()).toBe(true);
  await page.goto(`/organization/${made.slug}/settings`);
  const form = page.locator('#pins');
  await form.getByLabel('Pin a project').selectOption(`Made ${project.slug}`);
  await form.locator('.unsaved').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Changes saved')).toBeVisible();
  await page.goto(`/organization/${made.slug}`);
  await expect(pinned(page).getByRole('link', { name: `Made ${project.slug}` })).toBeVisible();
});
