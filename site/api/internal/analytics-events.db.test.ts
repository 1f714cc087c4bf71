import { beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const path = '/_internal/analytics-event';
const given = {
  title: 'Ten thousand mods',
  announcement_url: 'https://cairn.example/news/article/x',
  for_metric_kind: ['downloads'],
  starts: '2026-03-01T00:00:00Z',
  ends: null,
};
const sessionOf = async (role: 'admin' | 'moderator') => {
  const user = await build.user(database.sql, { role });
  return (await openSession(database.sql, { user_id: user.id, user_agent: null, now: new Date() })).session!;
};
let admin: string;
beforeAll(async () => {
  admin = await sessionOf('admin');
});
const send = async (method: string, json: unknown, token = admin, id = '') => {
  const answer = await api.call(method, `${path}${id && `/${id}`}`, {
    token,
    ...(json === undefined ? {} : { json }),
  });
  const text = await answer.text();
  return [answer.status, text && JSON.parse(text)];
};
const listed = async () => await (await api.call('GET', '/v3/analytics-event')).json();

describe('announcements on charts', () => {
  it('are made, changed and deleted by administrators, and read by everybody', async () => {
    const [status, made] = await send('POST', given);
    expect([status, made]).toMatchObject([200, given]);
    expect(await listed()).toEqual([made]);
    const edit = { title: 'A party', announcement_url: null, ends: '2026-03-02T00:00:00Z' };
    expect(await send('PATCH', edit, admin, made.id)).toEqual([204, '']);
    expect(await send('PATCH', {}, admin, made.id)).toEqual([204, '']);
    expect(await listed()).toEqual([{ ...made, ...edit }]);
    expect(await send('PATCH', { ends: '2026-02-01T00:00:00Z' }, admin, made.id)).toMatchObject([
      400,
      { details: { code: 'analytics_event_dates' } },
    ]);
    expect(await send('DELETE', undefined, admin, made.id)).toEqual([204, '']);
    expect(await send('DELETE', undefined, admin, made.id)).toMatchObject([404, {}]);
    expect(await send('PATCH', edit, admin, made.id)).toMatchObject([404, {}]);
    expect(await listed()).toEqual([]);
    const events =
      await database.sql`select data ->> 'change' as change from events where name = 'announcement.changed' order by id`;
    expect(events.map(({ change }) => change)).toEqual(['created', 'edited', 'edited', 'deleted']);
  });

  it('are refused to others', async () => {
    for (const token of [await sessionOf('moderator'), 'mrp_nobody'])
      for (const [method, id] of [
        ['POST', ''],
        ['PATCH', 'AABBCCDD'],
        ['DELETE', 'AABBCCDD'],
      ] as const)
        expect((await send(method, method === 'DELETE' ? undefined : given, token, id))[0], method).toBe(401);
  });

  it.each([
    { title: '' },
    { title: 'x'.repeat(101) },
    { announcement_url: 'http://cairn.example/' },
    { for_metric_kind: [] },
    { for_metric_kind: ['stars'] },
    { starts: 'soon' },
    { ends: given.starts },
  ])('refuses %o', async (wrong) => {
    expect((await send('POST', { ...given, ...wrong }))[0]).toBe(400);
  });

  it('are bounded', async () => {
    await database.sql`insert into analytics_events (id, title, for_metric_kind, starts)
      select 'Many' || lpad(n::text, 4, '0'), 'One', '{views}', now() from generate_series(1, 500) n`;
    expect(await send('POST', given)).toMatchObject([400, { details: { code: 'analytics_events_full' } }]);
    expect(await listed()).toHaveLength(500);
  });
});
