import { expect, test } from 'vitest';
import { usernameFrom, whyNotUnlink } from './rules.ts';

test('the last way to sign in cannot be removed', () => {
  const only = { password: false, passkeys: 0, providers: ['github'] };
  expect(whyNotUnlink(only, 'github')).toBe('last_sign_in_method');
  expect(whyNotUnlink(only, 'steam')).toBe('provider_not_linked');
  expect(whyNotUnlink({ ...only, password: true }, 'github')).toBeNull();
  expect(whyNotUnlink({ ...only, passkeys: 1 }, 'github')).toBeNull();
  expect(whyNotUnlink({ ...only, providers: ['github', 'steam'] }, 'github')).toBeNull();
});

test('a username is made of what usernames may hold', () => {
  expect(usernameFrom('Mirelle Höfer')).toBe('Mirelle-Hofer');
  expect(usernameFrom('mirelle@example.test')).toBe('mirelle');
  expect(usernameFrom('..')).toBe('');
  expect(usernameFrom('\0\ud800石')).toBe('');
  expect(usernameFrom('x'.repeat(80))).toHaveLength(39);
  expect(usernameFrom(null)).toBe('');
});
