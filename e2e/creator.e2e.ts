import { expect, type Page, test } from 'playwright/test';

const password = 'Copper lanterns hum softly';
let made = 0;
const newName = (what: string) => `${what}-${Date.now().toString(36)}${++made}`;

async function signIn(page: Page, username: string, word: string): Promise<void> {
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a new user signs up, out and in again', async ({ page }) => {
  const username = newName('walker');
  await page.goto('/mod/lanternroot');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password').fill('something else');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Passwords do not match!').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByLabel('Username')).toHaveValue(username);
  await page.getByLabel('Repeat password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/mod/lanternroot');

  await page.getByLabel(`Your account, ${username}`).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, username, 'not this one');
  await expect(page.getByText('Wrong username or password').filter({ visible: true })).toHaveCount(1);
  await signIn(page, username, password);
  await expect(page.getByLabel(`Your account, ${username}`)).toBeVisible();
});
