import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { call } from '../../testing/call.ts';
import { send, unfold } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { goodPassword, person } from '../../testing/signed-in.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

const database = testDatabase();
const site = testSite(database);

const back = 'https://herons.example/back';
interface App {
  id: string;
  secret: string;
}

/** The address that an app sends people to. */
const question = ({ id }: { id: string }, more: Record<string, string> = {}) =>
  `/auth/authorize?${new URLSearchParams({ client_id: id, redirect_uri: back, ...more })}`;

/** Where the app is called back. */
async function calledBack(going: Promise<Page>): Promise<URL> {
  const page = await going.catch((error: Error) => error);
  const address = page instanceof Error && /leads away, to (\S+)$/.exec(page.message)?.[1];
  if (!address) throw page instanceof Error ? page : new Error(`Still at ${page.url}`);
  return new URL(address);
}

/** An app of the visitor, made in the settings. */
async function makeApp(visitor: Visitor): Promise<App> {
  const page = await send(await visitor.open('/settings/applications/new'), 'Create application', {
    ...{ Name: 'Herons of the lake', Website: 'https://herons.example', 'Redirect URLs': back },
    'Create projects': true,
  });
  page.one('heading', { name: 'Herons of the lake', level: 1 });
  const secret = page.text(page.document.querySelector('.secret code')!);
  expect(secret).toMatch(/^\w{32}$/);
  return { id: /applications\/(\w{8})/.exec(page.url)![1]!, secret };
}

test('an address that is not registered leads nowhere, and the page cannot be framed', async () => {
  const visitor = await site.as((await build.user(database.sql)).username);
  const { id } = await call<{ id: string }>(visitor, 'POST', '/v3/oauth/app', {
    ...{ name: 'Herons of the lake', max_scopes: 1, redirect_uris: [back] },
  });
  const evil = encodeURIComponent('https://evil.example/');
  const page = await visitor.open(`/auth/authorize?client_id=${id}&redirect_uri=${evil}`);
  expect(page.status).toBe(400);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  page.one('heading', { name: 'This request isn’t valid', level: 1 });
  expect(page.text()).toContain('isn’t registered for this application');
  expect(page.url).toMatch(/^\/auth\/authorize/);
});

test('without scripts an app is made, declined, authorized, forwarded and revoked', async () => {
  const { username } = await build.user(database.sql);
  const visitor = await site.as(username);
  const app = await makeApp(visitor);
  const asked = { scope: 'USER_READ', state: 'a&b' };

  let page = await visitor.open(question(app, asked));
  page.one('heading', { name: 'Herons of the lake wants access to your account', level: 1 });
  expect(page.text(page.main)).toContain(`You’re signed in as ${username}.`);
  expect(page.text(page.main)).toContain('See your account, the projects you follow');
  expect(page.text(page.main)).not.toContain('Create projects');
  expect(page.text(page.main)).toContain(back);
  let called = await calledBack(send(page, 'Decline'));
  expect(called.origin + called.pathname).toBe(back);
  expect(Object.fromEntries(called.searchParams)).toMatchObject({ error: 'access_denied', state: 'a&b' });

  called = await calledBack(send(await visitor.open(question(app, asked)), 'Authorize'));
  expect(called.searchParams.get('state')).toBe('a&b');
  const code = called.searchParams.get('code')!;
  const answer = await site.fetch('/v3/oauth/token', {
    method: 'POST',
    headers: { authorization: app.secret },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: app.id, redirect_uri: back, code },
    }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const statusOf = async () =>
    (await site.fetch('/v2/user', { headers: { authorization: access_token } })).status;
  expect(await statusOf()).toBe(200);
  // granted before: straight through
  called = await calledBack(visitor.open(question(app, asked)));
  expect(called.searchParams.get('code')).toMatch(/\w/);

  page = await visitor.open('/settings/authorizations');
  unfold(page, 'Permissions');
  expect(page.all('checkbox')).toHaveLength(1);
  page = await send(page, 'Save the permissions of Herons of the lake');
  expect(page.text()).toContain('Changes saved');
  expect(await statusOf()).toBe(200);
  page = await send(page, 'Revoke Herons of the lake');
  expect(page.text()).toContain('Authorization revoked');
  expect(await statusOf()).toBe(401);
});

test('a visitor signs in first and comes back to the question', async () => {
  const app = await makeApp(await site.as((await build.user(database.sql)).username));
  const { username } = await person(database.sql);
  const asked = await site.open(question(app));
  expect(asked.url).toMatch(/^\/auth\/sign-in/);
  const typed = { 'Email or username': username, Password: goodPassword };
  const page = await send(asked, 'Sign in', typed, { within: asked.main });
  page.one('heading', { name: 'Herons of the lake wants access to your account', level: 1 });
  expect(page.text(page.main)).toContain(`You’re signed in as ${username}.`);
});
