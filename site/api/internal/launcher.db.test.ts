import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

async function browser() {
  const { id, username } = await build.user(database.sql);
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return { username, token: session! };
}
const send = (token: string | null, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  api.call('POST', '/_internal/auth/launcher', {
    body: String(new URLSearchParams(fields)),
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      ...(token && { cookie: `auth-token=${token}` }),
      ...headers,
    },
  });

test.each([
  ['127.0.0.1', '4'],
  ['::1', '6'],
])('a launcher that listens at %s gets a session of its own, and refreshes it', async (host, ipver) => {
  const { username, token } = await browser();
  let got: (code: string) => void;
  const code = new Promise<string>((done) => {
    got = done;
  });
  const launcher = createServer((req, res) => {
    got(new URL(req.url!, 'http://launcher').searchParams.get('code')!);
    res.end('You can go back to the launcher.');
  });
  await new Promise<void>((done) => launcher.listen(0, host, done));
  const { port } = launcher.address() as AddressInfo;
  const answer = await send(token, { port: String(port), ipver });
  expect(answer.status).toBe(303);
  await fetch(answer.headers.get('location')!);
  launcher.close();
  const own = await code;
  expect(own).toMatch(/^mra_\w{60}$/);
  expect(own).not.toBe(token);
  // the calls that launchers make, with the token as it came
  const user = await (await api.call('GET', '/v2/user', { token: own })).json();
  expect(user).toMatchObject({ username });
  const refreshed = await api.call('POST', '/v2/session/refresh', { token: own });
  const { session } = (await refreshed.json()) as { session: string };
  expect((await api.call('GET', '/v2/user', { token: session })).status).toBe(200);
  expect((await api.call('GET', '/v2/user', { token: own })).status).toBe(401);
  // the browser stays signed in
  expect((await api.call('GET', '/v2/user', { token })).status).toBe(200);
});

test.each(['0', '65536', '80@evil.example', '', '80\\@evil.example'])(
  'port %j hands over nothing',
  async (port) => {
    const { token } = await browser();
    const answer = await send(token, { port, ipver: '4' });
    expect(answer.headers.get('location')).toBe('/auth/sign-in?error=launcher_address');
    const [{ count }] = (await database.sql`
    select count(*)::int from sessions s join users u on u.id = s.user_id
    where u.id = (select user_id from sessions where id = encode(sha256(${token}::bytea), 'hex'))`) as never as [
      { count: number },
    ];
    expect(count).toBe(1);
  },
);

test('nobody is handed over by another site, without a session, or with a token of narrower rights', async () => {
  const { token } = await browser();
  const fields = { port: '25999', ipver: '4' };
  const foreign = await send(token, fields, { 'sec-fetch-site': 'cross-site' });
  expect(foreign.headers.get('location')).toContain('cross_site');
  expect((await send(null, fields)).headers.get('location')).toMatch(/^\/auth\/sign-in\?redirect=/);
});
