import { expect, it } from 'vitest';
import type { Actor, Role } from '../people/rules.ts';
import { whyNotDeleteReport, whyNotEditReport, whyNotSeeReport } from './rules.ts';

const actor = (user_id: string, role: Role = 'developer'): Actor => ({
  user_id,
  username: user_id,
  role,
  scopes: 'all',
  interactive: true,
  email_verified: true,
});
const report = { reporter: 'Report01' };
const text = { closed: false };
const state = { closed: true };

it.each<[string, Actor, Array<string | null>]>([
  ['stranger', actor('Strange1'), ['not_found', 'not_found', 'not_found', 'not_found']],
  ['reporter', actor('Report01'), [null, null, 'report_closing', 'moderators_only']],
  ['moderator', actor('Moder001', 'moderator'), [null, null, null, null]],
  ['admin', actor('Admin001', 'admin'), [null, null, null, null]],
  ['reporter who is a moderator', actor('Report01', 'moderator'), [null, null, null, null]],
])('a %s may see, edit, close and delete as the table says', (_, viewer, expected) => {
  expect([
    whyNotSeeReport(report, viewer),
    whyNotEditReport(report, text, viewer),
    whyNotEditReport(report, state, viewer),
    whyNotDeleteReport(report, viewer),
  ]).toEqual(expected);
});

it('does not exist for a visitor', () => expect(whyNotSeeReport(report, null)).toBe('not_found'));
