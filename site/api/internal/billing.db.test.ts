import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { methodsOf } from '#db/money/billing/methods.ts';
import { trialsPerNetwork } from '#db/money/billing/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom, signWebhook } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { savedOptions } from '../../hosting/checkout/card-options.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const closed = testApi(database, { PAYMENTS: 'off' });
const limited = testApi(database, { RATE_LIMIT_PER_MINUTE: '300' });
beforeAll(async () => {
  await nodeWithRoom(database.sql);
});

const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
async function cookieOf(given: { email_verified?: boolean } = {}): Promise<string> {
  const { id } = await build.user(database.sql, given);
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return `auth-token=${session}`;
}
const input = (given: Record<string, string> = {}) => ({
  ...{ op_id: randomUUID(), plan: 'small', interval: 'monthly', region: 'central-europe', currency: 'EUR' },
  ...{ card: '4242', name: 'Valley', game_version: '1.16.5', terms: 'on' },
  ...given,
});
const send = async (
  path: string,
  fields: Record<string, string>,
  cookie: string | null,
  on = api,
  address = '127.0.0.1',
) =>
  await on.call('POST', `/_internal/billing/${path}`, {
    address,
    body: String(new URLSearchParams(fields)),
    headers: { ...own, ...(cookie ? { cookie } : {}) },
  });
const led = (answer: Response) => new URL(answer.headers.get('location') ?? '', 'http://x');
/** The server on whose panel an order ended. */
const serverOf = (answer: Response) => led(answer).pathname.split('/')[3]!;

describe('an order by form', () => {
  test('redirects to the new server, the same one however often it is sent', async () => {
    const cookie = await cookieOf();
    const fields = input({ hl: 'de-DE' });
    const answers = await Promise.all([send('order', fields, cookie), send('order', fields, cookie)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const [first, second] = answers.map(led);
    expect(first?.pathname).toMatch(/^\/servers\/manage\/\w{8}$/);
    expect(first?.searchParams.get('hl')).toBe('de-DE');
    expect(second?.href).toBe(first?.href);
  });

  test.each([
    ['terms_required', 'review', { terms: '' }],
    ['server_name_length', 'review', { name: ' ' }],
    ['server_version_unknown', 'review', { game_version: '0.1' }],
    ['payment_declined', 'payment', { card: '0002' }],
    ['card_required', 'payment', { card: '' }],
    ['out_of_stock', 'region', { region: 'southeast-asia' }],
  ])('refused with %s redirects to the step %s with all choices kept', async (code, step, change) => {
    const answer = await send('order', input({ name: 'Foggy dale', ...change }), await cookieOf());
    expect(answer.status).toBe(303);
    const { pathname, searchParams } = led(answer);
    expect([pathname, searchParams.get('error'), searchParams.get('step')]).toEqual([
      '/servers/buy',
      code,
      step,
    ]);
    expect(searchParams.get('plan')).toBe('small');
    if (!('name' in change)) expect(searchParams.get('name')).toBe('Foggy dale');
  });

  test('needs a user with a verified address, a same-origin request and an installation that sells', async () => {
    const away = led(await send('order', input(), null));
    expect(away.pathname).toBe('/auth/sign-in');
    expect(away.searchParams.get('redirect')).toMatch(/^\/servers\/buy\?step=review&plan=small/);
    const unverified = await cookieOf({ email_verified: false });
    expect(led(await send('order', input(), unverified)).searchParams.get('error')).toBe('email_unverified');
    for (const plan of ['small', 'trial']) {
      const off = await send('order', input({ plan }), await cookieOf(), closed);
      expect(led(off).searchParams.get('error')).toBe('payments_off');
    }
    const cookie = await cookieOf();
    const foreign = await api.call('POST', '/_internal/billing/order', {
      body: String(new URLSearchParams(input())),
      headers: { ...own, 'sec-fetch-site': 'cross-site', cookie },
    });
    expect(led(foreign).searchParams.get('error')).toBe('cross_site');
    expect((await send('order', { ...input(), op_id: 'no id' }, cookie)).status).toBe(303);
    expect(await database.sql`select 1 from orders where name <> 'Valley' and state = 'paid'`).toHaveLength(
      0,
    );
  });
});

describe('trials by form', () => {
  test('are limited by the network of the client', async () => {
    const tries = async (address: string) => {
      const answer = await send('order', input({ plan: 'trial' }), await cookieOf(), limited, address);
      return led(answer).searchParams.get('error');
    };
    for (let count = 0; count < trialsPerNetwork; count++)
      expect(await tries(`203.0.113.${count}`)).toBeNull();
    expect(await tries('203.0.113.99')).toBe('trial_network_limit');
    expect(await tries('203.0.114.99')).toBeNull();
  });
});

test('a declined card keeps the name and the accepted terms', async () => {
  const answer = led(await send('order', input({ card: '0002' }), await cookieOf()));
  const kept = ['step', 'error', 'name', 'terms'].map((name) => answer.searchParams.get(name));
  expect(kept).toEqual(['payment', 'payment_declined', 'Valley', 'on']);
});

describe('cancelling by form', () => {
  test('is for the owner only and can be undone', async () => {
    const cookie = await cookieOf();
    const server_id = serverOf(await send('order', input(), cookie));
    // scheduled on a node, so it runs until its period ends
    await database.sql`
      insert into servers (id, owner_id, order_id, name, kind, region, plan, ram_mb, cpu_millis, disk_mb, game_version,
        terms_accepted, node_id, port, lifecycle)
      select server_id, user_id, id, name, kind, region, plan, ram_mb, cpu_millis, disk_mb, game_version,
        terms_accepted, (select id from nodes limit 1), 26100, 'ready' from orders where server_id = ${server_id}`;
    const state = async () =>
      (await database.sql`select state from subscriptions where server_id = ${server_id}`)[0]?.state;
    const page = `/servers/manage/${server_id}/options/billing`;
    const stranger = led(await send('cancel', { server_id }, await cookieOf()));
    expect([stranger.pathname, stranger.search, await state()]).toEqual([
      page,
      '?error=server_not_found',
      'active',
    ]);
    const answer = led(await send('cancel', { server_id }, cookie));
    expect([answer.pathname, answer.search, await state()]).toEqual([page, '?done=canceled', 'cancelled']);
    expect(led(await send('resubscribe', { server_id }, cookie)).search).toBe('?done=resumed');
    expect(await state()).toBe('active');
    const twice = led(await send('resubscribe', { server_id }, cookie));
    expect(twice.search).toBe('?error=subscription_active');
    const odd = led(await send('cancel', { server_id: '//evil.example/' }, cookie));
    expect([odd.host, odd.pathname]).toEqual(['x', '/servers/manage']);
  });
});

describe('a renewal that failed', () => {
  test('is named to its owner on every page, and is paid by a card that they have saved', async () => {
    const cookie = await cookieOf();
    const viewer = async () =>
      await (
        await api.call('POST', '/_internal/viewer', {
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
          json: {},
        })
      ).json();
    const server_id = serverOf(await send('order', input({ card: '0341' }), cookie));
    await send('order', input({ name: 'Other' }), cookie);
    expect(await viewer()).toMatchObject({ unpaid: false, unpaid_for: null });
    const [one] = await database.sql`
      update subscriptions set state = 'failed' where server_id = ${server_id} returning user_id`;
    expect(await viewer()).toMatchObject({ unpaid: true, unpaid_for: 'Valley' });
    const methods = await methodsOf(database.sql, one!.user_id, 'test');
    const locals = { t: messages('en-US').t, messages: messages('en-US'), now: new Date() };
    const cards = savedOptions(locals, methods, { server_id, declined: true });
    expect(cards.map(({ last_four, note }) => [last_four, note.split(' · ')[0]])).toEqual([
      ['4242', expect.stringContaining('Expires')],
      ['0341', 'Declined'],
    ]);
    const paid = await send('resubscribe', { server_id, card: cards[0]!.value }, cookie);
    expect(led(paid).search).toBe('?done=paid');
    expect(await viewer()).toMatchObject({ unpaid: false });
    const [kept, ...rest] = savedOptions(locals, await methodsOf(database.sql, one!.user_id, 'test'), {
      ...{ server_id, declined: false },
    });
    expect([kept?.last_four, kept?.note, rest]).toEqual([
      '4242',
      expect.stringMatching(/^The card you pay with now/),
      [expect.objectContaining({ last_four: '0341' })],
    ]);
  });
});

test('a billing address is kept by form, and what is wrong with it is said in place', async () => {
  const cookie = await cookieOf();
  const address = {
    billing_name: 'Fen',
    billing_address: '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7',
    billing_tax_id: 'DE<811>',
  };
  const wrong = led(await send('address', address, cookie));
  expect([wrong.pathname, wrong.search]).toEqual(['/settings/billing', expect.stringContaining('error=')]);
  const right = { ...address, billing_address: 'Moorweg 3', billing_tax_id: 'ATU 12-3/4.' };
  expect(led(await send('address', right, cookie)).search).toBe('?done=address');
});

describe('a webhook', () => {
  const webhook = async (body: string, signature: string | null) =>
    await api.call('POST', '/_internal/billing/webhook/test', {
      body,
      headers: signature ? { 'cairn-signature': signature } : {},
    });

  test('completes the order of a card with delayed confirmation, once', async () => {
    const server_id = serverOf(await send('order', input({ card: '3220' }), await cookieOf()));
    const [charge] = await database.sql`
      select c.intent_id from charges c join subscriptions u on u.id = c.subscription_id where u.server_id = ${server_id}`;
    const outcome = { intent_id: charge?.intent_id, state: 'succeeded', failure: null };
    const body = JSON.stringify({ id: randomUUID(), outcome });
    const signature = await signWebhook(database.sql, body, new Date());
    const answers = [await webhook(body, signature), await webhook(body, signature)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { heard: true },
      { heard: false },
    ]);
    const [order] = await database.sql`select state from orders where server_id = ${server_id}`;
    expect(order?.state).toBe('paid');
  });

  test('with a wrong or missing signature is 401 with a code, a malformed one 400', async () => {
    for (const signature of [null, 't=1,v1=zz', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]) {
      const answer = await webhook('{}', signature);
      expect([answer.status, ((await answer.json()) as { details: { code: string } }).details.code]).toEqual([
        401,
        'webhook_signature',
      ]);
    }
    const signature = await signWebhook(database.sql, '{"id":1}', new Date());
    expect((await webhook('{"id":1}', signature)).status).toBe(400);
  });
});
