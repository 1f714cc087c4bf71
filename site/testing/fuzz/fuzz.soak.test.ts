import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { testApi } from '../api.ts';
import { fuzz } from './fuzz.ts';

const database = testDatabase();
const api = testApi(database);

test('20,000 generated requests get no 5xx, in time', async () => {
  const wanted = { runs: soakOperations(20_000), seed: soakSeed(), patience_ms: 2_000 };
  expect(await fuzz(api, database.sql, wanted)).toEqual([]);
});
