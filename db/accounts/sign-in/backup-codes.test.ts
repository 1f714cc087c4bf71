import { expect, test } from 'vitest';
import { newBackupCodes } from './backup-codes.ts';

test('backup codes are six of 49 random bits each, stored by argon2id with a salt of their own', async () => {
  const rounds = await Promise.all([1, 2, 3].map(() => newBackupCodes()));
  const codes = rounds.flatMap((round) => round.codes);
  const hashes = rounds.flatMap((round) => round.hashes);
  expect(codes).toHaveLength(18);
  expect(new Set(codes).size).toBe(18);
  for (const code of codes) expect(code).toMatch(/^[a-km-np-z2-9]{5}-[a-km-np-z2-9]{5}$/);
  expect(Math.log2(31 ** 10)).toBeGreaterThan(20);
  // 180 letters of 31: one that never comes would be a sign of a poor generator
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBeGreaterThan(25);
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=6,p=1\$/);
  expect(new Set(hashes.map((hash) => hash.split('$')[4])).size).toBe(18);
});
