import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { addToTeam, draftOf, type Person, person } from './team-fixture.ts';

/** Organizations: made, described, joined, given projects, and ended. */
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

for (const width of [390, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    const viewport = { width, height: 800 };

    test('an organization is made, renamed, undone and deleted', async ({ browser }) => {
      const { page } = await person(browser, { viewport });
      const name = unique('Reed Cutters');
      await page.goto('/organization/new');
      await expect(title(page)).toHaveText('New organization');
      await page.getByLabel('Name', { exact: true }).fill(name);
      await expect(page.getByLabel('Address')).toHaveValue(name.toLowerCase().replaceAll(' ', '-'));
      await page.getByLabel('Address').fill('new');
      await page.getByLabel('Description').fill('We cut reeds.');
      expect(await axeFinds(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create organization' }).click();
      await expect(page.getByLabel('Address')).toHaveAccessibleDescription(/already used/);
      const slug = name.toLowerCase().replaceAll(' ', '-');
      await page.getByLabel('Address').fill(slug);
      await page.getByRole('button', { name: 'Create organization' }).click();
      await expect(title(page)).toHaveText('Overview');
      await expect(page).toHaveURL(`/organization/${slug}/settings`);
      expect(await axeFinds(page)).toEqual([]);
      await page.getByLabel('Description').fill('We cut and bind reeds.');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Changes saved')).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByLabel('Description')).toHaveValue('We cut reeds.');
      await page.getByText('Delete the organization').click();
      await expect(page.getByText('It has no projects.')).toBeVisible();
      await page.getByLabel('Type the name of the organization').fill('something else');
      const end = page.getByRole('button', { name: 'Delete forever' });
      await end.click();
      await expect(page.getByLabel('Type the name of the organization')).toHaveAccessibleDescription(
        /isn’t the name/,
      );
      await page.getByLabel('Type the name of the organization').fill(name);
      await end.click();
      await expect(page.getByText('The organization is deleted')).toBeVisible();
      expect((await page.goto(`/organization/${slug}`))?.status()).toBe(404);
    });

    test('an invitee joins on the page of the organization and finds its settings', async ({ browser }) => {
      const [owner, mate] = await Promise.all([person(browser, { viewport }), person(browser, { viewport })]);
      const group = await groupOf(owner);
      await owner.page.goto(`/organization/${group.slug}`);
      await owner.page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
      await owner.page
        .getByRole('navigation', { name: 'Organization settings' })
        .getByText('Members')
        .click();
      await owner.page.getByLabel('Username').fill(mate.username);
      await owner.page.getByText('Role and permissions').click();
      await owner.page.getByLabel('Add projects').check();
      await owner.page.getByLabel('Edit the description').check();
      expect(await axeFinds(owner.page)).toEqual([]);
      await owner.page.getByRole('button', { name: 'Invite', exact: true }).click();
      await expect(owner.page.getByText('People from outside have to accept first')).toBeVisible();

      await mate.page.goto(`/organization/${group.slug}`);
      await mate.page.getByRole('button', { name: /^Accept the invitation/ }).click();
      await expect(mate.page.getByText('You have joined the project team')).toBeVisible();
      await mate.page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
      await expect(mate.page.getByText('You can look, but not change anything')).toBeVisible();
      await expect(mate.page.getByLabel('Name', { exact: true })).toBeDisabled();
    });
  });
}

test('a project goes into an organization, its members have default rights, and it comes out again', async ({
  browser,
}) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const group = await groupOf(owner);
  // uploading versions, and managing invitations nowhere
  await addToTeam(owner, group.team_id, mate, { permissions: 1, organization_permissions: 0 });
  const project = await draftOf(owner, 'herons');
  const { page } = owner;
  await page.goto(`/organization/${group.slug}/settings/projects`);
  await expect(page.getByText('No projects yet')).toBeVisible();
  const add = page.getByRole('button', { name: 'Add the project' });
  await add.click();
  await expect(page.getByLabel('Project', { exact: true })).toHaveAccessibleDescription('Choose a project.');
  await page.getByLabel('Project', { exact: true }).selectOption(`Made ${project.slug}`);
  await add.click();
  await expect(page.getByText('The project belongs to the organization now')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  await mate.page.goto(`${project.path}/settings/members`);
  await expect(mate.page.getByText('You can look, but not change anything')).toBeVisible();
  await expect(mate.page.getByRole('heading', { name: 'From the organization' })).toBeVisible();
  await expect(mate.page.locator('.team-row').filter({ hasText: mate.username })).toContainText(
    '1 of 10 permissions',
  );

  await page.goto(`${project.path}/settings/members`);
  await page.getByRole('link', { name: `Override for ${mate.username}` }).click();
  await expect(page.getByLabel('Upload versions')).toBeChecked();
  await page.getByLabel('Edit details').check();
  await page.getByRole('button', { name: 'Override' }).click();
  await expect(page.locator('.team-row').filter({ hasText: mate.username })).toContainText(
    '2 of 10 permissions',
  );
  expect(await axeFinds(page)).toEqual([]);

  await page.goto(`/organization/${group.slug}/settings/projects`);
  await page.getByRole('link', { name: `Remove Made ${project.slug} from the organization` }).click();
  await page.getByLabel('New owner').selectOption(mate.username);
  await page.getByRole('button', { name: 'Remove the project' }).click();
  await expect(page.getByText('The project has left the organization')).toBeVisible();
  await mate.page.goto(`${project.path}/settings/members`);
  await expect(mate.page.locator('.team-row').filter({ hasText: mate.username })).toContainText('Owner');
});

test('a project is moved from its own settings, and an outsider finds neither', async ({ browser }) => {
  const [owner, outsider] = await Promise.all([person(browser), person(browser)]);
  const group = await groupOf(owner);
  const project = await draftOf(owner, 'herons');
  const { page } = owner;
  await page.goto(`${project.path}/settings/members`);
  await page.getByText('Move to an organization').click();
  await page.getByLabel('Organization', { exact: true }).selectOption(group.name);
  await page.getByRole('button', { name: 'Move the project' }).click();
  await expect(page.getByText('The project belongs to the organization now')).toBeVisible();
  await page.getByText('Remove from the organization').click();
  await page.getByRole('button', { name: 'Remove the project' }).click();
  await expect(page.getByText('The project has left the organization')).toBeVisible();
  for (const path of [`${project.path}/settings/members`, `/organization/${group.slug}/settings/members`])
    expect((await outsider.page.goto(path))?.status()).toBe(404);
});

test.describe('without scripts', () => {
  test('an organization is made with the address of its name, and a refused name says why', async ({
    browser,
  }) => {
    const { page } = await person(browser, { javaScriptEnabled: false });
    const name = unique('Plain Herons');
    await page.goto('/organization/new');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect(page.getByLabel('Description')).toHaveAccessibleDescription(/3 to 256/);
    await page.getByLabel('Description').fill('Without any script.');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect(page).toHaveURL(`/organization/${name.toLowerCase().replaceAll(' ', '-')}/settings`);
  });
});
