import { expect, test } from 'vitest';
import { startAddress } from '#db/accounts/account/email.ts';
import { subscribeVerified } from '#db/messages/mail/newsletter.ts';
import { mailPurpose, queueMail } from '#db/messages/mail/queue.ts';
import { unsubscribeToken } from '#db/messages/mail/unsubscribe.ts';
import { notificationChoices } from '#db/messages/notifications/choices.ts';
import { openFlow } from '#db/platform/flows/write.ts';
import { hashPassword, verifyPassword } from '#db/platform/people/password.ts';
import { openSession } from '#db/platform/people/session.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const good = 'a lantern above seven stones';
const hour_ms = 3_600_000;

interface Signed extends build.BuiltUser {
  token: string;
  email: string;
}
async function person(given: { email_verified?: boolean; proved?: Date } = {}): Promise<Signed> {
  const made = await build.user(database.sql, { email_verified: given.email_verified ?? true });
  const now = new Date();
  const { session } = await openSession(database.sql, {
    ...{ user_id: made.id, user_agent: null, now },
    proved: given.proved ?? now,
  });
  return { ...made, token: session!, email: `${made.username}@example.test` };
}
interface Row {
  email: string;
  email_verified: boolean;
  password_hash: string | null;
}
const rowOf = async ({ id }: { id: string }): Promise<Row> =>
  (await database.sql<Row[]>`select email, email_verified, password_hash from users where id = ${id}`)[0]!;

interface Mail {
  id: string;
  template: string;
  to_address: string;
  data: string;
}
/** The mails to an address, the newest first, with what they say. */
async function mailsTo(address: string): Promise<Array<{ template: string; data: Record<string, string> }>> {
  const rows = await database.sql<Mail[]>`
    select id, template, to_address, data from mails where to_address = ${address} order by created desc, id desc`;
  return rows.map(({ id, template, data }) => ({
    template,
    data: JSON.parse(api.services.sealer.open(data, mailPurpose(id))!),
  }));
}
async function flowIn(address: string, template: string): Promise<string> {
  const mail = (await mailsTo(address)).find((one) => one.template === template);
  return new URL(mail!.data.link!, 'http://x').searchParams.get('flow')!;
}
const refusal = async (answer: Response) => [answer.status, (await answer.json()).details?.code];
const verify = (flow: string) => api.call('POST', '/_internal/auth/email/verify', { json: { flow } });
const change = (token: string, email: string) =>
  api.call('PATCH', '/v2/auth/email', { token, json: { email } });
const reset = (username: string, address = '203.0.113.9') =>
  api.call('POST', '/_internal/auth/password/reset', { json: { username }, address });
const setNew = (fields: Record<string, string>, address = '203.0.113.9') =>
  api.call('POST', '/_internal/account/password/reset', {
    json: { confirm_password: fields.password, ...fields },
    address,
  });

test('the link leads on to what its user was doing, here only', async () => {
  const me = await person({ email_verified: false });
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${me.token}` };
  const send = async (path: string, json: object) =>
    (await (await api.call('POST', `/_internal/account/email/${path}`, { headers, json })).json()).to;
  const wanted = '/servers/buy?plan=small&step=review';
  const page = `/auth/verify-email?redirect=${encodeURIComponent(wanted).replace(/%20/g, '+')}`;
  expect(await send('resend', { redirect: wanted })).toBe(`${page}&sent=1`);
  const [mail] = await mailsTo(me.email);
  const link = new URL(mail!.data.link!, 'http://x');
  expect([link.pathname, link.searchParams.get('redirect')]).toEqual(['/auth/verify-email', wanted]);
  expect(await send('resend', { redirect: '//evil.example/' })).toBe(
    '/auth/verify-email?redirect=%2F&sent=1',
  );
  const flow = await flowIn(me.email, 'verify_email');
  expect(await send('verify', { flow, redirect: wanted })).toBe(`${page}&done=1`);
});

test('pages know of an address that is not verified, until it is', async () => {
  const me = await person({ email_verified: false });
  const unverified = async () =>
    (await (await api.call('POST', '/_internal/viewer', { token: me.token, json: {} })).json()).unverified;
  expect(await unverified()).toBe(me.email);
  // an address is no part of what every token may read
  const program = await build.token(database.sql, me, ['USER_READ']);
  const asked = await api.call('POST', '/_internal/viewer', {
    headers: { authorization: program },
    json: {},
  });
  expect(await asked.json()).toMatchObject({ user: { id: me.id }, unverified: null, saved: [] });
  await database.sql`update users set email_verified = true where id = ${me.id}`;
  expect(await unverified()).toBeNull();
});

test('pages know which projects are in collections, those of the page first', async () => {
  const me = await person();
  const { sql } = database;
  const [one, other] = [await build.project(sql), await build.project(sql)];
  await build.collection(sql, [one, other], { owner: me });
  const saved = async (projects: string[]) =>
    (await (await api.call('POST', '/_internal/viewer', { token: me.token, json: { projects } })).json())
      .saved;
  expect(await saved([one.id])).toEqual([one.id, other.id]);
  expect(await saved([other.id])).toEqual([other.id, one.id]);
});

test('a new address is verified by the link that it was mailed, once, and the old one is told', async () => {
  const me = await person();
  const email = `new-${me.username}@example.test`;
  expect((await change(me.token, email)).status).toBe(200);
  expect(await rowOf(me)).toMatchObject({ email, email_verified: false });
  expect(await mailsTo(me.email)).toEqual([
    { template: 'email_changed', data: { username: me.username, new_email: email } },
  ]);
  const flow = await flowIn(email, 'verify_email');
  expect((await verify(flow)).status).toBe(204);
  expect(await rowOf(me)).toMatchObject({ email, email_verified: true });
  expect(await refusal(await verify(flow))).toEqual([400, 'flow_invalid']);
});

test('a link verifies no address but its own: after another change it leads nowhere', async () => {
  const me = await person();
  await change(me.token, `one-${me.username}@example.test`);
  const first = await flowIn(`one-${me.username}@example.test`, 'verify_email');
  await change(me.token, `two-${me.username}@example.test`);
  expect(await refusal(await verify(first))).toEqual([400, 'flow_invalid']);
  // nor one that was opened before a change that did not end it
  const old = await openFlow(database.sql, 'verify_email', {
    ...{ user_id: me.id, data: { email: me.email }, now: new Date() },
  });
  expect(await refusal(await verify(old))).toEqual([400, 'flow_invalid']);
  expect(await rowOf(me)).toMatchObject({ email_verified: false });
});

test('links of another kind, unknown and expired ones verify nothing', async () => {
  const me = await person({ email_verified: false });
  const { sql } = database;
  const data = { email: me.email };
  const other = await openFlow(sql, 'reset_password', { user_id: me.id, data, now: new Date() });
  const expired = await openFlow(sql, 'verify_email', {
    ...{ user_id: me.id, data, now: new Date(Date.now() - 25 * hour_ms) },
  });
  for (const flow of [other, expired, 'x', '', 'a\0b', '\ud800'])
    expect(await refusal(await verify(flow))).toEqual([400, 'flow_invalid']);
  expect(await rowOf(me)).toMatchObject({ email_verified: false });
});

test('an address that is taken in any case, malformed or the same is refused', async () => {
  const [me, other] = [await person(), await person()];
  expect(await refusal(await change(me.token, other.email.toUpperCase()))).toEqual([400, 'email_taken']);
  expect(await refusal(await change(me.token, me.email))).toEqual([400, 'email_same']);
  const third = await person();
  for (const email of [
    '',
    'x',
    'a@b',
    'a b@example.test',
    'a@example.test\r\nBcc: b@example.test',
    'a,b@example.test',
    '"a"@example.test',
    `${'a'.repeat(255)}@example.test`,
    'a\0@example.test',
    '\ud800@example.test',
  ])
    expect(await refusal(await change(third.token, email)), email).toEqual([400, 'email_malformed']);
  expect(await rowOf(me)).toMatchObject({ email: me.email, email_verified: true });
});

test('an address is changed only by somebody who proved in the last ten minutes who they are', async () => {
  const me = await person({ proved: new Date(Date.now() - 11 * 60_000) });
  expect(await refusal(await change(me.token, 'x@example.test'))).toEqual([401, 'proof_required']);
  const pat = await build.token(database.sql, me);
  expect((await change(pat, 'x@example.test')).status).toBe(401);
});

test('the link is mailed again until the address is verified, and ends the one before', async () => {
  const me = await person({ email_verified: false });
  const again = () => api.call('POST', '/_internal/auth/email/resend_verify', { token: me.token });
  expect((await again()).status).toBe(204);
  const first = await flowIn(me.email, 'verify_email');
  expect((await again()).status).toBe(204);
  const second = await flowIn(me.email, 'verify_email');
  expect(await refusal(await verify(first))).toEqual([400, 'flow_invalid']);
  expect((await verify(second)).status).toBe(204);
  expect(await refusal(await again())).toEqual([400, 'email_verified_before']);
  await database.sql`update users set email = null, email_verified = false where id = ${me.id}`;
  expect(await refusal(await again())).toEqual([400, 'no_email']);
});

test('mails to one account are limited', async () => {
  const me = await person({ email_verified: false });
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++)
    statuses.push((await api.call('POST', '/v2/auth/email/resend_verify', { token: me.token })).status);
  expect(statuses).toEqual([...Array(10).fill(204), 429]);
});

test('asking for a new password answers the same whether the account exists, and costs the same', async () => {
  const me = await person();
  const before = (await database.sql`select 1 from flows`).length;
  const answers = await Promise.all(
    [
      me.username,
      me.email,
      me.username.toUpperCase(),
      'nobody-of-that-name',
      'nobody@example.test',
      'x\0',
      '\ud800',
    ].map((name) => reset(name, '203.0.113.20')),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  }
  // everybody costs one flow; those of nobody open nothing
  expect((await database.sql`select 1 from flows`).length).toBe(before + answers.length);
  expect((await mailsTo(me.email)).map(({ template }) => template)).toEqual(Array(3).fill('reset_password'));
});

test('asking for new passwords is limited by account and by network, known or not', async () => {
  const me = await person();
  const statuses = async (name: string, address: (i: number) => string, count: number) => {
    const found: number[] = [];
    for (let i = 0; i < count; i++) found.push((await reset(name, address(i))).status);
    return found;
  };
  const other = (i: number) => `198.51.100.${i + 1}`;
  expect(await statuses(me.username, other, 6)).toEqual([...Array(5).fill(200), 429]);
  expect(await statuses('nobody-at-all', other, 6)).toEqual([...Array(5).fill(200), 429]);
  const many: number[] = [];
  for (let i = 0; i < 31; i++) many.push((await reset(`n${i}`, '203.0.113.77')).status);
  expect(many).toEqual([...Array(30).fill(200), 429]);
});

test('a new password by link ends all sessions and open steps, is told, and signs nobody in', async () => {
  const me = await person({ email_verified: false });
  const { sql } = database;
  await sql`update users set password_hash = ${await hashPassword('the old one of them')} where id = ${me.id}`;
  const step = await openFlow(sql, 'second_step', { user_id: me.id, now: new Date() });
  await reset(me.username, '203.0.113.30');
  const flow = await flowIn(me.email, 'reset_password');
  const answer = await setNew({ flow, password: good });
  expect(await answer.json()).toEqual({ to: '/auth/reset-password?done=1' });
  expect(answer.headers.get('set-cookie')).toBeNull();
  const { password_hash, email_verified } = await rowOf(me);
  expect(await verifyPassword(password_hash, good)).toBe(true);
  expect(email_verified).toBe(true);
  expect((await api.call('GET', '/v2/user', { token: me.token })).status).toBe(401);
  expect(await sql`select 1 from flows where user_id = ${me.id}`).toEqual([]);
  expect(step).toBeTruthy();
  expect((await mailsTo(me.email))[0]).toMatchObject({ template: 'password_changed' });
  expect(await refusal(await setNew({ flow, password: good }))).toEqual([401, 'reset_link_invalid']);
});

test('programs set the password by the flow as well', async () => {
  const me = await person();
  await reset(me.username, '203.0.113.34');
  const flow = await flowIn(me.email, 'reset_password');
  const patch = (json: object) => api.call('PATCH', '/v2/auth/password', { json });
  expect((await patch({ flow, new_password: good })).status).toBe(200);
  expect(await verifyPassword((await rowOf(me)).password_hash, good)).toBe(true);
  expect(await refusal(await patch({ flow, new_password: good }))).toEqual([401, 'reset_link_invalid']);
});

test('a weak, short or mistyped new password leaves the link valid', async () => {
  const me = await person();
  await reset(me.username, '203.0.113.31');
  const flow = await flowIn(me.email, 'reset_password');
  for (const [fields, field] of [
    [{ password: 'password1' }, 'password'],
    [{ password: 'short' }, 'password'],
    [{ password: good, confirm_password: 'another one of them' }, 'confirm_password'],
  ] as const) {
    const answer = await setNew({ flow, ...fields });
    expect(answer.status).toBe(400);
    expect((await answer.json()).details.fields).toMatchObject([{ field }]);
  }
  expect((await setNew({ flow, password: good })).status).toBe(200);
});

test('of two who set a password by one link at once, one does', async () => {
  const me = await person();
  await reset(me.username, '203.0.113.32');
  const flow = await flowIn(me.email, 'reset_password');
  const answers = await Promise.all([
    setNew({ flow, password: good }),
    setNew({ flow, password: `${good}!` }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a link for another purpose, of nobody or expired sets no password', async () => {
  const me = await person();
  const now = new Date();
  const { sql } = database;
  const data = { email: me.email };
  const flows = [
    await openFlow(sql, 'verify_email', { user_id: me.id, data, now }),
    await openFlow(sql, 'reset_password', { data: { email: null }, now }),
    await openFlow(sql, 'reset_password', {
      user_id: me.id,
      data,
      now: new Date(now.getTime() - 25 * hour_ms),
    }),
    'x',
  ];
  for (const flow of flows)
    expect(await refusal(await setNew({ flow, password: good }))).toEqual([401, 'reset_link_invalid']);
});

test('the link is in no table, and a changed address ends it', async () => {
  const me = await person();
  await reset(me.username, '203.0.113.33');
  const flow = await flowIn(me.email, 'reset_password');
  const tables = await Promise.all([database.sql`select * from flows`, database.sql`select * from mails`]);
  expect(JSON.stringify(tables)).not.toContain(flow);
  await change(me.token, `later-${me.username}@example.test`);
  expect(await refusal(await setNew({ flow, password: good }))).toEqual([401, 'reset_link_invalid']);
});

test('a verified user gets the newsletter at once, another one after a link', async () => {
  const [me, other] = [await person(), await person({ email_verified: false })];
  const subscribe = (token: string) => api.call('POST', '/_internal/auth/email/subscribe', { token });
  const subscribed = async (token: string) =>
    await (await api.call('GET', '/_internal/auth/email/subscribe', { token })).json();
  expect(await subscribed(me.token)).toEqual({ subscribed: false });
  expect((await subscribe(me.token)).status).toBe(204);
  expect(await subscribed(me.token)).toEqual({ subscribed: true });
  expect((await subscribe(other.token)).status).toBe(204);
  expect(await subscribed(other.token)).toEqual({ subscribed: false });
  const flow = await flowIn(other.email, 'newsletter_confirm');
  const confirm = () => api.call('POST', '/_internal/newsletter/confirm', { json: { flow } });
  expect((await confirm()).status).toBe(200);
  expect(await subscribed(other.token)).toEqual({ subscribed: true });
  expect(await refusal(await confirm())).toEqual([400, 'flow_invalid']);
});

test('the form of the newsletter does not tell who has it, and floods nobody', async () => {
  const me = await person();
  await api.call('POST', '/_internal/auth/email/subscribe', { token: me.token });
  const ask = (email: string, address = '203.0.113.40') =>
    api.call('POST', '/_internal/newsletter', { json: { email }, address });
  const [known, unknown] = [await ask(me.email), await ask('somebody@example.test')];
  expect(await known.text()).toBe(await unknown.text());
  expect(await mailsTo(me.email)).toEqual([]);
  expect((await mailsTo('somebody@example.test')).map(({ template }) => template)).toEqual([
    'newsletter_confirm',
  ]);
  await ask('somebody@example.test');
  await ask('SOMEBODY@example.test');
  expect((await ask('somebody@example.test')).status).toBe(429);
  expect(await refusal(await ask('x'))).toEqual([400, 'email_malformed']);
});

test('a subscription follows its user to a new address once that is verified', async () => {
  const { sql } = database;
  const me = await person();
  await subscribeVerified(sql, me.id, new Date());
  const email = `moved-${me.username}@example.test`;
  await change(me.token, email);
  const addresses = async () =>
    (await sql`select email from newsletter_subscriptions where user_id = ${me.id}`).map((row) => row.email);
  expect(await addresses()).toEqual([me.email]);
  await verify(await flowIn(email, 'verify_email'));
  expect(await addresses()).toEqual([email]);
});

test('a list is left by one click of a mail program or by the form, without signing in', async () => {
  const me = await person();
  const { sealer } = api.services;
  await subscribeVerified(database.sql, me.id, new Date());
  const leaving = { email: me.email, user_id: me.id };
  const token = unsubscribeToken(sealer, { ...leaving, list: 'newsletter' });
  const path = `/_internal/mail/unsubscribe?token=${token}`;
  const looked = await api.call('GET', path);
  expect([looked.status, looked.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`]);
  expect(await database.sql`select 1 from newsletter_subscriptions where user_id = ${me.id}`).toHaveLength(1);
  const click = await api.call('POST', path, {
    body: 'List-Unsubscribe=One-Click',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://mail.example',
      'sec-fetch-site': 'cross-site',
    },
  });
  expect(click.status).toBe(200);
  expect(await database.sql`select 1 from newsletter_subscriptions where user_id = ${me.id}`).toEqual([]);
  const notifications = unsubscribeToken(sealer, { ...leaving, list: 'notifications' });
  const left = await api.call('POST', '/_internal/mail/leave', { json: { token: notifications } });
  expect(await left.json()).toEqual({ to: '/unsubscribe?done=1' });
  const { types } = await notificationChoices(database.sql, me.id);
  expect(new Set(Object.values(types).map(({ mail }) => mail))).toEqual(new Set(['off']));
});

test('only our own links leave a list, and those of an earlier address change nothing', async () => {
  const me = await person();
  const { sealer } = api.services;
  for (const token of [
    '',
    'x',
    'v1.AAAA',
    sealer.seal('{"list":"newsletter"}', 'mail:x'),
    sealer.seal('{"list":"all"}', 'unsubscribe'),
  ])
    expect(
      (await api.call('POST', `/_internal/mail/unsubscribe?token=${encodeURIComponent(token)}`)).status,
    ).toBe(400);
  const token = unsubscribeToken(sealer, {
    list: 'notifications',
    email: 'before@example.test',
    user_id: me.id,
  });
  expect((await api.call('POST', `/_internal/mail/unsubscribe?token=${token}`)).status).toBe(200);
  expect((await notificationChoices(database.sql, me.id)).types.team_invite.mail).toBe('now');
});

test('a new account is verified by a link, and not at all where nobody could mail one', async () => {
  const { sql } = database;
  const [demo, off] = [await person(), await person()];
  const now = new Date();
  await startAddress(sql, api.services, { user_id: demo.id, newsletter: true, now });
  expect(await rowOf(demo)).toMatchObject({ email_verified: false });
  const settings = parseSettings({ SITE_URL: 'https://mods.example.org' });
  await startAddress(sql, { ...api.services, settings }, { user_id: off.id, newsletter: true, now });
  expect(await rowOf(off)).toMatchObject({ email_verified: false });
  expect(await mailsTo(off.email)).toEqual([]);
  const subscribed = async ({ id }: Signed) =>
    (await sql`select 1 from newsletter_subscriptions where user_id = ${id}`).length;
  expect([await subscribed(demo), await subscribed(off)]).toEqual([0, 0]);
  await verify(await flowIn(demo.email, 'verify_email'));
  expect(await subscribed(demo)).toBe(1);
});

test('where mail is off nothing is queued', async () => {
  const settings = parseSettings({ SITE_URL: 'https://mods.example.org' });
  const before = (await database.sql`select 1 from mails`).length;
  await queueMail(
    database.sql,
    { ...api.services, settings },
    {
      ...{ template: 'password_changed', to: 'a@example.test', user_id: null },
      ...{
        data: { username: 'a', ended: { sessions: 1, tokens: 0, apps: 0, sftp: 0, ways: 0 } },
        now: new Date(),
      },
    },
  );
  expect((await database.sql`select 1 from mails`).length).toBe(before);
});

test('mails with sample data are shown to administrators, in a frame that runs nothing', async () => {
  const { sql } = database;
  const [admin, moderator] = [
    await build.user(sql, { role: 'admin' }),
    await build.user(sql, { role: 'moderator' }),
  ];
  const look = async (
    who: { id: string } | null,
    path = '/_internal/mail/sample/digest?locale=ar-SA&theme=dark',
  ) => api.call('GET', path, who ? { token: await session(sql, who) } : {});
  expect((await look(null)).status).toBe(401);
  expect((await look(moderator)).status).toBe(401);
  const answer = await look(admin);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/);
  const html = await answer.text();
  expect(html).toContain('dir="rtl"');
  expect(html).toContain('@media all');
  expect((await look(admin, '/_internal/mail/sample/constructor')).status).toBe(404);
});

test('a demo shows the mails it would send; nobody else does', async () => {
  const me = await person({ email_verified: false });
  await api.call('POST', '/v2/auth/email/resend_verify', { token: me.token });
  const [{ id }] = await database.sql<[{ id: string }]>`select id from mails where to_address = ${me.email}`;
  const answer = await api.call('GET', `/_internal/mail/stored/${id}`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('/auth/verify-email?flow=');
  expect((await api.call('GET', '/_internal/mail/stored/nothing0')).status).toBe(404);
  expect((await api.call('GET', "/_internal/mail/stored/'%00")).status).toBe(404);
});
