import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlaneProcess, planeProcess } from '#control/testing/plane-process.ts';
import { user } from '#db/testing/builders/build.ts';
import { node } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { CardKind } from '#db/testing/stripe/account.ts';
import { type StripeSimulator, stripeKeys, stripeSimulator } from '#db/testing/stripe/simulator.ts';
import { ownBrowser } from './testing/own-browser.ts';
import { ownSite, sessionCookie } from './testing/own-site.ts';

/** Buying a server with Stripe in a browser: a simulator plays Stripe, and its script is one that the test gives. */
const database = testDatabase();
let stripe: StripeSimulator;
let plane: PlaneProcess;
const site = ownSite(database, { SERVER_KIND: 'local' }, async ({ url, env }) => {
  stripe = await stripeSimulator();
  Object.assign(env, stripeKeys, { STRIPE_API_URL: stripe.address });
  const { DATABASE_URL: _, ...same } = env; // a plane has a role of its own
  plane = await planeProcess({ database, data: env.DATA_DIR!, env: { ...same, SITE_URL: url } });
  env.CONTROL_URL = plane.url;
});
const browser = ownBrowser();
let page: Page;
/** Files of Stripe that the page loaded, and what its policy forbade. */
const loaded: string[] = [];
const forbidden: string[] = [];

/** In place of Stripe's script: a form with one field, which takes what the card does. */
const script = `
  window.Stripe = () => ({
    elements: ({ clientSecret }) => {
      let field;
      const element = {
        on() {},
        mount(place) {
          const label = document.createElement('label');
          field = document.createElement('input');
          label.append('Card of the test ', field);
          place.replaceChildren(label);
        },
        destroy: () => field?.parentElement.remove(),
      };
      return { create: () => element, getElement: () => element, enter: () => enterCard(clientSecret, field.value) };
    },
    confirmSetup: async ({ elements }) => {
      const id = await elements.enter();
      return id ? { setupIntent: { id, status: 'succeeded' } } : { error: { message: 'Your card number is incomplete.' } };
    },
    handleNextAction: async ({ clientSecret }) => await agree(clientSecret),
  });`;

beforeAll(async () => {
  await node(database.sql, new Date(), { region: 'north-america' });
  const buyer = await user(database.sql, { username: 'heron' });
  page = await browser.newPage(site.url, {}, await sessionCookie(database.sql, buyer));
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy/i.test(message.text())) forbidden.push(message.text());
  });
  await page.exposeFunction('enterCard', (secret: string, kind: string) =>
    kind ? stripe.account.enterCard(secret, kind as CardKind) : null,
  );
  await page.exposeFunction('agree', (secret: string) => {
    stripe.account.authenticate(secret, true);
    return {};
  });
});
afterAll(async () => {
  await plane?.end();
  await stripe?.close();
});

const blocks = (block: boolean) =>
  page.route('https://js.stripe.com/**', (route) => {
    loaded.push(route.request().url());
    return block ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script });
  });
const card = () => page.getByLabel('Card of the test');
/** Euro cents that were charged, before what Stripe keeps of them. */
const charged = () =>
  [...stripe.account.intents.values()]
    .filter(({ status, currency }) => status === 'succeeded' && currency === 'eur')
    .reduce((sum, { amount }) => sum + amount, 0);
const another = () => page.getByRole('radio', { name: 'Another card' });
const goOn = () => page.getByRole('button', { name: 'Continue', exact: true });
const payment = '/servers/buy?step=payment&plan=small&interval=monthly&region=north-america&currency=EUR';

/** Orders with a card that does this, from the payment step on. */
async function order(kind: CardKind): Promise<void> {
  await page.goto(payment);
  if (await another().count()) await another().check();
  await card().fill(kind);
  await goOn().click();
  await page.getByLabel('I accept the game’s EULA').check();
  await page.getByRole('button', { name: /^Pay / }).click();
}

it('loads nothing of Stripe before it asks for a card, and says when its form is blocked', async () => {
  await page.goto('/servers/buy', { waitUntil: 'networkidle' });
  expect(loaded).toEqual([]);
  await blocks(true);
  await page.goto(payment);
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  expect(await page.getByText('js.stripe.com').textContent()).toContain('nothing blocks');
  await page.unroute('https://js.stripe.com/**');
  await blocks(false);
  await retry.click();
  await card().waitFor();
  expect(await retry.isVisible()).toBe(false);
  // what the form finds wrong is said in place
  await goOn().click();
  await page.getByText('Your card number is incomplete.').waitFor();
  expect(page.url()).toContain('step=payment');

  // a form that is folded asks for nothing
  const before = loaded.length;
  await page.goto('/settings/billing', { waitUntil: 'networkidle' });
  expect(loaded).toHaveLength(before);
  await page.getByText('Add a card').click();
  await card().waitFor();
  expect(loaded.length).toBeGreaterThan(before);
});

it('refuses a card that is declined, and asks for another one', async () => {
  await order('declined');
  await page.waitForURL(/step=payment/);
  await page.getByText('The card was declined.').waitFor();
  await card().waitFor();
  expect(stripe.account.balance.get('eur')).toBeUndefined();
});

it('pays once the payer confirmed it at the bank, by the card that never came to us', async () => {
  await order('asks');
  await page.waitForURL(/\/servers\/manage\/\w+\/options\/billing/);
  await page.getByText('Your payment isn’t done yet').waitFor();
  expect(stripe.account.balance.get('eur')).toBeUndefined();
  await page.getByRole('button', { name: 'Continue with the payment' }).click();
  await page.getByText('Your payment isn’t done yet').waitFor({ state: 'detached' });
  await page.getByText(/^Paid until/).waitFor();
  expect(charged()).toBe(1120);
  expect(forbidden).toEqual([]);
});

it('sells Plus by a saved card that the bank asks about, without loading anything, and charges it once', async () => {
  const before = loaded.length;
  await page.goto('/settings/billing/plus?interval=yearly&currency=EUR', { waitUntil: 'networkidle' });
  await page.getByRole('radio', { name: /^Yearly/ }).check();
  await page
    .getByRole('radio', { name: /^Visa ending in 4242/ })
    .first()
    .check();
  expect(loaded).toHaveLength(before);
  await another().check();
  await card().waitFor();
  // what the form finds wrong is said in place, and pays nothing
  await page.getByRole('button', { name: 'Pay and get Plus' }).click();
  await page.getByText('Your card number is incomplete.').waitFor();
  await page
    .getByRole('radio', { name: /^Visa ending in 4242/ })
    .first()
    .check();
  await card().waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Pay and get Plus' }).click();
  await page.getByText('Waiting for your first payment').waitFor();
  expect(charged()).toBe(1120);
  await page.getByRole('button', { name: 'Continue with the payment' }).click();
  await page.getByText(/^Renews on/).waitFor();
  expect(charged()).toBe(1120 + 4999);
  await page.goto('/user/heron');
  await page.getByText('Supports this site').first().waitFor();
  expect(forbidden).toEqual([]);
});
