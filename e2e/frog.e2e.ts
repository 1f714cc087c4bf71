import { expect, test } from 'playwright/test';

test('the frog tells one joke at a time and counts them', async ({ page }) => {
  await page.goto('/frog');
  const main = page.getByRole('main');
  const value = (name: string) =>
    main.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd');
  await expect(value('That makes')).toHaveText(/second/);
  await expect(value('Jokes told')).toHaveText('1');
  const joke = main.getByRole('listitem');
  await expect(joke).toHaveCount(1);
  const first = await joke.innerText();
  await page.getByRole('button', { name: 'One more' }).click();
  await expect(value('Jokes told')).toHaveText('2');
  await expect(joke).toHaveCount(1);
  await expect(joke).not.toHaveText(first);
});
