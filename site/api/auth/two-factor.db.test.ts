import { describe, expect, test } from 'vitest';
import { hashToken } from '#db/platform/secrets/hash.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { codeOf, goodPassword, type Person, person, withTotp } from '../../testing/signed-in.ts';

const database = testDatabase();
const api = testApi(database, { SMTP_URL: 'smtp://127.0.0.1:1' });
const own = { 'sec-fetch-site': 'same-origin' };
const step_ms = 30_000;
const minute_ms = 60_000;

/** Moves the clock of the API. */
function at(now: Date): Date {
  api.services.now = () => now;
  return now;
}
const later = (now: Date, ms: number): Date => at(new Date(now.getTime() + ms));
const call = (path: string, json: unknown, more: { token?: string; address?: string } = {}) =>
  api.call('POST', `/v2/auth/${path}`, { json, ...more });
const login = async ({ username }: Pick<Person, 'username'>) =>
  (await (await call('login', { username, password: goodPassword })).json()) as {
    flow: string;
    error?: string;
    session?: string;
  };
const codeIn = async (answer: Response) =>
  ((await answer.json()) as { details: { code: string } }).details.code;

describe('the second step', () => {
  test('is asked for after the password, and its code opens a session', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { secret } = await withTotp(api, who, now);
    const first = await login(who);
    expect(first).toMatchObject({ error: '2fa_required', flow: expect.any(String) });
    expect(first.session).toBeUndefined();
    const next = later(now, step_ms);
    const answer = await call('login/2fa', { flow: first.flow, code: codeOf(secret, next) });
    expect(await answer.json()).toMatchObject({ session: expect.stringMatching(/^mra_/), user_id: who.id });
  });

  test('refuses a code that was used before, also in another sign-in', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { secret } = await withTotp(api, who, now);
    const next = later(now, step_ms);
    const code = codeOf(secret, next);
    expect((await call('login/2fa', { flow: (await login(who)).flow, code })).status).toBe(200);
    for (const ms of [0, step_ms]) {
      later(next, ms);
      const again = await call('login/2fa', { flow: (await login(who)).flow, code });
      expect([again.status, await codeIn(again)]).toEqual([401, 'code_wrong']);
    }
    // nor one that is older than the one that was used
    later(next, 0);
    expect(
      (await call('login/2fa', { flow: (await login(who)).flow, code: codeOf(secret, now) })).status,
    ).toBe(401);
  });

  test('takes codes of one step before and after, no older ones', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { secret } = await withTotp(api, who, now);
    const next = later(now, 10 * step_ms);
    const answerTo = async (ms: number) =>
      (
        await call('login/2fa', {
          flow: (await login(who)).flow,
          code: codeOf(secret, new Date(next.getTime() + ms)),
        })
      ).status;
    expect(await answerTo(-2 * step_ms)).toBe(401);
    expect(await answerTo(2 * step_ms)).toBe(401);
    expect(await answerTo(-step_ms)).toBe(200);
    expect(await answerTo(step_ms)).toBe(200);
  });

  test('takes each backup code once, however it is written', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { backup_codes } = await withTotp(api, who, now);
    expect(backup_codes).toHaveLength(6);
    for (const code of backup_codes) expect(code).toHaveLength(11);
    const [one, other] = backup_codes as [string, string];
    expect((await call('login/2fa', { flow: (await login(who)).flow, code: one })).status).toBe(200);
    expect((await call('login/2fa', { flow: (await login(who)).flow, code: one })).status).toBe(401);
    const written = ` ${other.toUpperCase().replace('-', ' ')} `;
    expect((await call('login/2fa', { flow: (await login(who)).flow, code: written })).status).toBe(200);
  });

  test('gives one backup code to one of many simultaneous sign-ins', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { backup_codes } = await withTotp(api, who, now);
    const flows = await Promise.all([1, 2, 3, 4].map(() => login(who)));
    const answers = await Promise.all(
      flows.map(({ flow }) => call('login/2fa', { flow, code: backup_codes[0] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('ends after half an hour, after ten wrong codes, and once it was used', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { secret, backup_codes } = await withTotp(api, who, now);
    const { flow: late } = await login(who);
    const end = later(now, 30 * minute_ms + 1);
    expect(await codeIn(await call('login/2fa', { flow: late, code: codeOf(secret, end) }))).toBe(
      'flow_invalid',
    );
    const { flow } = await login(who);
    const guess = (code: string, i: number) => call('login/2fa', { flow, code }, { address: `192.0.2.${i}` });
    for (let i = 0; i < 10; i++) expect(await codeIn(await guess('000000', i))).toBe('code_wrong');
    expect(await codeIn(await guess(backup_codes[0]!, 10))).toBe('flow_invalid');
    const { flow: used } = await login(who);
    expect((await call('login/2fa', { flow: used, code: backup_codes[1] })).status).toBe(200);
    expect(await codeIn(await call('login/2fa', { flow: used, code: backup_codes[2] }))).toBe('flow_invalid');
  });

  test('limits guesses of one account over many flows, but not on networks where it signed in before', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { backup_codes } = await withTotp(api, who, now);
    const at_home = '198.51.100.7';
    const signIn = async (code: string, address: string) => {
      const { flow } = (await (
        await call('login', { username: who.username, password: goodPassword }, { address })
      ).json()) as { flow: string };
      return (await call('login/2fa', { flow, code }, { address })).status;
    };
    expect(await signIn(backup_codes[0]!, at_home)).toBe(200);
    const statuses: number[] = [];
    for (let i = 0; i < 32; i++) statuses.push(await signIn('000000', `192.0.2.${100 + Math.floor(i / 5)}`));
    expect(statuses.at(-1)).toBe(429);
    expect(statuses[0]).toBe(401);
    expect(await signIn(backup_codes[1]!, at_home)).toBe(200);
  });

  test.each([['a\0b'], ['\ud800'], ['x'.repeat(65)], ['']])('refuses the code %j', async (code) => {
    at(new Date());
    const who = await person(database.sql);
    await withTotp(api, who, new Date());
    expect((await call('login/2fa', { flow: (await login(who)).flow, code })).status).toBe(400);
    expect((await call('login/2fa', { flow: code, code: '123456' })).status).toBe(400);
  });
});

describe('setting an app up', () => {
  test('is told by mail, shown by has_totp, and stores no readable secret', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const has = async () =>
      ((await (await api.call('GET', '/v2/user', { token: who.token })).json()) as { has_totp: boolean })
        .has_totp;
    expect(await has()).toBe(false);
    const { secret, backup_codes } = await withTotp(api, who, now);
    expect(await has()).toBe(true);
    const rows = JSON.stringify([
      await database.sql`select * from two_factor where user_id = ${who.id}`,
      await database.sql`select * from backup_codes where user_id = ${who.id}`,
    ]);
    for (const text of [secret, ...backup_codes]) expect(rows).not.toContain(text);
    const mails = await database.sql`select template from mails where user_id = ${who.id}`;
    expect(mails).toMatchObject([{ template: 'two_factor_enabled' }]);
  });

  test('needs a right code for the own flow, a recent proof, and only happens once', async () => {
    const now = at(new Date());
    const [who, other] = [await person(database.sql), await person(database.sql)];
    const start = async ({ token }: Person) =>
      (await (await api.call('POST', '/v2/auth/2fa/get_secret', { token })).json()) as {
        secret: string;
        flow: string;
      };
    const mine = await start(who);
    const code = codeOf(mine.secret, now);
    expect(await codeIn(await call('2fa', { flow: mine.flow, code }, { token: other.token }))).toBe(
      'flow_invalid',
    );
    expect(await codeIn(await call('2fa', { flow: mine.flow, code: '000000' }, { token: who.token }))).toBe(
      'code_wrong',
    );
    const parallel = await Promise.all(
      [1, 2].map(() => call('2fa', { flow: mine.flow, code }, { token: who.token })),
    );
    expect(parallel.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await codeIn(await api.call('POST', '/v2/auth/2fa/get_secret', { token: who.token }))).toBe(
      'two_factor_on',
    );
    const stale = await person(database.sql, { proved_ago_ms: 11 * minute_ms });
    const refused = await api.call('POST', '/v2/auth/2fa/get_secret', { token: stale.token });
    expect([refused.status, await codeIn(refused)]).toEqual([401, 'proof_required']);
  });

  test('is undone with a code of it, which is told by mail', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { secret } = await withTotp(api, who, now);
    const remove = (code: string) => api.call('DELETE', '/v2/auth/2fa', { token: who.token, json: { code } });
    expect(await codeIn(await remove('000000'))).toBe('code_wrong');
    const next = later(now, step_ms);
    expect((await remove(codeOf(secret, next))).status).toBe(204);
    expect(await codeIn(await remove('000000'))).toBe('two_factor_off');
    expect((await login(who)).session).toMatch(/^mra_/);
    const mails = await database.sql`select template from mails where user_id = ${who.id} order by created`;
    expect(mails.map(({ template }) => template)).toContain('two_factor_removed');
  });
});

describe('the second step of our own pages', () => {
  const form = (path: string, fields: Record<string, string>, cookie = '') =>
    api.call('POST', `/_internal/auth/${path}`, {
      address: '203.0.113.9',
      body: String(new URLSearchParams(fields)),
      headers: {
        ...own,
        'content-type': 'application/x-www-form-urlencoded',
        ...(cookie && { cookie }),
      },
    });
  const cookies = (answer: Response) => answer.headers.getSetCookie().map((text) => text.split(';')[0]!);

  test('keeps its flow in a cookie that no script reads, never in an address', async () => {
    const now = at(new Date());
    const who = await person(database.sql);
    const { secret } = await withTotp(api, who, now);
    const first = await form('sign-in', {
      username: who.username,
      password: goodPassword,
      redirect: '/mods',
    });
    expect(first.headers.get('location')).toBe('/auth/two-factor?redirect=%2Fmods');
    const [step] = first.headers.getSetCookie();
    expect(step).toMatch(/^sign-in-step=\w{48}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/);
    const wrong = await form('second-step', { code: '000000', redirect: '/mods' }, cookies(first)[0]);
    expect(wrong.headers.get('location')).toBe('/auth/two-factor?error=code_wrong&redirect=%2Fmods');
    const next = later(now, step_ms);
    const right = await form(
      'second-step',
      { code: codeOf(secret, next), redirect: '/mods' },
      cookies(first)[0],
    );
    expect(right.headers.get('location')).toBe('/mods');
    expect(cookies(right)[0]).toMatch(/^auth-token=mra_/);
    expect(cookies(right)).toContain('sign-in-step=');
  });

  test('begins again without its cookie', async () => {
    at(new Date());
    const answer = await form('second-step', { code: '123456' });
    expect(answer.headers.get('location')).toBe('/auth/sign-in?error=flow_invalid');
    const tampered = await form('second-step', { code: '123456' }, `sign-in-step=${'x'.repeat(48)}`);
    expect(tampered.headers.get('location')).toBe('/auth/sign-in?error=flow_invalid');
  });

  test('ends the session that the browser had before: none can be put there by somebody else', async () => {
    at(new Date());
    const [who, other] = [await person(database.sql), await person(database.sql)];
    const answer = await form(
      'sign-in',
      { username: who.username, password: goodPassword },
      `auth-token=${other.token}`,
    );
    expect(cookies(answer)[0]).toMatch(/^auth-token=mra_/);
    expect(cookies(answer)[0]).not.toContain(other.token);
    expect(await database.sql`select from sessions where id = ${hashToken(other.token)}`).toHaveLength(0);
  });
});
