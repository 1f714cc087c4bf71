import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

/** Forms of our own pages: what is wrong stands at its field, with scripts and without. */
const wrong = 'A username must have 1 to 39 characters';
const short = 'A password must have 8 to 256 characters';

async function signUpWrongly(page: Page): Promise<void> {
  await page.goto('/auth/sign-up');
  await page.getByLabel('Username').fill('has space');
  await page.getByLabel('E-mail').fill('somebody@example.test');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Password again').fill('short');
  await page.getByRole('button', { name: 'Make an account' }).click();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(new RegExp(wrong));
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveValue('has space');
  await expect(page.getByLabel('E-mail')).toHaveValue('somebody@example.test');
  await expect(page.getByLabel('E-mail')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(new RegExp(short));
  expect(await axeFinds(page)).toEqual([]);
}

for (const width of [390, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('two wrong fields are said at once, and what was typed stays', async ({ page }) => {
      await signUpWrongly(page);
      await expect(page).toHaveURL('/auth/sign-up');
      await expect(page.getByLabel('Password again')).toHaveValue('short');
    });
  });
}

test('empty fields are said in the language of the page, at the first of them', async ({ page }) => {
  await page.goto('/auth/sign-in?hl=de-DE');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await expect(page.getByLabel('E-Mail')).toHaveAccessibleDescription('Füll das aus.');
  await expect(page.getByLabel('E-Mail')).toBeFocused();
  await expect(page.getByLabel('Passwort')).toHaveAccessibleDescription('Füll das aus.');
});

test('a form under way is not sent twice', async ({ page }) => {
  let sent = 0;
  let answer = () => {};
  const waits = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/_internal/auth/sign-in', async (route) => {
    sent += 1;
    await waits;
    await route.continue();
  });
  await page.goto('/auth/sign-in');
  await page.getByLabel('E-mail or username').fill(`nobody${Date.now()}`);
  await page.getByLabel('Password').fill('not this one');
  const button = page.getByRole('button', { name: 'Sign in' });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click();
  answer();
  await expect(page.getByLabel('Password')).toBeFocused();
  await expect(button).not.toHaveAttribute('aria-busy');
  expect(sent).toBe(1);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('two wrong fields are said at once, what was typed stays, passwords do not', async ({ page }) => {
    await page.goto('/auth/sign-up');
    await page.getByLabel('Username').fill('has space');
    await page.getByLabel('E-mail').fill('somebody@example.test');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Password again').fill('short');
    await page.getByRole('button', { name: 'Make an account' }).click();
    await expect(page).toHaveURL('/auth/sign-up?error=username_malformed');
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription(new RegExp(wrong));
    await expect(page.getByLabel('Username')).toBeFocused();
    await expect(page.getByLabel('Username')).toHaveValue('has space');
    await expect(page.getByLabel('E-mail')).toHaveValue('somebody@example.test');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(new RegExp(short));
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    await page.goto('/auth/sign-up');
    await expect(page.getByLabel('Username')).toHaveValue('');
  });
});
