import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { addToTeam, draftOf, person } from './team-fixture.ts';

/** People who make a project together: invited, put in order, and offered what they may do. */
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const members = (path: string) => `${path}/settings/members`;
const row = (page: Page, name: string) => page.locator('.team-row').filter({ hasText: name });

test('an owner invites, and the invitee accepts on the page of the hidden project on a phone', async ({
  browser,
}) => {
  const [owner, mate] = await Promise.all([
    person(browser),
    person(browser, { viewport: { width: 390, height: 800 } }),
  ]);
  const project = await draftOf(owner, 'team');
  await owner.page.goto(members(project.path));
  await expect(title(owner.page)).toHaveText('Members');
  const invite = owner.page.getByRole('button', { name: 'Invite', exact: true });
  const field = owner.page.getByLabel('Username');
  await field.fill('nobody-by-this-name');
  await invite.click();
  await expect(field).toHaveAccessibleDescription(/doesn’t exist/);
  await field.fill(mate.username.slice(0, -1));
  await expect(field).not.toHaveAccessibleDescription(/doesn’t exist/);
  await expect(owner.page.locator(`#found-users option[value="${mate.username}"]`)).toHaveCount(1);
  await field.fill(mate.username);
  await owner.page.getByText('Role and permissions').click();
  await owner.page.getByLabel('Role', { exact: true }).fill('Artist');
  await owner.page.getByLabel('Upload versions').check();
  expect(await axeFinds(owner.page)).toEqual([]);
  await invite.click();
  await expect(owner.page.getByText('Invitation sent')).toBeVisible();
  await expect(row(owner.page, mate.username)).toContainText('Artist');
  await expect(row(owner.page, mate.username)).toContainText('1 of 10 permissions');
  await owner.page.setViewportSize({ width: 320, height: 640 });
  const name = row(owner.page, mate.username).getByText(mate.username, { exact: true });
  // beside the buttons it had no room
  expect(await name.evaluate((element) => element.getClientRects().length), 'lines of the name').toBe(1);

  await mate.page.goto(project.path);
  const card = mate.page.getByRole('complementary', { name: 'You’re invited to the team' });
  await expect(card).toContainText('Artist');
  expect(await axeFinds(mate.page, { within: '[data-invitation]' })).toEqual([]);
  await card.getByRole('button', { name: /^Accept the invitation/ }).click();
  await expect(mate.page.getByText('You have joined the project team')).toBeVisible();
  await expect(card).toBeHidden();
  await owner.page.reload();
  await expect(owner.page.getByRole('heading', { name: 'Pending invitations' })).toHaveCount(0);
});

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
  await owner.page.getByRole('button', { name: `Withdraw invitation for ${mate.username}` }).click();
  await expect(row(owner.page, mate.username)).toHaveCount(0);
  await accept.click();
  await expect(mate.page.getByText('Failed to accept team invitation')).toBeVisible();
});

test('members are offered only what they may do', async ({ browser }) => {
  const [owner, mate] = await Promise.all([person(browser), person(browser)]);
  const project = await draftOf(owner, 'team');
  await addToTeam(owner, project.team, mate);
  for (const [{ page }, isOffered] of [
    [owner, true],
    [mate, false],
  ] as const) {
    await page.goto(`${project.path}/versions`);
    await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
    const upload = page.getByRole('main').getByRole('link', { name: 'Upload version' });
    await expect(upload).toBeVisible({ visible: isOffered });
  }
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
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await expect(names).toHaveText([second!, first!]);
});
