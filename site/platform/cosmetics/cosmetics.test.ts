import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { cookieIn } from './cookie-text.ts';
import { type Cosmetics, cosmeticsCookie, defaults, parseCosmetics, rootAttributes } from './cosmetics.ts';

const own: Cosmetics = {
  rightSearchLayout: true,
  leftContentLayout: true,
  advancedRendering: false,
  externalLinksNewTab: false,
  notUsingBlockers: true,
  hideCairnAppPromos: true,
  hideStagingBanner: true,
  preferredDarkTheme: 'oled',
  searchDisplayMode: { ...defaults.searchDisplayMode, mod: 'gallery', shader: 'grid' },
};

test('preferences survive the round trip through a cookie', () => {
  const value = cookieIn(cosmeticsCookie(own), 'cosmetics');
  expect(parseCosmetics(value)).toEqual(own);
  expect(parseCosmetics(encodeURIComponent(value!))).toEqual(own);
});

test('the cookie lasts ten years, for the whole site, and contains only non-default values', () => {
  expect(cosmeticsCookie({ ...defaults, preferredDarkTheme: 'retro' })).toBe(
    `cosmetics=${encodeURIComponent('{"preferredDarkTheme":"retro"}')}; path=/; max-age=315360000; samesite=lax`,
  );
});

const broken = [
  '',
  'not json',
  '%',
  '%7B',
  '[]',
  'null',
  '7',
  '"text"',
  '{"rightSearchLayout":"yes","preferredDarkTheme":"light","searchDisplayMode":{"mod":"pie","x":"list"}}',
  '{"searchDisplayMode":null,"advancedRendering":0}',
];
test.each(broken)('%j gives the defaults', (text) => {
  expect(parseCosmetics(text)).toEqual(defaults);
});

test("the specification's name for hidden app hints is accepted", () => {
  expect(parseCosmetics('{"hideModrinthAppPromos":true}').hideCairnAppPromos).toBe(true);
});

describe('the script before the first paint', () => {
  const script = readFileSync(new URL('../ui/scripts/first.js', import.meta.url), 'utf8');

  /** A page with the default attributes in a browser with `cookie`; `look` reads them after a change. */
  function browser(cookie: string) {
    const attributes: Record<string, string> = { ...rootAttributes(defaults) };
    const document = {
      cookie,
      documentElement: {
        dataset: {} as Record<string, string>,
        get attributes() {
          return Object.keys(attributes).map((name) => ({ name }));
        },
        hasAttribute: (name: string) => name in attributes,
        getAttribute: (name: string) => attributes[name],
        setAttribute: (name: string, text: string) => {
          attributes[name] = text;
        },
      },
      querySelector: () => null,
    };
    const received: Record<string, (event?: unknown) => void> = {};
    const warnings: string[] = [];
    const system = { matches: false, addEventListener: () => {} };
    runInNewContext(script, {
      document,
      matchMedia: () => system,
      addEventListener: (name: string, listener: (event?: unknown) => void) => {
        received[name] = listener;
      },
      console: { warn: (text: string) => warnings.push(text) },
    });
    const { dataset } = document.documentElement;
    return { attributes, dataset, document, system, warnings, received, look: () => received.cosmetics!() };
  }
  const cookieOf = (text: string) => `a=b; cosmetics=${text}; c=d`;

  test('sets the attributes of the preferences, and updates them on a change', () => {
    const { attributes, document, look } = browser(cookieOf(encodeURIComponent(JSON.stringify(own))));
    expect(attributes).toEqual(rootAttributes(own));
    document.cookie = cosmeticsCookie({
      ...own,
      rightSearchLayout: false,
      searchDisplayMode: defaults.searchDisplayMode,
    });
    look();
    expect(attributes).toEqual({ ...rootAttributes(defaults), ...differing, 'data-filters': 'start' });
  });
  const differing = Object.fromEntries(
    Object.entries(rootAttributes(own)).filter(([name]) => !name.startsWith('data-display')),
  );

  test.each(broken)('keeps the default attributes with %j', (text) => {
    expect(browser(cookieOf(text)).attributes).toEqual(rootAttributes(defaults));
    expect(browser(cookieOf(encodeURIComponent(text))).attributes).toEqual(rootAttributes(defaults));
  });

  test.each([
    ['', 'oled', false, 'oled'],
    ['system', 'oled', true, 'light'],
    ['pink', 'retro', true, 'light'],
    ['light', 'oled', false, 'light'],
    ['dark', 'oled', true, 'dark'],
    ['retro', 'dark', true, 'retro'],
  ])('with mode %j, dark theme %s and a light system %s it applies %s', (mode, preferred, light, theme) => {
    const cosmetics = encodeURIComponent(JSON.stringify({ preferredDarkTheme: preferred }));
    const { dataset, document, system, look } = browser('');
    system.matches = light;
    document.cookie = `color-mode=${mode}; cosmetics=${cosmetics}`;
    look();
    expect(dataset).toEqual({ theme, dark: preferred });
  });

  test('an unknown dark theme becomes dark, with a warning on the console', () => {
    const { dataset, warnings } = browser(cookieOf(encodeURIComponent('{"preferredDarkTheme":"pink"}')));
    expect(dataset).toEqual({ theme: 'dark', dark: 'dark' });
    expect(warnings.join()).toContain('pink');
  });

  test.each(['pageswap', 'pagereveal'])('on %s it takes an aborted transition for no error', (moment) => {
    const { received } = browser('');
    const rejected: string[] = ['finished', 'ready', 'updateCallbackDone'];
    const caught: string[] = [];
    const promises = rejected.map((name) => [name, { catch: () => caught.push(name) }]);
    received[moment]!({ viewTransition: Object.fromEntries(promises) });
    expect(caught.sort()).toEqual(rejected);
    received[moment]!({ viewTransition: null });
  });
});
