import { expect, test } from 'vitest';
import { inOrder } from './creators.ts';

test('the owner comes first, then the others by team order, role and name', () => {
  const member = (username: string, role: string, ordering = 0, is_owner = false) => ({
    is_owner,
    ordering,
    role,
    user: { username },
  });
  const team = [
    member('zoe', 'Sound'),
    member('wren', 'Code'),
    member('fen', 'Code'),
    member('late', 'Art', 2),
    member('mirelle', 'Owner', 5, true),
  ];
  expect(inOrder(team).map(({ user }) => user.username)).toEqual(['mirelle', 'fen', 'wren', 'zoe', 'late']);
});
