import { expect, test } from 'vitest';
import { inOrder } from './creators.ts';

test('the owner stands first, then the others as the team put them, by role and by name', () => {
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
