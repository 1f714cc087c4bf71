import { expect, it } from 'vitest';
import { ahead } from './prefetch.ts';

const here = 'https://cairn.test/mods?q=stone';

it.each([
  ['/mod/lantern', 'https://cairn.test/mod/lantern'],
  ['/mod/lantern/versions#content', 'https://cairn.test/mod/lantern/versions'],
  ['/shaders', 'https://cairn.test/shaders'],
  ['/?hl=de-DE', 'https://cairn.test/?hl=de-DE'],
])('prefetches the page %s', (href, requested) => {
  expect(ahead(href, here)).toBe(requested);
});

it.each([
  ['a file, whose downloads are counted', '/data/abc/versions/def/lantern.jar'],
  ['the page one is on', '/mods?q=stone#results'],
  ['another site', 'https://elsewhere.test/mod/lantern'],
  ['what belongs to a person', '/settings'],
  ['signing in', '/auth/sign-in'],
  ['the API', '/v2/project/lantern'],
  ['mail', 'mailto:someone@cairn.test'],
])('does not prefetch when a link leads to %s', (_what, href) => {
  expect(ahead(href, here)).toBeNull();
});
