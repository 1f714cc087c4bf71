import { beforeAll, expect, test } from 'vitest';
import { memberRoles, roleRights } from '#db/hosting/servers/rights/rules.ts';
import { nodeWithRoom, paidServer } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testSite } from '../../testing/test-site.ts';
import { type PanelScreenId, panelScreens } from './screens.ts';

/** Every page of a server's panel, for everybody who may come by its address. */
const database = testDatabase();
const site = testSite(database, { ADS: 'off' });
const name = 'Willow Bay';
let id = '';
const accounts: Record<string, string> = {};

beforeAll(async () => {
  const owner = await build.user(database.sql);
  await nodeWithRoom(database.sql);
  id = await paidServer(database.sql, owner, { name });
  accounts.owner = owner.username;
  for (const role of memberRoles) {
    const user = await build.user(database.sql);
    await database.sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${id}, ${user.id}, ${role}, ${[...roleRights[role]]}, now())`;
    accounts[role] = user.username;
  }
  accounts.stranger = (await build.user(database.sql)).username;
  for (const role of ['moderator', 'admin'] as const)
    accounts[role] = (await build.user(database.sql, { role })).username;
});

/** The name of each page, and what it answers to an owner, an editor and a viewer. */
const pages: Record<PanelScreenId, [title: string, owner: number, editor: number, viewer: number]> = {
  overview: ['Overview', 200, 200, 200],
  content: ['Content', 200, 200, 200],
  players: ['Players', 200, 200, 200],
  files: ['Files', 200, 200, 403],
  backups: ['Backups', 200, 200, 200],
  schedules: ['Schedules', 200, 200, 200],
  performance: ['Performance', 200, 200, 200],
  access: ['Access', 200, 200, 200],
  activity: ['Activity', 200, 403, 403],
  options: ['Options', 200, 200, 403],
  general: ['General', 200, 200, 403],
  loader: ['Loader', 200, 200, 403],
  properties: ['Properties', 200, 200, 403],
  startup: ['Startup', 200, 200, 403],
  sleep: ['Sleep', 200, 200, 403],
  network: ['Network', 200, 200, 403],
  alerts: ['Alerts', 200, 200, 403],
  info: ['Info', 200, 200, 403],
  preferences: ['Preferences', 200, 200, 403],
  billing: ['Billing', 200, 403, 403],
};
const screens = Object.entries(pages) as Array<[PanelScreenId, (typeof pages)[PanelScreenId]]>;

test('the table has every page', () => {
  expect(Object.keys(pages).sort()).toEqual(Object.keys(panelScreens).sort());
});

test.each(screens)('%s answers each role as its rights are', async (screen, [label, ...statuses]) => {
  // the tab of options leads to the first of its pages
  const title = `${screen === 'options' ? 'General' : label} · ${name} - Cairn`;
  const path = `/servers/manage/${id}${panelScreens[screen].path}`;
  for (const [at, role] of ['owner', 'editor', 'viewer'].entries()) {
    const page = await (await site.as(accounts[role]!)).open(path);
    expect([role, page.status]).toEqual([role, statuses[at]]);
    expect(page.title).toBe(title);
    page.one('heading', { name, level: 1 });
    if (page.status !== 403) continue;
    // the reason comes first, and the way to what is open to them
    expect(page.text(page.main)).toContain('You don’t have this permission on this server.');
    expect(page.text(page.main)).not.toMatch(/Uh oh|Try again|try again/);
    page.one('heading', { name: /^You can’t open /, level: 2 });
    const overview = await page.follow(page.one('link', { name: 'Go to the overview' }));
    expect([overview.url, overview.status]).toEqual([`/servers/manage/${id}`, 200]);
    const tabs = page.one('navigation', { name: 'Server sections' });
    expect(page.text(tabs)).toMatch(/^Overview/);
  }
  for (const role of ['stranger', 'moderator'])
    expect((await (await site.as(accounts[role]!)).open(path)).status).toBe(404);
});

test('staff who open the server of somebody else see that they do, and the way back to their list', async () => {
  const said = `You’re viewing the server of \u2068${accounts.owner}\u2069 as staff`;
  const page = await (await site.as(accounts.admin!)).open(`/servers/manage/${id}`);
  expect(page.text(page.main)).toContain(said);
  expect(page.text(page.main)).toContain('What you do here is logged');
  const list = await page.follow(page.one('link', { name: 'All servers' }));
  expect(list.status).toBe(200);
  for (const role of ['owner', 'editor', 'viewer']) {
    const own = await (await site.as(accounts[role]!)).open(`/servers/manage/${id}`);
    expect(own.text(own.main)).not.toContain('as staff');
    own.one('link', { name: 'Your servers', within: own.main });
  }
});
