import { type Browser, expect, type Page, test } from 'playwright/test';
import { openDemoSession } from '../bench/pages/demo-session.ts';
import { axeFinds } from './axe.ts';
import { projectFixture } from './project-fixture.ts';

/** A project is taken down, its member answers, and staff bring it back; outsiders see only that it is gone. */
const [moderator, creator] = [1, 2];

async function as(browser: Browser, account: number | null): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  if (account !== null) await openDemoSession(page, account);
  return page;
}

test('a takedown is answered by a member and ended by staff', async ({ browser, request }) => {
  const { path, slug } = await projectFixture(request, 'disputed', {});
  const [staff, member, outsider] = await Promise.all([
    as(browser, moderator),
    as(browser, creator),
    as(browser, null),
  ]);
  await staff.goto(`/admin/takedowns/new?project=${slug}`);
  await staff.getByRole('button', { name: 'Take down' }).click();
  await expect(staff.getByText('This field is required.')).toBeVisible();
  await staff.getByLabel('Reference').fill('N-2026/77');
  await staff.getByLabel('Reason').fill('Copies the textures of another project.');
  await staff.getByRole('button', { name: 'Take down' }).click();
  await expect(staff.getByText('Project taken down')).toBeVisible();
  expect(await axeFinds(staff)).toEqual([]);
  const takedown = staff.url();
  expect((await outsider.goto(path))?.status()).toBe(451);
  expect((await outsider.goto(takedown))?.status()).toBe(404);

  await member.goto(`${path}/moderation`);
  await expect(member.getByText('N-2026/77')).toBeVisible();
  await member.getByLabel('Counter-notice').fill('I drew them all myself; the sources are in my repository.');
  await member.getByRole('button', { name: 'Send counter-notice' }).click();
  await expect(member.getByText('Confirm the statement first.')).toBeVisible();
  await member.getByRole('checkbox', { name: /What I write is true/ }).check();
  await member.getByRole('button', { name: 'Send counter-notice' }).click();
  await expect(member.getByText('Moderators decide about it').first()).toBeVisible();
  expect(await axeFinds(member)).toEqual([]);

  await staff.goto('/admin/takedowns?view=answered&q=N-2026');
  await staff.getByRole('link', { name: `Made ${slug}` }).click();
  await expect(staff.getByText('I drew them all myself')).toBeVisible();
  await staff.getByRole('button', { name: 'Restore the project' }).click();
  await expect(staff.getByText('Project restored')).toBeVisible();
  await expect.poll(async () => (await outsider.goto(path))?.status()).toBe(200);
  await outsider.goto('/legal/transparency');
  await expect(outsider.getByRole('heading', { name: 'Takedowns' })).toBeVisible();
  expect(await axeFinds(outsider)).toEqual([]);
});
