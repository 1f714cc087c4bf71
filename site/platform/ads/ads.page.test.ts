import { expect, test } from 'vitest';
import { demoAccounts } from '#db/demo/demo.ts';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const places = ['/mods', '/mod/lanternroot'];

test('ads are named in the language of the page', async () => {
  for (const path of places) {
    const page = await site.open(`${path}?hl=ar-SA`);
    page.one('heading', { name: 'إعلان' });
  }
});

test('ads are only where they belong, and the privacy policy says so', async () => {
  for (const path of ['/auth/sign-in', '/settings', '/mod/lanternroot/versions', '/user/fen']) {
    const page = await site.open(path);
    expect(page.status, path).toBe(200);
    expect(page.document.querySelector('[data-ad]'), path).toBeNull();
  }
  const policy = await site.open('/legal/privacy');
  expect(policy.document.querySelector('[data-ad]')).toBeNull();
  expect(policy.text()).toContain('Visitors who aren’t signed in see ads.');
  expect(policy.text()).not.toContain('We show no advertising.');
});

test('pages with ads are the same bytes for everybody', async () => {
  const creator = await site.as(demoAccounts[2]!);
  const bytes = async (who: { open(path: string): Promise<{ html: string }> }, path: string) =>
    (await who.open(path)).html.replace(/nonce-\S+/g, '');
  for (const path of places) {
    const html = await bytes(site.visitor(), path);
    expect(html).toContain('data-ad');
    expect(await bytes(creator, path)).toBe(html);
  }
});
