import { createHash, randomUUID } from 'node:crypto';
import { expect, type Page, test } from 'playwright/test';
import { openDemoSession } from '../bench/pages/demo-session.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';

/** The tools of staff: an account is found, suspended and back again; a file is found without being sent. */
const password = 'nine-warm-stones';

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/dashboard/reports');
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}

/** Somebody who has signed in by the form: a session is shown with its browser, and a suspension refuses the password. */
async function signedIn(page: Page): Promise<string> {
  const who = `walker${randomUUID().slice(0, 8)}`;
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', password);
  await signIn(page, who);
  await expect(page).toHaveURL(/\/dashboard\/reports/);
  return who;
}

for (const width of [390, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('a moderator finds an account and suspends it; its owner is signed out and reads why', async ({
      page,
      browser,
    }) => {
      test.slow();
      const who = await signedIn(page);
      const desk = await browser.newPage({
        viewport: { width, height: 800 },
        baseURL: new URL(page.url()).origin,
      });
      await openDemoSession(desk, 1);
      await desk.goto('/admin/user_email');
      await desk.getByLabel('Email address, username or ID').fill('nobody@example.org');
      await desk.getByRole('button', { name: 'Find' }).click();
      await expect(desk.locator('#email-wrong')).toHaveText('That user doesn’t exist.');
      await desk.getByLabel('Email address, username or ID').fill(`${who}@EXAMPLE.org`);
      await desk.getByRole('button', { name: 'Find' }).click();
      await expect(desk.getByRole('heading', { level: 1 })).toHaveText(who);
      await expect(desk.getByRole('button', { name: 'Save' })).toHaveCount(0); // administrators only
      expect(await axeFinds(desk)).toEqual([]);
      await desk.getByRole('button', { name: 'Suspend account' }).click();
      await expect(desk.locator('#reason-wrong')).not.toBeEmpty();
      await desk.getByLabel('Reason').fill('The same advertisement in ten projects');
      await desk.getByRole('button', { name: 'Suspend account' }).click();
      await expect(desk.getByText('Account suspended and signed out')).toBeVisible();

      await signIn(page, who);
      await expect(
        page.getByText(/suspended until .* Reason: The same advertisement in ten projects/),
      ).toBeVisible();
      await desk.getByRole('button', { name: 'End suspension now' }).click();
      await expect(desk.getByText('Suspension ended')).toBeVisible();
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(/\/dashboard\/reports/);
      expect((await page.request.get('/admin/user_email')).status()).toBe(404);
      await desk.close();
    });

    test('an administrator sees where somebody is signed in, gives a role, and reads it in the log', async ({
      page,
      browser,
    }) => {
      const who = await signedIn(page);
      const desk = await browser.newPage({
        viewport: { width, height: 800 },
        baseURL: new URL(page.url()).origin,
      });
      await openDemoSession(desk, 0);
      await desk.goto('/admin/user_email');
      await desk.getByLabel('Email address, username or ID').fill(who);
      await desk.getByRole('button', { name: 'Find' }).click();
      const sessions = desk.getByRole('region', { name: 'Sessions' });
      await expect(sessions.getByRole('listitem')).toHaveCount(1);
      await expect(sessions).toContainText('Chrome');
      expect(await axeFinds(desk)).toEqual([]);
      await desk.getByRole('combobox', { name: 'Role', exact: true }).selectOption('moderator');
      await desk.getByRole('button', { name: 'Save' }).click();
      await expect(desk.getByText(/Role and badges/).first()).toBeVisible();
      await expect(async () => {
        await desk.goto('/admin');
        await expect(desk.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
        await expect(desk.getByText('No job failed')).toBeVisible();
        await desk.goto('/admin/audit');
        await expect(desk.getByText('"to":"moderator"').first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await desk.close();
    });

    test('a file is found by the hash that the browser computes', async ({ page, request }) => {
      await openDemoSession(page, 1);
      const versions = (await (await request.get('/v2/project/lanternroot/version')).json()) as Array<{
        version_number: string;
        files: Array<{ url: string; hashes: { sha512: string } }>;
      }>;
      const { files, version_number } = versions[0]!;
      const bytes = await (await request.get(files[0]!.url)).body();
      expect(createHash('sha512').update(bytes).digest('hex')).toBe(files[0]!.hashes.sha512);
      await page.goto('/admin/file_lookup');
      await page
        .locator('[data-file]')
        .setInputFiles({ name: 'found.jar', mimeType: 'application/java-archive', buffer: bytes });
      await expect(page).toHaveURL(new RegExp(files[0]!.hashes.sha512));
      await expect(page.getByRole('link', { name: `Lanternroot ${version_number}` })).toBeVisible();
      expect(await axeFinds(page)).toEqual([]);
      await page.getByLabel('SHA-1 or SHA-512').fill('abc');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect(page.getByText('That’s neither a SHA-1 nor a SHA-512.')).toBeVisible();
    });
  });
}
