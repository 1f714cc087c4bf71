import { type BrowserContext, expect, type Page, test } from 'playwright/test';
import { axeFinds, axeInEveryTheme } from './axe.ts';
import { cairn } from './cairn.ts';

/** A buyer before and after ordering a server: prices, order, payment, cancelling, resuming. */
const word = 'nine-warm-stones';

async function renter(page: Page, name: string, redirect: string): Promise<string> {
  const who = `${name}${Date.now().toString(36)}`;
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  await page.goto(redirect); // an anonymous visitor is redirected to sign-in and back
  await page.getByLabel('E-mail or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(new RegExp(redirect.split('?')[0]!));
  return who;
}
const main = (page: Page) => page.getByRole('main');
const goOn = (page: Page) => page.getByRole('button', { name: 'Go on' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
/** The region of the test's node. */
const region = async (page: Page) => await page.getByRole('radio', { name: /North America/ }).check();

test('prices follow the choices, and each question has an address', async ({ page }) => {
  await page.goto('/servers');
  await expect(main(page).getByText('$12', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /^Yearly/ }).click();
  await expect(main(page).getByText('$120', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /Southeast Asia/ }).click();
  await expect(page.getByRole('link', { name: /Southeast Asia/ })).toHaveAttribute('aria-current', 'true');
  await expect(main(page).getByText('None free in Southeast Asia').first()).toBeVisible();
  await page.getByLabel('Currency').selectOption('JPY');
  await expect(main(page).getByText('¥18,400', { exact: true })).toBeVisible();
  await main(page).getByText('Can I cancel at any time?').click();
  await expect(page).toHaveURL(/#q-cancel$/);
  await page.goto('/servers#q-files');
  await expect(main(page).getByText(/^You\. The people who run this site/)).toBeVisible();
});

test('an order is created once, is paid with another card after a declined one, and can be cancelled', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await renter(page, 'buyer', '/servers/buy?plan=small');
  await page.getByRole('radio', { name: /^Large/ }).check();
  const slip = page.getByRole('complementary', { name: 'Your order' });
  await expect(slip).toContainText('$24.00');
  await page.getByRole('radio', { name: /^Quarterly/ }).check();
  await expect(slip).toContainText('Large, three months');
  await expect(slip).toContainText('$60.00');
  expect(await axeFinds(page)).toEqual([]);
  await goOn(page).click();
  await expect(title(page)).toHaveText('Where should it stand?');
  await expect(page.getByRole('radio', { name: /Southeast Asia/ })).toBeDisabled();
  await region(page);
  await goOn(page).click();
  await expect(main(page).getByRole('note')).toContainText('No money moves here');
  await page.getByRole('radio', { name: /0002/ }).check();
  expect(await axeFinds(page)).toEqual([]);
  await goOn(page).click();
  await page.getByLabel('Name', { exact: true }).fill('Heather hollow');
  await page.getByLabel('I accept the licence terms').check();
  expect(await axeInEveryTheme(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pay $60.00 and order' }).click();
  await expect(main(page).getByText('The card was declined.')).toBeVisible();
  await page.getByRole('radio', { name: /4242/ }).check();
  await goOn(page).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Heather hollow');
  await page.getByLabel('I accept the licence terms').check();
  await page.getByRole('button', { name: 'Pay $60.00 and order' }).dblclick();
  await expect(page).toHaveURL(/\/servers\/manage\?order=/);
  const order = new URL(page.url()).searchParams.get('order')!;
  await expect(main(page).getByRole('link', { name: 'Heather hollow' })).toHaveCount(1);

  await page.goto(`/servers/manage/${order}/options/billing`);
  await expect(main(page).getByText(/^Paid until/)).toBeVisible();
  await expect(main(page).getByText('Visa ending in 4242')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel the server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this server?' });
  expect(await axeFinds(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Keep the server' }).click();
  await expect(dialog).toBeHidden();
  await expect(main(page).getByText(/^Paid until/)).toBeVisible();
});

test('works without scripts, in another language, and a trial is available once per user', async ({
  browser,
}) => {
  const context: BrowserContext = await browser.newContext({ locale: 'de-DE', javaScriptEnabled: false });
  const page = await context.newPage();
  const who = `trier${Date.now().toString(36)}`;
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  await page.goto('/servers/buy?plan=trial');
  await page.getByLabel('E-Mail').fill(who);
  await page.getByLabel('Passwort').fill(word);
  await main(page).getByRole('button', { name: 'Anmelden' }).click();
  const weiter = page.getByRole('button', { name: 'Weiter' });
  await expect(title(page)).toHaveText('Wie groß soll er sein?');
  await weiter.click();
  await page.getByRole('radio', { name: /Nordamerika/ }).check();
  await weiter.click();
  await expect(main(page).getByText('Für die Probezeit brauchst du keine Karte.')).toBeVisible();
  await weiter.click();
  await page.getByLabel('Ich nehme die Lizenzbedingungen').check();
  await page.getByRole('button', { name: 'Probezeit beginnen' }).click();
  await expect(page).toHaveURL(/\/servers\/manage\?order=/);
  const order = new URL(page.url()).searchParams.get('order')!;
  await page.goto(`/servers/manage/${order}/options/billing`);
  await expect(main(page).getByText(/^Probezeit bis/)).toBeVisible();
  await page.goto('/servers/buy?plan=trial');
  await expect(page.getByRole('radio', { name: /^Probezeit/ })).toBeDisabled();
  await context.close();
});
