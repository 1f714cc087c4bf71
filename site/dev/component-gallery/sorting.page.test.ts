import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

test('without scripts the buttons of a list in order send the form with the row that moves', async () => {
  const page = await site.open('/dev/ui');
  const list = page.one('list', { name: 'Stones' });
  const moved = await page.submit(page.one('button', { name: 'Move Slate up', within: list }));
  expect(moved.url).toBe('/dev/ui?order=granite+basalt+slate+flint&move=up+slate');
});
