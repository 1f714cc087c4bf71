import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** One's own data as the answer of the API, and the end of an account by its form. */
const database = testDatabase();
const api = testApi(database);
const minute_ms = 60_000;

async function signedIn(proved = new Date()) {
  const user = await build.user(database.sql);
  const { session } = await openSession(database.sql, {
    user_id: user.id,
    user_agent: null,
    now: new Date(),
    proved,
  });
  return {
    user,
    session: session!,
    headers: { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` },
  };
}

test('the API answers everything about the caller, three times a day, to sessions that proved who they are', async () => {
  const { user, session } = await signedIn();
  const ask = (token: string) => api.call('POST', '/_internal/gdpr/export', { token });
  const answer = await ask(session);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(await answer.json()).toMatchObject({ user: { id: user.id }, payouts: [], pats: [] });
  expect((await ask(session)).status).toBe(200);
  expect((await ask(session)).status).toBe(200);
  expect((await ask(session)).status).toBe(429);
  const old = await signedIn(new Date(Date.now() - 11 * minute_ms));
  expect(await (await ask(old.session)).json()).toMatchObject({
    details: { code: 'proof_required' },
  });
});

test('a deleted account ends its sessions, clears the cookie and leads to a farewell', async () => {
  const { user, headers } = await signedIn();
  const send = (username: string) =>
    api.call('POST', '/_internal/account/delete', { headers, json: { username } });
  expect(await (await send('somebody')).json()).toMatchObject({
    details: { fields: [{ field: 'username' }] },
  });
  const answer = await send(user.username);
  expect(await answer.json()).toEqual({ to: '/auth/farewell' });
  expect(answer.headers.get('set-cookie')).toMatch(/^auth-token=; Max-Age=0/);
  expect(await database.sql`select 1 from sessions where user_id = ${user.id}`).toHaveLength(0);
  expect((await send(user.username)).status).toBe(401);
});
