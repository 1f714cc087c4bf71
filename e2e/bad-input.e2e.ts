import { expect, test } from 'playwright/test';
import { slowEvenings } from './pages.ts';
import { each, followRedirects, rawRequest } from './raw-request.ts';

/** Hostile queries of pages: unknown, repeated, contradictory, very long, malformed. Source: decisions §3.4. */
const long = 'x'.repeat(6000);
const many = (name: string) => Array.from({ length: 300 }, (_, place) => `${name}=z${place}`).join('&');
const queries = [
  'nothing=1&nothing=2',
  '__proto__=1&constructor=x&toString=y',
  '&&&==&=&?',
  'page=0',
  'page=-1',
  'page=1.5',
  'page=1e9',
  'page=99999999999999999999',
  'page=NaN&page=2',
  'page=7000&c=nothing',
  'q=%00',
  'q=%E0%A4%A',
  'q=%ED%A0%80',
  'q=%F0%9F%98%80+%D9%85%E2%80%AE',
  'q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
  `q=${long}`,
  `hl=${long}`,
  'hl=xx',
  'hl=ar-XB&hl=en-XA',
  'hl=%00',
  'm=-5&o=-1',
  'm=99999999999&o=99999999999',
  's=nothing&s=downloads',
  's=%00&v=%00&g=%00&f=%00',
  'f=fabric&nf=fabric&f=magic&nf=magic',
  'v=1.21.4&nv=1.21.4&e=client&ne=client',
  many('f'),
  many('v'),
  'c=release&c=alpha&g=fabric&g=none&l=fabric',
  'version=none&loader=none',
  'redirect=//example.org&code=mra_x',
  'error=%00&error=b',
];

/** One public page of each kind. */
const pages = [
  ['/', '/mods', '/auth/sign-in', '/auth/sign-up', '/never-was', '/settings', '/settings/language', '/flags'],
  [
    '/mod/lanternroot',
    '/mod/lanternroot/gallery',
    '/mod/lanternroot/changelog',
    '/mod/lanternroot/versions',
    '/mod/lanternroot/version/2.4.1',
    '/user/fen',
    '/user/fen/mods',
    '/user/mirelle/collections',
    slowEvenings,
    '/organization/stonewrights',
    '/organization/stonewrights/mods',
  ],
];

for (const [place, some] of pages.entries()) {
  test(`no query breaks a page (part ${place + 1})`, async ({ baseURL }) => {
    test.slow(); // hundreds of pages, each rendered uncached
    const plain = new Map(
      await each(some, async (page) => [page, (await followRedirects(baseURL!, page)).status] as const),
    );
    const targets = some.flatMap((page) =>
      queries.map((query) => ({ page, target: page + (page.includes('?') ? '&' : '?') + query })),
    );
    const wrong = await each(targets, async ({ page, target }) => {
      const { status, strayed, heading, text } = await followRedirects(baseURL!, target);
      const fine = status === plain.get(page) && !strayed && heading && !text.includes('"><script>alert');
      return fine ? [] : [`${status} ${target.slice(0, 100)}`];
    });
    expect(wrong.flat()).toEqual([]);
  });
}

/** Unknown or non-canonical addresses with their status, and the heading or the redirect target. */
const addresses: Array<[target: string, status: number, words: string]> = [
  ['/%', 404, 'Page not found'],
  ['/%00', 404, 'Page not found'],
  ['//example.org', 404, 'Page not found'],
  ['/\\example.org', 404, 'Page not found'],
  ['/constructor', 404, 'Page not found'],
  ['/__proto__/x', 404, 'Page not found'],
  ['/.git/config', 404, 'Page not found'],
  ['/_astro/%2e%2e/%2e%2e/server/entry.mjs', 404, 'Page not found'],
  ['/sitemap/projects-99999.xml', 404, 'Page not found'],
  ['/nothing.atom', 404, 'Page not found'],
  ['/_image?href=%2Ficon-192.png&f=png', 404, 'Page not found'],
  ['/mods&hl=%E0', 404, 'Page not found'],
  ['/mods/', 301, '/mods'],
  ['/Mods?q=lan', 301, '/mods?q=lan'],
  ['//', 301, '/'],
  ['http://example.org/mods/', 301, '/mods'],
  ['/mod/%00', 404, 'Project not found'],
  ['/mod/%', 404, 'Project not found'],
  ['/mod/%E0%A4%A', 404, 'Project not found'],
  ['/mod/..%2f..%2fetc%2fpasswd', 404, 'Project not found'],
  [`/mod/${'a'.repeat(3000)}`, 404, 'Project not found'],
  ['/mod/%C3%BCn%C3%AF-%F0%9F%98%80', 404, 'Project not found'],
  ['/mod/%D9%84%D8%B9%D8%A8%D8%A9/versions', 404, 'Project not found'],
  ['/mod/lanternroot%20', 404, 'Project not found'],
  ['/mod/%00/versions.atom', 404, 'Page not found'],
  ['/mod/lanternroot/version/%00', 404, 'Lanternroot'],
  [`/mod/lanternroot/version/${'9'.repeat(500)}`, 404, 'Lanternroot'],
  ['/mod/lanternroot/nothing', 404, 'Page not found'],
  ['/MOD/LanternRoot', 301, '/mod/lanternroot'],
  ['/Plugin/LanternRoot/versions?c=release', 301, '/mod/lanternroot/versions?c=release'],
  ['/user/%00', 404, 'User not found'],
  ['/user/%', 404, 'User not found'],
  ['/user/FEN', 301, '/user/fen'],
  ['/user/f%C3%8An', 404, 'User not found'],
  ['/user/fen/nothing', 404, 'Page not found'],
  ['/organization/%', 404, 'Organization not found'],
  ['/organization/STONEWRIGHTS/mods', 301, '/organization/stonewrights/mods'],
  ['/collection/%00', 404, 'Collection not found'],
  ['/collection/AAAAAAAA/mods', 404, 'Collection not found'],
  ['/collection/AAAAAAAA/nothing', 404, 'Page not found'],
];

test('an unknown address says so, and a non-canonical one redirects', async ({ baseURL }) => {
  const found = await each(addresses, async ([target]) => {
    const { status, heading, location = heading } = await rawRequest(baseURL!, target);
    return [target, status, location];
  });
  expect(found).toEqual(addresses);
});

test('an error page shows the address as typed, and an unknown part of a page differs from an unknown page', async ({
  baseURL,
}) => {
  const said = async (target: string) => (await rawRequest(baseURL!, target)).text;
  expect(await said('/kein/%C3%BCber/weg')).toContain('Page not found: /kein/über/weg');
  expect(await said('/%E0%A4%A/x/y')).toContain('Page not found: /%E0%A4%A/x/y');
  expect(await said('/rock/lanternroot')).toContain('Page Not Found: /rock/lanternroot');
  expect(await said('/x/%3Cimg%20src=x%3E/y')).toContain('Page not found: /x/&lt;img src=x&gt;/y');
});
