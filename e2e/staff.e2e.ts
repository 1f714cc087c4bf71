import { createHash } from 'node:crypto';
import { expect, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';

test('staff find a file by the hash that the browser computes, without sending it', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signInAs(page, demoAccounts[1]!);
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
});

test('the overview tells administrators whether jobs failed', async ({ page }) => {
  await signInAs(page, demoAccounts[0]!);
  await expect(async () => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await expect(page.getByText('No failed jobs')).toBeVisible({ timeout: 1_000 });
  }).toPass();
});
