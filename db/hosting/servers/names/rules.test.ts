import { expect, it } from 'vitest';
import { whyNotSubdomain } from './rules.ts';

it.each([
  ['abcd', 'subdomain_length'],
  ['abcde', null],
  ['a'.repeat(32), null],
  ['a'.repeat(33), 'subdomain_length'],
  [' Long-Way2 ', null],
  ['-long', 'subdomain_letters'],
  ['long-', 'subdomain_letters'],
  ['lo_ng', 'subdomain_letters'],
  ['lo.ng', 'subdomain_letters'],
  ['höhle', 'subdomain_letters'],
  ['long\nway', 'subdomain_letters'],
  ['xn--abc', 'subdomain_letters'],
  ['Admin', 'subdomain_reserved'],
  ['localhost', 'subdomain_reserved'],
  ['admins-way', null],
])('judges %j: %s', (name, why) => {
  expect(whyNotSubdomain(name)).toBe(why);
});
