import { expect, it } from 'vitest';
import { type Actor, roles } from '../../platform/people/rules.ts';
import { whyNotChangeNote, whyNotWriteNote } from './rules.ts';

it.each(roles)('a %s writes notes as a moderator only', (role) => {
  const why = whyNotWriteNote({ user_id: 'AABBCCDD', role } as Actor);
  expect(why).toBe(role === 'developer' ? 'moderators_only' : null);
});

it.each([
  [null, null, null],
  [null, 0, null],
  [null, 1, 'note_changed'],
  [3, null, 'note_version_missing'],
  [3, 3, null],
  [3, 2, 'note_changed'],
  [3, 4, 'note_changed'],
  [3, 0, 'note_changed'],
] as const)('version %s with If-Match %s: %s', (current, expected, why) => {
  expect(whyNotChangeNote(current, expected)).toBe(why);
});
