import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../api.ts';
import { fuzz } from './fuzz.ts';

const database = testDatabase();
const api = testApi(database);
const seed = randomInt(2 ** 31);

/** The seed in the name repeats a failed run. */
test(`20,000 generated requests (seed ${seed}) get no 5xx, in time`, async () => {
  expect(await fuzz(api, database.sql, { runs: 20_000, seed, patience_ms: 2_000 })).toEqual([]);
});
