import { expect, test } from 'vitest';
import { vouchForEmail } from '#db/accounts/account/email.ts';
import { operator } from '#db/platform/people/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { goodPassword } from '../../testing/signed-in.ts';

/** A site that others reach and that has no mail server. */
const database = testDatabase();
const api = testApi(database, { SITE_URL: 'https://mods.example.org' });

test('a site that cannot send mail says so, shows no mails, and takes no address as verified', async () => {
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
    { email: 'next@example.test', email_verified: false },
  ]);
  const reset = await api.call('POST', '/v2/auth/password/reset', {
    json: { username: 'next@example.test' },
  });
  expect(reset.status).toBe(200);
  expect(await sql`select 1 from mails`).toEqual([]);
});

test('without mail a new account creates nothing until staff vouch for its address, and is told whom to ask', async () => {
  const { sql } = database;
  const form = { username: 'nadia', email: 'nadia@example.test', password: goodPassword };
  const agreed = { ...form, confirm_password: goodPassword, agree: 'on' };
  const made = await api.call('POST', '/_internal/auth/sign-up', {
    headers: { 'sec-fetch-site': 'same-origin', origin: 'https://mods.example.org' },
    json: agreed,
  });
  expect(made.status, await made.text()).toBe(200);
  const [user] = await sql<[{ id: string; email_verified: boolean }]>`
    select id, email_verified from users where username = 'nadia'`;
  expect(user.email_verified).toBe(false);
  const { session: token } = await openSession(sql, { user_id: user.id, user_agent: null, now: new Date() });
  const create = async () => {
    const answer = await api.call('POST', '/v3/collection', {
      token: token!,
      json: { name: 'Lanterns', description: 'All of them', projects: [] },
    });
    return [
      answer.status,
      (await answer.json()) as { description?: string; details?: { code: string } },
    ] as const;
  };
  const [status, { description, details }] = await create();
  expect([status, details?.code]).toEqual([401, 'email_unverified_no_mail']);
  expect(description).toMatch(/can’t send email, so its staff verify addresses/);
  await sql.begin((tx) =>
    vouchForEmail(tx, { user_id: user.id, email: null, actor: operator, now: new Date() }),
  );
  expect((await create())[0]).toBe(200);
});
