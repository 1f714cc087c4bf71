import { describe, expect, test } from 'vitest';
import type { ManifestReading } from '#db/catalogue/manifests/read-manifests.ts';
import {
  type Draft,
  editBody,
  emptyFields,
  isPack,
  type PickedFile,
  placeOf,
  problemsOf,
  publishBody,
  separable,
  type VersionFields,
  withReading,
} from './draft.ts';

const reading: ManifestReading = {
  ...{ name: 'Causeway', version_number: '2.0', version_type: 'beta', modpack: false, problems: [] },
  ...{ loaders: ['fabric'], game_versions: ['1.20.1'], dependencies: [], environment: 'client_only' },
  license: null,
};
const file = (filename: string, given: Partial<PickedFile> = {}): PickedFile => ({
  ...{ key: filename, filename, size: 1, state: 'sent', done_bytes: 1, bytes_per_second: null },
  ...{ file_type: null, reading: null, upload_id: `up-${filename}`, published: null, problem: '' },
  ...given,
});
const draft = (files: PickedFile[], fields: Partial<VersionFields> = {}): Draft => ({
  ...{ key: 'k', files, touched: new Set() },
  fields: { ...emptyFields, ...fields },
});

describe('a manifest', () => {
  test('fills what the user left empty', () => {
    expect(withReading(draft([]), reading)).toMatchObject({
      ...{ name: 'Causeway 2.0', version_number: '2.0', version_type: 'beta', loaders: ['fabric'] },
      ...{ game_versions: ['1.20.1'], environment: 'client_only' },
    });
  });
  test('changes nothing that the user wrote', () => {
    const own = { ...draft([], { version_number: '9', loaders: [] }) };
    const touched = new Set(['version_number', 'loaders'] as const);
    expect(withReading({ ...own, touched }, reading)).toMatchObject({
      ...{ name: 'Causeway 9', version_number: '9', loaders: [] },
    });
  });
  test('that says nothing leaves what was there', () => {
    const nothing = { ...reading, name: null, version_number: null, loaders: [], game_versions: [] };
    const before = { name: 'Mine', version_number: '1', loaders: ['quilt'], game_versions: ['1.21'] };
    expect(withReading(draft([], before), { ...nothing, environment: null })).toMatchObject({
      ...before,
      name: '1', // as its number is known
    });
  });
  test('gives a name that is not too long', () => {
    const long = { ...reading, name: '🪨'.repeat(64) };
    expect([...withReading(draft([]), long).name]).toHaveLength(64);
  });
});

const now = new Date('2026-01-01T00:00:00Z');
const asked = { has_files: true, needs_environment: false, now };
const whole: VersionFields = {
  ...emptyFields,
  ...{ name: 'A', version_number: '1', loaders: ['fabric'], game_versions: ['1.21'] },
};
test('a whole version has no problem', () => {
  expect(problemsOf(whole, asked)).toEqual({});
});
test.each<[string, Partial<VersionFields>, Partial<typeof asked>, object]>([
  ['no file', {}, { has_files: false }, { files: 'publish.need_file' }],
  ['no number', { version_number: '' }, {}, { version_number: 'publish.need_number' }],
  ['a number with spaces', { version_number: '1 0' }, {}, { version_number: 'publish.wrong_number' }],
  ['a long number', { version_number: '1'.repeat(33) }, {}, { version_number: 'publish.wrong_number' }],
  [
    'a number with a direction mark',
    { version_number: '1\u202E' },
    {},
    { version_number: 'publish.wrong_number' },
  ],
  ['no loader', { loaders: [] }, {}, { loaders: 'publish.need_loaders' }],
  ['no game version', { game_versions: [] }, {}, { game_versions: 'publish.need_game_versions' }],
  ['no environment', {}, { needs_environment: true }, { environment: 'publish.need_environment' }],
  ['a long changelog', { changelog: 'a'.repeat(65_537) }, {}, { changelog: 'publish.long_changelog' }],
  ['a place in words', { ordering: 'first' }, {}, { ordering: 'publish.wrong_ordering' }],
  ['half a place', { ordering: '1.5' }, {}, { ordering: 'publish.wrong_ordering' }],
  ['a huge place', { ordering: '2147483648' }, {}, { ordering: 'publish.wrong_ordering' }],
  ['no time', { status: 'scheduled' }, {}, { release_at: 'publish.need_release_at' }],
  [
    'a time that is past',
    { status: 'scheduled', release_at: '2025-12-31T00:00' },
    {},
    { release_at: 'publish.past_release_at' },
  ],
])('%s is named beside its field', (_, fields, given, problems) => {
  expect(problemsOf({ ...whole, ...fields }, { ...asked, ...given })).toEqual(problems);
});

test.each([
  ['loader_entry_missing', '', 'loaders'],
  ['game_version_unknown', '', 'game_versions'],
  ['dependency_repeated', '', 'dependencies'],
  ['archive_unreadable', '', 'files'],
  ['file_duplicate', '', 'files'],
  ['file_name_used', '', 'files'],
  ['version_number_used', '', 'version_number'],
  ['upload_unfinished', '', 'files'],
  ['schedule_past', '', 'release_at'],
  ['versions_full', '', 'form'],
  ['constructor', '', 'form'],
  ['invalid_input', 'The request is not valid: version_number: Invalid string', 'version_number'],
  ['invalid_input', 'The request is not valid: dependencies.0.version_id: Invalid', 'dependencies'],
  ['invalid_input', 'mrpack_loaders: is needed', 'loaders'],
  ['invalid_input', 'The request is not valid: ordering: Too big', 'ordering'],
  ['invalid_input', 'the body is too deep', 'form'],
])('%s (%s) is shown at %s', (code, description, place) => {
  expect(placeOf({ code, description })).toBe(place);
});

test('one primary file, the others with their types; refused and published ones are left out', () => {
  const files = [
    file('bad.jar', { state: 'refused' }),
    file('known.jar', { state: 'published' }),
    file('a-sources.jar', { file_type: 'sources-jar' }),
    file('a.jar'),
  ];
  expect(publishBody(draft(files, { ...whole, name: ' A ', status: 'scheduled' }), 'p', true)).toMatchObject({
    ...{ project_id: 'p', name: 'A', status: 'draft', file_parts: ['up-a-sources.jar', 'up-a.jar'] },
    ...{ primary_file: 'up-a.jar', file_types: { 'up-a-sources.jar': 'sources-jar' }, loaders: ['fabric'] },
  });
});

test('a name may be left empty: the server makes up that of a new version, an edit is sent with one', () => {
  const unnamed = { ...whole, name: ' ' };
  expect(problemsOf(unnamed, asked)).toEqual({});
  expect(publishBody(draft([file('a.jar')], unnamed), 'p', true)).not.toHaveProperty('name');
  const how = { title: 'Causeway', pack: false, has_environment: false };
  expect(editBody(whole, unnamed, how)).toEqual({ name: 'Causeway 1' });
});

test('a modpack names its loaders in mrpack_loaders', () => {
  const pack = draft([file('a.mrpack')], whole);
  expect(isPack(pack)).toBe(true);
  expect(publishBody(pack, 'p', true)).toMatchObject({ loaders: ['mrpack'], mrpack_loaders: ['fabric'] });
});

test('several files with manifests can be a version each; sources cannot', () => {
  const two = [file('a.jar', { reading }), file('b.jar', { reading }), file('a-sources.jar', { reading })];
  expect(separable(two).map(({ filename }) => filename)).toEqual(['a.jar', 'b.jar']);
  expect(separable(two.slice(1))).toEqual([]);
});

test('an edit sends only what changed', () => {
  const how = { title: 'Causeway', pack: false, has_environment: false };
  expect(editBody(whole, whole, how)).toEqual({});
  expect(editBody(whole, { ...whole, name: 'B', featured: true }, how)).toEqual({
    name: 'B',
    featured: true,
  });
  expect(editBody(whole, { ...whole, loaders: ['quilt'] }, { ...how, pack: true })).toEqual({
    mrpack_loaders: ['quilt'],
  });
  expect(editBody(whole, { ...whole, status: 'scheduled', release_at: '2027-01-01T00:00' }, how)).toEqual({});
});

test('an edit takes a place away by null, and an environment by the word for it', () => {
  const how = { title: 'Causeway', pack: false, has_environment: true };
  const placed = { ...whole, ordering: '4', environment: 'client_only' };
  expect(editBody(whole, placed, how)).toEqual({ ordering: 4, environment: 'client_only' });
  expect(editBody(placed, whole, how)).toEqual({ ordering: null, environment: 'unknown' });
  expect(publishBody(draft([file('a.jar')], placed), 'p', true)).toMatchObject({ ordering: 4 });
  expect(publishBody(draft([file('a.jar')], whole), 'p', true)).toMatchObject({ ordering: null });
});
