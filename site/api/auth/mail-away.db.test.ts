import { expect, test } from 'vitest';
import { openSession } from '#db/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** A site that others reach and that has no mail server. */
const database = testDatabase();
const api = testApi(database, { SITE_URL: 'https://mods.example.org' });

test('a site that cannot send mail says so, shows no mails, and takes addresses as verified', async () => {
  const { sql } = database;
  const { id: user_id } = await build.user(sql, { email_verified: false });
  const { session: token } = await openSession(sql, { user_id, user_agent: null, now: new Date() });
  const again = await api.call('POST', '/v2/auth/email/resend_verify', { token: token! });
  expect([again.status, (await again.json()).details.code]).toEqual([400, 'mail_off']);
  const letter = await api.call('POST', '/_internal/newsletter', { json: { email: 'a@example.test' } });
  expect((await letter.json()).details.code).toBe('mail_off');
  expect((await api.call('GET', '/_internal/mail/stored/AbCdEfGh')).status).toBe(404);
  const change = { token: token!, json: { email: 'next@example.test' } };
  expect((await api.call('PATCH', '/v2/auth/email', change)).status).toBe(200);
  expect(await sql`select email, email_verified from users where id = ${user_id}`).toEqual([
    { email: 'next@example.test', email_verified: true },
  ]);
  const reset = await api.call('POST', '/v2/auth/password/reset', {
    json: { username: 'next@example.test' },
  });
  expect(reset.status).toBe(200);
  expect(await sql`select 1 from mails`).toEqual([]);
});
