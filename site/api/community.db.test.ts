import { beforeEach, describe, expect, it } from 'vitest';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

/** What users are to each other, their preferences, and what moderators note about them. */
const database = testDatabase();
const api = testApi(database);

let ada: build.BuiltUser;
let bo: build.BuiltUser;
let tokens: Record<'ada' | 'bo' | 'stranger' | 'moderator' | 'admin' | 'reader', string>;
beforeEach(async () => {
  const { sql } = database;
  ada = await build.user(sql);
  bo = await build.user(sql);
  const writes = ['USER_WRITE', 'ORGANIZATION_WRITE'];
  const moderator = await build.user(sql, { role: 'moderator' });
  tokens = {
    ada: await build.token(sql, ada),
    bo: await build.token(sql, bo),
    stranger: await build.token(sql, await build.user(sql)),
    moderator: await build.token(sql, moderator),
    admin: await build.token(sql, await build.user(sql, { role: 'admin' })),
    reader: await build.token(
      sql,
      moderator,
      unrestrictedScopes.filter((scope) => !writes.includes(scope)),
    ),
  };
});
type Who = keyof typeof tokens | null;
const call = async (
  who: Who,
  method: string,
  path: string,
  more: { json?: unknown; headers?: Record<string, string> } = {},
) => {
  const answer = await api.call(method, `/v3${path}`, { ...(who ? { token: tokens[who] } : {}), ...more });
  const text = await answer.text();
  const body = text === '' ? null : JSON.parse(text);
  return { status: answer.status, body, code: body?.details?.code as string | undefined };
};
const friends = async (who: Who) => (await call(who, 'GET', '/friends')).body as object[];

describe('friends', () => {
  it('are asked and accept: id was asked, friend_id asked', async () => {
    expect((await call('ada', 'POST', `/friend/${bo.username.toUpperCase()}`)).status).toBe(204);
    const request = { id: bo.id, friend_id: ada.id, accepted: false };
    expect(await friends('ada')).toMatchObject([request]);
    expect(await friends('bo')).toMatchObject([request]);
    expect(await friends('stranger')).toEqual([]);
    expect(await call('ada', 'POST', `/friend/${bo.id}`)).toMatchObject({
      status: 400,
      code: 'friend_requested',
    });
    expect((await call('bo', 'POST', `/friend/${ada.id}`)).status).toBe(204);
    expect(await friends('ada')).toMatchObject([{ ...request, accepted: true }]);
    for (const [who, other] of [
      ['ada', bo],
      ['bo', ada],
    ] as const)
      expect(await call(who, 'POST', `/friend/${other.id}`)).toMatchObject({
        status: 400,
        code: 'already_friends',
      });
  });

  it.each([
    ['cancelled', 'ada', false],
    ['rejected', 'bo', false],
    ['ended', 'bo', true],
  ] as const)('are %s by either side', async (_how, who, accepted) => {
    await call('ada', 'POST', `/friend/${bo.id}`);
    if (accepted) await call('bo', 'POST', `/friend/${ada.id}`);
    const other = who === 'ada' ? bo : ada;
    expect((await call(who, 'DELETE', `/friend/${other.id}`)).status).toBe(204);
    expect(await friends('ada')).toEqual([]);
    expect((await call(who, 'DELETE', `/friend/${other.id}`)).status).toBe(404);
  });

  it('are refused for oneself, unknown users, and users who want none', async () => {
    expect(await call('ada', 'POST', `/friend/${ada.id}`)).toMatchObject({
      status: 400,
      code: 'friend_self',
    });
    expect((await call('ada', 'POST', '/friend/nobody')).status).toBe(404);
    expect((await call('ada', 'POST', '/friend/%00')).status).toBe(404);
    await call('bo', 'PATCH', `/user/${bo.id}`, { json: { allow_friend_requests: false } });
    expect(await call('ada', 'POST', `/friend/${bo.id}`)).toMatchObject({
      status: 400,
      code: 'friend_requests_off',
    });
    // who wants none may still ask
    expect((await call('bo', 'POST', `/friend/${ada.id}`)).status).toBe(204);
    expect(await friends('ada')).toHaveLength(1);
  });

  it('end with a block, and none follow either way', async () => {
    await call('ada', 'POST', `/friend/${bo.id}`);
    await call('bo', 'POST', `/friend/${ada.id}`);
    expect((await call('bo', 'POST', `/block/${ada.id}`)).status).toBe(204);
    expect((await call('bo', 'POST', `/block/${ada.id}`)).status).toBe(204);
    expect(await friends('ada')).toEqual([]);
    for (const [who, other] of [
      ['ada', bo],
      ['bo', ada],
    ] as const)
      expect(await call(who, 'POST', `/friend/${other.id}`)).toMatchObject({
        status: 400,
        code: 'friend_blocked',
      });
    expect((await call('bo', 'GET', '/blocks')).body).toEqual([ada.id]);
    expect((await call('ada', 'GET', '/blocks')).body).toEqual([]);
    expect((await call('bo', 'DELETE', `/block/${ada.id}`)).status).toBe(204);
    expect((await call('ada', 'POST', `/friend/${bo.id}`)).status).toBe(204);
    expect(await call('ada', 'POST', `/block/${ada.id}`)).toMatchObject({ status: 400, code: 'block_self' });
    expect((await call('ada', 'POST', '/block/nobody')).status).toBe(404);
  });

  it('need a token with its scope', async () => {
    for (const [method, path] of [
      ['POST', `/friend/${bo.id}`],
      ['DELETE', `/friend/${bo.id}`],
      ['POST', `/block/${bo.id}`],
      ['DELETE', `/block/${bo.id}`],
    ] as const) {
      expect((await call(null, method, path)).status).toBe(401);
      expect((await call('reader', method, path)).status).toBe(401);
    }
    for (const path of ['/friends', '/blocks']) expect((await call(null, 'GET', path)).status).toBe(401);
    expect(await database.sql`select 1 from friends where friend_id = ${bo.id}`).toEqual([]);
  });

  it('that ask each other at once become friends or wait for one answer', async () => {
    const answers = await Promise.all([
      call('ada', 'POST', `/friend/${bo.id}`),
      call('bo', 'POST', `/friend/${ada.id}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await friends('ada')).toMatchObject([{ accepted: true }]);
  });
});

describe('preferences', () => {
  const path = () => `/user/${ada.id}/preferences`;

  it('have defaults, and a change keeps the others', async () => {
    const before = (await call('ada', 'GET', path())).body;
    expect(before).toMatchObject({
      appearance: { auto: false, theme: 'dark' },
      behavior: {
        show_jump_in: true,
        show_play_time: true,
        warn_on_unknown_modpacks: true,
        hide_nametag: false,
      },
      localization: { locale: 'en-US' },
      layouts: { mods: 'rows', shaders: 'grid', resourcepacks: 'grid', users: 'rows' },
      sidebars: { right_aligned_search: false, left_aligned_content: false },
    });
    const json = { appearance: { theme: 'oled' }, layouts: { mods: 'grid' }, invented: { x: 1 } };
    expect((await call('ada', 'PATCH', path(), { json })).status).toBe(204);
    expect((await call('ada', 'PATCH', path(), { json: {} })).status).toBe(204);
    expect((await call('ada', 'GET', path())).body).toEqual({
      ...before,
      appearance: { auto: false, theme: 'oled' },
      layouts: { ...before.layouts, mods: 'grid' },
    });
  });

  it('that are stored but no longer valid become defaults', async () => {
    const data = database.sql.json({ appearance: { theme: 'neon', auto: true }, layouts: 7 });
    await database.sql`insert into user_preferences ${database.sql({ user_id: ada.id, data })}`;
    expect((await call('ada', 'GET', path())).body).toMatchObject({
      appearance: { theme: 'dark', auto: true },
      layouts: { mods: 'rows' },
    });
  });

  it.each([
    { appearance: { theme: 'neon' } },
    { appearance: { auto: 'yes' } },
    { appearance: null },
    { localization: { locale: 'x'.repeat(100) } },
    { localization: { locale: 'a\0' } },
    { layouts: { mods: 'list' } },
    { social: { friend_privacy: 3 } },
    [],
    'text',
  ])('refuse %j', async (json) => {
    expect((await call('ada', 'PATCH', path(), { json })).status).toBe(400);
    expect(await database.sql`select 1 from user_preferences where user_id = ${ada.id}`).toEqual([]);
  });

  it('are the own ones, or those a moderator sees', async () => {
    const json = { appearance: { auto: true } };
    const inside: Who[] = ['ada', 'moderator', 'admin'];
    for (const who of [null, 'ada', 'stranger', 'moderator', 'admin'] as const) {
      const allowed = inside.includes(who);
      expect((await call(who, 'GET', path())).status, String(who)).toBe(allowed ? 200 : 401);
      expect((await call(who, 'PATCH', path(), { json })).status, String(who)).toBe(allowed ? 204 : 401);
    }
    expect((await call('reader', 'PATCH', path(), { json })).status).toBe(401);
    expect((await call('moderator', 'GET', '/user/nobody/preferences')).status).toBe(404);
  });
});

describe.each(['user', 'organization'] as const)('notes about a %s', (subject) => {
  let id: string;
  beforeEach(async () => {
    id = subject === 'user' ? ada.id : (await build.organization(database.sql)).id;
  });
  const write = (json: unknown, match?: string, who: Who = 'moderator') =>
    call(who, 'PATCH', `/${subject}/${id}/notes`, { json, headers: match ? { 'if-match': match } : {} });
  const note = async () =>
    (
      await database.sql`
      select notes, user_rating, version from moderation_notes where coalesce(user_id, organization_id) = ${id}`
    )[0];

  it('count their versions, and a change names the last one', async () => {
    expect((await write({ notes: 'first' })).status).toBe(204);
    expect(await note()).toEqual({ notes: 'first', user_rating: 0, version: 1 });
    expect(await write({ notes: 'blind' })).toMatchObject({
      status: 428,
      body: { error: 'precondition_required' },
    });
    expect(await write({ notes: 'old' }, '2')).toMatchObject({
      status: 412,
      body: { error: 'precondition_failed' },
    });
    expect((await write({ user_rating: -3 }, '1')).status).toBe(204);
    expect((await write({ notes: 'third' }, '"2"')).status).toBe(204);
    expect(await note()).toEqual({ notes: 'third', user_rating: -3, version: 3 });
  });

  it('that two moderators write at once are kept once', async () => {
    const made = await Promise.all([write({ notes: 'a' }), write({ notes: 'b' }, undefined, 'admin')]);
    expect(made.map(({ status }) => status).sort()).toEqual([204, 428]);
  });

  it('are refused without a field, with wrong types and a broken header', async () => {
    for (const json of [
      {},
      { notes: null },
      { notes: 1 },
      { user_rating: 1.5 },
      { user_rating: 2 ** 40 },
      { notes: 'a\0' },
    ])
      expect((await write(json)).status, JSON.stringify(json)).toBe(400);
    expect((await write({ notes: 'x' }, 'abc')).status).toBe(400);
    expect(await note()).toBeUndefined();
  });

  it('are for moderators', async () => {
    for (const who of [null, 'ada', 'stranger', 'reader'] as const)
      expect((await write({ notes: 'x' }, undefined, who)).status, String(who)).toBe(401);
    expect(await note()).toBeUndefined();
    const unknown = await call('moderator', 'PATCH', `/${subject}/nobody-here/notes`, {
      json: { notes: 'x' },
    });
    expect(unknown.status).toBe(404);
  });
});
