import { beforeEach, describe, expect, it } from 'vitest';
import { removeUser } from '#db/accounts/account/remove.ts';
import { newId } from '#db/platform/id.ts';
import { ghostId } from '#db/platform/people/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const session = async ({ id }: { id: string }) =>
  (await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() })).session as string;
const remove = async (token: string | undefined, id = self.id, version = 'v3') =>
  (await api.call('DELETE', `/${version}/user/${id}`, token ? { token } : {})).status;
const exists = async ({ id }: { id: string }) =>
  (await database.sql`select 1 from users where id = ${id}`).length === 1;

let self: build.BuiltUser;
let other: build.BuiltUser;
let own: string;
beforeEach(async () => {
  self = await build.user(database.sql);
  other = await build.user(database.sql);
  own = await session(self);
});

describe('DELETE /user/{id}', () => {
  it.each(['v2', 'v3'])('of %s ends the account with its session and tokens', async (version) => {
    const token = await build.token(database.sql, self);
    expect(await remove(own, self.id, version)).toBe(204);
    expect(await exists(self)).toBe(false);
    for (const gone of [own, token])
      expect((await api.call('GET', '/v3/user', { token: gone })).status).toBe(401);
    expect((await api.call('GET', `/v3/user/${self.id}`)).status).toBe(404);
    // the name is free
    await build.user(database.sql, { username: self.username });
    const events = await database.sql`select name, actor_id, data from events where user_id = ${self.id}`;
    expect(events).toEqual([
      { name: 'user.deleted', actor_id: self.id, data: { username: self.username, project_ids: [] } },
    ]);
  });

  it('is for the user and admins in a session', async () => {
    const moderator = await build.user(database.sql, { role: 'moderator' });
    const admin = await build.user(database.sql, { role: 'admin' });
    for (const caller of [
      undefined,
      'mrp_nobody',
      await build.token(database.sql, self),
      await build.token(database.sql, admin),
      await session(other),
      await session(moderator),
    ])
      expect(await remove(caller)).toBe(401);
    expect(await exists(self)).toBe(true);
    expect(await remove(await session(admin))).toBe(204);
    expect(await remove(await session(admin))).toBe(404);
  });

  it('hands projects and organizations to the Ghost user and rejects those in review', async () => {
    const { sql } = database;
    const approved = await build.project(sql, { owner: self });
    const waiting = await build.project(sql, { owner: self, status: 'processing' });
    const organization = await build.organization(sql, { owner: self });
    const joined = await build.project(sql, { owner: other });
    await build.member(sql, joined.team, self);
    const version = await build.version(sql, joined, { author: self });
    expect(await remove(own)).toBe(204);
    const owners = await sql`
      select team_id, user_id from team_members
      where team_id = any(${[approved.team, waiting.team, organization.team_id]}) and is_owner`;
    expect(owners.map(({ user_id }) => user_id)).toEqual([ghostId, ghostId, ghostId]);
    expect(await sql`select user_id from team_members where team_id = ${joined.team}`).toEqual([
      { user_id: other.id },
    ]);
    expect(await sql`select author_id from versions where id = ${version.id}`).toEqual([
      { author_id: ghostId },
    ]);
    const rows = await sql`
      select p.status, m.private, m.author_id, m.body->>'body' as body from projects p
      join thread_messages m on m.thread_id = p.thread_id where p.id = any(${[approved.id, waiting.id]})
      order by p.status`;
    const note = {
      private: true,
      author_id: null,
      body: `The owner ${self.username} deleted their account.`,
    };
    expect(rows).toEqual([
      { status: 'approved', ...note },
      { status: 'rejected', ...note },
    ]);
    const names = await sql`
      select name from events where project_id = ${waiting.id} or team_id = any(${[approved.team, joined.team]}) order by name`;
    expect(names.map(({ name }) => name)).toEqual(['project.moved', 'team.changed', 'team.changed']);
    const [ghost] = await sql`select username, password_hash, email from users where id = ${ghostId}`;
    expect(ghost).toEqual({ username: 'Ghost', password_hash: null, email: null });
  });

  it('drops what is only theirs and empties what they wrote', async () => {
    const { sql } = database;
    const project = await build.project(sql, { owner: other, followers: 1 });
    await build.follow(sql, self, project);
    await sql`update projects set followers = 1 where id = ${project.id}`;
    const collection = await build.collection(sql, [project], { owner: self });
    await sql`insert into friends ${sql({ user_id: self.id, friend_id: other.id })}`;
    await sql`insert into blocks ${sql({ user_id: other.id, blocked_id: self.id })}`;
    await sql`insert into notifications ${sql({ id: newId(), user_id: self.id, type: 'team_invite' })}`;
    await sql`insert into moderation_notes ${sql({ user_id: self.id })}`;
    const report = async (reporter: { id: string }, about: { id: string }) => {
      const [id, thread_id] = [newId(), newId()];
      await sql.begin(async (tx) => {
        await tx`insert into threads ${tx({ id: thread_id, type: 'report', report_id: id })}`;
        const row = { id, thread_id, report_type: 'spam', item_type: 'user', user_id: about.id, body: 'x' };
        await tx`insert into reports ${tx({ ...row, reporter: reporter.id })}`;
      });
      return { id, thread_id };
    };
    const made = await report(self, other);
    const about = await report(other, self);
    const message = async (type: string, body: object) => {
      const id = newId();
      await sql`insert into thread_messages ${sql({ id, thread_id: about.thread_id, author_id: self.id, type, body: sql.json(body as never) })}`;
      return id;
    };
    const text = await message('text', { body: 'secret', replying_to: null });
    const closure = await message('thread_closure', {});
    const image = {
      key: 'data/cached_images/x',
      raw_key: 'data/cached_images/x',
      size: 1,
      owner_id: self.id,
    };
    const inMessage = { ...image, id: newId(), context: 'thread_message', thread_message_id: text };
    const inProject = { ...image, id: newId(), context: 'project', project_id: project.id };
    await sql`insert into images ${sql(inMessage)}`;
    await sql`insert into images ${sql(inProject)}`;
    expect(await remove(own)).toBe(204);
    expect(await sql`select followers from projects where id = ${project.id}`).toEqual([{ followers: 0 }]);
    for (const rows of [
      await sql`select 1 from follows where user_id = ${self.id}`,
      await sql`select 1 from collections where id = ${collection.id}`,
      await sql`select 1 from friends where friend_id = ${other.id} or user_id = ${self.id}`,
      await sql`select 1 from blocks where blocked_id = ${self.id}`,
      await sql`select 1 from notifications where user_id = ${self.id}`,
      await sql`select 1 from moderation_notes where user_id = ${self.id}`,
      await sql`select 1 from reports where id = ${made.id}`,
      await sql`select 1 from threads where id = ${made.thread_id}`,
    ])
      expect(rows).toEqual([]);
    expect(await sql`select user_id from reports where id = ${about.id}`).toEqual([{ user_id: ghostId }]);
    expect(
      await sql`select id, owner_id from images where id = any(${[inMessage.id, inProject.id]})`,
    ).toEqual([{ id: inProject.id, owner_id: ghostId }]);
    const messages = await sql`
      select id, type, author_id, body from thread_messages where id = any(${[text, closure]}) order by type`;
    expect(messages).toEqual([
      { id: text, type: 'deleted', author_id: ghostId, body: {} },
      { id: closure, type: 'thread_closure', author_id: ghostId, body: {} },
    ]);
  });

  it('is refused while orders or subscriptions are open, and keeps settled ones for the books', async () => {
    const { sql } = database;
    const order = async (owner: { id: string }, state: string) => {
      const id = newId();
      const rest = {
        name: 'x',
        kind: 'vanilla',
        game_version: '1.21',
        region: 'central-europe',
        plan: 'trial',
      };
      const size = {
        ram_mb: 1,
        cpu_millis: 1,
        swap_mb: 0,
        disk_mb: 1,
        term: 'trial',
        currency: 'EUR',
        price_minor: 0,
      };
      await sql`insert into orders ${sql({ id, op_id: crypto.randomUUID(), user_id: owner.id, server_id: newId(), state, ...rest, ...size, terms_accepted: new Date(), created: new Date() })}`;
      return id;
    };
    const id = await order(self, 'pending');
    const answer = await api.call('DELETE', `/v3/user/${self.id}`, { token: own });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: { code: 'user_has_servers', items: 'orders: 1' } });
    expect(await exists(self)).toBe(true);
    await sql`update orders set state = 'paid' where id = ${id}`;
    await order(other, 'paid');
    expect(await remove(own)).toBe(204);
    expect(await remove(await session(other), other.id)).toBe(204);
    expect(await sql`select user_id from orders where id = ${id}`).toEqual([{ user_id: ghostId }]);
  });

  it('never deletes or edits the Ghost user', async () => {
    await remove(own);
    const admin = await session(await build.user(database.sql, { role: 'admin' }));
    expect(await remove(admin, ghostId)).toBe(400);
    const edit = await api.call('PATCH', `/v3/user/${ghostId}`, { token: admin, json: { bio: 'x' } });
    expect(edit.status).toBe(400);
    const found = await api.call('GET', '/v3/users/search?query=ghost');
    expect(await found.json()).toEqual([]);
  });
});

describe('a request that refers to a user who is deleted meanwhile', () => {
  /** The answer to `request`, which waits for a deletion of `self` that commits afterwards. */
  async function during(request: () => Promise<Response>): Promise<Response> {
    const waiting = Promise.withResolvers<void>();
    const deletion = database.sql.begin(async (tx) => {
      await removeUser(tx, build.actorFor(self), self.id, new Date());
      waiting.resolve();
      await expect
        .poll(async () => {
          const locked = await database.sql`select 1 from pg_locks where not granted`;
          return locked.length;
        })
        .toBeGreaterThan(0);
    });
    await waiting.promise;
    const answer = request();
    await deletion;
    return await answer;
  }
  const collection = { name: 'A collection', description: 'Made for a test', projects: [] };

  it.each<[string, () => Promise<Response>]>([
    ['a collection of theirs', () => api.call('POST', '/v3/collection', { token: own, json: collection })],
    [
      'a follow by them',
      async () =>
        api.call('POST', `/v3/project/${(await build.project(database.sql)).id}/follow`, { token: own }),
    ],
    [
      'a friend request to them',
      async () => api.call('POST', `/v3/friend/${self.id}`, { token: await session(other) }),
    ],
  ])('is refused: %s', async (_, request) => {
    const answer = await during(request);
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'not_found' }]);
    expect(await exists(self)).toBe(false);
  });
});
