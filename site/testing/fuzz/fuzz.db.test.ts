import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { fuzz } from './fuzz.ts';

const database = testDatabase();
const api = testApi(database);

/** The same requests in every run; `npm run soak` sends more, and new ones. */
test('one or two generated requests to each operation get no 5xx and well-formed errors', async () => {
  expect(await fuzz(api, database.sql, { runs: 200, seed: 16, patience_ms: 20_000 })).toEqual([]);
});
