import { describe, expect, test } from 'vitest';
import type { Access, Membership } from '../teams/rules.ts';
import {
  isModpack,
  listedStatuses,
  numberProblem,
  openStatuses,
  pickFeatured,
  usualName,
  versionNumberPattern,
  versionStatuses,
  whyNotAddVersion,
  whyNotDependencies,
  whyNotEditVersion,
  whyNotPublishVersion,
  whyNotRecountDownloads,
  whyNotRemoveFile,
  whyNotRemoveVersion,
  whyNotSeeVersion,
} from './rules.ts';

const row = (permissions: number, accepted = true): Membership => ({
  is_owner: false,
  accepted,
  permissions,
  organization_permissions: null,
});
const as = (given: Partial<Access>): Access => ({
  role: 'developer',
  project: null,
  organization: null,
  ...given,
});

const people: Record<string, Access> = {
  visitor: as({ role: null }),
  stranger: as({}),
  pending: as({ project: row(1023, false) }),
  powerless: as({ project: row(0) }),
  uploader: as({ project: row(1) }),
  deleter: as({ project: row(2) }),
  'all but versions': as({ project: row(1020) }),
  'organization uploader': as({ organization: row(1) }),
  moderator: as({ role: 'moderator' }),
  admin: as({ role: 'admin' }),
};

test('a version that nobody named is called like its project and number, within the length of a name', () => {
  expect(usualName('Lanternroot', '2.4.1')).toBe('Lanternroot 2.4.1');
  expect(usualName('', '1')).toBe('1');
  expect(usualName('Lanternroot', '')).toBe('Lanternroot');
  const long = usualName('🪨'.repeat(80), '1'.repeat(32));
  expect([...long]).toHaveLength(64);
  expect(long.endsWith(` ${'1'.repeat(32)}`)).toBe(true);
});

describe('permissions', () => {
  const outside = 'not_a_member';
  const lacking = 'permission_missing';
  const hidden = 'not_found';
  test.each([
    // who                     sees a draft, publishes, edits, deletes, corrects downloads
    ['visitor', hidden, outside, outside, outside, 'moderators_only'],
    ['stranger', hidden, outside, outside, outside, 'moderators_only'],
    ['pending', null, outside, outside, outside, 'moderators_only'],
    ['powerless', null, lacking, lacking, lacking, 'moderators_only'],
    ['uploader', null, null, null, lacking, 'moderators_only'],
    ['deleter', null, lacking, lacking, null, 'moderators_only'],
    ['all but versions', null, lacking, lacking, lacking, 'moderators_only'],
    ['organization uploader', null, null, null, lacking, 'moderators_only'],
    ['moderator', null, null, null, lacking, null],
    ['admin', null, null, null, null, null],
  ] as const)('%s', (who, see, publish, edit, remove, recount) => {
    const access = people[who]!;
    expect({
      see: whyNotSeeVersion('draft', access),
      publish: whyNotPublishVersion(access),
      edit: whyNotEditVersion(access),
      remove: whyNotRemoveVersion(access),
      recount: whyNotRecountDownloads(access),
    }).toEqual({ see, publish, edit, remove, recount });
  });

  test('keep the last file of a version, whoever asks', () => {
    expect(whyNotRemoveFile(people.admin!, 1)).toBe('last_file');
    expect(whyNotRemoveFile(people.admin!, 2)).toBeNull();
    expect(whyNotRemoveFile(people.uploader!, 2)).toBe('permission_missing');
  });
});

describe('visibility', () => {
  test.each([
    // status, in lists, to outsiders by id and hash
    ['listed', true, true],
    ['archived', true, true],
    ['unlisted', false, true],
    ['draft', false, false],
    ['scheduled', false, false],
    ['unknown', false, false],
  ] as const)('%s', (status, lists, open) => {
    expect(listedStatuses.includes(status)).toBe(lists);
    expect(openStatuses.includes(status)).toBe(open);
    expect(whyNotSeeVersion(status, people.visitor!)).toBe(open ? null : 'not_found');
    expect(whyNotSeeVersion(status, people.stranger!)).toBe(open ? null : 'not_found');
    for (const insider of ['pending', 'powerless', 'organization uploader', 'moderator', 'admin']) {
      expect(whyNotSeeVersion(status, people[insider]!)).toBeNull();
    }
  });

  test('is listed above for every status', () => {
    expect([...versionStatuses].sort()).toEqual([
      'archived',
      'draft',
      'listed',
      'scheduled',
      'unknown',
      'unlisted',
    ]);
  });
});

test.each([
  ['1.0.0+mc1.20.1', true],
  ['v2_beta-(3)!@$`,"', true],
  ['', false],
  ['1.0 beta', false],
  ['1/2', false],
  ['1#2', false],
  ['ß', false],
  ["it's", false],
])('version number %j is %s', (number, matches) => {
  expect(versionNumberPattern.test(number)).toBe(matches);
});

describe('dependencies', () => {
  test.each([
    [[], null],
    [[{ project_id: 'A' }, { project_id: 'B' }], null],
    [[{ version_id: 'A' }, { project_id: 'A' }, { file_name: 'A' }], null],
    [[{ project_id: 'A' }, { project_id: 'A' }], 'dependency_repeated'],
    [[{ project_id: 'A' }, { project_id: 'A', version_id: null }], 'dependency_repeated'],
    [
      [
        { project_id: 'A', version_id: 'V' },
        { project_id: 'A', version_id: 'W' },
      ],
      null,
    ],
    [[{}], 'dependency_empty'],
    [[{ project_id: null, version_id: null, file_name: null }], 'dependency_empty'],
  ])('%j: %s', (dependencies, why) => {
    expect(whyNotDependencies(dependencies)).toBe(why);
  });
});

describe('modpacks', () => {
  test.each([
    [['a.mrpack'], ['x.zip'], true],
    [['a', 'b.mrpack'], ['x.zip', 'y.zip'], false],
    [['a'], ['x.zip', 'y.mrpack'], true],
    [['a'], ['Y.MRPACK'], true],
    [['a'], ['mrpack.jar'], false],
    [[], [], false],
  ])('parts %j with files %j: %s', (parts, files, pack) => {
    expect(isModpack(parts, files)).toBe(pack);
  });
});

describe('the featured filter', () => {
  const version = (id: string, games: string[], loaders: string[], featured = false) => ({
    id,
    game_versions: games,
    loaders,
    featured,
  });
  const ids = (versions: Array<{ id: string }>) => versions.map(({ id }) => id).join('');
  const window = [
    version('a', ['1.21.1'], ['fabric']),
    version('b', ['1.21', '1.20'], ['fabric']),
    version('c', ['1.20'], ['fabric', 'forge']),
    version('d', ['1.20'], ['forge']),
  ];
  const majors = ['1.21', '1.20'];

  test('selects flagged versions, and the others with featured=false', () => {
    const flagged = [version('a', ['1.20'], ['fabric'], true), version('b', ['1.20'], ['fabric'])];
    expect(ids(pickFeatured(flagged, true, majors))).toBe('a');
    expect(ids(pickFeatured(flagged, false, majors))).toBe('b');
  });
  test('falls back to the newest of each pair of major game version and loader', () => {
    expect(ids(pickFeatured(window, true, majors))).toBe('bc');
  });
  test('falls back to the whole window when there is no pair either', () => {
    expect(ids(pickFeatured(window, true, ['1.7.10']))).toBe('abcd');
  });
  test('gives the whole window for featured=false without a flag, and nothing without versions', () => {
    expect(ids(pickFeatured(window, false, majors))).toBe('abcd');
    expect(pickFeatured([], true, majors)).toEqual([]);
  });
});

test.each([
  [0, 0, null],
  [9_999, 499, null],
  [500, 500, 'versions_too_many_today'],
  [10_000, 0, 'versions_full'],
  [10_000, 500, 'versions_full'],
])('a project with %d versions, %d of today, accepts another one unless %s', (total, today, code) => {
  expect(whyNotAddVersion({ total, today })).toBe(code);
});

test.each([
  ['1.0.0', null],
  ['1.0~beta', '“~”'],
  ['1.0 beta', 'a blank'],
  ['1.0\u200b', 'U+200B'],
  ['1.0ä🎉', '“ä”'],
  ['🎉1', '“🎉”'],
  ['a/b', '“/”'],
])('of the version number %j the first wrong character is named: %s', (number, wrong) => {
  const problem = numberProblem(number);
  if (wrong === null) expect(problem).toBeNull();
  else
    expect(problem).toMatch(
      new RegExp(`^may have letters .*, but not ${wrong.replace('+', '\\+').replace('/', '\\/')}$`, 'u'),
    );
});
