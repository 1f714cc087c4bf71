import { expect, type Page, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { draftOf } from './draft-fixture.ts';
import { projectFixture, setStatus } from './project-fixture.ts';

/** The members' side of a review: submit, withdraw, the thread, the checklist. */
const [, , creator, player] = demoAccounts;
const status = (page: Page) => page.getByRole('heading', { name: 'Status' }).locator('..').locator('.badge');
const reply = (page: Page) => page.getByRole('textbox', { name: 'Your message' });
const ready = (page: Page) => expect(page.locator('[data-editor][data-ready]')).toBeAttached();

test('a rejected project is discussed, submitted again and withdrawn', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { path, slug } = await projectFixture(request, 'review', {});
  await setStatus(slug, 'rejected');
  await signInAs(page, creator!);
  await page.goto(path);
  await page.getByRole('link', { name: 'Moderation' }).click();
  await expect(status(page)).toHaveText('Rejected');
  await ready(page);
  expect(await axeFinds(page)).toEqual([]);

  await reply(page).fill('I moved the **stones**.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.locator('.message strong')).toHaveText('stones');

  await page.getByRole('button', { name: 'Submit again' }).click();
  await expect(page.getByLabel(/addressed all points/)).toHaveAccessibleDescription(/First confirm/);
  await page.getByLabel(/addressed all points/).check();
  await page.getByRole('button', { name: 'Submit again' }).click();
  await expect(page.getByText('Submitted for review')).toBeVisible();
  await expect(status(page)).toHaveText('Under review');
  // other tests decide too, so that there may be enough for an estimate
  await expect(page.getByText(/No estimate: too few decisions|based on the last four weeks/)).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw from review' }).click();
  await expect(page.getByText('Withdrawn from review')).toBeVisible();
  await expect(status(page)).toHaveText('Draft');
});

/** On pages of settings the checklist is one line. */
const unfold = (page: Page) => page.locator('details.checklist > summary').click();

test('the checklist follows what is typed, and a required point keeps a draft from review', async ({
  page,
}) => {
  await signInAs(page, creator!);
  const slug = await draftOf(page, 'Listed');
  await page.goto(`/mod/${slug}`);
  const points = page.getByRole('list', { name: 'To do' });
  await expect(points.getByText('Upload a version.')).toBeVisible();
  await page.getByRole('link', { name: /^Go there: The description is short/ }).click();
  await ready(page);
  await unfold(page);
  await expect(points.getByText(/The description is short/)).toBeVisible();
  await page
    .getByRole('textbox', { name: 'Description' })
    .fill('Stones that stand in rows, and what lies behind. '.repeat(6));
  await expect(points.getByText(/The description is short/)).toBeHidden();
  await page.getByRole('textbox', { name: 'Description' }).fill('');
  await expect(points.getByText(/Write a description/)).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`/mod/${slug}/moderation`);
  await expect(page.getByRole('button', { name: 'Submit for review' })).toHaveAccessibleDescription(
    /still open/,
  );
});

test('members of a withheld project see on its page what to do, and nobody else does', async ({
  page,
  request,
}) => {
  const { path, slug } = await projectFixture(request, 'withheld', {});
  await setStatus(slug, 'withheld');
  const checklist = page.getByRole('list', { name: 'To do' });
  await signInAs(page, player!);
  const asked: string[] = [];
  page.on('request', (one) => asked.push(new URL(one.url()).pathname));
  await page.goto(path);
  await expect(page.locator('html[data-viewer-known]')).toBeAttached();
  await expect(checklist).toHaveCount(0);
  for (const name of ['Moderation', 'Project settings'])
    await expect(page.getByRole('link', { name })).toBeHidden();
  expect(asked.filter((one) => one.includes('checklist.part'))).toEqual([]);
  expect((await page.request.get(`${path}/checklist.part`)).status()).toBe(403);

  await page.context().clearCookies();
  await signInAs(page, creator!);
  await page.goto(path);
  await expect(checklist.getByText('Read and answer the moderators')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await checklist.getByRole('link', { name: /^Go there: Add an icon/ }).click();
  await expect(page).toHaveURL(`${path}/settings/general`);
});

test('the checklist follows every field that its rules read', async ({ page, request }) => {
  const { path, slug, token } = await projectFixture(request, 'live', { pictures: 1 });
  const patched = await request.patch(`/v2/project/${slug}`, {
    headers: { authorization: token },
    data: { client_side: 'unknown', server_side: 'unknown' },
  });
  expect(patched.status()).toBe(204);
  await setStatus(slug, 'rejected');
  await signInAs(page, creator!);
  page.on('dialog', (dialog) => void dialog.accept());
  const point = (text: string) => page.getByRole('list', { name: 'To do' }).getByText(text);

  await page.goto(`${path}/settings/license`);
  await unfold(page);
  const source = point('This license requires source code');
  // a select until its script has run
  await page.getByRole('combobox', { name: 'License' }).and(page.locator('input')).fill('(GPL-3.0-only)');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(source).toBeVisible();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(source).toBeHidden();

  await page.goto(`${path}/settings/tags`);
  await unfold(page);
  await page.getByRole('checkbox', { name: 'Utility', exact: true }).uncheck();
  await expect(point('Add tags')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Storage', exact: true }).check();
  await expect(point('Add tags')).toBeHidden();

  await page.goto(`${path}/settings/environment`);
  await unfold(page);
  await expect(point('Say whether it runs')).toBeVisible();
  await page.getByRole('radio', { name: 'Client only' }).check();
  await expect(point('Say whether it runs')).toBeHidden();

  await page.goto(`${path}/settings/gallery`);
  await page.getByRole('link', { name: 'Edit View 1' }).click();
  await expect(page.getByRole('heading', { name: 'Delete image' })).toBeAttached();
  await unfold(page);
  await expect(point('Pick a featured image')).toBeHidden();
  await page.getByRole('checkbox', { name: /^Feature/ }).uncheck();
  await expect(point('Pick a featured image')).toBeVisible();
});
