import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { call } from '../testing/call.ts';
import { testSite } from '../testing/test-site.ts';

const database = testDatabase();
const site = testSite(database);

test('an address that is not registered leads nowhere, and the page cannot be framed', async () => {
  const visitor = await site.as((await build.user(database.sql)).username);
  const { id } = await call<{ id: string }>(visitor, 'POST', '/v3/oauth/app', {
    ...{ name: 'Herons of the lake', max_scopes: 1, redirect_uris: ['https://herons.example/back'] },
  });
  const evil = encodeURIComponent('https://evil.example/');
  const page = await visitor.open(`/auth/authorize?client_id=${id}&redirect_uri=${evil}`);
  expect(page.status).toBe(400);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  page.one('heading', { name: 'This request can’t be answered', level: 1 });
  expect(page.text()).toContain('isn’t registered for this application');
  expect(page.url).toMatch(/^\/auth\/authorize/);
});
