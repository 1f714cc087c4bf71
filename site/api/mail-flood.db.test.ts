import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { person } from '../testing/signed-in.ts';

/** Nobody makes this site write to somebody who never asked for it. */
const database = testDatabase();
const api = testApi(database, { SMTP_URL: 'smtp://127.0.0.1:1' });

const mailsTo = async (address: string): Promise<string[]> =>
  (
    await database.sql<Array<{ template: string }>>`
      select template from mails where to_address = ${address} order by created`
  ).map(({ template }) => template);

test('an address that nobody verified hears nothing of what an account does', async () => {
  const { sql } = database;
  const { id, email, token } = await person(sql);
  await sql`update users set email_verified = false where id = ${id}`;
  await sql`delete from mails`;
  for (let at = 0; at < 20; at += 1) {
    const json = {
      name: `WIN A PRIZE: https://evil.example/${at}`,
      scopes: 2,
      expires: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const made = await api.call('POST', '/v2/pat', { token, json });
    expect(made.status).toBe(200);
    const { id: token_id } = (await made.json()) as { id: string };
    await api.call('DELETE', `/v2/pat/${token_id}`, { token });
  }
  expect(await mailsTo(email)).toEqual([]);
  await sql`update users set email_verified = true where id = ${id}`;
  const json = {
    name: 'Release script',
    scopes: 2,
    expires: new Date(Date.now() + 86_400_000).toISOString(),
  };
  expect((await api.call('POST', '/v2/pat', { token, json })).status).toBe(200);
  expect(await mailsTo(email)).toEqual(['pat_created']);
});

test('one address gets three mails a day, whoever asks', async () => {
  const { sql } = database;
  const victim = 'victim@third-party.example';
  for (let asking = 0; asking < 8; asking += 1) {
    const { token, email } = await person(sql);
    for (const address of [victim, email]) {
      const answer = await api.call('PATCH', '/v2/auth/email', { token, json: { email: address } });
      expect(answer.status).toBeLessThan(300);
    }
  }
  expect(await mailsTo(victim)).toEqual(['verify_email', 'verify_email', 'verify_email']);
  const stored = await sql<Array<{ address: string }>>`select address from unproven_addresses`;
  expect(stored.some(({ address }) => address.includes('victim'))).toBe(false);
});
