import { expect, it } from 'vitest';
import { whyNotLeaveHosting } from './rules.ts';

const none = { servers: 0, orders: 0, subscriptions: 0, charges: 0 };

it('lets an account go that hosts nothing', () => {
  expect(whyNotLeaveHosting(none)).toBeNull();
});
it.each(Object.keys(none))('keeps an account with %s', (name) => {
  expect(whyNotLeaveHosting({ ...none, [name]: 1 })).toBe('user_has_servers');
});
