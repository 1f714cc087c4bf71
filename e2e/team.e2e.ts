import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { addToTeam, draftOf, person } from './team-fixture.ts';

/** People who make a project together: invited, given rights, put in order, and the last word handed on. */
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const members = (path: string) => `${path}/settings/members`;
const row = (page: Page, name: string) => page.locator('.team-row').filter({ hasText: name });

for (const width of [390, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    const viewport = { width, height: 800 };

    test('an owner invites, and the invitee accepts on the page of the hidden project', async ({
      browser,
    }) => {
      const [owner, mate] = await Promise.all([person(browser, { viewport }), person(browser, { viewport })]);
      const project = await draftOf(owner, 'team');
      await owner.page.goto(members(project.path));
      await expect(title(owner.page)).toHaveText('Members');
      const invite = owner.page.getByRole('button', { name: 'Invite', exact: true });
      const field = owner.page.getByLabel('Username');
      await field.fill('nobody-by-this-name');
      await invite.click();
      await expect(field).toHaveAccessibleDescription(/doesn’t exist/);
      await field.fill(mate.username.slice(0, -1));
      await expect(owner.page.locator(`#found-users option[value="${mate.username}"]`)).toHaveCount(1);
      await field.fill(mate.username);
      await owner.page.getByText('Role and permissions').click();
      await owner.page.getByLabel('Role', { exact: true }).fill('Artist');
      await owner.page.getByLabel('Upload versions').check();
      expect(await axeFinds(owner.page)).toEqual([]);
      await invite.click();
      await expect(owner.page.getByText('People from outside have to accept first')).toBeVisible();
      await expect(row(owner.page, mate.username)).toContainText('Artist');
      await expect(row(owner.page, mate.username)).toContainText('1 of 10 permissions');

      await mate.page.goto(project.path);
      const card = mate.page.getByRole('complementary', { name: 'You are invited to the team' });
      await expect(card).toContainText('Artist');
      expect(await axeFinds(mate.page, { within: '[data-invitation]' })).toEqual([]);
      await card.getByRole('button', { name: /^Accept the invitation/ }).click();
      await expect(mate.page.getByText('You have joined the project team')).toBeVisible();
      await expect(card).toBeHidden();
      await owner.page.reload();
      await expect(owner.page.getByRole('heading', { name: 'Pending invitations' })).toHaveCount(0);
    });
  });
}

test('who declines sees the hidden project no more', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, mate, { joins: false });
  await mate.page.goto(project.path);
  await mate.page.getByRole('button', { name: /^Decline the invitation/ }).click();
  await expect(mate.page.getByText('You have declined the team invitation')).toBeVisible();
  await expect(mate.page).toHaveURL('/dashboard');
  expect((await mate.page.goto(project.path))?.status()).toBe(404);
});

test('an invitation that was withdrawn meanwhile can’t be accepted', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, mate, { joins: false });
  await mate.page.goto(project.path);
  const accept = mate.page.getByRole('button', { name: /^Accept the invitation/ });
  await expect(accept).toBeVisible();
  await owner.page.goto(members(project.path));
  await owner.page.getByRole('button', { name: `Withdraw invitation of ${mate.username}` }).click();
  await expect(row(owner.page, mate.username)).toHaveCount(0);
  await accept.click();
  await expect(mate.page.getByText('Failed to accept team invitation')).toBeVisible();
});

test('a member without rights sees notices, changes nothing and may leave', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, mate);
  const { page } = mate;
  await page.goto(members(project.path));
  await expect(page.getByText('You can look, but not change anything')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveCount(0);
  await page.getByRole('link', { name: 'Your membership' }).click();
  await expect(page.getByLabel('Upload versions')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByText('Leave the team').click();
  await page.getByRole('button', { name: 'Yes, leave' }).click();
  await expect(page.getByText('You have left the team')).toBeVisible();
});

test('a member gives only rights that they have themselves', async ({ browser }) => {
  const [owner, mate, third] = await Promise.all([person(browser), person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, mate, { permissions: 64 | 1 });
  await addToTeam(owner, project.team, third);
  const { page } = mate;
  await page.goto(`${members(project.path)}?member=${third.id}`);
  await expect(page.getByLabel('Delete versions')).toBeDisabled();
  await expect(page.getByLabel('Delete versions')).toHaveAccessibleDescription(/don’t have/);
  await page.getByLabel('Upload versions').check();
  await page.getByLabel('Payout weight').fill('5001');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Payout weight')).toHaveAccessibleDescription(/0 to 5000/);
  await page.getByLabel('Payout weight').fill('12,5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Changes saved')).toBeVisible();
  await expect(page.getByLabel('Upload versions')).toBeChecked();
  await page.goto(`${members(project.path)}?member=${owner.id}`);
  await expect(page.getByText('This member has permissions that you don’t have')).toBeVisible();
});

test('members are put in order by keyboard alone, and the order is kept', async ({ browser }) => {
  const [owner, one, two] = await Promise.all([person(browser), person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, one);
  await addToTeam(owner, project.team, two);
  const { page } = owner;
  await page.goto(members(project.path));
  const names = page.locator('[data-row] .name');
  const [first, second] = await names.allTextContents();
  await page.getByRole('button', { name: `Move ${second}`, exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(names).toHaveText([second!, first!]);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Changes saved')).toBeVisible();
  await expect(names).toHaveText([second!, first!]);
});

test('the ownership goes to a member, and the former owner stays', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, mate);
  const { page } = owner;
  await page.goto(members(project.path));
  await page.getByText('Transfer ownership', { exact: true }).click();
  const give = page.getByRole('button', { name: 'Transfer ownership now' });
  await give.click();
  await expect(page.getByLabel('New owner')).toHaveAccessibleDescription('Choose a member.');
  await page.getByLabel('New owner').selectOption(mate.username);
  await give.click();
  await expect(page.getByText('Ownership transferred')).toBeVisible();
  await expect(row(page, mate.username)).toContainText('Owner');
  await expect(page.getByText('Transfer ownership', { exact: true })).toHaveCount(0);
});

test('without scripts a member is invited, edited, moved and removed', async ({ browser }) => {
  const [owner, one, two] = await Promise.all([
    person(browser, { javaScriptEnabled: false }),
    person(browser),
    person(browser),
  ]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, one);
  await addToTeam(owner, project.team, two);
  const { page } = owner;
  await page.goto(members(project.path));
  const names = page.locator('[data-row] .name');
  const [first, second] = await names.allTextContents();
  await page.getByRole('button', { name: `Move ${second} up` }).click();
  await expect(names).toHaveText([second!, first!]);
  await page.getByLabel('Username').fill(one.username);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText('already a member')).toBeVisible();
  await page.getByRole('link', { name: `Edit ${one.username}` }).click();
  await page.getByLabel('Edit members').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Changes saved')).toBeVisible();
  await expect(page.getByLabel('Edit members')).toBeChecked();
  await page.getByText('Remove from the team').click();
  await page.getByRole('button', { name: `Remove ${one.username}` }).click();
  await expect(page.getByText('Removed')).toBeVisible();
  await expect(row(page, one.username)).toHaveCount(0);
});
