import { expect, test } from 'playwright/test';
import { type DnsServer, dnsServer, srvRecord } from '../db/testing/dns-server.ts';
import { axeFinds } from './axe.ts';
import { inLanguage } from './pages.ts';
import { port as product_port } from './product.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** Extra ports of a server, and a domain of its renter that a real name server answers for. */
let server: RentedServer<ScriptedNode>;
let names: DnsServer;

test.beforeAll(async () => {
  names = await dnsServer(product_port + 9);
  server = await rentedServer(scriptedNode, { name: 'Pearl', public_address: '127.0.0.1' });
});
test.afterAll(async () => {
  await server?.close();
  await names.close();
});

test('ports are added, renamed and removed; a domain is wrong, then verified', async ({ page }) => {
  const { id, command } = server;
  const domain = `${server.renter.username}.example.org`;
  const { port } = JSON.parse(await command('show', id, '--json')).address;
  await server.open(page, `${server.address}/options/network`);
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
  expect(JSON.parse(await command('ports', 'list', id, '--json'))).toMatchObject({
    ports: [{ port: extra, name: 'Voice chat' }],
  });
  // somebody else adds one meanwhile
  await command('ports', 'add', id, 'Query');
  await expect(ports).toHaveCount(3);
  await page.getByRole('button', { name: /^Remove .*Voice chat/ }).click();
  await expect(dialog).toContainText('can’t be undone');
  await dialog.getByRole('button', { name: 'Remove the port' }).click();
  await expect(ports).toHaveCount(2);
  await expect(ports.filter({ hasText: 'Voice chat' })).toHaveCount(0);

  const field = page.getByLabel('Domain', { exact: true });
  await field.fill('http://play.example.org');
  await page.getByRole('button', { name: 'Set domain' }).click();
  await expect(page.getByText('Enter a domain such as')).toBeVisible();
  await field.fill(domain.toUpperCase());
  await page.getByRole('button', { name: 'Set domain' }).click();
  await expect(page.getByText('Waiting for records')).toBeVisible();
  const records = page.locator('.records');
  await expect(records).toContainText(`_minecraft._tcp.${domain}`);
  await expect(records).toContainText(`0 5 ${port} `);
  const exported = await page.getByRole('link', { name: 'zone file' }).getAttribute('href');
  expect(decodeURIComponent(exported!)).toContain(await command('domain', 'export', id));

  const check = page.getByRole('button', { name: 'Check now' });
  names.answers = [srvRecord(domain, port + 1, domain), { type: 'A', name: domain, data: '127.0.0.1' }];
  await check.click();
  await expect(page.getByText('The SRV record has a different port')).toBeVisible();
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

  await page.goto(inLanguage(`${server.address}/options/network`, 'ar-SA'));
  await expect(records).toContainText(domain);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
