import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collection, organization, project, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { cards } from './cards.ts';

const database = testDatabase();
const api = testApi(database, { SITE_URL: 'https://cairn.example' });
const server = createServer();
beforeAll(async () => {
  const card = await cards(api.services);
  server.on('request', (req, res) => {
    card(req, res).catch((error: Error) => res.writeHead(500).end(error.stack));
  });
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const request = async (path: string, headers: Record<string, string> = {}) => {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const folder = () => join(api.services.settings.DATA_DIR, 'cache/cards');

test('a project has an image, rendered once and answered with 304 when unchanged', async () => {
  const made = await project(database.sql, { slug: 'lantern', title: 'Lantern <b> & ]]> \u202e\u0007' });
  const both = await Promise.all([request('/og/mod/lantern.png'), request('/og/mod/lantern.png')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const [{ bytes, headers }] = both;
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width, height]).toEqual(['png', 1200, 630]);
  expect(headers.get('content-type')).toBe('image/png');
  expect(await readdir(folder())).toHaveLength(1);
  const etag = headers.get('etag')!;
  expect((await request('/og/mod/lantern.png', { 'if-none-match': etag })).status).toBe(304);

  await database.sql`update projects set title = 'Another' where id = ${made.id}`;
  const after = await request('/og/mod/lantern.png', { 'if-none-match': etag });
  expect([after.status, after.bytes.equals(bytes)]).toEqual([200, false]);

  await database.sql`update projects set status = 'private' where id = ${made.id}`;
  expect((await request('/og/mod/lantern.png', { 'if-none-match': etag })).status).toBe(404);
});

test('it contains the icon, and a broken icon does no harm', async () => {
  const made = await project(database.sql, { slug: 'with-icon' });
  const red = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#ff0000' } })
    .webp()
    .toBuffer();
  await api.services.storage.putBytes('data/x/red.webp', red);
  await api.services.storage.putBytes('data/x/broken.webp', Buffer.from('not a picture'));
  const middleOf = async (icon_key: string) => {
    await database.sql`update projects set icon_key = ${icon_key} where id = ${made.id}`;
    const { status, bytes } = await request('/og/mod/with-icon.png');
    expect([icon_key, status]).toEqual([icon_key, 200]);
    const area = { left: 90, top: 90, width: 1, height: 1 };
    return [...(await sharp(bytes).extract(area).removeAlpha().raw().toBuffer())];
  };
  const [r = 0, g = 255, b = 255] = await middleOf('data/x/red.webp');
  expect(r > 240 && g < 15 && b < 15).toBe(true);
  expect((await middleOf('data/x/broken.webp'))[0]).toBeLessThan(60);
  expect((await middleOf('data/x/gone.webp'))[0]).toBeLessThan(60);
});

test('another address of the same project redirects to the canonical one', async () => {
  await project(database.sql, { slug: 'here.now' });
  const { status, headers } = await request('/og/project/HERE.now.png?hl=ar-XB');
  expect([status, headers.get('location')]).toEqual([301, '/og/mod/here.now.png?hl=ar-XB']);
});

test('users, organizations and collections have images, hidden ones have none', async () => {
  await user(database.sql, { username: 'Ada.L' });
  const house = await organization(database.sql, { slug: 'house', name: 'The house' });
  await project(database.sql, { organization: house });
  await organization(database.sql, { slug: 'hidden-house' });
  const inside = [await project(database.sql)];
  const { id } = await collection(database.sql, inside, { name: 'Cosy' });
  for (const path of ['/og/user/Ada.L.png', '/og/organization/house.png', `/og/collection/${id}.png`]) {
    const { status, bytes } = await request(path);
    expect([path, status, (await sharp(bytes).metadata()).width]).toEqual([path, 200, 1200]);
  }
  const { headers } = await request('/og/user/ada.l.png');
  expect(headers.get('location')).toBe('/og/user/Ada.L.png');
  await database.sql`update collections set status = 'private' where id = ${id}`;
  expect((await request(`/og/collection/${id}.png`)).status).toBe(404);
  for (const slug of ['nobody', 'hidden-house']) {
    expect((await request(`/og/organization/${slug}.png`)).status).toBe(404);
  }
});

test.each(['/og/mod/never-was.png', '/og/mod/%00.png', '/og/mod/%E0%A4%A.png', '/og/thing/x.png', '/og/'])(
  '%s is 404',
  async (path) => {
    expect((await request(path)).status).toBe(404);
  },
);

test("pages without an image of their own use the site's, even if nothing can be cached", async () => {
  rmSync(folder(), { recursive: true });
  const { status, bytes } = await request('/og/site.png?hl=ar-XB');
  expect([status, (await sharp(bytes).metadata()).width]).toEqual([200, 1200]);
});
