import { expect, type Page, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { projectFixture, setStatus } from './project-fixture.ts';

/** A review from the queue to the creator's answer, as moderator and creator. */
const [, moderator, creator] = demoAccounts;
const panel = (page: Page) => page.getByRole('complementary', { name: 'Review' });
const message = (page: Page) => panel(page).getByRole('textbox', { name: 'Message to the creators' });
const ready = async (page: Page) => {
  await expect(panel(page).locator('[data-ready]')).toBeAttached();
  const show = panel(page).getByRole('button', { name: 'Show or hide' });
  if ((await show.getAttribute('aria-expanded')) === 'false') await show.click();
};

/** Opens the queue with one project and begins its review. */
async function begin(page: Page, slug: string) {
  await page.goto(`/moderation?q=${slug}`);
  await expect(page.getByRole('heading', { name: 'Review queue' })).toBeVisible();
  // its files are scanned first
  await expect(async () => {
    await page.goto(`/moderation?q=${slug}`);
    await page.getByRole('button', { name: `Review Made ${slug}` }).click();
    await expect(panel(page)).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await ready(page);
}

test('a moderator approves a project of the queue', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { slug, path } = await projectFixture(request, 'approved', {});
  await setStatus(slug, 'processing');
  await signInAs(page, moderator!);
  await begin(page, slug);
  expect(await axeFinds(page)).toEqual([]);
  // the review goes on beside the project's other pages
  await page
    .getByRole('navigation', { name: 'Project', exact: true })
    .getByRole('link', { name: /^Versions/ })
    .click();
  await expect(page).toHaveURL(/versions\?review=1$/);
  await ready(page);
  await panel(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The creators were notified.' })).toContainText(
    'Approved',
  );
  expect((await page.request.get(path)).status()).toBe(200);
});

test('a project is rejected with a message, answered, submitted again and approved', async ({
  page,
  request,
}) => {
  const { slug, path } = await projectFixture(request, 'rejected', {});
  await setStatus(slug, 'processing');
  await signInAs(page, moderator!);
  await begin(page, slug);
  const stage = (name: string) => panel(page).getByRole('group', { name, exact: true });
  await expect(stage('Name and URL')).toBeVisible();
  for (let at = 0; at < 3; at++) await panel(page).getByRole('button', { name: 'Next' }).click();
  await stage('Links')
    .getByLabel(/Downloads elsewhere/)
    .check();
  await stage('Links').getByRole('textbox', { name: 'Which link' }).fill('files.example.test');
  await expect(message(page)).toHaveValue(/`files\.example\.test` leads to downloads elsewhere/);
  await expect(panel(page).locator('[data-summary]')).toHaveText('Suggested: Reject');
  // kept on the server
  await page.reload();
  await ready(page);
  await expect(stage('Links').getByRole('textbox', { name: 'Which link' })).toHaveValue('files.example.test');
  await panel(page).getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The creators were notified.' })).toContainText(
    'Rejected',
  );

  await signInAs(page, creator!);
  await page.goto(`${path}/moderation`);
  await expect(page.locator('.message code')).toHaveText('files.example.test');
  await page.getByLabel(/addressed all points/).check();
  await page.getByRole('button', { name: 'Submit again' }).click();
  await expect(page.getByText('Submitted for review')).toBeVisible();

  await signInAs(page, moderator!);
  await begin(page, slug);
  await expect(panel(page).getByText(/changed? since the last approval|changes since/)).toBeVisible();
  await panel(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The creators were notified.' })).toContainText(
    'Approved',
  );
});

test('keys lead through the stages, and visitors load nothing of it', async ({ page, request }) => {
  const { slug, path } = await projectFixture(request, 'keys', {});
  await page.goto(path);
  await expect(page.locator('.review-panel')).toHaveCount(0);
  expect(await page.locator('link[href*="review-panel"], script[src*="ReviewPanel"]').count()).toBe(0);
  await signInAs(page, moderator!);
  await page.goto(path);
  await page
    .getByRole('button', { name: 'More' })
    .or(page.locator('summary[aria-label="More"]'))
    .first()
    .click();
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await ready(page);
  const at = panel(page).locator('[data-stage-of]');
  await expect(at).toHaveText(/^1 \/ /);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await expect(at).toHaveText(/^2 \/ /);
  await page.keyboard.press('ArrowLeft');
  await expect(at).toHaveText(/^1 \/ /);
  await page.keyboard.press('Shift+C');
  await expect(message(page)).toBeHidden();
  await page.keyboard.press('Control+Shift+E');
  await expect(message(page)).toBeFocused();
  await panel(page).getByRole('button', { name: 'Stop reviewing' }).click();
  await expect(page.getByText('You stopped reviewing without a decision.')).toBeVisible();
  await setStatus(slug, 'draft');
});
