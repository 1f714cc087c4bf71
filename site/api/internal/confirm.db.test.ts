import { OpenAPIHono } from '@hono/zod-openapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assertAllowed } from '#db/platform/errors.ts';
import { whyNotProved } from '#db/platform/people/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import { createUser } from '#db/platform/people/write.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { authLimits } from '../../accounts/sign-in/limits.server.ts';
import { submittedForm } from '../../platform/forms/form-cookie.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import { context } from '../../platform/route/middleware.ts';
import type { Api, ApiEnv } from '../../platform/route/types.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const password = 'Copper lanterns hum softly';
const own = { 'sec-fetch-site': 'same-origin' };
const minute_ms = 60_000;

let made = 0;
async function signedIn(proved_ago_ms: number) {
  const username = `prover-${++made}`;
  const now = new Date();
  const user_id = await createUser(database.sql, {
    username,
    email: `${username}@example.test`,
    password,
    now,
  });
  const proved = new Date(now.getTime() - proved_ago_ms);
  const { session } = await openSession(database.sql, { user_id, user_agent: null, now, proved });
  return { user_id, token: session!, headers: { ...own, cookie: `auth-token=${session}` } };
}
const provedOf = async (token: string) =>
  (await database.sql`select proved from sessions where id = ${hashToken(token)}`)[0]!.proved as string;
const confirm = (headers: Record<string, string>, json: unknown) =>
  api.call('POST', '/_internal/auth/confirm', { headers, json });

describe('proving again who one is', () => {
  test('by the password counts as a proof of this session only, and leads back', async () => {
    const { token, headers } = await signedIn(60 * minute_ms);
    const answer = await confirm(headers, { password, redirect: '/settings/account?error=proof_required' });
    expect(await answer.json()).toEqual({ to: '/settings/account?error=proof_required' });
    expect(Date.now() - Date.parse(await provedOf(token))).toBeLessThan(minute_ms);
  });

  test('with a wrong password is refused, ten times, and never leads to another site', async () => {
    const { token, headers } = await signedIn(60 * minute_ms);
    const before = await provedOf(token);
    for (let i = 0; i < 10; i++) {
      const answer = await confirm(headers, { password: 'wrong', redirect: '//evil.example' });
      expect(await answer.json()).toMatchObject({ details: { code: 'confirm_failed' } });
    }
    expect((await confirm(headers, { password })).status).toBe(429);
    expect(await provedOf(token)).toBe(before);
    const other = await signedIn(60 * minute_ms);
    const led = await confirm(other.headers, { password, redirect: '//evil.example' });
    expect(await led.json()).toEqual({ to: '/dashboard' });
  });

  test('guessed at over and over ends the session, which its owner is told by mail', async () => {
    const { sql } = database;
    const { token, headers, user_id } = await signedIn(60 * minute_ms);
    await sql`update users set email_verified = true where id = ${user_id}`;
    const [session] = await sql`select public_id from sessions where id = ${hashToken(token)}`;
    const { guesses } = authLimits(api.services);
    const mails = () => sql`select template from mails where user_id = ${user_id}`;
    guesses.hit(session!.public_id, Date.now(), 19);
    expect((await confirm(headers, { password: 'wrong' })).status).toBe(400);
    expect(await mails()).toEqual([]);
    expect((await confirm(headers, { password })).status).toBe(401);
    expect(await sql`select 1 from sessions where id = ${hashToken(token)}`).toEqual([]);
    expect(await mails()).toEqual([{ template: 'session_guessed' }]);
  });

  test('needs a session: neither visitors nor tokens prove anything', async () => {
    expect((await confirm(own, { password })).status).toBe(401);
    const owner = await build.user(database.sql);
    const token = await build.token(database.sql, owner);
    const answer = await api.call('POST', '/_internal/auth/confirm', { token, json: { password } });
    expect(await answer.json()).toMatchObject({ details: { code: 'form_with_token' } });
  });
});

describe('a form that needs a proof which is older than ten minutes', () => {
  const form = defineForm({
    action: '/_internal/dangerous',
    shape: z.object({ name: z.string(), password: z.string() }),
    fields: ['name', 'password'],
    errors: {},
  });
  let app: Api;
  beforeAll(() => {
    const internal: Api = new OpenAPIHono<ApiEnv>();
    formRoute(internal, form, {
      needs: ['USER_AUTH_WRITE'],
      page: '/settings/account',
      run: async ({ actor, now }) => {
        assertAllowed(whyNotProved(actor, now));
        return {};
      },
    });
    app = new OpenAPIHono<ApiEnv>();
    app.use(context(api.services));
    app.route('/_internal', internal);
  });
  const send = (headers: Record<string, string>, body: string, type: string) =>
    app.fetch(
      new Request(`${api.services.settings.SITE_URL}/_internal/dangerous`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      }),
      { incoming: undefined },
    );
  const fields = { name: 'Lantern', password: 'secret', hl: 'de-DE' };
  const page = '/settings/account?error=proof_required&hl=de-DE';
  const to = `/auth/confirm?redirect=${encodeURIComponent(page)}&hl=de-DE`;

  test('leads to the page for it and back, with what was typed but no password', async () => {
    const { headers } = await signedIn(11 * minute_ms);
    const answer = await send(
      headers,
      String(new URLSearchParams(fields)),
      'application/x-www-form-urlencoded',
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([303, to]);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const kept = submittedForm(new Request('http://x/', { headers: { cookie } }), 'http://x/')!;
    expect(kept).toEqual({ action: form.action, errors: [], values: { name: 'Lantern' } });
  });

  test('names that page to scripts, and runs after a fresh proof', async () => {
    const stale = await signedIn(11 * minute_ms);
    const answer = await send(stale.headers, JSON.stringify(fields), 'application/json');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ details: { code: 'proof_required', to } });
    await confirm(stale.headers, { password });
    expect((await send(stale.headers, JSON.stringify(fields), 'application/json')).status).toBe(200);
  });
});
