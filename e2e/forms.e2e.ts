import { expect, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { signedInNewcomer } from './newcomer.ts';

/** Forms of our own pages: what is wrong stands at its field. */
test('two wrong fields are said at once, and what was typed stays', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto('/auth/sign-up');
  await page.getByLabel('Username').fill('has space');
  await page.getByLabel('Email').fill('somebody@example.test');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Repeat password').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Use up to 39 letters/);
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveValue('has space');
  await expect(page.getByLabel('Email')).toHaveValue('somebody@example.test');
  await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /Passwords must be 8 to 256 characters long/,
  );
  expect(await axeFinds(page)).toEqual([]);
  await expect(page).toHaveURL('/auth/sign-up');
  await expect(page.getByLabel('Repeat password')).toHaveValue('short');
});

test('empty fields are said in the language of the page, at the first of them', async ({ page }) => {
  await page.goto('/auth/sign-in?hl=de-DE');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await expect(page.getByLabel('E-Mail')).toHaveAccessibleDescription('Dieses Feld ist erforderlich.');
  await expect(page.getByLabel('E-Mail')).toBeFocused();
  await expect(page.getByLabel('Passwort')).toHaveAccessibleDescription('Dieses Feld ist erforderlich.');
});

test('a collection with too short a name says so at its field', async ({ page }) => {
  await signedInNewcomer(page);
  await page.goto('/mod/lanternroot');
  await page.getByLabel('Save to collection').first().click();
  const name = page.getByLabel('Collection name');
  for (const typed of ['', 'ab']) {
    await name.fill(typed);
    await name.press('Enter');
    await expect(name).toHaveAccessibleDescription('Use at least 3 characters.');
    await expect(name).toBeFocused();
  }
  await name.fill('Rainy days');
  await name.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'Rainy days' })).toBeChecked();
  await expect(name).not.toHaveAttribute('aria-invalid');
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
  await page.getByLabel('Email or username').fill(`nobody${Date.now()}`);
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  const button = page.getByRole('button', { name: 'Sign in' });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click();
  answer();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(button).not.toHaveAttribute('aria-busy');
  expect(sent).toBe(1);
});
