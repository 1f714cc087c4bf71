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

test('preferences survive the way through a cookie', () => {
  const value = cookieIn(cosmeticsCookie(own), 'cosmetics');
  expect(parseCosmetics(value)).toEqual(own);
  expect(parseCosmetics(encodeURIComponent(value!))).toEqual(own);
});

test('the cookie keeps ten years, for the whole site, and holds only what differs from the defaults', () => {
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

test('the name the specification has for hidden app hints is understood', () => {
  expect(parseCosmetics('{"hideModrinthAppPromos":true}').hideCairnAppPromos).toBe(true);
});

describe('the script before the first paint', () => {
  const script = readFileSync(new URL('../ui/scripts/first.js', import.meta.url), 'utf8');

  /** The attributes of `<html>` after the script ran in a page that carries those of the defaults. */
  const attributesAfter = (value: string) => {
    const attributes: Record<string, string> = { ...rootAttributes(defaults) };
    runInNewContext(script, {
      document: {
        cookie: `a=b; cosmetics=${value}; color-mode=light`,
        documentElement: {
          dataset: {},
          hasAttribute: (name: string) => name in attributes,
          setAttribute: (name: string, text: string) => {
            attributes[name] = text;
          },
        },
        querySelector: () => null,
      },
      matchMedia: () => ({ matches: false, addEventListener: () => {} }),
      console: { warn: () => {} },
    });
    return attributes;
  };

  test('sets the attributes of the preferences', () => {
    expect(attributesAfter(encodeURIComponent(JSON.stringify(own)))).toEqual(rootAttributes(own));
  });

  test.each(broken)('leaves the attributes of the defaults at %j', (text) => {
    expect(attributesAfter(text)).toEqual(rootAttributes(defaults));
    expect(attributesAfter(encodeURIComponent(text))).toEqual(rootAttributes(defaults));
  });
});
