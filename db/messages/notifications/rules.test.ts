import { describe, expect, it } from 'vitest';
import { derivedId, isId } from '../../platform/id.ts';
import type { Actor, Role } from '../../platform/people/rules.ts';
import { textOf } from './api-text.ts';
import { whyNotChangeNotification, whyNotListNotifications, whyNotSeeNotification } from './rules.ts';

const actor = (user_id: string, role: Role = 'developer'): Actor => ({
  user_id,
  username: user_id,
  role,
  scopes: 'all',
  interactive: true,
  email_verified: true,
});

it.each<[string, Actor, boolean]>([
  ['stranger', actor('Strange1'), false],
  ['moderator', actor('Moder001', 'moderator'), false],
  ['user', actor('User0001'), true],
  ['admin', actor('Admin001', 'admin'), true],
])('a %s may see, change and list them: %s', (_, viewer, may) => {
  const all = [whyNotSeeNotification, whyNotChangeNotification, whyNotListNotifications];
  expect(all.map((why) => why('User0001', viewer))).toEqual(
    may ? [null, null, null] : ['not_found', 'not_yours', 'not_yours'],
  );
});

describe('the text of a notification', () => {
  const accept = { name: 'Accept', action_route: ['POST', 'team/TTTT/join'] };
  const deny = { name: 'Deny', action_route: ['DELETE', 'team/TTTT/members/User0001'] };
  const message = { thread_id: 'HHHH', message_id: 'MMMM', project_id: null, report_id: null };
  it.each<[string, object, string, object[]]>([
    ['project_update', { project_id: 'PPPP', version_id: 'VVVV' }, '/project/PPPP/version/VVVV', []],
    ['new_project', { project_id: 'PPPP', published_by: 'U' }, '/project/PPPP', []],
    [
      'team_invite',
      { project_id: 'PPPP', team_id: 'TTTT', invited_by: 'U', role: 'Artist' },
      '/project/PPPP',
      [accept, deny],
    ],
    [
      'organization_invite',
      { organization_id: 'OOOO', team_id: 'TTTT', invited_by: 'U', role: 'A' },
      '/organization/OOOO',
      [accept, deny],
    ],
    [
      'status_change',
      { project_id: 'PPPP', old_status: 'draft', new_status: 'approved' },
      '/project/PPPP',
      [],
    ],
    ['moderator_message', { ...message, project_id: 'PPPP' }, '/project/PPPP', []],
    ['moderator_message', { ...message, report_id: 'RRRR' }, '/dashboard/report/RRRR', []],
    ['moderator_message', message, '#', []],
    ['patron_badge', { secret: 'x' }, '#', []],
    ['toString', {}, '#', []],
  ])('%s has its link and actions', (type, body, link, actions) => {
    const found = textOf({ user_id: 'User0001', type, body });
    expect(found).toMatchObject({ link, actions });
    expect(found.type === 'unknown').toBe(['patron_badge', 'toString'].includes(type));
  });
});

it('derives valid ids that differ with the text and stay the same', () => {
  const ids = Array.from({ length: 500 }, (_, n) => derivedId(`text ${n}`));
  expect(new Set(ids).size).toBe(500);
  expect(ids.every(isId)).toBe(true);
  expect(derivedId('text 7')).toBe(ids[7]);
});
