import { describe, expect, test } from 'vitest';
import { languages, spoken } from '#site/platform/text/languages.ts';
import { demoAccounts } from '../db/demo/demo.ts';
import type { Page } from '../site/testing/page.ts';
import { demoSite } from '../site/testing/test-site.ts';
import type { Visitor } from '../site/testing/visitor.ts';
import { untranslated } from './page-checks.ts';
import { inLanguage, pages } from './pages.ts';

/** What every page has in its HTML; what a browser makes of it is in `every-page.e2e.ts`. */
const site = demoSite();
const [admin, moderator, creator] = demoAccounts;

type KindOfPage = (typeof pages)[number];

function visitorOf({ signed_in, staff }: KindOfPage): Visitor | Promise<Visitor> {
  if (staff) return site.as(moderator!);
  return signed_in ? site.as(signed_in === 'admin' ? admin! : creator!) : site.visitor();
}

/** The paths that were answered as themselves. */
const visited = new Set<string>();
/** The first address of every path of our own that a page names, and the page that names it. */
const linked = new Map<string, { address: string; from: string; visitor: Visitor }>();
/** Lists name hundreds of pages of one kind: a few of them stand for all. */
const counts = new Map<string, number>();
const max_of_a_kind = 4;

function isOneOfFew(pathname: string): boolean {
  const kind = pathname.replace(/^\/(\w+)\/[^/]+/, '/$1/*').replace(/\/version\/[^/]+/, '/version/*');
  if (kind === pathname || /^\/(_astro|data|docs|legal|news|settings|admin)\//.test(pathname)) return true;
  const count = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, count);
  return count <= max_of_a_kind;
}

describe.each(pages)('$path', (kind) => {
  test('has one heading, a title, its language and its addresses', async () => {
    const visitor = await visitorOf(kind);
    const page = await visitor.open(kind.path);
    const heading = page.one('heading', { level: 1 });
    if (typeof kind.heading === 'string') expect(page.text(heading)).toContain(kind.heading);
    else expect(page.text(heading)).toMatch(kind.heading);
    if (page.status === 200) visited.add(page.url.split(/[?#]/, 1)[0]!);
    expect(page.title).toMatch(/\S.*Cairn$|^Cairn/);
    expect(languageOf(page)).toEqual(['en-US', 'ltr']);
    expectAddresses(page);
    for (const address of addressesOf(page)) {
      const { pathname, search } = new URL(address, site.url + kind.path);
      const named = { address: pathname + search, from: kind.path, visitor };
      if (!linked.has(pathname) && isOneOfFew(pathname)) linked.set(pathname, named);
    }
  });

  test('has no text outside the catalogue', async () => {
    const page = await (await visitorOf(kind)).open(inLanguage(kind.path, 'en-XA'));
    expect(untranslated(page.document)).toEqual([]);
    expect(languageOf(page)).toEqual(['en-XA', 'ltr']);
  });
});

test('whatever a page links to or loads exists', async () => {
  expect(linked.size).toBeGreaterThan(300);
  // menus name the pages of staff for everybody, and show them to staff
  const staff = await site.as(admin!);
  const missing: string[] = [];
  for (const [pathname, { address, from, visitor }] of linked) {
    if (visited.has(pathname)) continue;
    let { status } = await visitor.fetch(address);
    if (status === 404) status = (await staff.fetch(address)).status;
    if (status === 404 || status >= 500) missing.push(`${status} ${address}, named by ${from}`);
  }
  expect(missing).toEqual([]);
}, 120_000);

const languageOf = ({ document: { documentElement } }: Page) => [
  documentElement.getAttribute('lang'),
  documentElement.getAttribute('dir'),
];

/** A page that search engines may list names itself in every language; another one says that it must not be listed. */
function expectAddresses({ document, url }: Page): void {
  const hrefs = (rel: string) =>
    [...document.querySelectorAll(`head link[rel=${rel}][hreflang], head link[rel=${rel}]:not([type])`)].map(
      (link) => link.getAttribute('href'),
    );
  if (document.querySelector('head meta[name=robots][content=noindex]')) {
    expect([hrefs('canonical'), hrefs('alternate')]).toEqual([[], []]);
    return;
  }
  // what a version changed is part of the page of that version
  const canonical = `${site.url}${url.split(/[?#]/, 1)[0]!.replace(/(\/version\/.*)-new$/, '$1')}`;
  expect(hrefs('canonical')).toEqual([canonical]);
  expect(hrefs('alternate')).toEqual([canonical, ...spoken.map(({ tag }) => `${canonical}?hl=${tag}`)]);
  expect(spoken.length).toBeLessThan(languages.length);
}

/** What a browser asks for or may go to, on the site itself. */
function addressesOf({ document }: Page): string[] {
  const named = [...document.querySelectorAll('[href], [src], [srcset], [poster], [component-url]')].flatMap(
    (element) => [
      ...['href', 'src', 'poster', 'component-url', 'renderer-url'].map((name) => element.getAttribute(name)),
      ...(element.getAttribute('srcset') ?? '').split(',').map((part) => part.trim().split(' ', 1)[0]!),
    ],
  );
  return named.filter(
    (address): address is string =>
      !!address &&
      /^(\/(?!\/)|\?)/.test(address.startsWith(site.url) ? address.slice(site.url.length) : address),
  );
}
