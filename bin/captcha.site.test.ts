import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { ownBrowser } from './testing/own-browser.ts';
import { ownSite } from './testing/own-site.ts';

/** Signing up and in with a captcha: a local server plays the service, its widget and its verification. */
const secret = 'our-secret';
const site_key = 'our-site-key';
/** Answers that the service gave out and that were not checked yet: each is good once, as with real services. */
const open = new Set<string>();
const checked: Array<Record<string, string>> = [];
let given = 0;
let service: Server;

/** The script that operators name in CAPTCHA_SCRIPT: a check box that asks the service for an answer. */
const widget = (origin: string) => `
  window.turnstile = {
    render(place, { sitekey, callback }) {
      const label = document.createElement('label');
      const box = Object.assign(document.createElement('input'), { type: 'checkbox' });
      label.append(box, ' I am human');
      place.append(label);
      box.addEventListener('change', async () => {
        const answer = await fetch('${origin}/solve?key=' + sitekey, { method: 'POST' });
        callback(await answer.text());
        place.dataset.solved = 'yes';
      });
      return place;
    },
    reset(place) {
      place.querySelector('input').checked = false;
      delete place.dataset.solved;
    },
  };`;

async function startService(): Promise<string> {
  service = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams, origin } = new URL(request.url!, `http://${request.headers.host}`);
    response.setHeader('access-control-allow-origin', '*');
    if (pathname === '/api.js')
      return void response.setHeader('content-type', 'text/javascript').end(widget(origin));
    if (pathname === '/solve') {
      const answer = `answer-${++given}`;
      if (searchParams.get('key') === site_key) open.add(answer);
      return void response.end(answer);
    }
    const fields = Object.fromEntries(new URLSearchParams(text));
    checked.push(fields);
    const success = fields.secret === secret && open.delete(fields.response ?? '');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success }));
  });
  await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

const site = ownSite(testDatabase(), {}, async ({ env }) => {
  const origin = await startService();
  Object.assign(env, {
    ...{ CAPTCHA_URL: `${origin}/siteverify`, CAPTCHA_SECRET: secret },
    ...{ CAPTCHA_SCRIPT: `${origin}/api.js?render=explicit`, CAPTCHA_SITE_KEY: site_key },
  });
});
const browser = ownBrowser();
const password = 'three-flat-stones';
let page: Page;
let errors: string[] = [];

beforeEach(async () => {
  page = await browser.newPage(site.url);
  errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy/i.test(message.text())) errors.push(message.text());
  });
  checked.length = 0;
  return async () => await page.context().close();
});
afterAll(() => void service?.close());

const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 15_000 });
const account = async (name: string) => (await fetch(`${site.url}/v2/user/${name}`)).status;
const alert = () => page.getByRole('alert').filter({ visible: true }).first();
const box = () => page.getByRole('checkbox', { name: 'I am human' });
const solved = () => page.locator('[data-captcha][data-solved]').waitFor();

async function openSignUp(name: string): Promise<void> {
  await page.goto('/auth/sign-up');
  await page.getByLabel('Username').focus();
  for (const text of [name, `${name}@example.test`, password, password]) {
    await page.keyboard.type(text);
    await nextField();
  }
}

/** The next text field, check box or button that sends, by Tab alone. */
async function nextField(): Promise<void> {
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab');
    const isField = await page.evaluate(() =>
      document.activeElement!.matches('main form input, main form [type=submit]'),
    );
    if (isField) return;
  }
  throw new Error('Tab leads to no field');
}

/** Presses Tab until `matches` has the focus. */
async function tabTo(matches: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    if (await page.evaluate((wanted) => document.activeElement!.matches(wanted), matches)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab leads to no ${matches}`);
}

it('signs up by keyboard alone', async () => {
  await openSignUp('heron');
  await tabTo('[data-captcha] input');
  await page.keyboard.press('Space');
  await solved();
  await tabTo('main form [type=submit]');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/dashboard/);
  expect(checked).toEqual([{ secret, response: expect.stringMatching(/^answer-/) }]);
  expect(await account('heron')).toBe(200);
  expect(errors).toEqual([]);
});

it('refuses whoever did not answer, and asks the service nothing', async () => {
  await openSignUp('wren');
  await page.keyboard.press('Enter');
  await soon(() => alert().textContent()).toContain('human');
  expect(checked).toEqual([]);
  expect(await account('wren')).toBe(404);
});

it('asks again after any refusal, since an answer is good once', async () => {
  await openSignUp('kite');
  await page.getByLabel('Email').fill('heron@example.test');
  await box().check();
  await solved();
  await page.getByRole('button', { name: 'Create account' }).click();
  await soon(() => page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
  expect(await box().isChecked()).toBe(false);
  expect(await page.locator('[name=challenge]').inputValue()).toBe('');
  await page.getByLabel('Email').fill('kite@example.test');
  await box().check();
  await solved();
  open.clear(); // the service does not believe it
  await page.getByRole('button', { name: 'Create account' }).click();
  await soon(() => alert().textContent()).toContain('human');
  expect(await account('kite')).toBe(404);
  await box().check();
  await solved();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/dashboard/);
  expect(checked.map(({ response }) => response)).toHaveLength(3);
});

it('asks at sign-in as well', async () => {
  await page.goto('/auth/sign-in');
  await page.getByLabel('Email or username').fill('heron');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await soon(() => alert().textContent()).toContain('human');
  await box().check();
  await solved();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/dashboard/);
  expect(errors).toEqual([]);
});
