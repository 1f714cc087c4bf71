import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Scope, unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { onDisk } from '../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
const versions = ['v2', 'v3'] as const;

const kinds = [
  'visitor',
  'broken token',
  'stranger',
  'self',
  'self without scope',
  'moderator',
  'admin',
] as const;
type Kind = (typeof kinds)[number];
let self: build.BuiltUser;
let tokens: Record<Kind, string | undefined>;
beforeEach(async () => {
  const { sql } = database;
  self = await build.user(sql);
  const without: Scope[] = unrestrictedScopes.filter((scope) => scope !== 'USER_WRITE');
  tokens = {
    visitor: undefined,
    'broken token': 'mrp_nobody',
    stranger: await build.token(sql, await build.user(sql)),
    self: await build.token(sql, self),
    'self without scope': await build.token(sql, self, without),
    moderator: await build.token(sql, await build.user(sql, { role: 'moderator' })),
    admin: await session(sql, await build.user(sql, { role: 'admin' })),
  };
});
const as = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });
const row = async (id = self.id) =>
  (
    await database.sql`
    select username, bio, role, badges, allow_friend_requests, avatar_key, raw_avatar_key from users where id = ${id}`
  )[0]!;
const patch = (json: unknown, kind: Kind = 'self', version: string = 'v3', id = self.id) =>
  api.call('PATCH', `/${version}/user/${id}`, { ...as(kind), json });
const events = async () =>
  (await database.sql`select name, data from events where user_id = ${self.id} order by id`).map(
    ({ name, data }) => ({ name, data }),
  );
const stored = async () => (await onDisk(api.services)).filter((key) => key.includes(self.id));
const inside: readonly Kind[] = ['self', 'moderator', 'admin'];

describe.each(versions)('PATCH /%s/user/{id}', (version) => {
  it('is for the user and moderators; only admins set role and badges', async () => {
    for (const kind of kinds) {
      const before = await row();
      const bio = await patch({ bio: `of ${kind}` }, kind, version);
      expect(bio.status, kind).toBe(inside.includes(kind) ? 204 : 401);
      expect((await row()).bio).toBe(inside.includes(kind) ? `of ${kind}` : before.bio);
      for (const json of [{ badges: 3 }, { role: 'moderator', bio: 'never' }]) {
        const set = await patch(json, kind, version);
        expect(set.status, kind).toBe(kind === 'admin' ? 204 : 401);
      }
      if (kind !== 'admin') expect(await row()).toMatchObject({ role: 'developer', badges: 0 });
    }
    expect(await row()).toMatchObject({ role: 'moderator', badges: 3, bio: 'never' });
  });

  it('renames, also in case only; pages and search hear of it', async () => {
    const old_username = self.username;
    const username = old_username.toUpperCase();
    expect((await patch({ username, name: 'ignored' }, 'self', version)).status).toBe(204);
    expect((await row()).username).toBe(username);
    expect(await events()).toEqual([{ name: 'user.renamed', data: { username, old_username } }]);
    expect((await patch({ username }, 'self', version)).status).toBe(204);
    expect(await events()).toHaveLength(1);
  });

  it.each([
    ['a name of two words', { username: 'two words' }],
    ['an empty name', { username: '' }],
    ['a long name', { username: 'x'.repeat(40) }],
    ['a path segment', { username: '..' }],
    ['NUL', { bio: 'a\0b' }],
    ['half a character', { bio: 'a\ud800b' }],
    ['a long bio', { bio: 'x'.repeat(161) }],
    ['another type', { bio: 1 }],
    ['an unknown role', { role: 'owner' }],
    ['negative badges', { badges: -1 }],
    ['a text for a boolean', { allow_friend_requests: 'no' }],
    ['no object', []],
  ])('refuses %s', async (_name, json) => {
    const before = await row();
    expect((await patch(json, 'admin', version)).status).toBe(400);
    expect(await row()).toEqual(before);
    expect(await events()).toEqual([]);
  });

  it('refuses names and ids of others, ignoring case', async () => {
    const other = await build.user(database.sql);
    for (const username of [other.username.toUpperCase(), other.id.toLowerCase()]) {
      const answer = await patch({ username, bio: 'never' }, 'self', version);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ details: { code: 'username_taken' } });
    }
    expect(await row()).toMatchObject({ username: self.username, bio: null });
  });

  it('changes friend requests, clears the bio and drops unknown badges', async () => {
    await patch({ bio: 'here', allow_friend_requests: false }, 'self', version);
    expect(await row()).toMatchObject({ bio: 'here', allow_friend_requests: false });
    await patch({ bio: null }, 'self', version);
    await patch({ badges: 2 ** 40 + 129 }, 'admin', version);
    expect(await row()).toMatchObject({ bio: null, allow_friend_requests: false, badges: 129 });
  });

  it('answers 404 for unknown users, by name too', async () => {
    expect((await patch({ bio: 'x' }, 'admin', version, 'nobody')).status).toBe(404);
    expect((await patch({ bio: 'x' }, 'self', version, self.username)).status).toBe(204);
  });
});

describe.each(versions)('PATCH and DELETE /%s/user/{id}/icon', (version) => {
  const path = () => `/${version}/user/${self.id}/icon`;
  const picture = async (blue: number) =>
    await sharp({ create: { width: 300, height: 300, channels: 3, background: { r: 9, g: 9, b: blue } } })
      .png()
      .toBuffer();

  it('sets, replaces and removes the avatar with its files', async () => {
    const set = async (blue: number) =>
      await api.call('PATCH', `${path()}?ext=png`, {
        ...as('self'),
        body: new Uint8Array(await picture(blue)),
      });
    expect((await set(1)).status).toBe(204);
    const first = await row();
    expect(first.avatar_key).toMatch(new RegExp(`^data/users/${self.id}/`));
    expect((await set(200)).status).toBe(204);
    const second = await row();
    const files = await stored();
    expect(files).toContain(second.raw_avatar_key);
    expect(files).not.toContain(first.raw_avatar_key);
    expect((await api.call('DELETE', path(), as('self'))).status).toBe(204);
    expect(await row()).toMatchObject({ avatar_key: null, raw_avatar_key: null });
    expect(await stored()).toEqual([]);
    expect((await events()).map(({ name }) => name)).toEqual(['user.edited', 'user.edited', 'user.edited']);
  });

  it('is for the user and moderators', async () => {
    const body = new Uint8Array(await picture(7));
    for (const kind of kinds) {
      const allowed = inside.includes(kind) ? 204 : 401;
      expect((await api.call('PATCH', `${path()}?ext=png`, { ...as(kind), body })).status, kind).toBe(
        allowed,
      );
      expect((await api.call('DELETE', path(), as(kind))).status, kind).toBe(allowed);
    }
  });

  it('refuses what is no image, too large or of no type', async () => {
    const refused = async (query: string, body: Uint8Array<ArrayBuffer>) =>
      (await api.call('PATCH', `${path()}${query}`, { ...as('self'), body })).status;
    expect(await refused('?ext=png', new Uint8Array(10))).toBe(400);
    expect(await refused('?ext=png', new Uint8Array(262_145))).toBe(400);
    expect(await refused('?ext=svg', new Uint8Array(10))).toBe(400);
    expect(await refused('', new Uint8Array(await picture(3)))).toBe(400);
    expect(await row()).toMatchObject({ avatar_key: null });
    expect(await stored()).toEqual([]);
  });
});
