import { beforeEach, describe, expect, it } from 'vitest';
import { documentsOf } from '#db/discovery/search/documents/documents.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { allOf, type Kind, type Stage, stage, statusesOf } from '../../testing/projects.ts';

const database = testDatabase();
const api = testApi(database);
let project: Stage['project'];
let as: Stage['as'];
beforeEach(async () => {
  ({ project, as } = await stage(database));
});

type Row = Record<string, unknown>;
const path = () => `/v3/project/${project.id}/disclosures`;
const read = async (kind: Kind = 'visitor') =>
  (await (await api.call('GET', path(), as(kind))).json()) as Row[];
const patch = async (json: unknown, kind: Kind = 'editor') =>
  (await api.call('PATCH', path(), { ...as(kind), json })).status;
const archived = async () =>
  (await database.sql`select archived from projects where id = ${project.id}`)[0]!.archived as boolean;

const each = [
  { type: 'ai_content', note: 'Some', uses: ['code', 'text'] },
  { type: 'advertisements', note: null },
  { type: 'epilepsy_triggers', note: 'Flashes' },
  { type: 'system_interactions', note: null, interactions: ['Opens a port'] },
  { type: 'telemetry', consent: 'opt_in', data_collected: ['Crashes'] },
  { type: 'derivative_work', sources: [{ link: 'https://example.test/', label: 'Lanterns', note: null }] },
  { type: 'paid_features', features: ['Capes'] },
  { type: 'archived', note: 'Finished' },
];

describe('disclosures', () => {
  it('are set with the fields of their types, and found by searches', async () => {
    expect(await patch({ set: each })).toBe(204);
    const shown = await read();
    expect(shown.map(({ updated_at, ...row }) => row)).toEqual(
      each.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    );
    const [document] = await documentsOf(database.sql, [project.id]);
    expect(document!.disclosure_types).toEqual([
      'advertisements',
      'ai_content',
      'ai_content_code',
      'ai_content_text',
      'derivative_work',
      'epilepsy_triggers',
      'paid_features',
      'system_interactions',
      'telemetry',
      'telemetry_opt_in',
      'archived',
    ]);
  });

  it('that are removed only members and moderators see', async () => {
    await patch({ set: [{ type: 'advertisements', note: 'Banner' }, each[6]] });
    expect(await patch({ remove: ['advertisements'] })).toBe(204);
    expect((await read()).map(({ type }) => type)).toEqual(['paid_features']);
    for (const kind of ['editor', 'moderator', 'organization editor'] as const)
      expect((await read(kind))[0]).toEqual({
        type: 'advertisements',
        note: 'Banner',
        updated_at: expect.any(String),
        deleted_at: expect.any(String),
        set_by_moderator: false,
        lock_status: 'unlocked',
        updated_by: expect.any(String),
      });
    for (const kind of ['stranger', 'pending', 'owner without the scope'] as const)
      expect(await read(kind)).toHaveLength(1);
    expect((await documentsOf(database.sql, [project.id]))[0]!.disclosure_types).toEqual(['paid_features']);
  });

  it('need EDIT_DETAILS', async () => {
    const found = await statusesOf((kind) =>
      api.call('PATCH', path(), { ...as(kind), json: { set: [each[1]] } }),
    );
    expect(found).toEqual({
      ...allOf(401),
      ...allOf(204, ['editor', 'organization editor', 'moderator', 'admin']),
    });
    const locked = await statusesOf((kind) =>
      api.call('PATCH', path(), { ...as(kind), json: { set: [each[1]], lock_status: 'unlocked' } }),
    );
    expect(locked).toEqual({ ...allOf(401), ...allOf(204, ['moderator', 'admin']) });
  });

  it.each([
    ['unlocked', 204, 204],
    ['cannot_disable', 204, 401],
    ['fully_locked', 401, 401],
  ])('that are %s', async (lock_status, set, remove) => {
    expect(await patch({ set: [each[1]], lock_status }, 'moderator')).toBe(204);
    expect((await read('editor'))[0]).toMatchObject({ lock_status, set_by_moderator: true });
    expect(await patch({ set: [each[1]] })).toBe(set);
    expect(await patch({ remove: ['advertisements'] })).toBe(remove);
    expect(await patch({ remove: ['advertisements'] }, 'moderator')).toBe(204);
    expect(await read()).toEqual([]);
  });

  it('archive the project, however that is said', async () => {
    await patch({ set: [{ type: 'archived', note: 'Finished' }] });
    expect(await archived()).toBe(true);
    const v2 = async () =>
      ((await (await api.call('GET', `/v2/project/${project.id}`)).json()) as Row).status;
    expect(await v2()).toBe('archived');
    await patch({ remove: ['archived'] });
    expect([await archived(), await v2(), await read()]).toEqual([false, 'approved', []]);

    const move = async (status: string) =>
      (await api.call('PATCH', `/v2/project/${project.id}`, { ...as('editor'), json: { status } })).status;
    expect(await move('archived')).toBe(204);
    expect(await read()).toMatchObject([{ type: 'archived', note: 'Finished' }]);
    await patch({ set: [each[7]], lock_status: 'cannot_disable' }, 'moderator');
    expect(await move('unlisted')).toBe(204);
    expect(await archived()).toBe(true);
    await patch({ remove: ['archived'], lock_status: 'fully_locked' }, 'moderator');
    expect(await move('archived')).toBe(401);
    expect(await archived()).toBe(false);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['empty lists', { set: [], remove: [] }],
    ['only a lock', { lock_status: 'unlocked' }],
    ['an unknown type', { set: [{ type: 'nonsense' }] }],
    ['an unknown type to remove', { remove: ['nonsense'] }],
    ['a missing field', { set: [{ type: 'telemetry', consent: 'opt_in' }] }],
    ['an unknown use', { set: [{ type: 'ai_content', uses: ['dreams'] }] }],
    ['the same twice', { set: [each[1], each[1]] }],
    ['the same set and removed', { set: [each[1]], remove: ['advertisements'] }],
    ['a link without https', { set: [{ type: 'derivative_work', sources: [{ link: 'x', label: 'y' }] }] }],
    ['NUL', { set: [{ type: 'advertisements', note: '\0' }] }],
    ['half a character', { set: [{ type: 'paid_features', features: ['\ud800'] }] }],
    ['too many', { set: [{ type: 'paid_features', features: Array(65).fill('x') }] }],
    ['an unknown lock', { set: [each[1]], lock_status: 'x' }],
    ['a list', []],
  ])('refuse %s', async (_what, json) => {
    expect(await patch(json)).toBe(400);
    expect(await read('editor')).toEqual([]);
  });

  it('of hidden and unknown projects are 404', async () => {
    await database.sql`update projects set status = 'draft' where id = ${project.id}`;
    expect((await api.call('GET', path())).status).toBe(404);
    expect((await api.call('GET', path(), as('editor'))).status).toBe(200);
    expect((await api.call('GET', '/v3/project/unknown-one/disclosures')).status).toBe(404);
    const answer = await api.call('PATCH', '/v3/project/unknown-one/disclosures', {
      ...as('admin'),
      json: { set: [each[1]] },
    });
    expect(answer.status).toBe(404);
  });
});
