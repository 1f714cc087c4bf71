import { expect, it } from 'vitest';
import { settingNames, settingOf } from './table.ts';

/** Settings that are secret although their names do not say so: their addresses may contain a password or key. */
const addresses = [
  'DATABASE_URL',
  'DATABASE_URL_SITE',
  'DATABASE_URL_PLANE',
  'DATABASE_SOCKET',
  'SEARCH_URL',
  'SMTP_URL',
  'STAFF_CHAT_URL',
];
/** Keys that browsers get. */
const open = ['STRIPE_PUBLISHABLE_KEY', 'CAPTCHA_SITE_KEY'];

it('marks as secret what holds a password or key', () => {
  const named = settingNames.filter((name) => /_(KEY|SECRET)$/.test(name) && !open.includes(name));
  const marked = settingNames.filter((name) => settingOf(name).secret);
  expect(marked.sort()).toEqual([...named, ...addresses].sort());
});
