import { describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { demoSite, testSite } from '../../testing/test-site.ts';

describe('without an app', () => {
  const site = demoSite();

  test('the page says how launchers are pointed at this site', async () => {
    const home = await site.open('/');
    const page = await home.follow(home.one('link', { name: 'App', within: home.one('contentinfo') }));
    page.one('heading', { name: 'App and launchers', level: 1 });
    expect(page.text(page.main)).toContain('This site has no app of its own');
    expect(page.all('region', { name: 'Download the app' })).toHaveLength(0);
    const { api, downloads } = await site.json<{ api: object; downloads: object }>('/app/_payload.json');
    expect(api).toEqual({ v2: `${site.url}/v2`, v3: `${site.url}/v3` });
    expect(new Set(Object.values(downloads))).toEqual(new Set(['']));
  });
});

describe('with an app', () => {
  const site = testSite(testDatabase(), {
    APP_WINDOWS_URL: 'https://apps.example/app.exe',
    APP_MAC_URL: 'https://apps.example/app.dmg',
    APP_LINUX_DEB_URL: 'https://apps.example/app.deb',
    APP_LINUX_APPIMAGE_URL: 'https://apps.example/app.AppImage',
    APP_MEMORY_MB: '150',
  });

  test('every download is listed, and without scripts none is marked', async () => {
    const page = await site.open('/app');
    const app = page.one('region', { name: 'Download the app' });
    expect(page.text(app)).toContain('Uses about 150 MB of RAM.');
    expect(page.all('link', { name: /^Download: /, within: app })).toHaveLength(4);
    const mac = page.one('link', { name: 'Download: Mac', within: app });
    expect(mac.getAttribute('href')).toBe('https://apps.example/app.dmg');
    expect(page.html).toContain('Your system');
    expect(page.withText('Your system')).toHaveLength(0);
  });
});
