import { beforeEach, describe, expect, it } from 'vitest';
import { removeProject } from '#db/catalogue/projects/remove.ts';
import { threadsByIds } from '#db/messages/threads/read.ts';
import { addMessage } from '#db/messages/threads/write.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const kinds = [
  'visitor',
  'no scope',
  'stranger',
  'owner',
  'pending',
  'colleague',
  'moderator',
  'admin',
] as const;
type Kind = (typeof kinds)[number];

let people: Record<Exclude<Kind, 'visitor' | 'no scope'>, build.BuiltUser>;
let tokens: Record<Kind, string | undefined>;
let project: build.BuiltProject;
let thread_id: string;
beforeEach(async () => {
  const { sql } = database;
  const organization = await build.organization(sql);
  people = {
    stranger: await build.user(sql),
    owner: await build.user(sql),
    pending: await build.user(sql),
    colleague: organization.owner,
    moderator: await build.user(sql, { role: 'moderator' }),
    admin: await build.user(sql, { role: 'admin' }),
  };
  project = await build.project(sql, { owner: people.owner });
  await sql`update projects set organization = ${organization.id} where id = ${project.id}`;
  await build.member(sql, project.team, people.pending, { accepted: false });
  const without = unrestrictedScopes.filter((scope) => !scope.startsWith('THREAD_'));
  const names = Object.keys(people) as Array<keyof typeof people>;
  const made = await Promise.all(names.map(async (name) => [name, await build.token(sql, people[name])]));
  tokens = {
    ...(Object.fromEntries(made) as Record<keyof typeof people, string>),
    visitor: undefined,
    'no scope': await build.token(sql, people.owner, without),
  };
  const [row] = await sql<
    Array<{ thread_id: string }>
  >`select thread_id from projects where id = ${project.id}`;
  thread_id = row!.thread_id;
});

const as = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });
async function statusesOf(call: (kind: Kind) => Promise<Response>) {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) found[kind] = (await call(kind)).status;
  return found;
}
const read = async (kind: Kind = 'owner', version = 3) =>
  (await (await api.call('GET', `/v${version}/thread/${thread_id}`, as(kind))).json()) as {
    messages: Array<{
      id: string;
      author_id: string | null;
      body: Record<string, unknown>;
      hide_identity: boolean;
    }>;
    members: Array<{ id: string }>;
  };
const post = (kind: Kind, json: unknown, id = thread_id) =>
  api.call('POST', `/v2/thread/${id}`, { ...as(kind), json });
const text = (body: string, given: object = {}) => ({ type: 'text', body, ...given });
const notified = async (kind: keyof typeof people) =>
  await database.sql<Array<{ type: string; body: object }>>`
    select type, body from notifications where user_id = ${people[kind].id}`;
const countOf = async () =>
  (await database.sql`select 1 from thread_messages where thread_id = ${thread_id}`).length;

describe('a project thread', () => {
  it.each([2, 3])('is visible to members, invitees and staff in v%i', async (version) => {
    const found = await statusesOf((kind) => api.call('GET', `/v${version}/thread/${thread_id}`, as(kind)));
    expect(found).toEqual({
      ...{ visitor: 401, 'no scope': 401, stranger: 404 },
      ...{ owner: 200, pending: 200, colleague: 200, moderator: 200, admin: 200 },
    });
    for (const kind of ['stranger', 'owner'] as const) {
      const list = await api.call('GET', `/v${version}/threads?ids=["${thread_id}","Nothing1"]`, as(kind));
      expect(await list.json()).toHaveLength(kind === 'owner' ? 1 : 0);
    }
  });

  it('takes messages of members and staff, flat or wrapped', async () => {
    expect(await statusesOf((kind) => post(kind, text(`by ${kind}`)))).toEqual({
      ...{ visitor: 401, 'no scope': 401, stranger: 404, pending: 401 },
      ...{ owner: 204, colleague: 204, moderator: 204, admin: 204 },
    });
    const wrapped = { body: text('wrapped', { private: false }) };
    expect((await post('owner', wrapped)).status).toBe(204);
    const { messages } = await read();
    expect(messages.map(({ body }) => body.body)).toEqual([
      'by owner',
      'by colleague',
      'by moderator',
      'by admin',
      'wrapped',
    ]);
  });

  it('hides private messages and the names of moderators from members', async () => {
    await post('owner', text('hello'));
    await post('moderator', text('public'));
    await post('moderator', text('secret', { private: true }));
    const seen = await read('owner');
    expect(seen.messages.map(({ author_id, body }) => [author_id, body.body])).toEqual([
      [people.owner.id, 'hello'],
      [null, 'public'],
    ]);
    expect(seen.members.map(({ id }) => id).sort()).toEqual([people.owner.id, people.colleague.id].sort());
    const all = await read('admin');
    expect(all.messages.map(({ author_id }) => author_id)).toEqual([
      people.owner.id,
      people.moderator.id,
      people.moderator.id,
    ]);
    expect(all.members.map(({ id }) => id)).toContain(people.moderator.id);
    const secret = all.messages[2]!.id;
    expect((await post('owner', text('re', { replying_to: secret }))).status).toBe(400);
    expect((await api.call('DELETE', `/v3/message/${secret}`, as('owner'))).status).toBe(404);
  });

  it('refuses other bodies and changes nothing', async () => {
    const elsewhere = await build.project(database.sql, { owner: people.owner });
    const [other] = await database.sql<Array<{ thread_id: string }>>`
      select thread_id from projects where id = ${elsewhere.id}`;
    const actor = { author_id: people.owner.id, type: 'text' as const };
    const foreign = await addMessage(
      database.sql,
      other!.thread_id,
      { ...actor, body: { body: 'x', replying_to: null } },
      new Date(),
    );
    const taken = await build.image(database.sql, people.owner, { context: 'project' });
    for (const wrong of [
      {},
      [],
      'text',
      null,
      { type: 'status_change', new_status: 'approved', old_status: 'draft' },
      text(''),
      text('a\0b'),
      text('a\ud800b'),
      text('ä'.repeat(32_769)),
      text('x', { private: true }),
      text('x', { replying_to: 'Nothing1' }),
      text('x', { replying_to: foreign }),
      text('x', { associated_images: ['Nothing1'] }),
      text('x', { associated_images: [taken.id] }),
    ])
      expect([wrong, (await post('owner', wrong)).status]).toEqual([wrong, 400]);
    expect(await countOf()).toBe(0);
    expect((await post('owner', text('ä'.repeat(32_768)))).status).toBe(204);
    expect((await post('owner', text('x'), 'Nothing1')).status).toBe(404);
    expect((await post('owner', text('x'), '!!')).status).toBe(400);
  });

  it('notifies the whole team of a public message by a moderator, except while in review', async () => {
    await post('owner', text('by a member'));
    await post('moderator', text('private', { private: true }));
    await database.sql`update projects set status = 'processing' where id = ${project.id}`;
    await post('moderator', text('in review'));
    for (const kind of ['owner', 'pending'] as const) expect(await notified(kind)).toEqual([]);
    await database.sql`update projects set status = 'approved' where id = ${project.id}`;
    await post('moderator', text('public'));
    const message_id = (await read()).messages.at(-1)!.id;
    const body = { thread_id, message_id, project_id: project.id, report_id: null };
    for (const kind of ['owner', 'pending'] as const)
      expect(await notified(kind)).toEqual([{ type: 'moderator_message', body }]);
    expect(await notified('moderator')).toEqual([]);
  });

  it('replaces a deleted message and removes its images', async () => {
    const image = await build.image(database.sql, people.owner, { context: 'thread_message' });
    await post('owner', text('see', { associated_images: [image.id] }));
    const [message] = (await read()).messages;
    expect(message!.body).toMatchObject({ associated_images: [image.id], replying_to: null, private: false });
    expect((await post('owner', text('again', { associated_images: [image.id] }))).status).toBe(400);
    const remove = (kind: Kind) => api.call('DELETE', `/v2/message/${message!.id}`, as(kind));
    expect((await remove('stranger')).status).toBe(404);
    expect((await remove('colleague')).status).toBe(401);
    expect((await remove('owner')).status).toBe(204);
    expect((await remove('moderator')).status).toBe(204);
    expect((await read()).messages[0]!.body).toEqual({ type: 'deleted', private: false });
    expect(await database.sql`select 1 from images where id = ${image.id}`).toHaveLength(0);
    expect((await api.call('DELETE', '/v2/message/Nothing1', as('owner'))).status).toBe(404);
  });

  it('stays for staff when its project is deleted, and is gone for members', async () => {
    await post('owner', text('hello'));
    await database.sql.begin((tx) => removeProject(tx, build.actorFor(people.owner), project.id, new Date()));
    expect(await statusesOf((kind) => api.call('GET', `/v3/thread/${thread_id}`, as(kind)))).toMatchObject({
      ...{ owner: 404, colleague: 404, pending: 404, moderator: 200, admin: 200 },
    });
    expect(await read('moderator')).toMatchObject({
      project_id: null,
      messages: [{ author_id: people.owner.id }],
    });
  });

  it('has the shape of v3 alone and that of v2 in its list', async () => {
    await post('owner', text('hello'));
    expect(await read('owner', 2)).toEqual(await read('owner', 3));
    expect((await read('owner', 2)).messages[0]).toHaveProperty('hide_identity', false);
    const list = await api.call('GET', `/v2/threads?ids=["${thread_id}"]`, as('owner'));
    const [thread] = (await list.json()) as Array<{ messages: object[] }>;
    expect(thread!.messages[0]).not.toHaveProperty('hide_identity');
  });

  it('is read with as many queries as twenty are', async () => {
    const { sql } = database;
    const ids = [thread_id];
    for (let n = 0; n < 19; n++) {
      const { id } = await build.project(sql, { owner: people.owner });
      const [row] = await sql<Array<{ thread_id: string }>>`select thread_id from projects where id = ${id}`;
      ids.push(row!.thread_id);
      await post('moderator', text('hello'), row!.thread_id);
    }
    await post('owner', text('hello'));
    const callsFor = async (some: string[]) => {
      let calls = 0;
      const counted = new Proxy(sql, {
        apply: (target, self, given) => {
          calls++;
          return Reflect.apply(target, self, given);
        },
      });
      const { settings } = api.services;
      const actor = build.actorFor(people.owner);
      expect(await threadsByIds({ sql: counted, settings }, some, actor)).toHaveLength(some.length);
      return calls;
    };
    expect(await callsFor(ids)).toBe(await callsFor([thread_id]));
  });

  it('is limited to its newest messages, and a list to 100 ids', async () => {
    const { sql } = database;
    await sql`
      insert into thread_messages (id, thread_id, type, body, created)
      select 'm' || lpad(n::text, 7, '0'), ${thread_id}, 'text', jsonb_build_object('body', n::text), now() - n * interval '1 s'
      from generate_series(1, 1200) n`;
    const { messages } = await read();
    expect(messages).toHaveLength(1000);
    expect([messages[0]!.body.body, messages.at(-1)!.body.body]).toEqual(['1000', '1']);
    expect(
      (await api.call('GET', `/v3/threads?ids=${JSON.stringify(Array(101).fill(thread_id))}`, as('owner')))
        .status,
    ).toBe(400);
  });
});
