import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordEvent } from '#db/platform/events/write.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { collection, organization, project, user, version } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { parsed, testMachines, textIn } from '../../testing/discovery.ts';
import { securityTxt } from './robots.ts';

const database = testDatabase();
const site = testMachines(database);

const list = async (path: string) => {
  const { status, text, headers } = await site.ask(path);
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/xml; charset=utf-8']);
  const root = parsed(text);
  expect(root.attributes.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  return root.children.map((child) => [textIn(child, 'loc'), textIn(child, 'lastmod')]);
};

test('the sitemap lists every public page and no other', async () => {
  const updated = '2026-02-03T04:05:06.000Z';
  const shader = await project(database.sql, { slug: 'evening.light', updated });
  await version(database.sql, shader, { loaders: ['iris'] });
  await database.sql`update projects set updated = ${updated} where id = ${shader.id}`;
  await project(database.sql, { slug: 'old-one', status: 'approved', archived: true, updated });
  for (const status of ['unlisted', 'private', 'draft', 'withheld', 'rejected'])
    await project(database.sql, { slug: `is-${status}`, status });

  expect((await list('/sitemap.xml')).slice(0, 2)).toEqual([
    ['https://cairn.example/sitemap/pages.xml', undefined],
    ['https://cairn.example/sitemap/projects-1.xml', updated],
  ]);
  expect((await list('/sitemap/projects-1.xml')).sort()).toEqual([
    ['https://cairn.example/mod/old-one', updated],
    ['https://cairn.example/shader/evening.light', updated],
  ]);
  expect((await list('/sitemap/pages.xml')).map(([address]) => address)).toContain(
    'https://cairn.example/mods',
  );
  for (const nothing of ['/sitemap/projects-2.xml', '/sitemap/projects-0.xml', '/sitemap/projects-99999.xml'])
    expect((await site.ask(nothing)).status).toBe(404);

  await database.sql.begin(async (tx) => {
    await tx`update projects set status = 'private' where id = ${shader.id}`;
    await recordEvent(tx, {
      name: 'project.moved',
      project_id: shader.id,
      data: { from: 'approved', to: 'private' },
    });
  });
  await site.freshness.sync();
  expect(await list('/sitemap/projects-1.xml')).toEqual([['https://cairn.example/mod/old-one', updated]]);
});

test('the sitemap lists users, organizations and collections with public projects', async () => {
  const ada = await user(database.sql, { username: 'ada.l' });
  const bob = await user(database.sql, { username: 'bob' });
  const house = await organization(database.sql, { slug: 'house', owner: ada });
  await organization(database.sql, { slug: 'empty-house', owner: bob });
  const displayed = await project(database.sql, { owner: ada });
  const draft = await project(database.sql, { owner: bob, status: 'draft' });
  await project(database.sql, { organization: house });
  const { id } = await collection(database.sql, [displayed], { owner: bob });
  await collection(database.sql, [displayed], { owner: bob, status: 'unlisted' });
  await collection(database.sql, [draft], { owner: bob });
  await database.sql.begin((tx) =>
    recordEvent(tx, {
      name: 'project.moved',
      project_id: displayed.id,
      data: { from: 'private', to: 'approved' }, // what was never public comes within a second
    }),
  );
  await site.freshness.sync();

  const parts = (await list('/sitemap.xml')).map(([address]) => address!.replace(/.*sitemap\//, ''));
  expect(parts.slice(2)).toEqual(['users-1.xml', 'organizations-1.xml', 'collections-1.xml']);
  const people = (await list('/sitemap/users-1.xml')).map(([address]) => address);
  expect(people).toContain('https://cairn.example/user/ada.l');
  expect(people).not.toContain('https://cairn.example/user/bob');
  const addresses = async (path: string) => (await list(path)).map(([address]) => address);
  expect(await addresses('/sitemap/organizations-1.xml')).toEqual([
    'https://cairn.example/organization/house',
  ]);
  expect(await addresses('/sitemap/collections-1.xml')).toEqual([`https://cairn.example/collection/${id}`]);
});

test('robots.txt excludes private and API paths, and names the sitemap', async () => {
  const { text, headers } = await site.ask('/robots.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = text.split('\n');
  expect(lines[0]).toBe('User-agent: *');
  for (const path of ['/v2/', '/v3/', '/_internal/', '/auth/', '/settings'])
    expect(lines).toContain(`Disallow: ${path}`);
  expect(lines).toContain('Sitemap: https://cairn.example/sitemap.xml');
  expect(lines).not.toContain('Disallow: /');
});

test('security.txt names a contact, a policy and languages, each once, and has not expired', async () => {
  const { text, headers } = await site.ask('/.well-known/security.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(fieldsOf(text)).toEqual([
    ['Contact', 'mailto:security@cairn.example'],
    ['Expires', expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/)],
    ['Preferred-Languages', 'en'],
    ['Policy', 'https://cairn.example/legal/security'],
    ['Canonical', 'https://cairn.example/.well-known/security.txt'],
  ]);
  const days = (Date.parse(fieldsOf(text)[1]![1]!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(366); // RFC 9116 §2.5.5
});

test('security.txt renews itself, and its contact is a setting', async () => {
  const settings = parseSettings({
    SITE_URL: 'https://cairn.example',
    SECURITY_CONTACT: 'https://cairn.example/report',
  });
  const at = async (day: string) => {
    const services = { settings, now: () => new Date(`${day}T12:00:00Z`) };
    const made = (await securityTxt({ services } as never)) as { body: string };
    return Object.fromEntries(fieldsOf(made.body));
  };
  expect((await at('2030-01-01')).Contact).toBe('https://cairn.example/report');
  expect((await at('2030-01-01')).Expires).toBe('2030-07-02T00:00:00Z');
  expect((await at('2031-01-01')).Expires).toBe('2031-07-02T00:00:00Z');
});
const fieldsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2));

test('the manifest is in the requested language', async () => {
  const { text, headers } = await site.ask('/manifest.webmanifest?hl=ar-XB');
  expect(headers.get('vary')).toContain('Accept-Language');
  expect(JSON.parse(text)).toMatchObject({ name: 'Cairn', lang: 'ar-XB', dir: 'rtl', start_url: '/' });
});

test('these documents are never rendered as pages, and answer 304 when unchanged', async () => {
  for (const path of ['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/mods.atom']) {
    const { headers } = await site.ask(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const retried = await site.ask(path, { 'if-none-match': headers.get('etag')! });
    expect([path, retried.status, retried.text]).toEqual([path, 304, '']);
  }
});

test('the offline page is translated, needs no other file, and its style is allowed', async () => {
  const { status, text, headers } = await site.ask('/offline?hl=de-DE');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<html lang="de-DE" dir="ltr">');
  expect(text).toContain('Diese Seite konnte nicht geladen werden');
  expect(text).not.toMatch(/<script|<img|<link|url\(/);
  const hash = createHash('sha256')
    .update(/<style>(.*)<\/style>/s.exec(text)![1]!)
    .digest('base64');
  expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
  expect((await site.ask('/offline?hl=ar-SA')).text).toContain('dir="rtl"');
});
