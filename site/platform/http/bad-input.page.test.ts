import { describe, expect, test } from 'vitest';
import { demoId } from '#db/demo/ids.ts';
import { demoSite } from '../../testing/test-site.ts';

/** Hostile queries of pages: unknown, repeated, contradictory, very long, malformed. Source: decisions §3.4. */
const site = demoSite();
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
const paths = [
  ...[
    '/',
    '/mods',
    '/auth/sign-in',
    '/auth/sign-up',
    '/never-was',
    '/settings',
    '/settings/language',
    '/flags',
  ],
  ...[
    '/mod/lanternroot',
    '/mod/lanternroot/gallery',
    '/mod/lanternroot/changelog',
    '/mod/lanternroot/versions',
    '/modpack/long-winter/contents',
  ],
  ...['/mod/lanternroot/version/2.4.1', '/user/fen', '/user/fen/mods', '/user/mirelle/collections'],
  `/collection/${demoId('collection mirelle Slow evenings')}`,
  ...['/organization/stonewrights', '/organization/stonewrights/mods'],
];

/** An answer without its redirect followed, with the text of its h1. */
async function answerTo(target: string) {
  const answer = await site.fetch(target, { headers: { accept: 'text/html' } });
  const text = await answer.text();
  const [, inner] = /<h1[^>]*>(.*?)<\/h1>/s.exec(text) ?? [];
  const heading = inner === undefined ? null : inner.replace(/<[^>]+>/g, '').trim();
  return { status: answer.status, location: answer.headers.get('location'), heading, text };
}

/** The answer after a few redirects; `strayed` when one of them leads away from the site. */
async function finalAnswerTo(target: string) {
  let found = await answerTo(target);
  for (let steps = 0; found.location !== null && steps < 4; steps++) {
    if (!/^\/(?![/\\])/.test(found.location)) return { ...found, strayed: true };
    found = await answerTo(found.location);
  }
  return { ...found, strayed: false };
}

interface Joined {
  text: string;
  names: string[];
}

/** The same queries, joined as far as they name different things; one that names what the page reads stands alone. */
function joined(read: readonly string[]): string[] {
  const alone: string[] = [];
  const all: Joined[] = [];
  for (const query of queries) {
    const names = [...new Set(new URLSearchParams(query).keys())];
    if (names.some((name) => read.includes(name))) {
      alone.push(query);
      continue;
    }
    const free = all.find(
      (one) => one.text.length + query.length < 9000 && !names.some((name) => one.names.includes(name)),
    );
    if (free) Object.assign(free, { text: `${free.text}&${query}`, names: [...free.names, ...names] });
    else all.push({ text: query, names });
  }
  return [...alone, ...all.map(({ text }) => text)];
}
const versionNames = ['c', 'g', 'hl', 'page', 'v'];
/** Pages that read several names, with these; null for all. The others read few: there all queries are joined. */
const readers: Record<string, readonly string[] | null> = {
  '/mods': null,
  '/mod/lanternroot/changelog': versionNames,
  '/mod/lanternroot/versions': versionNames,
  '/modpack/long-winter/contents': ['hl', 'q', 'since', 'version'],
  '/auth/sign-in': null,
  '/user/fen': ['hl', 'page', 'q', 's'],
};

describe.each(paths)('%s', (path) => {
  test('is not broken by any query', async () => {
    const plain = await finalAnswerTo(path);
    const wrong: string[] = [];
    const read = readers[path];
    for (const query of read === null ? queries : joined(read ?? [])) {
      const { status, strayed, heading, text } = await finalAnswerTo(`${path}?${query}`);
      const is_fine = status === plain.status && !strayed && heading && !text.includes('"><script>alert');
      if (!is_fine) wrong.push(`${status} ${query.slice(0, 100)}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});

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

test.each(addresses)('%s is answered with %i, %s', async (target, status, words) => {
  const found = await answerTo(target);
  expect([found.status, found.location ?? found.heading]).toEqual([status, words]);
});

test.each([
  ['/kein/%C3%BCber/weg', 'Page not found: /kein/über/weg'],
  ['/%E0%A4%A/x/y', 'Page not found: /%E0%A4%A/x/y'],
  ['/rock/lanternroot', 'Page Not Found: /rock/lanternroot'],
  ['/x/%3Cimg%20src=x%3E/y', 'Page not found: /x/&lt;img src=x&gt;/y'],
])('the error page shows the address %s as typed', async (target, words) => {
  expect((await answerTo(target)).text).toContain(words);
});
