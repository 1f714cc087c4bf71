import sharp from 'sharp';
import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { field, isChecked, send, shownIn } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';

/** Settings that save something, without scripts. */
const database = testDatabase();
const site = testSite(database);

async function signedIn() {
  const person = await build.user(database.sql);
  return { ...person, visitor: await site.as(person.username) };
}
/** The form around a field, as a page may have several that say "Save". */
const formOf = (page: Page, label: string) => field(page, label).closest('form')!;

test('a profile and its picture are saved and undone', async () => {
  const { visitor } = await signedIn();
  let page = await visitor.open('/settings/profile');
  page = await send(page, 'Save', { 'About you': 'Plain stones' }, { within: formOf(page, 'About you') });
  expect(page.withText('Changes saved')).toHaveLength(1);
  expect(shownIn(field(page, 'About you'))).toBe('Plain stones');
  page = await send(page, 'Undo');
  expect(shownIn(field(page, 'About you'))).toBe('');
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#36a' } })
    .png()
    .toBuffer();
  const file = new File([new Uint8Array(png)], 'me.png', { type: 'image/png' });
  const zone = (label: string) => ({ within: formOf(page, label) });
  page = await send(page, 'Save image', { Avatar: file }, zone('Avatar'));
  expect(page.document.querySelectorAll('.picture .now img')).toHaveLength(1);
  page = await send(page, 'Save image', { Banner: file }, zone('Banner'));
  expect(page.document.querySelectorAll('.picture .now img.banner')).toHaveLength(1);
  page = await send(page, 'Remove image', {}, zone('Banner'));
  expect(page.document.querySelectorAll('.picture .now img.banner')).toHaveLength(0);
});

test('a token is made, shown once and revoked', async () => {
  const { visitor } = await signedIn();
  let page = await visitor.open('/settings/pats');
  page = await page.follow(page.one('link', { name: 'Create token' }));
  const scope = page.one('checkbox', { name: /Publish versions/ });
  page = await page.submit(page.one('button', { name: 'Create token' }), {
    [field(page, 'Name').getAttribute('name')!]: 'Plain CI',
    [field(page, 'Expires').getAttribute('name')!]: '30',
    [scope.getAttribute('name')!]: scope.getAttribute('value') ?? true,
  });
  expect(page.url).toBe('/settings/pats');
  expect(page.text(page.document.querySelector('.secret code')!)).toMatch(/^mrp_\w{60}$/);
  page = await send(page, 'Revoke Plain CI');
  expect(page.text()).toContain('Token revoked');
});

test('what notifications are about, and where they go, is chosen', async () => {
  const { visitor } = await signedIn();
  let page = await visitor.open('/settings/notifications');
  const mail = () => page.document.querySelector('select[name=mail_project_update]')!;
  expect(shownIn(mail())).toBe('off');
  const save = page.one('button', { name: 'Save' });
  page = await page.submit(save, { mail_project_update: 'weekly', loader_fabric: true });
  expect(page.url).toContain('saved=1');
  page = await visitor.open('/settings/notifications');
  expect(shownIn(mail())).toBe('weekly');
  expect(isChecked(field(page, 'Fabric'))).toBe(true);
});

test('a project is muted from the settings, and a mistake is kept beside its field', async () => {
  const { id: user_id, visitor } = await signedIn();
  const { id } = await build.project(database.sql, { title: 'Quiet stones' });
  await build.follow(database.sql, { id: user_id }, { id });
  let page = await visitor.open('/settings/notifications');
  page = await page.follow(page.one('link', { name: 'Change notifications for Quiet stones' }));
  const choice = { mode: 'own', loader_quilt: true, game_versions: 'nothing' };
  page = await page.submit(page.one('button', { name: 'Save' }), choice);
  expect(page.text()).toContain('There’s no game version nothing.');
  expect(isChecked(field(page, 'Quilt'))).toBe(true);
  page = await page.submit(page.one('button', { name: 'Save' }), { mode: 'none' });
  expect(page.withText('Changes saved')).toHaveLength(1);
  page = await visitor.open('/settings/notifications?page=7');
  const row = page.all('listitem').find((item) => page.text(item).includes('Quiet stones'))!;
  expect(page.text(row)).toContain('Nothing');

  page = await visitor.open(`/settings/notifications/${id}`);
  expect((await visitor.fetch(`/v2/project/${id}/follow`, { method: 'DELETE' })).status).toBe(204);
  page = await send(page, 'Save');
  expect(page.text()).toContain('You aren’t following this project.');
  expect(page.url).toMatch(/^\/settings\/notifications\?error=not_following/);
  expect((await visitor.fetch('/settings/notifications/AABBCCDD')).status).toBe(404);
});

test('notifications of a project offer the loaders that fit its kind', async () => {
  const { id: user_id, visitor } = await signedIn();
  const offered = async (types: string[], loaders: string[] | null = null) => {
    const { id } = await build.project(database.sql, { project_types: types });
    await build.follow(database.sql, { id: user_id }, { id });
    if (loaders) await database.sql`update follows set loaders = ${loaders} where project_id = ${id}`;
    const page = await visitor.open(`/settings/notifications/${id}`);
    return [...page.document.querySelectorAll('input[name^=loader_]')].map((one) =>
      one.getAttribute('name')!.slice(7),
    );
  };
  expect(await offered(['mod'])).toEqual(['fabric', 'neoforge', 'forge', 'quilt']);
  expect(await offered(['modpack'])).toEqual(['fabric', 'neoforge', 'forge', 'quilt']);
  expect(await offered(['shader'])).toEqual(['iris', 'optifine', 'vanilla', 'canvas']);
  expect(await offered(['resourcepack'])).toEqual([]);
  // what was chosen before can be taken away
  expect(await offered(['resourcepack'], ['minecraft'])).toEqual(['minecraft']);
  const all = await visitor.open('/settings/notifications');
  for (const kind of ['datapack', 'minecraft', 'mrpack'])
    expect(all.document.querySelectorAll(`input[name=loader_${kind}]`)).toHaveLength(0);
});

test('an account is deleted after its name was typed', async () => {
  const { username, visitor } = await signedIn();
  const status = async () => (await site.fetch(`/v2/user/${username}`)).status;
  let page = await visitor.open('/settings/account');
  page = await page.follow(page.one('link', { name: 'Delete account…' }));
  page = await send(page, 'Delete my account', { 'Type your username to confirm': 'somebody-else' });
  expect(await status()).toBe(200);
  page = await send(page, 'Delete my account', { 'Type your username to confirm': username });
  page.one('heading', { name: 'Your account is deleted' });
  expect(await status()).toBe(404);
  expect((await visitor.open('/dashboard')).url).toMatch(/^\/auth\/sign-in/);
});
