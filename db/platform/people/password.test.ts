import * as common from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { hashPassword, ratePassword, verifyPassword, whyNotPassword } from './password.ts';

const good = 'Copper lanterns hum softly';

describe('a new password', () => {
  test.each([
    ['7 letters', 'Zq7!xw9', 'password_length'],
    ['257 characters', 'ü'.repeat(257), 'password_length'],
  ])('is refused by its length: %s', async (_name, password, code) => {
    expect(await whyNotPassword(password)).toBe(code);
  });

  test('of 256 characters is fine, and characters are counted, not bytes', async () => {
    expect(await whyNotPassword([...good].join(' ').repeat(6).slice(0, 256))).toBeNull();
    expect(await whyNotPassword('🦊🌲🏮⛏'.repeat(1))).toBe('password_length');
  });

  test('of any characters is fine: none is required, none is refused', async () => {
    for (const password of [
      'correcthorsebatterystaple',
      '8461 0397 2258 7713',
      'ラ ンタンの 光る よるの みち',
      'tab\tand "quotes" <b>',
    ])
      expect(await whyNotPassword(password), password).toBeNull();
  });

  test('that is common or leaked is refused, in any case, from a list of many thousands', async () => {
    const list = common.dictionary['passwords-common'] as string[];
    const usable = [...list].filter((word) => word.length >= 8);
    expect(usable.length).toBeGreaterThan(3_000);
    for (let i = 0; i < 3_000; i += 75) expect(await whyNotPassword(usable[i]!), usable[i]).not.toBeNull();
    expect((await ratePassword('Password123')).refusal).toBe('password_breached');
  });

  test('made of words of the site or of the user is refused', async () => {
    expect(await whyNotPassword('lanternmaker77', ['lanternmaker'])).toBe('password_weak');
    expect(await whyNotPassword('cairnlauncher')).toBe('password_weak');
    expect(await whyNotPassword('resourcepack-7')).toBe('password_weak');
  });
});

test('a password is compared exactly as it was typed, to its last character', async () => {
  const long = `${good} ${'x'.repeat(200)} end`;
  const stored = await hashPassword(long);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=6,p=1\$/);
  expect(await verifyPassword(stored, long)).toBe(true);
  for (const other of [long.toLowerCase(), long.trimEnd().slice(0, -1), ` ${long}`, long.slice(0, 72)])
    expect(await verifyPassword(stored, other), other).toBe(false);
  expect(await verifyPassword(null, long)).toBe(false);
});
