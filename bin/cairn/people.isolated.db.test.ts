import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { editUser } from '#db/accounts/account/edit.ts';
import type { AppContext } from '#db/context.ts';
import { auditConsumer } from '#db/moderation/audit/consumer.ts';
import { openFlow, readFlow } from '#db/platform/flows/write.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '#site/testing/api.ts';
import { goodPassword, person, withTotp } from '#site/testing/signed-in.ts';
import { cairnProgram } from './program.ts';
import * as context from './with-context.ts';

vi.mock('./with-context.ts', { spy: true });

const database = testDatabase();
const api = testApi(database, { SMTP_URL: 'smtp://127.0.0.1:1' });
beforeAll(() => {
  // the installation of the test instead of that of the settings
  vi.mocked(context.withContext).mockImplementation((work) => work(api.services as unknown as AppContext));
});
afterAll(() => vi.restoreAllMocks());

const cairn = async (...args: string[]) =>
  await (await cairnProgram(args[0])).parseAsync(args, { from: 'user' });
const signIn = async (username: string, password: string) => {
  const answer = await api.call('POST', '/v2/auth/login', { json: { username, password } });
  return (await answer.json()) as { session?: string; error?: string };
};
const mailsTo = async (user_id: string) =>
  (await database.sql`select template from mails where user_id = ${user_id} order by created`).map(
    ({ template }) => template,
  );
const works = async (token: string) => (await api.call('GET', '/v2/user', { token })).status;

test('user two-factor --off lets somebody in who lost every second factor, and tells them by mail', async () => {
  const who = await person(database.sql);
  await withTotp(api, who, new Date());
  const asked = await signIn(who.username, goodPassword);
  expect(asked.error).toBe('2fa_required');
  await cairn('user', 'two-factor', '--user', who.username.toUpperCase(), '--off');
  expect((await signIn(who.username, goodPassword)).session).toMatch(/^mra_/);
  expect(await database.sql`select from two_factor where user_id = ${who.id}`).toHaveLength(0);
  expect(await mailsTo(who.id)).toContain('two_factor_removed');
});

test('commands for an account say when there is none', async () => {
  for (const args of [['two-factor', '--off'], ['sign-out'], ['verify']])
    await expect(cairn('user', ...args, '--user', 'nobody-here')).rejects.toThrow(
      'There is no account nobody-here.',
    );
});

test('user password ends sessions and open links, and tells the owner by mail', async () => {
  const who = await person(database.sql);
  const now = new Date();
  const link = await openFlow(database.sql, 'reset_password', { user_id: who.id, now });
  const verify = await openFlow(database.sql, 'verify_email', { user_id: who.id, now });
  const password = 'Eleven grey herons wade';
  await cairn('user', 'password', '--user', who.id, '--password', password);
  expect(await works(who.token)).toBe(401);
  expect(await readFlow(database.sql, 'reset_password', link, now)).toBeNull();
  expect(await readFlow(database.sql, 'verify_email', verify, now)).not.toBeNull();
  expect(await mailsTo(who.id)).toEqual(['password_changed']);
  expect((await signIn(who.username, goodPassword)).error).toBe('invalid_credentials');
  expect((await signIn(who.username, password)).session).toMatch(/^mra_/);
  await expect(cairn('user', 'password', '--user', who.id, '--password', 'password1')).rejects.toMatchObject({
    code: 'password_breached',
  });
});

test('user verify verifies an address by hand and prints it, once', async () => {
  const { sql } = database;
  const who = await person(sql);
  const verified = async () => (await sql`select email, email_verified from users where id = ${who.id}`)[0]!;
  await sql`update users set email_verified = false where id = ${who.id}`;
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await cairn('user', 'verify', '--user', who.username);
  const { email, email_verified } = await verified();
  expect([email_verified, printed.mock.lastCall]).toEqual([true, [email]]);
  printed.mockRestore();
  await expect(cairn('user', 'verify', '--user', who.username)).rejects.toMatchObject({
    code: 'email_verified_before',
  });
});

test('audit prints the sentences of its page; names and data of events on demand', async () => {
  const { sql } = database;
  const admin = await build.user(sql, { role: 'admin' });
  const who = await person(sql);
  const change = { role: 'moderator' as const, badges: undefined };
  const actor = build.actorFor(admin, { role: 'admin' });
  await sql.begin((tx) => editUser(tx, actor, who.id, change, new Date()));
  const { step } = auditConsumer(sql);
  while ((await step()) > 0);
  const audit = async (...args: string[]) => {
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    await cairn('audit', '--actor', admin.username, ...args);
    const out = printed.mock.calls.flat().join('\n');
    printed.mockRestore();
    return out;
  };
  const sentence = `${admin.username} gave ${who.username} the role moderator`;
  const [table, events] = [await audit(), await audit('--events')];
  expect(table).toContain(sentence);
  expect(table).not.toContain('user.edited');
  expect(events).toMatch(new RegExp(`user\\.edited +user:${who.id} +{"role":`));
  expect(JSON.parse(await audit('--json'))).toMatchObject([
    { name: 'user.edited', subject_id: who.id, data: { role: { to: 'moderator' } }, sentence },
  ]);
});
