import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { goodPassword, person } from '../../testing/signed-in.ts';

/** A service that answers as those of captchas do: the only right answer is `human`. */
let server: Server;
let mode: 'works' | 'hangs' | 'nonsense' = 'works';
let asked: URLSearchParams[] = [];
const database = testDatabase();
const api = testApi(database, { CAPTCHA_SECRET: 'our-secret', CAPTCHA_URL: 'http://127.0.0.1:9' });
const without = testApi(database);

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = new URLSearchParams(text);
    asked.push(body);
    if (mode === 'hangs') return void response.destroy();
    if (mode === 'nonsense') return void response.end('<html>');
    const success = body.get('secret') === 'our-secret' && body.get('response') === 'human';
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  api.services.settings.CAPTCHA_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
});
afterAll(() => server.close());

const codeIn = async (answer: Response) =>
  ((await answer.json()) as { details: { code: string } }).details?.code ?? 'none';
const globals = async (of: typeof api) =>
  (await (await of.call('GET', '/_internal/globals')).json()) as { captcha_enabled: boolean };

describe('a captcha', () => {
  test.each(['login', 'create', 'form'])('is asked before %s does any work', async (kind) => {
    const who = await person(database.sql);
    const send = (challenge?: string) => {
      const given = { ...(challenge && { challenge }), username: who.username, password: goodPassword };
      if (kind === 'form')
        return api.call('POST', '/_internal/auth/sign-in', {
          json: given,
          headers: { 'sec-fetch-site': 'same-origin' },
        });
      const fresh = { username: `${who.username}-x`, email: `x-${who.email}` };
      return api.call('POST', `/v2/auth/${kind}`, {
        json: kind === 'login' ? given : { ...given, ...fresh },
      });
    };
    mode = 'works';
    asked = [];
    expect(await codeIn(await send())).toBe('captcha_failed');
    expect(asked).toEqual([]);
    expect(await codeIn(await send('robot'))).toBe('captcha_failed');
    expect(Object.fromEntries(asked[0]!)).toEqual({ secret: 'our-secret', response: 'robot' });
    for (const broken of ['hangs', 'nonsense'] as const) {
      mode = broken;
      const answer = await send('human');
      expect([answer.status, await codeIn(answer)]).toEqual([503, 'captcha_away']);
    }
    mode = 'works';
    expect((await send('human')).status).toBe(200);
  });

  test('is off by default, and clients are told', async () => {
    expect(await globals(without)).toMatchObject({
      tax_compliance_thresholds: { 2025: 600, 2026: 600 },
      captcha_enabled: false,
    });
    expect((await globals(api)).captcha_enabled).toBe(true);
    const who = await person(database.sql);
    const json = { username: who.username, password: goodPassword };
    expect((await without.call('POST', '/v2/auth/login', { json })).status).toBe(200);
  });
});
