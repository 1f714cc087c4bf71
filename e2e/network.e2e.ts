import { expect, type Page, test } from 'playwright/test';
import { type DnsServer, dnsServer, srvRecord } from '../db/testing/dns-server.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { inLanguage } from './pages.ts';
import { port } from './product.ts';

/** Extra ports of a server, and a domain of its renter that a real name server answers for. */
const who = `pearl${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
const domain = `${who}.example.org`;
let id = '';
let token = '';
let names: DnsServer;

const asRenter = (...args: string[]) => cairn('server', '--token', token, ...args);
const address = async () => JSON.parse(await asRenter('show', id, '--json')).address;

test.beforeAll(async () => {
  names = await dnsServer(port + 9);
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Pearl', '--kind', 'local', '--region', 'north-america'];
  id = await asRenter('create', ...wish);
  await expect.poll(address, { timeout: 60_000 }).not.toBeNull();
});
test.afterAll(async () => {
  // others need its place on the node
  if (id) await asRenter('delete', id);
  await names.close();
});

async function open(page: Page): Promise<void> {
  const to = `/servers/manage/${id}/options/network`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('ports are added, renamed and removed; a domain is wrong, then verified', async ({ page }) => {
  const { port } = await address();
  await open(page);
  const ports = page.locator('.ports > li');
  await expect(ports).toHaveCount(1);
  await expect(ports.first()).toContainText(String(port));
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Add a port' }).click();
  await dialog.getByLabel('What is it for?').fill('Map');
  await dialog.getByRole('button', { name: 'Add a port' }).click();
  await expect(ports).toHaveCount(2);
  await expect(ports.nth(1)).toContainText('Map');
  const extra = Number(await ports.nth(1).locator('code').textContent());
  expect(extra).toBeGreaterThan(port);
  await page.getByRole('button', { name: 'Add a port' }).click();
  await dialog.getByLabel('What is it for?').fill('map');
  await expect(dialog.getByText('Another port has this name')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Rename .*Map/ }).click();
  await dialog.getByLabel('What is it for?').fill('Voice chat');
  await page.keyboard.press('Enter');
  await expect(ports.nth(1)).toContainText('Voice chat');
  expect(JSON.parse(await asRenter('ports', 'list', id, '--json'))).toMatchObject({
    ports: [{ port: extra, name: 'Voice chat' }],
  });
  // somebody else adds one meanwhile
  await asRenter('ports', 'add', id, 'Query');
  await expect(ports).toHaveCount(3);
  await page.getByRole('button', { name: /^Remove .*Voice chat/ }).click();
  await expect(dialog).toContainText('can’t be undone');
  await dialog.getByRole('button', { name: 'Remove the port' }).click();
  await expect(ports).toHaveCount(2);
  await expect(ports.filter({ hasText: 'Voice chat' })).toHaveCount(0);

  const field = page.getByLabel('Domain', { exact: true });
  await field.fill('http://play.example.org');
  await page.getByRole('button', { name: 'Set the domain' }).click();
  await expect(page.getByText('Enter a domain such as')).toBeVisible();
  await field.fill(domain.toUpperCase());
  await page.getByRole('button', { name: 'Set the domain' }).click();
  await expect(page.getByText('Waiting for records')).toBeVisible();
  const records = page.locator('.records');
  await expect(records).toContainText(`_minecraft._tcp.${domain}`);
  await expect(records).toContainText(`0 5 ${port} `);
  const exported = await page.getByRole('link', { name: 'zone file' }).getAttribute('href');
  expect(decodeURIComponent(exported!)).toContain(await asRenter('domain', 'export', id));

  const check = page.getByRole('button', { name: 'Check now' });
  names.answers = [srvRecord(domain, port + 1, domain), { type: 'A', name: domain, data: '127.0.0.1' }];
  await check.click();
  await expect(page.getByText('The SRV record has another port')).toBeVisible();
  await expect(page.getByText(`SRV _minecraft._tcp.${domain} 0 5 ${port + 1} ${domain}`)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  names.answers = [srvRecord(domain, port, domain), { type: 'A', name: domain, data: '127.0.0.1' }];
  // two checks have five seconds between them
  await expect(async () => {
    await check.click();
    await expect(page.getByText(`Players can join at`)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  const shown = page.locator('.shead').getByRole('button', { name: 'Copy address' });
  await expect(shown.first()).toContainText(domain);
  await expect(shown.nth(1)).toContainText(String(port));

  await page.goto(inLanguage(`/servers/manage/${id}/options/network`, 'ar-SA'));
  await expect(records).toContainText(domain);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axeFinds(page)).toEqual([]);
});
