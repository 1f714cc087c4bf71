import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { fuzz } from './fuzz.ts';

const database = testDatabase();
const api = testApi(database);

/** The same requests in every run; `npm run soak` sends more, and new ones. */
test('1,500 generated requests get no 5xx and well-formed errors', { timeout: 300_000 }, async () => {
  expect(await fuzz(api, database.sql, { runs: 1_500, seed: 16, patience_ms: 20_000 })).toEqual([]);
});
