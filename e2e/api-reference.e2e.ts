import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'playwright/test';
import { axeInEveryTheme } from './axe.ts';

const run = promisify(execFile);

test('every example of a GET that anyone may send answers, as curl is copied from the page', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.goto('/docs/api');
  const links = page.getByRole('main').locator('.api-group p a');
  const pages = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
  expect(pages.length).toBeGreaterThan(10);
  const failed: string[] = [];
  let count = 0;
  for (const path of pages) {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    for (const command of await page.locator('[data-runnable] pre').allTextContents()) {
      count += 1;
      const { stdout } = await run('bash', ['-c', `${command} -o /dev/null -w '%{http_code}'`]);
      if (!/^(200|307)$/.test(stdout)) failed.push(`${stdout}: ${command}`);
    }
  }
  expect(failed).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

test('an operation is found, read and tried', async ({ page }) => {
  await page.goto('/docs/api/projects');
  const section = page.getByRole('region', { name: 'GET /project/{id}', exact: true });
  await section.getByText('Try it here').first().click();
  await section.getByRole('button', { name: 'Send' }).first().click();
  await expect(section.getByRole('status').first()).toHaveText(/^Status 200 after \d+ ms$/);
  await expect(section.getByRole('region', { name: 'Answer' }).first()).toContainText(
    '"slug": "lanternroot"',
  );
  await section.getByRole('textbox', { name: 'id' }).first().fill('never-was');
  await section.getByRole('button', { name: 'Send' }).first().click();
  await expect(section.getByRole('status').first()).toHaveText(/^Status 404/);
  await section.getByText('Refusals').first().click();
  await section.getByRole('link', { name: 'not_found', exact: true }).first().click();
  await expect(page).toHaveURL(/\/docs\/api\/errors#not_found$/);
  await expect(page.getByText('The requested item doesn’t exist.')).toBeInViewport();
});

test('the search of the reference finds operations and refusals', async ({ page }) => {
  await page.goto('/docs/api/errors');
  const box = page.getByRole('main').getByRole('combobox', { name: 'Search the documentation' });
  await box.fill('members');
  await page.getByRole('option', { name: /GET \/team\/\{id\}\/members/ }).click();
  await expect(page).toHaveURL(/\/docs\/api\/teams#/);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the reference reads the same, and nothing is offered that needs them', async ({ page }) => {
    await page.goto('/docs/api/versions');
    await expect(page.getByRole('heading', { name: 'GET /version/{id}', exact: true })).toBeVisible();
    await expect(page.getByText('Try it here').first()).toBeHidden();
  });
});

test('a page of operations has no accessibility violations when everything is open', async ({ page }) => {
  await page.goto('/docs/api/tags');
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  expect(await axeInEveryTheme(page)).toEqual([]);
});
