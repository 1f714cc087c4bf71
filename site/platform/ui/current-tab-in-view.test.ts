import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** On phones such a navigation is one line that scrolls. */
const lines = /<nav class="side"[\s\S]*?<\/nav>(\s*<CurrentTabInView \/>)?/g;

test('every navigation at the side of pages shows the current one', () => {
  const found = globSync('site/**/*.astro').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(lines)].map(([, follows]) => [file, follows !== undefined]),
  );
  expect(found.length).toBeGreaterThan(5);
  // the handbook has a menu instead
  expect(
    found.filter(([file, follows]) => !follows && file !== 'site/discovery/docs/DocsLayout.astro'),
  ).toEqual([]);
});
