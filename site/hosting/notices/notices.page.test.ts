import { expect, test } from 'vitest';
import { nodeWithRoom, paidServer } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { send } from '../../testing/fill.ts';
import { testSite } from '../../testing/test-site.ts';

/** Notices for the users of game servers, from the form of staff to a panel. */
const database = testDatabase();
const site = testSite(database, { ADS: 'off' });
const here = '/admin/servers/notices';
const message = 'See https://status.example.org/today.';

test('a critical notice for everybody is confirmed first; addresses in it are links where it is read', async () => {
  const owner = await build.user(database.sql);
  await nodeWithRoom(database.sql);
  const id = await paidServer(database.sql, owner);
  const staff = await site.as((await build.user(database.sql, { role: 'admin' })).username);
  let page = await staff.open(here);
  const notice = { Title: 'Outage', Message: message, Level: 'Critical' };
  page = await send(page, 'Publish', notice);
  expect(page.text(page.main)).toContain('Confirm that a critical notice goes to all servers');
  expect(page.text(page.main)).not.toContain('Notice published');
  // what was typed is still there
  page = await send(page, 'Publish', { 'Yes, show this to everyone with a server, in red': true });
  expect(page.text(page.main)).toContain('Notice published');
  page.one('link', { name: 'https://status.example.org/today' });

  const panel = await (await site.as(owner.username)).open(`/servers/manage/${id}`);
  const link = panel.one('link', { name: 'https://status.example.org/today' });
  expect(link.getAttribute('href')).toBe('https://status.example.org/today');
  expect(panel.text(panel.main)).toContain(message);

  page = await page.submit(page.one('button', { name: 'End now' }));
  expect(page.text(page.main)).toContain('Notice ended');
});

test('other notices need no second word', async () => {
  const staff = await site.as((await build.user(database.sql, { role: 'admin' })).username);
  const page = await send(await staff.open(here), 'Publish', { Title: 'A new map', Level: 'Info' });
  expect(page.text(page.main)).toContain('Notice published');
  const item = page.all('listitem').find((one) => page.text(one).includes('A new map'))!;
  const edited = await page.follow(page.one('link', { name: 'Edit', within: item }));
  const saved = await send(edited, 'Save', { Title: 'Two new maps' });
  expect(saved.text(saved.main)).toContain('Notice changed');
});
