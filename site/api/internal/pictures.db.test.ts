import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { clientById } from '#db/accounts/oauth/read.ts';
import { createClient } from '#db/accounts/oauth/write.ts';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import { copiesOf } from '#db/platform/files/image-copies.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** Forms that send a picture without scripts: an avatar, a banner, the icons of an app and an organization, a gallery image. */
const database = testDatabase();
const api = testApi(database);
let ada: build.BuiltUser;
let session = '';
let png: Buffer;
beforeAll(async () => {
  ada = await build.user(database.sql);
  const opened = await openSession(database.sql, { user_id: ada.id, user_agent: null, now: new Date() });
  session = opened.session as string;
  png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
});

interface Sent {
  picture?: [Uint8Array, string];
  fields?: Record<string, string>;
  site?: string;
  cookie?: string;
}
async function send(path: string, { picture, fields = {}, site = 'same-origin', cookie }: Sent) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (picture) form.append('picture', new Blob([picture[0] as Uint8Array<ArrayBuffer>]), picture[1]);
  const headers = { 'sec-fetch-site': site, cookie: cookie ?? `auth-token=${session}` };
  const answer = await api.call('POST', `/_internal/${path}`, { headers, body: form });
  return [answer.status, answer.headers.get('location')];
}
const avatar = async () =>
  (
    await database.sql<Array<{ avatar_key: string | null }>>`
    select avatar_key from users where id = ${ada.id}`
  )[0]!.avatar_key;

test('an avatar is stored and removed', async () => {
  expect(await send('profile/picture', { picture: [png, 'me.PNG'] })).toEqual([
    303,
    '/settings/profile?saved=1',
  ]);
  expect(await avatar()).toMatch(/^data\/users\//);
  expect(await send('profile/picture', { fields: { remove: '1', hl: 'de-DE' } })).toEqual([
    303,
    '/settings/profile?saved=1&hl=de-DE',
  ]);
  expect(await avatar()).toBeNull();
});

test.each<[string, Sent, string]>([
  ['nothing', {}, 'invalid_input'],
  ['an empty file', { picture: [new Uint8Array(), 'me.png'] }, 'invalid_input'],
  ['too large a file', { picture: [new Uint8Array(262_145), 'me.png'] }, 'icon_too_large'],
  ['no picture', { picture: [new TextEncoder().encode('<svg/>'), 'me.png'] }, 'invalid_image'],
  ['a picture of another kind', { picture: [new TextEncoder().encode('<svg/>'), 'me.svg'] }, 'invalid_image'],
  ['a form of another site', { picture: [new Uint8Array(9), 'me.png'], site: 'cross-site' }, 'cross_site'],
])('%s is refused on the page of the form', async (_what, sent, code) => {
  expect(await send('profile/picture', sent)).toEqual([303, `/settings/profile?error=${code}`]);
  expect(await avatar()).toBeNull();
});

test('a banner is stored four times as wide as high, and removed', async () => {
  const large = await sharp({ create: { width: 1000, height: 900, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  // the same image as the avatar: neither takes the original from the other
  await send('profile/picture', { picture: [large, 'me.png'] });
  const saved = [303, '/settings/profile?saved=1'];
  expect(await send('profile/banner', { picture: [large, 'wide.png'] })).toEqual(saved);
  const keys = async () =>
    (
      await database.sql`select raw_avatar_key, banner_key, raw_banner_key from users where id = ${ada.id}`
    )[0]!;
  const { raw_avatar_key, banner_key, raw_banner_key } = await keys();
  expect(raw_banner_key).toBe(raw_avatar_key);
  const copies = copiesOf(banner_key);
  expect(copies.map(({ width }) => width)).toEqual([480, 960, 1600]);
  const read = async (key: string) => buffer((await api.services.storage.read(key))!);
  const sizes = await Promise.all(copies.map(async ({ name }) => sharp(await read(name)).metadata()));
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [480, 120],
    [960, 240],
    [1000, 250],
  ]);
  expect(await send('profile/picture', { fields: { remove: '1' } })).toEqual(saved);
  expect(await api.services.storage.head(raw_banner_key)).not.toBeNull();
  expect(await send('profile/banner', { fields: { remove: '1' } })).toEqual(saved);
  expect(await keys()).toEqual({ raw_avatar_key: null, banner_key: null, raw_banner_key: null });
  for (const key of [raw_banner_key, ...copies.map(({ name }) => name)])
    expect(await api.services.storage.head(key)).toBeNull();
});

test('a banner that is too large or no picture is refused, and staff remove one', async () => {
  const large = { picture: [new Uint8Array(5 * 1024 * 1024 + 1), 'wide.png'] } satisfies Sent;
  const refused = (code: string) => [303, `/settings/profile?error=${code}`];
  expect(await send('profile/banner', large)).toEqual(refused('gallery_image_too_large'));
  const text = { picture: [new TextEncoder().encode('<svg/>'), 'wide.png'] } satisfies Sent;
  expect(await send('profile/banner', text)).toEqual(refused('invalid_image'));
  await send('profile/banner', { picture: [png, 'wide.png'] });
  const remove = async (role: 'developer' | 'moderator') => {
    const { id: user_id } = await build.user(database.sql, { role });
    const { session } = await openSession(database.sql, { user_id, user_agent: null, now: new Date() });
    const headers = {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `auth-token=${session}`,
    };
    const body = String(new URLSearchParams({ user: ada.id }));
    const answer = await api.call('POST', '/_internal/staff/remove-banner', { headers, body });
    const [row] = await database.sql`select banner_key from users where id = ${ada.id}`;
    return [answer.headers.get('location'), row!.banner_key !== null];
  };
  expect(await remove('developer')).toEqual([`/admin/user/${ada.id}?error=not_yours`, true]);
  expect(await remove('moderator')).toEqual([`/admin/user/${ada.id}?done=banner_removed`, false]);
});

test('a visitor is led to sign in', async () => {
  const [, to] = await send('profile/picture', { picture: [png, 'me.png'], cookie: '' });
  expect(to).toContain('/auth/sign-in?redirect=');
});

test('the icon of an app is set by the person who made it', async () => {
  const actor = build.actorFor(ada);
  const given = { name: 'Herons', max_scopes: 0, redirect_uris: [], public: false };
  const { id } = await createClient(database.sql, actor, given, new Date());
  const sent = { picture: [png, 'icon.png'] as [Uint8Array, string], fields: { id } };
  expect(await send('applications/icon', sent)).toEqual([303, `/settings/applications/${id}?saved=1`]);
  expect((await clientById(api.services, id))?.icon_url).toContain(`/data/applications/${id}/`);
  const { id: user_id } = await build.user(database.sql);
  const other = (await openSession(database.sql, { user_id, user_agent: null, now: new Date() })).session;
  expect(await send('applications/icon', { ...sent, cookie: `auth-token=${other}` })).toEqual([
    303,
    `/settings/applications/${id}?error=not_yours`,
  ]);
  expect(await send('applications/icon', { ...sent, fields: { id: '../x' } })).toEqual([
    303,
    '/settings/applications?error=not_found',
  ]);
});

test('the icon of an organization is set by a member who may edit it', async () => {
  const { id } = await build.organization(database.sql, { owner: ada });
  const page = `/organization/${id}/settings`;
  const sent = { picture: [png, 'icon.png'] as [Uint8Array, string], fields: { id } };
  expect(await send('organizations/icon', sent)).toEqual([303, `${page}?saved=1`]);
  const shown = async () => (await findOrganization(api.services, id, build.actorFor(ada)))?.icon_url;
  expect(await shown()).toContain(`/data/organizations/${id}/`);
  const { id: user_id } = await build.user(database.sql);
  const other = (await openSession(database.sql, { user_id, user_agent: null, now: new Date() })).session;
  expect(await send('organizations/icon', { ...sent, cookie: `auth-token=${other}` })).toEqual([
    303,
    `${page}?error=not_found`, // nobody else sees an organization of one person
  ]);
  expect(await send('organizations/icon', { fields: { id, remove: '1' } })).toEqual([303, `${page}?saved=1`]);
  expect(await shown()).toBeNull();
});

test('a gallery image is added at the end by a member who may edit details', async () => {
  const { id } = await build.project(database.sql, { owner: ada });
  const fields = { id };
  const page = `/project/${id}/settings/gallery`;
  const sent = { picture: [png, 'view.png'] as [Uint8Array, string], fields };
  expect(await send('gallery/add', sent)).toEqual([303, `${page}?saved=1`]);
  expect(await send('gallery/add', sent)).toEqual([303, `${page}?error=gallery_picture_repeated`]);
  const large = {
    picture: [new Uint8Array(5 * 1024 * 1024 + 1), 'view.png'] as [Uint8Array, string],
    fields,
  };
  expect(await send('gallery/add', large)).toEqual([303, `${page}?error=gallery_image_too_large`]);
  const { id: user_id } = await build.user(database.sql);
  const other = (await openSession(database.sql, { user_id, user_agent: null, now: new Date() })).session;
  expect(await send('gallery/add', { ...sent, cookie: `auth-token=${other}` })).toEqual([
    303,
    `${page}?error=not_a_member`,
  ]);
  const rows = await database.sql`select ordering::int, title from gallery where project_id = ${id}`;
  expect(rows).toMatchObject([{ ordering: 0, title: null }]);
});
