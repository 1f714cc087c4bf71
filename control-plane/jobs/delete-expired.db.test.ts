import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exchangeCode, type IssuedToken } from '#db/accounts/oauth/token.ts';
import { createClient } from '#db/accounts/oauth/write.ts';
import { openFlow, readFlow } from '#db/platform/flows/write.ts';
import { newId } from '#db/platform/id.ts';
import { actorsOf } from '#db/platform/people/read.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { JobContext } from './define.ts';
import { deleteExpired } from './delete-expired.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-expired-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = new Date('2026-11-22T12:00:00.123Z');
const days = (count: number) => new Date(start.getTime() + count * 86_400_000);
const redirect_uri = 'https://app.example/back';

/** An authorized app, and how it gets codes and tokens. */
async function authorizedApp() {
  const { sql } = database;
  const owner = await user(sql);
  const given = { name: 'Herons', max_scopes: 1, redirect_uris: [redirect_uri], public: false };
  const { id: client_id } = await createClient(sql, actorFor(owner), given, start);
  const authorization_id = newId();
  await sql`
    insert into oauth_authorizations
    ${sql({ id: authorization_id, client_id, user_id: owner.id, scopes: 1, created: start })}`;
  const data = { client_id, authorization_id, scopes: 1, redirect_uri, challenge: null };
  const code = (now: Date) => openFlow(sql, 'oauth_code', { user_id: owner.id, data, now });
  const token = async (now: Date) => {
    const request = { grant_type: 'authorization_code', code: await code(now), redirect_uri };
    const issued = await exchangeCode(sql, client_id, { ...request, code_verifier: null }, now);
    return (issued as IssuedToken).access_token;
  };
  return { code, token };
}

test('expired access tokens and codes of apps are deleted, those that are valid stay', async () => {
  const { sql } = database;
  const { code, token } = await authorizedApp();
  await token(start);
  const later = days(14); // the moment at which the first token expires
  await code(start);
  const [valid_token, valid_code] = [await token(days(1)), await code(later)];
  const context = { sql, storage: diskStorage(folder), now: () => later } as unknown as JobContext;
  expect(await deleteExpired.run(context, {})).toMatchObject({ app_tokens: 1, flows: 1 });
  expect(await sql`select 1 from oauth_tokens`).toHaveLength(1);
  expect((await actorsOf(sql, [valid_token], later)).has(valid_token)).toBe(true);
  expect(await sql`select 1 from flows`).toHaveLength(1);
  expect(await readFlow(sql, 'oauth_code', valid_code, later)).not.toBeNull();
});
