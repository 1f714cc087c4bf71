import { expect, test } from 'vitest';
import { allDocuments } from '#db/discovery/search/documents/documents.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import { collection, organization, project, user, version } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { max_entries } from '../../platform/feeds/atom.ts';
import { every, parsed, testMachines, textIn } from '../../testing/discovery.ts';

const database = testDatabase();
const site = testMachines(database);

const feed = async (path: string) => {
  const { status, text, headers } = await site.ask(path);
  expect([path, status, headers.get('content-type')]).toEqual([
    path,
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  const root = parsed(text);
  expect([root.name, root.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
  for (const one of [root, ...every(root, 'entry')]) {
    expect(textIn(one, 'id')).toMatch(/^tag:cairn\.example,2026:/);
    expect(new Date(textIn(one, 'updated')!).toISOString()).toBe(textIn(one, 'updated'));
    expect(textIn(one, 'title')).not.toBe('');
  }
  return { root, entries: every(root, 'entry'), etag: headers.get('etag')! };
};
const href = (of: Parameters<typeof every>[0], rel: string) =>
  every(of, 'link').find(({ attributes }) => attributes.rel === rel)?.attributes.href;

const move = (id: string, status: string) =>
  database.sql.begin(async (tx) => {
    await tx`update projects set status = ${status} where id = ${id}`;
    await recordEvent(tx, { name: 'project.moved', project_id: id, data: { from: 'draft', to: status } });
  });
const hostile = 'Evil </script><script>alert(1)</script> ]]> \u202e\u0007 "&amp;';
const harmless = 'Evil </script><script>alert(1)</script> ]]> "&amp;';

test("a project's feed lists its versions, newest first, with changelogs", async () => {
  const made = await project(database.sql, { title: hostile, slug: 'evil', description: 'First\nsecond' });
  await version(database.sql, made, {
    version_number: '1.0.0',
    name: hostile,
    changelog_html: '<p>]]> & <img src="/data/_image?url=x"></p>',
    changelog: 'x',
    date_published: '2026-01-01T00:00:00Z',
  });
  const second = await version(database.sql, made, {
    version_number: '1.0.0',
    name: 'Evil 1.0.0 again',
    date_published: '2026-01-02T00:00:00Z',
  });
  await database.sql`update versions set changelog_version = 1`;
  const { root, entries } = await feed('/mod/evil/versions.atom');
  expect(textIn(root, 'title')).toBe(`Versions of \u2068${harmless}\u2069`);
  expect(textIn(root, 'subtitle')).toBe('First second');
  expect(textIn(root, 'updated')).toBe('2026-01-02T00:00:00.000Z');
  expect(href(root, 'self')).toBe('https://cairn.example/mod/evil/versions.atom');
  expect(href(root, 'alternate')).toBe('https://cairn.example/mod/evil/versions');
  expect(entries.map((entry) => href(entry, 'alternate'))).toEqual([
    `https://cairn.example/mod/evil/version/${second.id}`,
    'https://cairn.example/mod/evil/version/1.0.0',
  ]);
  const [newest, first] = entries;
  expect(textIn(newest!, 'title')).toBe('Evil 1.0.0 again');
  expect(textIn(first!, 'title')).toBe(`\u20681.0.0\u2069 - \u2068${harmless}\u2069`);
  expect(textIn(first!, 'content')).toBe('<p>]]> & <img src="/data/_image?url=x"></p>');
  expect(every(first!, 'content')[0]!.attributes).toEqual({
    type: 'html',
    'xml:base': 'https://cairn.example/',
  });
  expect(every(first!, 'category').map(({ attributes }) => attributes.term)).toEqual([
    'release',
    'fabric',
    '1.20.1',
  ]);
});

test('a feed answers 304 until it has a new entry', async () => {
  const made = await project(database.sql, { slug: 'news' });
  await version(database.sql, made);
  const { etag } = await feed('/mod/news/versions.atom');
  const retried = await site.ask('/mod/news/versions.atom', { 'if-none-match': etag });
  expect([retried.status, retried.text]).toEqual([304, '']);
  const { id } = await version(database.sql, made, { version_number: '1.1.0' });
  await database.sql.begin((tx) =>
    recordEvent(tx, {
      name: 'version.published',
      project_id: made.id,
      version_id: id,
      data: { status: 'listed', version_number: '1.0.0', version_type: 'release' },
    }),
  );
  await site.freshness.sync();
  const after = await site.ask('/mod/news/versions.atom', { 'if-none-match': etag });
  expect(after.status).toBe(200);
  expect(every(parsed(after.text), 'entry')).toHaveLength(2);
});

test('a feed has a maximum number of entries, and of text', async () => {
  const made = await project(database.sql, { slug: 'many' });
  const long = `<p>${'x'.repeat(60_000)}</p>`;
  for (let number = 0; number < max_entries + 2; number++) {
    await version(database.sql, made, { version_number: `1.${number}`, changelog_html: long });
  }
  await database.sql`update versions set changelog_version = 1 where project_id = ${made.id}`;
  const { entries } = await feed('/mod/many/versions.atom');
  expect(entries).toHaveLength(max_entries);
  expect(entries.filter((entry) => textIn(entry, 'content'))).toHaveLength(4);
});

test('hidden projects have no feed and leave all feeds at once', async () => {
  const ada = await user(database.sql, { username: 'ada' });
  const made = await project(database.sql, { owner: ada, slug: 'lantern', title: 'Lantern' });
  await project(database.sql, { owner: ada, title: 'Draft', status: 'draft' });
  await project(database.sql, { owner: ada, title: 'Unlisted', status: 'unlisted' });
  const titles = async () =>
    (await feed('/user/ada/projects.atom')).entries.map((one) => textIn(one, 'title'));
  expect(await titles()).toEqual(['Lantern']);
  expect((await feed('/mod/lantern/versions.atom')).entries).toEqual([]);
  await move(made.id, 'private');
  await site.freshness.sync();
  expect(await titles()).toEqual([]);
  const removed = await site.ask('/mod/lantern/versions.atom');
  const never = await site.ask('/mod/never-was/versions.atom');
  expect([removed.status, removed.text]).toEqual([404, never.text]);
  await move(made.id, 'approved');
  await site.freshness.sync();
  expect((await site.ask('/mod/lantern/versions.atom')).status).toBe(200);
});

test("a project type's feed follows search, but checks the database", async () => {
  const made = await project(database.sql, { slug: 'fresh', title: 'Fresh' });
  await version(database.sql, made);
  const engine = postgresEngine(database.sql);
  for await (const doc of allDocuments(database.sql)) await engine.apply([{ put: doc }]);
  const titles = async () => (await feed('/mods.atom')).entries.map((one) => textIn(one, 'title'));
  expect((await titles())[0]).toBe('Fresh');
  await move(made.id, 'withheld'); // search has not received the event yet
  await site.freshness.sync();
  expect(await titles()).not.toContain('Fresh');
  expect((await feed('/shaders.atom')).entries).toEqual([]);
});

test("an organization's feed has its public projects under its name", async () => {
  const house = await organization(database.sql, { slug: 'house', name: 'House <b>' });
  await project(database.sql, { organization: house, title: 'Ours' });
  const { root, entries } = await feed('/organization/house/projects.atom?hl=en-XA');
  expect(textIn(root, 'title')).toContain('\u2068House <b>\u2069');
  expect(root.attributes['xml:lang']).toBe('en-XA');
  expect(href(root, 'self')).toBe('https://cairn.example/organization/house/projects.atom?hl=en-XA');
  expect(
    entries.map((entry) => [textIn(entry, 'title'), textIn(every(entry, 'author')[0]!, 'name')]),
  ).toEqual([['Ours', 'House <b>']]);
});

test("a collection's feed starts with the newest additions, while it is public", async () => {
  const [first, second, hidden] = [
    await project(database.sql, { title: 'First' }),
    await project(database.sql, { title: 'Second' }),
    await project(database.sql, { title: 'Hidden', status: 'private' }),
  ];
  const { id } = await collection(database.sql, [first, second, hidden], { name: 'Cosy & warm' });
  const path = `/collection/${id}/projects.atom`;
  const { root, entries } = await feed(path);
  expect(textIn(root, 'title')).toBe('Projects in \u2068Cosy & warm\u2069');
  expect(href(root, 'alternate')).toBe(`https://cairn.example/collection/${id}`);
  expect(entries.map((entry) => textIn(entry, 'title'))).toEqual(['Second', 'First']);
  await database.sql.begin(async (tx) => {
    await tx`update collections set status = 'private' where id = ${id}`;
    await recordEvent(tx, { name: 'collection.edited', collection_id: id, data: { owner_id: 'Owner001' } });
  });
  await site.freshness.sync();
  expect((await site.ask(path)).status).toBe(404);
  const empty = await collection(database.sql, [hidden]);
  expect((await site.ask(`/collection/${empty.id}/projects.atom`)).status).toBe(404);
});

test('another spelling of an address redirects to the canonical one', async () => {
  await user(database.sql, { username: 'Grace' });
  const made = await project(database.sql, { slug: 'right-one' });
  await database.sql`insert into old_slugs (slug, project_id) values ('old-one', ${made.id})`;
  for (const [path, to] of [
    ['/user/grace/projects.atom?hl=en-XA', '/user/Grace/projects.atom?hl=en-XA'],
    ['/mod/old-one/versions.atom', '/mod/right-one/versions.atom'],
    ['/mod/RIGHT-one/versions.atom', '/mod/right-one/versions.atom'],
  ]) {
    const { status, headers } = await site.ask(path!);
    expect([path, status, headers.get('location')]).toEqual([path, 301, to]);
  }
});

test.each([
  '/user/%00/projects.atom',
  '/user/%E0%A4%A/projects.atom',
  '/organization/a%00b/projects.atom',
  '/nothing/lantern/versions.atom',
  '/things.atom',
])('%s is 404', async (path) => {
  expect((await site.ask(path)).status).toBe(404);
});
