import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

test('without scripts the frog tells all its jokes', async () => {
  const page = await site.open('/frog');
  expect(page.all('listitem', { within: page.main })).toHaveLength(6);
  expect(page.html).toContain('One more');
  expect(page.all('button', { name: 'One more' })).toHaveLength(0);
});
