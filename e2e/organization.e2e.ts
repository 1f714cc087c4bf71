import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { addToTeam, draftOf, type Person, person } from './team-fixture.ts';

/** Organizations: made, described, joined, and ended. */
const phone = { width: 390, height: 800 };
const title = (page: Page) => page.getByRole('heading', { level: 1 });
let count = 0;
const unique = (name: string) => `${name} ${Date.now().toString(36)}${++count}`;

interface Group {
  id: string;
  slug: string;
  team_id: string;
  name: string;
}

/** An organization of the person, made through the API. */
async function groupOf({ page, token }: Person): Promise<Group> {
  const name = unique('Herons');
  const data = { name, slug: name.toLowerCase().replaceAll(' ', '-'), description: 'They stand and look.' };
  const answer = await page.request.post('/v3/organization', { headers: { authorization: token }, data });
  expect(answer.status(), await answer.text()).toBe(200);
  return { ...(await answer.json()), name };
}

test('an organization is made, renamed, undone and deleted on a phone', async ({ browser }) => {
  const { page } = await person(browser, { viewport: phone });
  const name = unique('Reed Cutters');
  await page.goto('/organization/new');
  await expect(title(page)).toHaveText('New organization');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await expect(page.getByLabel('URL', { exact: true })).toHaveValue(name.toLowerCase().replaceAll(' ', '-'));
  await page.getByLabel('URL', { exact: true }).fill('new');
  await page.getByLabel('Description').fill('We cut reeds.');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByLabel('URL', { exact: true })).toHaveAccessibleDescription(/already used/);
  const slug = name.toLowerCase().replaceAll(' ', '-');
  await page.getByLabel('URL', { exact: true }).fill(slug);
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(title(page)).toHaveText('Overview');
  await expect(page).toHaveURL(`/organization/${slug}/settings`);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel('Description').fill('We cut and bind reeds.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('We cut reeds.');
  await page.getByText('Delete organization').click();
  await expect(page.getByText('It has no projects.')).toBeVisible();
  await page.getByLabel('Type the organization’s name').fill('something else');
  const end = page.getByRole('button', { name: 'Delete forever' });
  await end.click();
  await expect(page.getByLabel('Type the organization’s name')).toHaveAccessibleDescription(/isn’t the name/);
  await page.getByLabel('Type the organization’s name').fill(name);
  await end.click();
  await expect(page.getByText('Organization deleted')).toBeVisible();
  expect((await page.goto(`/organization/${slug}`))?.status()).toBe(404);
});

test('an invitee joins on the page of the organization and finds its settings', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser, { viewport: phone })]);
  const group = await groupOf(owner);
  await owner.page.goto(`/organization/${group.slug}`);
  await owner.page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
  await owner.page.getByRole('navigation', { name: 'Organization settings' }).getByText('Members').click();
  await owner.page.getByLabel('Username').fill(mate.username);
  await owner.page.getByText('Role and permissions').click();
  await owner.page.getByLabel('Add projects').check();
  await owner.page.getByLabel('Edit the description').check();
  expect(await axeFinds(owner.page)).toEqual([]);
  await owner.page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(owner.page.getByText('Invitation sent')).toBeVisible();

  await mate.page.goto(`/organization/${group.slug}`);
  await mate.page.getByRole('button', { name: /^Accept the invitation/ }).click();
  await expect(mate.page.getByText('You have joined the project team')).toBeVisible();
  await mate.page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(mate.page.getByText('You can view this page but not change anything')).toBeVisible();
  await expect(mate.page.getByLabel('Name', { exact: true })).toBeDisabled();
});
test('what members do with an organization and its projects is accessible', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const group = await groupOf(owner);
  await addToTeam(owner, group.team_id, mate, { permissions: 1, organization_permissions: 0 });
  const project = await draftOf(owner, 'herons');
  const moved = await owner.page.request.post(`/v3/organization/${group.id}/projects`, {
    headers: { authorization: owner.token },
    data: { project_id: project.id },
  });
  expect(moved.status(), await moved.text()).toBe(200);
  const members = `${project.path}/settings/members`;
  for (const [{ page }, path, text] of [
    [owner, `/organization/${group.slug}/settings/projects`, `Made ${project.slug}`],
    [owner, members, 'From the organization'],
    [owner, `${members}?override=${mate.id}`, 'Upload versions'],
    [mate, `/organization/${group.slug}/settings/members?member=${mate.id}`, 'Upload versions'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(text).first()).toBeVisible();
    expect(await axeFinds(page), path).toEqual([]);
  }
});
