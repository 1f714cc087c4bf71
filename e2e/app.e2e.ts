import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, test } from 'playwright/test';
import { fill } from '#site/platform/static-pages/tokens.ts';
import { parseSettings } from '../db/platform/runtime/env.ts';

const linux =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const windows = linux.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64');

/** The page as an installation with an app serves it; the one under test has none. */
async function offerApp(context: BrowserContext): Promise<void> {
  const settings = parseSettings({
    SITE_URL: 'https://mods.example',
    APP_WINDOWS_URL: 'https://apps.example/app.exe',
    APP_MAC_URL: 'https://apps.example/app.dmg',
    APP_LINUX_DEB_URL: 'https://apps.example/app.deb',
    APP_LINUX_APPIMAGE_URL: 'https://apps.example/app.AppImage',
    APP_MEMORY_MB: '150',
  });
  const built = readFileSync('dist/pages/app.html', 'utf8');
  const body = fill(built, { settings, build: 'test', hl: null, format: 'html' });
  await context.route('**/app', (route) => route.fulfill({ body, contentType: 'text/html' }));
}

test('what launchers are set to is copied', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/app');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy: API address, version 2' }).click();
  await expect.poll(copied).toBe(`${baseURL}/v2`);
  await page.getByRole('button', { name: 'Copy: Prism Launcher' }).click();
  await expect.poll(copied).toBe(`QString MODRINTH_PROD_URL = "${baseURL}/v2";`);
  await page.getByRole('button', { name: 'Copy: mrpack-install' }).click();
  await expect.poll(copied).toBe(`mrpack-install MODPACK --host ${new URL(baseURL!).host}`);
});

for (const [userAgent, own, best] of [
  [windows, ['Windows'], 'Download: Windows'],
  [linux, ['Linux, DEB package', 'Linux, AppImage'], 'Download: Linux, AppImage'],
] as const) {
  test(`an app that is offered is marked for ${own.join(' and ')}`, async ({ browser }) => {
    const context = await browser.newContext({ userAgent });
    await offerApp(context);
    const page = await context.newPage();
    await page.goto('/app');
    const app = page.getByRole('region', { name: 'Download the app' });
    await expect(app).toContainText('Uses about 150 MB of RAM.');
    await expect(app.getByRole('link')).toHaveCount(4);
    await expect(app.getByRole('link', { name: 'Download: Mac' })).toHaveAttribute(
      'href',
      'https://apps.example/app.dmg',
    );
    const marked = app
      .getByRole('listitem')
      .filter({ has: page.getByText('Your system', { exact: true }).filter({ visible: true }) });
    await expect(marked).toHaveCount(own.length);
    for (const [position, name] of own.entries()) await expect(marked.nth(position)).toContainText(name);
    await expect(app.locator('.primary')).toHaveAttribute('aria-label', best);
    await context.close();
  });
}
