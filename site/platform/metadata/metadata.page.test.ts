import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
/** Every address in the head for programs: feeds, icons, the manifest, the Open Graph image. */
const named =
  'head link[rel=alternate][type], head link[rel*=icon], head link[rel=manifest], head meta[property="og:image"]';

test.each([
  ['/mod/lanternroot', ['SoftwareApplication', 'BreadcrumbList']],
  ['/user/mirelle', ['ProfilePage']],
])('the resources in the head of %s exist', async (path, types) => {
  const page = await site.open(path);
  const addresses = [...page.document.querySelectorAll(named)].map(
    (one) => one.getAttribute('href') ?? one.getAttribute('content')!,
  );
  expect(addresses.length).toBeGreaterThanOrEqual(6);
  for (const address of addresses) {
    const { pathname, search } = new URL(address, site.url);
    expect([pathname, (await site.fetch(pathname + search)).status]).toEqual([pathname, 200]);
  }
  const data = page.document.querySelector('head script[type="application/ld+json"]')!.textContent;
  const { '@graph': things } = JSON.parse(data) as { '@graph': Array<{ '@type': string }> };
  expect(things.map((thing) => thing['@type'])).toEqual(types);
});
