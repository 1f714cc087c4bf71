import { expect, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

test('an operation is found, read and tried', async ({ page }) => {
  await page.goto('/docs/api/projects');
  const section = page.getByRole('region', { name: 'GET /project/{id}', exact: true });
  await section.getByText('Try it here').first().click();
  await section.getByRole('button', { name: 'Send' }).first().click();
  await expect(section.getByRole('status').first()).toHaveText(/^Status 200 after \d+ ms$/);
  await expect(section.getByRole('region', { name: 'Response' }).first()).toContainText(
    '"slug": "lanternroot"',
  );
  await section.getByRole('textbox', { name: 'id' }).first().fill('never-was');
  await section.getByRole('button', { name: 'Send' }).first().click();
  await expect(section.getByRole('status').first()).toHaveText(/^Status 404/);
  await section.getByText('Errors').first().click();
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

test('a page of operations has no accessibility violations when everything is open', async ({ page }) => {
  await page.goto('/docs/api/tags');
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  expect(await axeFinds(page)).toEqual([]);
});
