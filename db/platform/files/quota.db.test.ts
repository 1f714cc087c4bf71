import { expect, test } from 'vitest';
import { user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { countUpload, default_upload_bytes_per_day, setUploadLimit, uploadQuota } from './quota.ts';

const database = testDatabase();
const now = new Date('2026-05-01T22:00:00Z');
const tomorrow = new Date('2026-05-02T00:00:00Z');

test('resets the daily upload quota of an account the next day', async () => {
  const { sql } = database;
  const { id } = await user(sql);
  expect(await uploadQuota(sql, id, now)).toEqual({
    left_bytes: default_upload_bytes_per_day,
    limit_bytes: default_upload_bytes_per_day,
  });
  await setUploadLimit(sql, id, 1000);
  await countUpload(sql, id, 600, now);
  expect(await uploadQuota(sql, id, now)).toEqual({ left_bytes: 400, limit_bytes: 1000 });
  await expect(sql.begin((tx) => countUpload(tx, id, 401, now))).rejects.toMatchObject({
    code: 'upload_quota_reached',
    data: { limit_bytes: 1000, retry_after_seconds: 7200 },
  });
  await countUpload(sql, id, 400, now);
  expect((await uploadQuota(sql, id, now)).left_bytes).toBe(0);
  expect((await uploadQuota(sql, id, tomorrow)).left_bytes).toBe(1000);
  await countUpload(sql, id, 1000, tomorrow);
  await setUploadLimit(sql, id, null);
  expect((await uploadQuota(sql, id, tomorrow)).left_bytes).toBe(default_upload_bytes_per_day - 1000);
});

test('never exceeds the quota with concurrent uploads', async () => {
  const { sql } = database;
  const { id } = await user(sql);
  await setUploadLimit(sql, id, 1000);
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => sql.begin((tx) => countUpload(tx, id, 300, now))),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect((await uploadQuota(sql, id, now)).left_bytes).toBe(100);
});
