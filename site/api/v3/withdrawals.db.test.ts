import { beforeAll, describe, expect, it } from 'vitest';
import { signSandboxWebhook } from '#db/money/billing/processors/sandbox.ts';
import { reconcileLedger } from '#db/money/billing/revenue/reconcile.ts';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { earn } from '#db/testing/payouts.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const now = new Date('2026-11-27T08:00:00Z');

let person: build.BuiltUser;
let token: string;

beforeAll(async () => {
  const { sql } = database;
  // one thing after the other
  let clock = now.getTime();
  api.services.now = () => {
    clock += 1_000;
    return new Date(clock);
  };
  person = await build.user(sql);
  token = await session(sql, person);
  await earn(sql, person.id, 100_000, now);
});

const call = async (method: string, path: string, json?: unknown, by = token, headers = {}) => {
  const answer = await api.call(method, path, { token: by, json, headers });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
};
const gift = (given: object = {}) => ({
  amount: 5,
  method: 'tremendous',
  method_id: 'test-books',
  method_details: { delivery_email: 'ada@example.org' },
  ...given,
});
const history = async () => (await call('GET', '/v3/payout/history')).body as Array<Record<string, unknown>>;
const available = async () => (await call('GET', '/v3/payout/balance')).body.available;

describe('withdrawing by the API', () => {
  it('lists methods by country, with their bounds', async () => {
    const { body } = await call('GET', '/v3/payout/methods?country=US', undefined, '');
    expect(body.map(({ id, interval }: { id: string; interval: object }) => [id, interval])).toEqual([
      ['paypal', { standard: { min: '0.26', max: '100000' } }],
      ['venmo', { standard: { min: '0.26', max: '100000' } }],
      ['iban', { standard: { min: '0.26', max: '5000' } }],
      ['test-prepaid', { standard: { min: '1', max: '2000' } }],
      ['test-books', { fixed: { values: ['5', '10', '25', '50', '100'] } }],
    ]);
    expect((await call('GET', '/v3/payout/methods?country=QQ', undefined, '')).status).toBe(400);
  });

  it.each([
    ['paypal', 'US', '20', '0.4'],
    ['paypal', 'US', '0.5', '0.25'],
    ['paypal', 'US', '900', '1'],
    ['venmo', 'US', '900', '1'],
    ['paypal', 'DE', '0.5', '0.01'],
    ['paypal', 'DE', '5000', '20'],
    ['bank', 'DE', '2', '0.25'],
    ['bank', 'DE', '100', '4'],
    ['tremendous', 'DE', '25', '0'],
  ])('%s in %s takes of %s a fee of %s', async (method, country, amount, fee) => {
    const method_id = { bank: 'iban', tremendous: 'test-books' }[method] ?? method;
    const { body } = await call('POST', '/v3/payout/fees', { method, method_id, country, amount });
    expect(body).toEqual({
      fee,
      net_usd: String((Number(amount) * 100 - Number(fee) * 100) / 100),
      exchange_rate: null,
    });
  });

  it('pays once for one Idempotency-Key, and shows it in history and balance', async () => {
    const before = Number(await available());
    const headers = { 'idempotency-key': 'first' };
    const answers = await Promise.all([
      call('POST', '/v3/payout', gift(), token, headers),
      call('POST', '/v3/payout', gift(), token, headers),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(Number(await available())).toBe(before - 5);
    const [sent] = await history();
    expect(sent).toMatchObject({
      ...{ type: 'withdrawal', status: 'success', amount: 5, fee: 0, method_type: 'tremendous' },
      ...{ method_id: 'test-books', method_address: 'ada@example.org' },
    });
    const other = await call('POST', '/v3/payout', gift({ amount: 10 }), token, headers);
    expect([other.status, other.body.description]).toEqual([
      400,
      expect.stringContaining('another operation'),
    ]);
  });

  it.each([
    ['another receiver', { method_details: { delivery_email: 'bob@example.org' } }],
    ['another country', { country: 'DE' }],
    ['another method', { method_id: 'test-prepaid' }],
  ])('refuses one Idempotency-Key for %s, and pays nobody', async (what, given) => {
    const headers = { 'idempotency-key': `once for ${what}` };
    const first = gift({ country: 'US' });
    expect((await call('POST', '/v3/payout', first, token, headers)).status).toBe(204);
    const before = [await available(), (await history()).length];
    const other = await call('POST', '/v3/payout', { ...first, ...given }, token, headers);
    expect([other.status, other.body.description]).toEqual([
      400,
      expect.stringContaining('another operation'),
    ]);
    // an address is the same with a space around it
    const spaced = { ...first, method_details: { delivery_email: ' ada@example.org ' } };
    expect((await call('POST', '/v3/payout', spaced, token, headers)).status).toBe(204);
    expect([await available(), (await history()).length]).toEqual(before);
  });

  it('cancels what is on its way, and gives the money back once', async () => {
    const before = await available();
    const waits = gift({ method_details: { delivery_email: 'wait@example.org' } });
    await call('POST', '/v3/payout', waits);
    const [sent] = await history();
    expect(sent!.status).toBe('in-transit');
    const stranger = await build.token(database.sql, await build.user(database.sql));
    expect((await call('DELETE', `/v3/payout/${sent!.id}`, undefined, stranger)).status).toBe(404);
    expect((await call('DELETE', `/v3/payout/${sent!.id}`)).status).toBe(204);
    expect((await history())[0]!.status).toBe('cancelled');
    expect(await available()).toBe(before);
    expect((await call('DELETE', `/v3/payout/${sent!.id}`)).status).toBe(400);
  });

  it.each([
    ['a negative amount', { amount: -5 }],
    ['an enormous one', { amount: 1e300 }],
    ['one that is none', { amount: 'NaN' }],
    ['nothing', { amount: 0 }],
    ['parts of a cent', { amount: '5.001' }],
    ['an amount with a comma', { amount: '5,00' }],
    ['an amount with a space', { amount: ' 5' }],
    ['an amount that is not listed', { amount: 7 }],
    ['more than there is', { amount: '90000', method: 'paypal', method_id: 'paypal' }],
    ['a country that is none', { country: 'ZZ' }],
    ['a method that is none', { method_id: 'gold' }],
    ['a kind of method that is none', { method: 'muralpay' }],
    ['an address that is none', { method_details: { delivery_email: 'nobody' } }],
    [
      'an IBAN with a wrong digit',
      { method: 'bank', method_id: 'iban', method_details: { iban: 'DE88370400440532013000', name: 'Ada' } },
    ],
    ['no address at all', { method: 'venmo', method_id: 'venmo' }],
  ])('refuses %s in words, and takes nothing', async (_, given) => {
    const before = await available();
    const { status, body } = await call('POST', '/v3/payout', gift(given));
    expect([status, typeof body.description]).toEqual([400, 'string']);
    expect(await available()).toBe(before);
  });

  it('needs a verified address and the right scopes', async () => {
    const { sql } = database;
    const other = await build.user(sql, { email_verified: false });
    await earn(sql, other.id, 1_000, now);
    const refused = await call('POST', '/v3/payout', gift(), await session(sql, other));
    expect([refused.status, refused.body.description]).toEqual([
      401,
      expect.stringContaining('Verify your email'),
    ]);
    const reading = await build.token(sql, person, ['PAYOUTS_READ']);
    expect((await call('POST', '/v3/payout', gift(), reading)).status).toBe(401);
  });

  it('asks for a tax form over 600 dollars a year', async () => {
    const { sql } = database;
    const rich = await build.user(sql);
    const by = await session(sql, rich);
    await earn(sql, rich.id, 100_000, now);
    const hundred = gift({ amount: 100 });
    for (let time = 0; time < 6; time++)
      expect((await call('POST', '/v3/payout', hundred, by)).status).toBe(204);
    const refused = await call('POST', '/v3/payout', gift(), by);
    expect([refused.status, refused.body.description]).toEqual([400, expect.stringContaining('tax form')]);
    const asked = await call('POST', '/v3/payout/compliance', { form_type: 'W-8BEN' }, by);
    expect(asked.body.signing_link).toMatch(/\/dashboard\/revenue\/tax\?form=W-8BEN$/);
    expect((await call('GET', '/v3/payout/balance', undefined, by)).body).toMatchObject({
      ...{ withdrawn_ytd: '600', requested_form_type: 'W-8BEN', form_completion_status: 'unsigned' },
    });
  });

  it('keeps the balance of the account in GET /user', async () => {
    const { body } = await call('GET', '/v3/user');
    expect(body.payout_data).toMatchObject({ balance: Number(await available()) });
  });

  it('takes the Venmo handle from its owner with the right to it', async () => {
    const set = (venmo_handle: string | null, by = token) =>
      call('PATCH', `/v3/user/${person.id}`, { venmo_handle }, by);
    expect((await set('bramble')).status).toBe(204);
    expect((await call('GET', '/v3/user')).body.payout_data.venmo_handle).toBe('@bramble');
    expect((await set('not a handle!')).body.description).toContain('Venmo handle');
    const narrow = await build.token(database.sql, person, ['USER_WRITE']);
    expect((await set('other', narrow)).status).toBe(401);
    const admin = await build.user(database.sql, { role: 'admin' });
    expect((await set('other', await session(database.sql, admin))).status).toBe(401);
    expect((await set(null)).status).toBe(204);
    expect((await call('GET', '/v3/user')).body.payout_data.venmo_handle).toBeNull();
  });
});

describe('a webhook of a provider', () => {
  const send = async (body: string, signature: string) =>
    await api.call('POST', '/v3/payout/_test', { body, headers: { 'cairn-signature': signature } });

  it('settles a payout, once, and nothing that is not signed', async () => {
    const { sql } = database;
    await call('POST', '/v3/payout', gift({ method_details: { delivery_email: 'wait@example.org' } }));
    const before = Number(await available());
    const [{ id } = { id: '' }] = await history();
    const outcome = { reference: `test_${id}`, state: 'failed', failure: 'unclaimed' };
    const body = JSON.stringify({ id: 'event-1', key: id, outcome });
    const [secret] = await sql<Array<{ key: string }>>`select key from secrets where name = 'test_payments'`;
    expect((await send(body, 't=1,v1=00')).status).toBe(401);
    const old = signSandboxWebhook(secret!.key, body, new Date(now.getTime() - 3_600_000));
    expect((await send(body, old)).status).toBeGreaterThanOrEqual(400);
    expect((await history())[0]!.status).toBe('in-transit');
    const signed = signSandboxWebhook(secret!.key, body, now);
    for (let time = 0; time < 2; time++) expect((await send(body, signed)).status).toBe(204);
    expect((await history())[0]!.status).toBe('failed');
    expect(Number(await available())).toBe(before + 5);
    // an older event comes late: what is final stays
    const late = JSON.stringify({ id: 'event-0', key: id, outcome: { ...outcome, state: 'success' } });
    await send(late, signSandboxWebhook(secret!.key, late, now));
    expect((await history())[0]!.status).toBe('failed');
    expect((await api.call('POST', '/v3/payout/_paypal', { body: '{}' })).status).toBe(404);
    expect((await reconcileLedger(sql)).filter(({ what }) => what.includes('payout'))).toEqual([]);
  });
});
