import { describe, expect, it } from 'vitest';
import { type Access, allPermissions, anonymous, type Membership, projectBits } from '../teams/rules.ts';
import {
  displayStatus,
  estimatedReviewDays,
  monetizationStatuses,
  requestableStatuses,
  type Status,
  statuses,
  statusTraits,
  whyNotConfirmName,
  whyNotEditTogether,
  whyNotListProject,
  whyNotMonetizeProject,
  whyNotMove,
  whyNotRequestStatus,
  whyNotSaveOver,
  whyNotScheduleProject,
  whyNotSeeProject,
  whyNotSetEnvironment,
  whyNotSetModerationMessage,
  whyNotStartProject,
  whyNotUseSlug,
  whyNotVerifyEnvironment,
} from './rules.ts';

const row = (permissions: number, accepted = true): Membership => ({
  is_owner: false,
  accepted,
  permissions,
  organization_permissions: null,
});
const edit = projectBits.EDIT_DETAILS;
const people = {
  visitor: anonymous,
  stranger: { ...anonymous, role: 'developer' },
  pending: { ...anonymous, role: 'developer', project: row(edit, false) },
  'member without the right': { ...anonymous, role: 'developer', project: row(allPermissions & ~edit) },
  member: { ...anonymous, role: 'developer', project: row(edit) },
  'member of the organization': { ...anonymous, role: 'developer', organization: row(edit) },
  moderator: { ...anonymous, role: 'moderator' },
  'moderator who is a member without the right': { ...anonymous, role: 'moderator', project: row(0) },
  admin: { ...anonymous, role: 'admin' },
} satisfies Record<string, Access>;
type Person = keyof typeof people;
const names = Object.keys(people) as Person[];

/** y = yes, v = with a public version, . = no. Columns in the order of the rows. */
const memberMoves: Record<Status, string> = {
  //           app arc unl pri dra pro rej wit sch unk
  approved: '   y   y   y   y   y   .   .   .   .   .',
  archived: '   y   y   y   y   y   .   .   .   .   .',
  unlisted: '   y   y   y   y   y   .   .   .   .   .',
  private: '    y   y   y   y   y   .   .   .   .   .',
  draft: '      .   y   .   .   .   v   .   .   .   .',
  processing: ' .   y   .   .   y   v   .   .   .   .',
  rejected: '   .   y   .   .   .   v   .   .   .   .',
  withheld: '   .   y   .   .   .   v   .   .   .   .',
  scheduled: '  .   y   .   .   .   v   .   .   .   .',
  unknown: '    .   y   .   .   .   v   .   .   .   .',
};
const columns: Status[] = [
  'approved',
  'archived',
  'unlisted',
  'private',
  'draft',
  'processing',
  'rejected',
  'withheld',
  'scheduled',
  'unknown',
];

const refusedBy: Record<Person, string | null> = {
  visitor: 'not_a_member',
  stranger: 'not_a_member',
  pending: 'not_a_member',
  'member without the right': 'permission_missing',
  member: null,
  'member of the organization': null,
  moderator: null,
  'moderator who is a member without the right': 'permission_missing',
  admin: null,
};

describe('changing the status of a project', () => {
  it('follows the table for every status, role and number of versions', () => {
    let walked = 0;
    for (const from of statuses) {
      const cells = memberMoves[from].trim().split(/\s+/);
      for (const [place, to] of columns.entries()) {
        for (const name of names) {
          for (const has_version of [false, true]) {
            const free = people[name].role === 'moderator' || people[name].role === 'admin';
            const cell = { y: null, v: has_version ? null : 'version_required', '.': 'move_refused' }[
              cells[place]!
            ];
            const requested = refusedBy[name] ?? (free ? null : cell);
            expect(whyNotMove(from, to, { access: people[name], has_version }), `${from} ${to} ${name}`).toBe(
              requested,
            );
            walked++;
          }
        }
      }
    }
    expect(walked).toBe(10 * 10 * 9 * 2);
  });

  it('starts in review only with a version', () => {
    expect(whyNotStartProject({ is_draft: false, versions: 0 })).toBe('version_required');
    expect(whyNotStartProject({ is_draft: false, versions: 1 })).toBeNull();
    expect(whyNotStartProject({ is_draft: true, versions: 0 })).toBeNull();
  });
});

describe('statuses', () => {
  it('have the meaning of the reference', () => {
    const those = (kind: keyof (typeof statusTraits)['approved']) =>
      statuses.filter((status) => statusTraits[status][kind]);
    expect(those('approved')).toEqual(['approved', 'archived', 'unlisted', 'private']);
    expect(those('searchable')).toEqual(['approved', 'archived']);
    expect(those('hidden')).toEqual(['private', 'draft', 'processing', 'rejected', 'scheduled', 'unknown']);
    expect(requestableStatuses).toEqual(['approved', 'unlisted', 'private', 'draft']);
  });

  it('are shown as archived only where the stored one is approved', () => {
    for (const status of statuses) {
      expect(displayStatus({ status, archived: false })).toBe(status);
      expect(displayStatus({ status, archived: true })).toBe(status === 'approved' ? 'archived' : status);
    }
  });

  it('may be requested when they are requestable', () => {
    for (const status of statuses) {
      const free = ['approved', 'unlisted', 'private', 'draft'].includes(status);
      expect(whyNotRequestStatus(status)).toBe(free ? null : 'requested_status_invalid');
    }
    expect(whyNotRequestStatus(null)).toBeNull();
  });
});

describe('seeing a project', () => {
  const hidden = ['rejected', 'draft', 'processing', 'unknown', 'scheduled', 'private'];
  const outside: Person[] = ['visitor', 'stranger'];

  it('hides hidden projects from outsiders; invitees count as members', () => {
    for (const status of statuses) {
      for (const name of names) {
        const refused = hidden.includes(status) && outside.includes(name);
        expect(whyNotSeeProject(status, people[name]), `${status} ${name}`).toBe(
          refused ? 'not_found' : null,
        );
      }
    }
  });

  it('limits lists to searchable projects', () => {
    for (const status of statuses) {
      for (const name of names) {
        const refused = !['approved', 'archived'].includes(status) && outside.includes(name);
        expect(whyNotListProject(status, people[name]), `${status} ${name}`).toBe(
          refused ? 'not_found' : null,
        );
      }
    }
  });
});

describe('fields for moderators', () => {
  it('only moderators force or lift demonetization', () => {
    for (const from of monetizationStatuses) {
      for (const to of monetizationStatuses) {
        const forced = from === 'force-demonetized' || to === 'force-demonetized';
        expect(whyNotMonetizeProject(from, to, people.member), `${from} ${to}`).toBe(
          forced ? 'moderators_only' : null,
        );
        expect(whyNotMonetizeProject(from, to, people.moderator)).toBeNull();
        expect(whyNotMonetizeProject(from, to, people.admin)).toBeNull();
        expect(whyNotMonetizeProject(from, to, people.stranger)).toBe('not_a_member');
        expect(whyNotMonetizeProject(from, to, people['member without the right'])).toBe(
          'permission_missing',
        );
      }
    }
  });

  it('members may only clear the moderation message, and only of an approved project', () => {
    for (const status of statuses) {
      const approved = ['approved', 'archived', 'unlisted', 'private'].includes(status);
      expect(whyNotSetModerationMessage(status, null, people.member), status).toBe(
        approved ? null : 'moderators_only',
      );
      expect(whyNotSetModerationMessage(status, 'text', people.member)).toBe('moderators_only');
      expect(whyNotSetModerationMessage(status, 'text', people.moderator)).toBeNull();
      expect(whyNotSetModerationMessage(status, null, people.stranger)).toBe('not_a_member');
    }
  });
});

describe('slugs', () => {
  it('have 3 to 64 letters, digits, dots, underscores or hyphens', () => {
    for (const good of ['abc', 'Sodium', 'a.b_c-9', 'x'.repeat(64)])
      expect(whyNotUseSlug(good), good).toBeNull();
    for (const bad of ['', 'ab', 'x'.repeat(65), 'a b', 'a/b', 'käse', 'abc\n', 'a+b', '../..'])
      expect(whyNotUseSlug(bad), bad).toBe('slug_invalid');
  });
});

it('edits several projects at once only from their own teams', () => {
  const found = Object.fromEntries(names.map((name) => [name, whyNotEditTogether(people[name])]));
  expect(found).toEqual({
    visitor: 'not_a_member',
    stranger: 'not_a_member',
    pending: 'not_a_member',
    'member without the right': 'permission_missing',
    member: null,
    'member of the organization': 'not_a_member',
    moderator: null,
    'moderator who is a member without the right': null,
    admin: null,
  });
});

describe('scheduling a project', () => {
  const now = new Date('2026-01-01');
  const time = new Date('2026-01-02');
  const why = (from: Status, to: Status, access: Access, approved_once = true, at = time) =>
    whyNotScheduleProject({ status: from, approved_once }, { to, time: at, now }, access);

  it('needs EDIT_DETAILS', () => {
    const found = names.map((name) => [name, why('approved', 'approved', people[name])]);
    expect(Object.fromEntries(found)).toEqual({
      visitor: 'not_a_member',
      stranger: 'not_a_member',
      pending: 'not_a_member',
      'member without the right': 'permission_missing',
      member: null,
      'member of the organization': null,
      moderator: null,
      'moderator who is a member without the right': 'permission_missing',
      admin: null,
    });
  });

  it('is for projects that were approved, to statuses that may be requested, in the future', () => {
    for (const from of statuses)
      for (const to of statuses)
        for (const approved_once of [true, false]) {
          const waits = from === 'scheduled' && approved_once;
          const fits = statusTraits[from].approved || waits ? null : 'schedule_unapproved';
          const expected = requestableStatuses.includes(to) ? fits : 'requested_status_invalid';
          expect(why(from, to, people.admin, approved_once), `${from} ${to}`).toBe(expected);
        }
    expect(why('approved', 'draft', people.member, true, now)).toBe('schedule_past');
  });
});

describe('the review queue', () => {
  it('estimates days by the decisions of four weeks, and nothing by few', () => {
    const days = (position: number, decisions: number) =>
      estimatedReviewDays({ position, waiting: position, decisions });
    expect([days(1, 9), days(1, 10), days(3, 28), days(100, 280), days(1, 5000)]).toEqual([
      null,
      3,
      3,
      10,
      1,
    ]);
  });
});
describe('an edit over what was changed meanwhile', () => {
  const project = { revision: 5, field_revisions: { title: 5, license_id: 3 } };
  it.each([
    ['without a revision', null, ['title'], null],
    ['with the revision of now', { revision: 5, of: 'project' }, ['title'], null],
    [
      'with an older one, of the whole project',
      { revision: 4, of: 'project' },
      ['body'],
      'revision_conflict',
    ],
    ['with a newer one', { revision: 6, of: 'project' }, ['title'], 'revision_conflict'],
    ['of a column changed since', { revision: 4, of: 'columns' }, ['body', 'title'], 'revision_conflict'],
    ['of a column changed before', { revision: 4, of: 'columns' }, ['license_id'], null],
    ['of a column that never changed', { revision: 1, of: 'columns' }, ['body'], null],
  ] as const)('%s', (_name, expected, columns, code) => {
    expect(whyNotSaveOver(project, expected, columns)).toBe(code);
  });
});

describe('the environment of all versions at once', () => {
  it.each([
    [[], [], 'environment_versions', 'environment_versions'],
    [['resourcepack'], [], 'environment_type', 'environment_type'],
    [['mod'], ['client_only', 'unknown'], 'environment_several', 'environment_several'],
    [['mod'], ['unknown'], null, 'environment_unknown'],
    [['mod', 'datapack'], ['client_only'], null, null],
    [['modpack'], ['server_only'], null, null],
  ] as const)('%j in %j: set %s, confirmed %s', (project_types, environments, set, verified) => {
    expect(whyNotSetEnvironment({ project_types, environments })).toBe(set);
    expect(whyNotVerifyEnvironment({ project_types, environments })).toBe(verified);
  });
});

it('a deletion asks for the name as it stands', () => {
  expect(whyNotConfirmName('Quiet caves', ' Quiet caves ')).toBeNull();
  expect(whyNotConfirmName('Quiet caves', 'quiet caves')).toBe('project_name_differs');
  expect(whyNotConfirmName('Quiet caves', '')).toBe('project_name_differs');
});
