import { expect, it } from 'vitest';
import type { Actor, Role } from '../../platform/people/rules.ts';
import {
  reports_per_day,
  whyNotDeleteReport,
  whyNotEditReport,
  whyNotListReports,
  whyNotReport,
  whyNotSeeReport,
} from './rules.ts';

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

it.each<[Role | null, string | null]>([
  [null, 'moderators_only'],
  ['developer', 'moderators_only'],
  ['moderator', null],
  ['admin', null],
])('a %s lists reports: %s', (role, expected) =>
  expect(whyNotListReports(role && actor('Anyone01', role))).toBe(expected),
);

it.each([
  [{ open: null, today: reports_per_day - 1 }, null],
  [{ open: null, today: reports_per_day }, 'too_many_reports'],
  [{ open: 'Report02', today: 0 }, 'report_open'],
] as const)('after %o a report is refused with %s', (before, expected) =>
  expect(whyNotReport(before)).toBe(expected),
);
