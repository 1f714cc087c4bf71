import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type StoredItem, storedItem, storedItems } from './stored-items.ts';

const root = new URL('../../', import.meta.url).pathname;
const files = (readdirSync(root, { recursive: true }) as string[])
  .filter((path) => /\.(ts|tsx|astro|js|mjs)$/.test(path) && !/\.test\./.test(path))
  .map((path) => ({ path, text: withoutComments(readFileSync(`${root}${path}`, 'utf8')) }));

/** Files that touch storage but choose no name: their callers are found instead. */
const nameless = ['platform/cosmetics/cookie-text.ts', 'platform/ui/scripts/reload.ts'];
/** Cookies of the server, whose names are put together: they stand in these files. */
const server: Record<string, string[]> = {
  'platform/http/cookies.ts': ['__Host-auth-token', 'auth-token'],
  'platform/forms/form-cookie.ts': ['__Host-form', 'form'],
  'platform/http/sign-in-cookies.ts': ['sign-in', 'new-account', 'sign-in-return'],
  'platform/http/shown-once.ts': ['__Host-shown-once', 'shown-once'],
};
/** Cookies that the inline script reads by its own function; others write them. */
const readers = ['platform/ui/scripts/first.js'];

interface Found {
  path: string;
  place: StoredItem['place'];
  /** `*` stands for what is not literal; null when the name cannot be told. */
  name: string | null;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** `'a'`, `` `a${b}` ``, or a constant or function of the file that is one of these, as a name; null for others. */
function nameOf(expression: string, text: string): string | null {
  const [, literal] = /^['"](.*)['"]$/.exec(expression) ?? [];
  if (literal !== undefined) return literal;
  const [, template] = /^`(.*)`$/.exec(expression) ?? [];
  if (template !== undefined) {
    const [, first] = /^\$\{(\w+)\}/.exec(template) ?? [];
    const start = first ? (nameOf(first, text) ?? '') : '';
    return `${start}${template.replace(/^\$\{\w+\}/, '').replace(/\$\{.*$/, '')}*`;
  }
  const [, constant = ''] = /^(\w+)/.exec(expression) ?? [];
  const [, value] =
    new RegExp(`const ${constant} = (?:\\([^)]*\\) => )?('[^']*'|\`[^\`]*\`)`).exec(text) ?? [];
  return value === undefined ? null : nameOf(value, text);
}

const argument = '\\(\\s*(\'[^\']*\'|"[^"]*"|`[^`]*`|\\w+)';
const calls: ReadonlyArray<[RegExp, StoredItem['place']]> = [
  [new RegExp(`localStorage\\??\\.\\w+Item${argument}`, 'g'), 'local'],
  [new RegExp(`(?:sessionStorage|\\bstorage)\\??\\.\\w+Item${argument}`, 'g'), 'tab'],
  [new RegExp(`persistentCookie${argument}`, 'g'), 'cookie'],
  [new RegExp(`caches\\.open${argument}`, 'g'), 'cache'],
];

function storedBy({ path, text }: (typeof files)[number]): Found[] {
  const own = server[path]?.map((name): Found => ({ path, place: 'cookie', name }));
  if (own) return own;
  return calls.flatMap(([pattern, place]) =>
    [...text.matchAll(pattern)].map(([, expression]) => ({ path, place, name: nameOf(expression!, text) })),
  );
}

const found = files.filter(({ path }) => !nameless.includes(path)).flatMap(storedBy);

test('everything that code stores in browsers is listed', () => {
  const unknown = found.filter(({ place, name }) => name === null || !storedItem(place, name));
  expect(unknown).toEqual([]);
});

test('no other code stores anything', () => {
  const touches =
    /localStorage|sessionStorage|indexedDB|cookieStore|document\.cookie\s*=|setCookie\(|stringifySetCookie|caches\.open/;
  const paths = new Set([...nameless, ...readers, ...found.map(({ path }) => path)]);
  // a cookie made elsewhere, which is found there
  const passed = ({ text }: (typeof files)[number]) =>
    /setCookie\(\w+Cookie\(/.test(text) && !/Storage/.test(text);
  expect(files.filter((file) => touches.test(file.text) && !paths.has(file.path) && !passed(file))).toEqual(
    [],
  );
});

test('every listed item exists', () => {
  const names = found.map(({ place, name }) => storedItem(place, name ?? '')?.name);
  expect(storedItems.filter(({ name }) => !names.includes(name))).toEqual([]);
  for (const [path, cookies] of Object.entries(server))
    for (const name of cookies)
      expect(files.find((file) => file.path === path)?.text, path).toContain(`'${name}'`);
});

test('names are found by place, with their ends and prefixes', () => {
  expect(storedItem('cookie', '__Host-auth-token')?.name).toBe('auth-token');
  expect(storedItem('tab', 'servers.typed.abc')?.purpose).toBe('needed');
  expect(storedItem('local', 'servers.typed.abc')).toBeUndefined();
  expect(storedItem('cookie', 'form2')).toBeUndefined();
});
