import { beforeEach, describe, expect, test } from 'vitest';
import { cardsOf } from '#db/catalogue/collections/cards.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

let owner: build.BuiltUser;
let projects: build.BuiltProject[];
let id: string;
beforeEach(async () => {
  const { sql } = database;
  owner = await build.user(sql);
  projects = [await build.project(sql), await build.project(sql), await build.project(sql)];
  ({ id } = await build.collection(sql, projects, { owner, name: 'Shelf' }));
});

async function send(form: string, json: Record<string, string>, who = owner) {
  const { session } = await openSession(database.sql, { user_id: who.id, user_agent: null, now: new Date() });
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` };
  const answer = await api.call('POST', `/_internal/collections/${form}`, { headers, json: { id, ...json } });
  const body = (await answer.json()) as { to?: string; details?: { code: string; fields: unknown[] } };
  return { status: answer.status, ...body };
}
const order = (...places: number[]) => places.map((place) => projects[place]!.id).join(' ');
const edit = (json: Record<string, string>, who = owner) =>
  send(
    'edit',
    { name: 'Shelf', description: '', shown: order(0, 1, 2), order: order(0, 1, 2), ...json },
    who,
  );
async function entries() {
  const rows = await database.sql<Array<{ project_id: string; note: string | null }>>`
    select project_id, note from collection_projects where collection_id = ${id} order by place`;
  return rows.map(({ project_id, note }) => [projects.findIndex((one) => one.id === project_id), note]);
}

describe('the form of a collection', () => {
  test('changes texts, order and notes at once', async () => {
    const note = `note_${projects[2]!.id}`;
    expect(
      await edit({
        name: ' Slow  evenings ',
        status: 'unlisted',
        order: order(2, 0, 1),
        [note]: ' Start\nhere ',
      }),
    ).toMatchObject({
      to: `/collection/${id}/edit?saved=1`,
    });
    expect(await entries()).toEqual([
      [2, 'Start here'],
      [0, null],
      [1, null],
    ]);
    const [row] = await database.sql`select name, description, status from collections where id = ${id}`;
    expect(row).toEqual({ name: 'Slow evenings', description: null, status: 'unlisted' });
    const cards = await cardsOf(database, [projects[2]!.id, projects[0]!.id], id);
    expect(cards.map((card) => card.note)).toEqual(['Start here', null]);
    await edit({ order: order(2, 0, 1), [note]: '' });
    expect((await entries())[0]).toEqual([2, null]);
  });

  test('moves and removes one project by a button, without scripts', async () => {
    await edit({ move: `up ${projects[1]!.id}` });
    expect((await entries()).map(([place]) => place)).toEqual([1, 0, 2]);
    await edit({ order: order(1, 0, 2), remove: projects[0]!.id });
    expect((await entries()).map(([place]) => place)).toEqual([1, 2]);
  });

  test('removes what was taken out, keeps what was added meanwhile, and can be undone', async () => {
    const late = await build.project(database.sql);
    await database.sql`insert into collection_projects (collection_id, project_id, place) values (${id}, ${late.id}, 9)`;
    projects.push(late);
    await edit({ removed: order(0) });
    expect((await entries()).map(([place]) => place)).toEqual([1, 2, 3]);
    await edit({ shown: order(1, 2, 3), order: order(0, 1, 2, 3) });
    expect((await entries()).map(([place]) => place)).toEqual([0, 1, 2, 3]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a short name', { name: 'ab' }, 'name'],
    ['a short description', { description: 'ab' }, 'description'],
    ['another status', { status: 'rejected' }, 'status'],
    ['a note of 201', { note_AABBCCDD: 'a'.repeat(201) }, 'notes'],
    ['a note that Postgres cannot hold', { note_AABBCCDD: 'a\0' }, 'notes'],
  ])('refuses %s beside its field and changes nothing', async (_what, json, field) => {
    expect((await edit({ order: order(2, 1, 0), ...json })).details).toMatchObject({
      code: 'invalid_input',
      fields: [{ field }],
    });
    expect((await entries()).map(([place]) => place)).toEqual([0, 1, 2]);
  });

  test('takes 200 characters of any kind for a note, and ignores projects that are not there', async () => {
    const hidden = await build.project(database.sql, { status: 'draft' });
    const note = '🌲'.repeat(200);
    await edit({
      order: `${order(0, 1, 2)} ${hidden.id}`,
      [`note_${projects[0]!.id}`]: note,
      [`note_${hidden.id}`]: 'x',
    });
    expect(await entries()).toEqual([
      [0, note],
      [1, null],
      [2, null],
    ]);
  });

  test('is for its owner and moderators; private ones do not exist for others', async () => {
    const [stranger, moderator] = [
      await build.user(database.sql),
      await build.user(database.sql, { role: 'moderator' }),
    ];
    expect((await edit({}, stranger)).details).toMatchObject({ code: 'not_yours' });
    expect((await edit({ status: 'private' }, moderator)).to).toBeDefined();
    expect((await edit({}, stranger)).details).toMatchObject({ code: 'not_found' });
  });
});

test('a collection is deleted by its owner only', async () => {
  const stranger = await build.user(database.sql);
  expect((await send('delete', {}, stranger)).details).toMatchObject({ code: 'not_yours' });
  expect((await send('delete', {})).to).toBe('/dashboard/collections?deleted=1');
  expect(await database.sql`select 1 from collections where id = ${id}`).toHaveLength(0);
});
