import { type BrowserContext, expect, test } from 'playwright/test';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import {
  deleteOrdered,
  goOn,
  main,
  serverName,
  serverOfPanel,
  signedInBuyer,
  terms,
  title,
  toReview,
} from './buyer.ts';
import { cairn } from './cairn.ts';

test.afterEach(deleteOrdered);

/** A buyer before and after ordering a server: prices, order, payment, canceling. */
const full = `full-${Date.now().toString(36)}`;

test.beforeAll(async () => {
  // a region with a node that takes no servers
  await cairn('node', 'add', full, '--region', 'central-europe', '--address', '127.0.0.1');
  await cairn('node', 'drain', full);
});

test('prices follow the choices, and each question has an address, on a phone and on a wide screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto('/servers');
  await expect(main(page).getByText('$12.00', { exact: true })).toBeVisible();
  for (const [each, saved] of [
    [/^Quarterly/, 'half a month free'],
    [/^Yearly/, 'two months free'],
  ] as const)
    await expect(page.getByRole('link', { name: each }).getByText(saved)).toBeVisible();
  await page.getByRole('link', { name: /^Yearly/ }).click();
  await expect(main(page).getByText('$120.00', { exact: true })).toBeVisible();
  await expect(main(page).getByText('$10.00 a month', { exact: true })).toBeVisible();
  // other tests add nodes meanwhile: every region is listed or named below
  const listed = page.getByRole('region', { name: 'Where are your friends?' });
  for (const one of ['North America', 'Western Europe', 'Central Europe', 'Southeast Asia'])
    await expect(
      listed.getByRole('link', { name: one }).or(listed.getByText(new RegExp(`^Not here yet: .*${one}`))),
    ).toHaveCount(1);
  await expect(listed.getByRole('link', { name: 'North America' })).toHaveCount(1);
  const region = page.getByRole('link', { name: /^Central Europe/ });
  await region.click();
  await expect(region).toHaveAttribute('aria-current', 'true');
  await expect(main(page).getByText('Out of stock in Central Europe').first()).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: 'See North America instead' }).first().click();
  await expect(page.getByRole('link', { name: 'Choose small' })).toBeVisible();
  await page.getByLabel('Currency').selectOption('JPY');
  await expect(main(page).getByText('¥18,400', { exact: true })).toBeVisible();
  await main(page).getByText('Can I cancel at any time?').click();
  await expect(page).toHaveURL(/#q-cancel$/);
  await page.goto('/servers#q-files');
  await expect(main(page).getByText(/^You and the people you share your server with\./)).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('the slip follows plan, memory, interval and currency, and the address has what belongs to the plan', async ({
  page,
}) => {
  await signedInBuyer(page, '/servers/buy?plan=small');
  const slip = page.getByRole('complementary', { name: 'Your order' });
  await page.getByLabel('Memory', { exact: true }).selectOption('2');
  await expect(page.getByRole('radio', { name: /^Custom/ })).toBeChecked();
  await expect(slip).toContainText('Custom, 2 GB, one month');
  await page.getByRole('radio', { name: /^Yearly/ }).check();
  await expect(slip).toContainText('$60.00');
  await expect(page.getByRole('radio', { name: /^Small/ })).toHaveAccessibleName(
    /\$120\.00 a year, \$10\.00 a month/,
  );
  await main(page).getByLabel('Currency').selectOption('EUR');
  await expect(slip).toContainText('€56.00');
  expect(await axeFinds(page)).toEqual([]);
  await goOn(page).click();
  await expect(page).toHaveURL(/currency=EUR.*gb=2&/);
  await expect(slip).toContainText('Custom, 2 GB, one year');
  await page.goBack();
  await page.getByRole('radio', { name: /^Small/ }).check();
  await goOn(page).click();
  await expect(title(page)).toHaveText('Choose a region');
  expect(page.url()).not.toContain('gb=');
  await page.goto('/servers/buy?plan=small&gb=12');
  expect(page.url()).not.toContain('gb=');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(main(page).getByText('Step 1 of 4: Plan')).toBeVisible();
});

test('an order says all that is wrong with it, and is paid with another card after a declined one', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await signedInBuyer(page, '/servers/buy?plan=small&interval=quarterly');
  await goOn(page).click();
  await expect(title(page)).toHaveText('Choose a region');
  await expect(page.getByRole('radio', { name: /Central Europe/ })).toBeDisabled();
  await page.getByRole('radio', { name: /North America/ }).check();
  await goOn(page).click();
  await expect(main(page).getByRole('note')).toContainText('No money is charged here');
  await page.getByRole('radio', { name: /0002/ }).check();
  expect(await axeFinds(page)).toEqual([]);
  await goOn(page).click();

  await serverName(page).fill('');
  await page.getByRole('button', { name: 'Pay $30.00' }).click();
  await expect(serverName(page)).toHaveAccessibleDescription(/1 to 48 characters/);
  await expect(serverName(page)).toBeFocused();
  await expect(terms(page)).toHaveAccessibleDescription(/Accept/);
  await expect(terms(page)).toHaveAttribute('aria-invalid', 'true');
  expect(await axeFinds(page)).toEqual([]);
  await serverName(page).fill('Heather hollow');
  await terms(page).check();
  await page.getByRole('button', { name: 'Pay $30.00' }).click();
  await expect(main(page).getByText('The card was declined.')).toBeVisible();
  await page.getByRole('radio', { name: /4242/ }).check();
  await goOn(page).click();
  await expect(serverName(page)).toHaveValue('Heather hollow');
  await terms(page).check();
  await page.getByRole('button', { name: 'Pay $30.00' }).dblclick();
  await serverOfPanel(page);
  await expect(title(page)).toHaveText('Heather hollow');
  await page.goto('/servers/manage');
  await expect(main(page).getByRole('link', { name: 'Heather hollow' })).toHaveCount(1);
});

test('nothing is lost and nothing is ordered twice while the connection is gone', async ({
  page,
  context,
}) => {
  await signedInBuyer(page, '/servers/buy?plan=medium');
  const unreachable = main(page).getByText(/couldn’t reach the site/);
  await page.getByRole('radio', { name: /^Small/ }).check();
  await context.setOffline(true);
  await goOn(page).click();
  await expect(unreachable).toBeVisible();
  await expect(page.getByRole('radio', { name: /^Small/ })).toBeChecked();
  await context.setOffline(false);
  await toReview(page);
  await serverName(page).fill('Twice never');
  await terms(page).check();
  await context.setOffline(true);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(unreachable).toBeVisible();
  await expect(serverName(page)).toHaveValue('Twice never');
  await context.setOffline(false);
  // the order arrives and its answer does not
  const lost = Promise.withResolvers<void>();
  await page.route('**/_internal/billing/order', async (route) => {
    await route.fetch();
    await route.abort();
    lost.resolve();
  });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await lost.promise;
  await expect(unreachable).toBeVisible();
  await page.unroute('**/_internal/billing/order');
  await page.reload();
  await serverName(page).fill('Twice never');
  await terms(page).check();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await serverOfPanel(page);
  await page.goto('/servers/manage');
  await expect(main(page).getByRole('link', { name: 'Twice never' })).toHaveCount(1);
});

test('works without scripts, in another language, and a trial has three steps, once per user', async ({
  browser,
}) => {
  const context: BrowserContext = await browser.newContext({ locale: 'de-DE', javaScriptEnabled: false });
  const page = await context.newPage();
  await signInAs(page, (await newAccount('trier')).username);
  await page.goto('/servers/buy?plan=trial');
  const weiter = page.getByRole('button', { name: 'Weiter' });
  await expect(title(page)).toHaveText('Wähle einen Tarif');
  await expect(page.getByRole('navigation', { name: 'Bestellschritte' }).getByRole('listitem')).toHaveCount(
    3,
  );
  await weiter.click();
  expect(page.url()).not.toContain('gb=');
  await page.getByRole('radio', { name: /Nordamerika/ }).check();
  await weiter.click();
  await page.getByRole('button', { name: 'Kostenlose Testphase starten' }).click();
  await expect(page.getByLabel('Ich akzeptiere die EULA')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Ich akzeptiere die EULA').check();
  await page.getByRole('button', { name: 'Kostenlose Testphase starten' }).click();
  const id = await serverOfPanel(page);
  await expect(main(page).getByText('Mein Server').first()).toBeVisible();
  await page.goto(`/servers/manage/${id}/options/billing`);
  await expect(main(page).getByText(/^Testphase bis/)).toBeVisible();
  await page.goto('/servers/buy?plan=trial');
  await expect(page.getByRole('radio', { name: /^Testphase/ })).toBeDisabled();
  await context.close();
});
