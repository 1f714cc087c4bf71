import { expect, test } from 'vitest';
import { notify } from '#db/messages/notifications/write.ts';
import { ownAdNetwork } from '#db/money/ads/own-network.ts';
import type { OwnAd } from '#db/money/ads/read-ads.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** What every page asks about its user: one call, three queries, and the number of unread notifications. */
const database = testDatabase();
const api = testApi(database);

async function signedIn() {
  const { id } = await build.user(database.sql);
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return { id, headers: { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` } };
}

test('a page asks three queries about its user at most', async () => {
  const { headers } = await signedIn();
  const project = await build.project(database.sql);
  const counting = countingQueries(database.sql);
  const services = api.services as { sql: typeof counting.sql };
  services.sql = counting.sql;
  const json = { project: project.id, projects: [project.id] };
  const answer = await api.call('POST', '/_internal/viewer', { headers, json });
  services.sql = database.sql;
  expect(answer.status).toBe(200);
  expect(counting.count()).toBeLessThanOrEqual(3);
});

test('says how many notifications of the site are unread, and stops at 100', async () => {
  const { id, headers } = await signedIn();
  const unread = async () => {
    const answer = await api.call('POST', '/_internal/viewer', { headers, json: {} });
    return ((await answer.json()) as { unread: number }).unread;
  };
  expect(await unread()).toBe(0);
  const body = { project_id: '11111111', old_status: 'processing', new_status: 'approved' };
  const report = { report_id: '11111111', closed: true };
  await notify(database.sql, [id], { type: 'status_change', body });
  await notify(database.sql, [id], { type: 'report_status_updated', body: report }); // only by mail
  expect(await unread()).toBe(1);
  await database.sql`update notifications set read = true where user_id = ${id}`;
  expect(await unread()).toBe(0);
  for (let i = 0; i < 101; i++) await notify(database.sql, [id], { type: 'status_change', body });
  expect(await unread()).toBe(100);
});

test('says what the user may do in the organization of the page, and which invitation waits', async () => {
  const { id, headers } = await signedIn();
  const group = await build.organization(database.sql);
  const asked = async (json: unknown) =>
    (await (await api.call('POST', '/_internal/viewer', { headers, json })).json()) as {
      organization: unknown;
      invitation: unknown;
      project: unknown;
    };
  const page = { organization: group.id };
  expect(await asked(page)).toMatchObject({ organization: null, invitation: null });
  const given = { accepted: false, role: 'Mason', organization_permissions: 3 };
  await build.member(database.sql, group.team_id, { id }, given);
  expect(await asked(page)).toMatchObject({
    organization: null,
    invitation: { team_id: group.team_id, role: 'Mason' },
  });
  await database.sql`update team_members set accepted = true where user_id = ${id}`;
  expect(await asked(page)).toMatchObject({
    organization: { permissions: 3, member: true },
    invitation: null,
  });
  const project = await build.project(database.sql, { status: 'draft' });
  await build.member(database.sql, project.team, { id }, { accepted: false, role: 'Artist' });
  expect(await asked({ project: project.id })).toMatchObject({
    project: null,
    invitation: { team_id: project.team, role: 'Artist' },
  });
  expect(await asked({ organization: '99999999' })).toMatchObject({ organization: null });
});

test('counts the ad that a visitor sees: a number of a day, nothing of people who are signed in, bots and other ads', async () => {
  const ads = ownAdNetwork({ ads: [{ id: 'mugs' } as OwnAd], files: new Map() }, { rate: 0, day_max: 1 });
  const services = api.services as { ads: typeof ads | null };
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/143.0' };
  const see = async (ad: string, headers: Record<string, string> = browser) =>
    (await api.call('POST', '/_internal/viewer', { headers, json: { ad } })).status;
  const rows = async () => {
    await api.services.usage.flush();
    return [...(await database.sql`select ad_id, impressions from ad_impressions`)];
  };
  expect(await see('mugs')).toBe(200);
  expect(await rows()).toEqual([]);
  services.ads = ads;
  const { headers } = await signedIn();
  const seen = [
    await see('mugs'),
    await see('mugs'),
    await see('plates'),
    await see('mugs', { ...browser, ...headers }),
    await see('mugs', { 'user-agent': 'Googlebot/2.1' }),
  ];
  services.ads = null;
  expect(seen).toEqual([200, 200, 200, 200, 200]);
  expect(await rows()).toEqual([{ ad_id: 'mugs', impressions: 2 }]);
  expect(await see('x'.repeat(65))).toBe(400);
});

test('says where a proxy in front sees the visitor', async () => {
  const country = async (value: string) => {
    const headers = { 'cf-ipcountry': value };
    const answer = await api.call('POST', '/_internal/viewer', { headers, json: {} });
    return ((await answer.json()) as { country: string | null }).country;
  };
  const settings = api.services.settings as { COUNTRY_HEADER?: string | undefined };
  expect(await country('DE')).toBeNull();
  settings.COUNTRY_HEADER = 'cf-ipcountry';
  const seen = [await country('de'), await country('XX')];
  settings.COUNTRY_HEADER = undefined;
  expect(seen).toEqual(['DE', null]);
});

test('a profile is followed and unfollowed by its button, and knows whether it is', async () => {
  const { headers } = await signedIn();
  const maker = await build.user(database.sql);
  const follows = async () => {
    const json = { projects: [maker.id] };
    const answer = await api.call('POST', '/_internal/viewer', { headers, json });
    return ((await answer.json()) as { follows: string[] }).follows;
  };
  const press = async (method: 'POST' | 'DELETE', id = maker.id) =>
    (await api.call(method, `/_internal/user/${id}/follow`, { headers })).status;
  expect(await follows()).toEqual([]);
  expect([await press('POST'), await press('POST'), await follows()]).toEqual([204, 204, [maker.id]]);
  expect([await press('DELETE'), await press('DELETE'), await follows()]).toEqual([204, 204, []]);
  expect([await press('POST', 'zzzzzzzz'), await press('POST', 'no')]).toEqual([404, 404]);
  const visitor = { 'sec-fetch-site': 'same-origin' };
  const answer = await api.call('POST', `/_internal/user/${maker.id}/follow`, { headers: visitor });
  expect(answer.status).toBe(401);
});
