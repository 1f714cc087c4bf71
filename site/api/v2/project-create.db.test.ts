import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '#db/catalogue/projects/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testApi } from '../../testing/api.ts';
import { dataOf, type Files, form, jar, onDisk } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

let person: build.BuiltUser;
let token: string;
beforeAll(async () => {
  person = await build.user(database.sql);
  token = await build.token(database.sql, person);
});

const png = async (background: string) =>
  await sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png({ compressionLevel: 0 })
    .toBuffer();

/** `data` with an initial version for the new project. */
const initial = (given: Record<string, unknown> = {}) => {
  const { project_id: _none, ...data } = dataOf('', given);
  return data;
};

let count = 0;
const project = (given: Record<string, unknown> = {}) => ({
  title: 'Lantern Light',
  slug: `Lantern-${++count}`,
  description: 'Lanterns that light up at night',
  body: '# Lanterns',
  client_side: 'required',
  server_side: 'optional',
  project_type: 'mod',
  initial_versions: [initial()],
  categories: ['decoration'],
  license_id: 'MIT',
  ...given,
});
const one = async (): Promise<Files> => ({ file: ['lantern.jar', await jar(`create ${++count}`)] });

const post = async (data: unknown, files: Files, as: string | undefined = token) =>
  await api.call('POST', '/v2/project', { ...(as ? { token: as } : {}), body: form(data, files) });

const rows = async () => {
  const [row] = await database.sql`
    select (select count(*) from projects) as projects, (select count(*) from teams) as teams,
      (select count(*) from versions) as versions, (select count(*) from files) as files,
      (select count(*) from gallery) as pictures, (select count(*) from events) as events`;
  return row;
};

/** What the thread of a project says. */
const messagesOf = async ({ thread_id }: { thread_id: string }) =>
  (
    await database.sql`select body ->> 'body' as text from thread_messages where thread_id = ${thread_id}`
  ).map(({ text }) => text as string);

describe('creating a project', () => {
  it('is not refused for open points of the checklist: the thread names them', async () => {
    const links = { license_id: 'LicenseRef-Unknown', wiki_url: 'https://bit.ly/x' };
    const answer = await post(project(links), await one());
    expect(answer.status).toBe(200);
    const [text, ...others] = await messagesOf((await answer.json()) as Project);
    expect(others).toEqual([]);
    expect(text).toContain('Choose a license first.');
    expect(text).toContain('Replace shortened links');
    const whole = (await (await post(project(), await one())).json()) as Project;
    expect(await messagesOf(whole)).toEqual([]);
  });

  it('publishes it with its versions and images, and submits it for review', async () => {
    const gallery_items = [
      { item: 'second', featured: false, ordering: 2 },
      { item: 'first', featured: true, name: 'Night', description: 'A street', ordering: 1 },
    ];
    const data = project({
      slug: 'Lantern-Light',
      gallery_items,
      initial_versions: [
        initial(),
        initial({ file_parts: ['later'], version_number: '1.1.0', environment: 'server_only' }),
      ],
      license_url: 'https://example.test/license',
      donation_urls: [{ id: '', platform: 'ko-fi', url: 'https://example.test/k' }],
    });
    const bytes = await jar('whole');
    const answer = await post(data, {
      file: ['lantern.jar', bytes],
      icon: ['icon.png', await png('#2060c0')],
      later: ['lantern later.jar', await jar('whole later')],
      first: ['first.png', await png('#102030')],
      second: ['second.png', await png('#302010')],
    });
    expect(answer.status).toBe(200);
    const made = (await answer.json()) as Project;
    expect(made).toMatchObject({
      slug: 'lantern-light',
      status: 'processing',
      requested_status: 'approved',
      project_type: 'mod',
      loaders: ['fabric'],
      game_versions: ['1.20.1'],
      client_side: 'required',
      server_side: 'optional',
      environment: ['client_only_server_optional', 'server_only'],
      license: { id: 'MIT', url: 'https://example.test/license' },
      donation_urls: [{ id: 'ko-fi', platform: 'Ko-fi', url: 'https://example.test/k' }],
      color: 0x2060c0,
    });
    expect(made.versions).toHaveLength(2);
    expect(made.gallery.map(({ title, featured }) => [title, featured])).toEqual([
      ['Night', true],
      [null, false],
    ]);
    expect(made.queued).not.toBeNull();
    const disk = await onDisk(api.services);
    expect(disk).toContain(`data/${made.id}/versions/${made.versions[0]}/lantern.jar`);
    // two archives, and an original with three copies of each image
    expect(disk.filter((key) => key.startsWith(`data/${made.id}/`)).length).toBe(2 + 3 * 4);
    expect(disk.every((key) => key.startsWith('data/'))).toBe(true);
    const [row] = await database.sql`select body_html from projects where id = ${made.id}`;
    expect(row?.body_html).toContain('<h1');
    const members = await api.call('GET', `/v2/project/${made.id}/members`, { token });
    expect(await members.json()).toMatchObject([
      { user: { id: person.id }, role: 'Owner', permissions: 1023, payouts_split: 100, accepted: true },
    ]);
  });

  it('accepts legacy field names, and a draft without versions', async () => {
    const { title, slug, description, body, ...rest } = project({ initial_versions: [], is_draft: true });
    const answer = await post(
      { ...rest, mod_name: title, mod_slug: slug, mod_description: description, mod_body: body },
      {},
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ title, description, body, status: 'draft', versions: [] });
  });

  it('makes a modpack with the loaders of the pack, and refuses a jar as a modpack', async () => {
    const index = {
      formatVersion: 1,
      game: 'minecraft',
      versionId: '1',
      name: 'Pack',
      files: [],
      dependencies: {},
    };
    const pack = await zipOf({
      'modrinth.index.json': JSON.stringify(index),
      'overrides/a.txt': `${++count}`,
    });
    const answer = await post(project({ project_type: 'modpack' }), { file: ['pack.mrpack', pack] });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ project_type: 'modpack', loaders: ['fabric'] });
    expect((await post(project({ project_type: 'modpack' }), await one())).status).toBe(400);
  });

  it.each<[string, () => Promise<string | undefined>, number]>([
    ['a visitor', async () => undefined, 401],
    ['a broken token', async () => 'mrp_broken', 401],
    [
      'an expired token',
      async () => await build.token(database.sql, person, 'all', new Date('2020-01-01')),
      401,
    ],
    [
      'a token without the scope',
      async () =>
        await build.token(database.sql, person, ['PROJECT_READ', 'PROJECT_WRITE', 'VERSION_CREATE']),
      401,
    ],
    [
      'an unverified address',
      async () => await build.token(database.sql, await build.user(database.sql, { email_verified: false })),
      401,
    ],
    [
      'a token with the scope',
      async () => await build.token(database.sql, await build.user(database.sql), ['PROJECT_CREATE']),
      200,
    ],
    [
      'a moderator',
      async () => await build.token(database.sql, await build.user(database.sql, { role: 'moderator' })),
      200,
    ],
  ])('by %s: %s', async (_who, who, status) => {
    const before = [await rows(), await onDisk(api.services)];
    const as = await who();
    const answer = await api.call('POST', '/v2/project', {
      ...(as ? { token: as } : {}),
      body: form(project(), await one()),
    });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(await answer.json()).toMatchObject({ error: 'unauthorized', description: expect.any(String) });
    expect([await rows(), await onDisk(api.services)]).toEqual(before);
  });
});

describe('mistakes in a new project', () => {
  const item = (name: string, featured = false) => ({ item: name, featured, ordering: 0 });
  it.each<[string, () => Promise<[data: unknown, files?: Files]>]>([
    ['no JSON', async () => ['{ nonsense']],
    ['an array', async () => [[]]],
    ['no title', async () => [project({ title: undefined })]],
    ['a short title', async () => [project({ title: 'ab' })]],
    ['a blank title', async () => [project({ title: '    ' })]],
    ['a long description', async () => [project({ description: 'x'.repeat(256) })]],
    ['a title of the wrong type', async () => [project({ title: 7 })]],
    ['a bad slug', async () => [project({ slug: 'with spaces' })]],
    ['no slug', async () => [project({ slug: undefined })]],
    ['an unknown side', async () => [project({ client_side: 'never' })]],
    ['an unknown category', async () => [project({ categories: ['nonsense'] })]],
    ['four categories', async () => [project({ categories: ['food', 'mobs', 'magic', 'storage'] })]],
    ['an unknown licence', async () => [project({ license_id: 'Nonsense (' })]],
    ['a plain http link', async () => [project({ wiki_url: 'http://example.test' })]],
    [
      'an unknown donation platform',
      async () => [project({ donation_urls: [{ id: 'a', platform: 'b', url: 'https://example.test' }] })],
    ],
    ['review without versions', async () => [project({ initial_versions: [] }), {}]],
    ['33 versions', async () => [project({ initial_versions: Array.from({ length: 33 }, () => initial()) })]],
    ['an unknown loader', async () => [project({ initial_versions: [initial({ loaders: ['nonsense'] })] })]],
    [
      'an unknown game version',
      async () => [project({ initial_versions: [initial({ game_versions: ['0.0.0'] })] })],
    ],
    [
      'a version number with spaces',
      async () => [project({ initial_versions: [initial({ version_number: '1 0' })] })],
    ],
    ['two featured pictures', async () => [project({ gallery_items: [item('a', true), item('b', true)] })]],
    ['an unknown organization', async () => [project({ organization_id: 'Unknown1' })]],
    ['an organization that is no id', async () => [project({ organization_id: 'not an id' })]],
    ['an editor picture that does not exist', async () => [project({ uploaded_images: ['Unknown1'] })]],
    [
      'a file that was not sent',
      async () => [project({ initial_versions: [initial({ file_parts: ['file', 'other'] })] })],
    ],
    ['a picture that was not sent', async () => [project({ gallery_items: [item('missing')] })]],
    [
      'a file that was not declared',
      async () => [project(), { ...(await one()), stray: ['stray.jar', await jar('stray')] }],
    ],
    [
      'one part in two versions',
      async () => [project({ initial_versions: [initial(), initial({ version_number: '2' })] })],
    ],
    [
      'the same bytes twice',
      async () => {
        const bytes = await jar('twice');
        const versions = [initial(), initial({ file_parts: ['more'], version_number: '2' })];
        return [project({ initial_versions: versions }), { file: ['a.jar', bytes], more: ['b.jar', bytes] }];
      },
    ],
    [
      'bytes of another project',
      async () => {
        const bytes = await jar('stolen');
        expect((await post(project(), { file: ['own.jar', bytes] })).status).toBe(200);
        return [project(), { file: ['stolen.jar', bytes] }];
      },
    ],
    ['a file that is no archive', async () => [project(), { file: ['fake.jar', Buffer.from('not a zip')] }]],
    ['a file with a path', async () => [project(), { file: ['../../evil.jar', await jar('path')] }]],
    [
      'an icon that is no picture',
      async () => [project(), { ...(await one()), icon: ['icon.png', Buffer.from('nothing')] }],
    ],
    [
      'an icon that is too large',
      async () => [project(), { ...(await one()), icon: ['icon.png', Buffer.alloc(262_145)] }],
    ],
    [
      'the same picture twice',
      async () => {
        const bytes = await png('#010203');
        return [
          project({ gallery_items: [item('a'), item('b')] }),
          { ...(await one()), a: ['a.png', bytes], b: ['b.png', bytes] },
        ];
      },
    ],
    [
      'a taken slug',
      async () => {
        const taken = await build.project(database.sql);
        return [project({ slug: taken.slug.toUpperCase() })];
      },
    ],
    [
      'a slug that is an id in lower case',
      async () => {
        const taken = await build.project(database.sql);
        return [project({ slug: taken.id.toLowerCase() })];
      },
    ],
  ])('%s is refused, and nothing is stored', async (_what, make) => {
    const [data, files = await one()] = await make();
    const before = [await rows(), await onDisk(api.services)];
    const answer = await post(data, files);
    expect(answer.status).toBe(400);
    const text = (await answer.json()) as { error: string; description: string };
    expect(['invalid_input', 'invalid_image']).toContain(text.error);
    expect(text.description.length).toBeGreaterThan(10);
    expect([await rows(), await onDisk(api.services)]).toEqual(before);
  });

  it('a body that is not a form, or is cut off, is refused', async () => {
    const before = [await rows(), await onDisk(api.services)];
    const type = { 'content-type': 'multipart/form-data; boundary=edge' };
    const broken = `--edge\r\ncontent-disposition: form-data; name="data"\r\n\r\n${JSON.stringify(project())}\r\n--edge\r\ncontent-disposition: form-data; name="file"; filename="a.jar"\r\n\r\nhalf`;
    for (const [body, headers] of [
      ['{}', { 'content-type': 'application/json' }],
      [broken, type],
      ['', type],
    ] as const) {
      const answer = await api.call('POST', '/v2/project', { token, body, headers });
      expect(answer.status).toBe(400);
    }
    expect([await rows(), await onDisk(api.services)]).toEqual(before);
  });

  it('an organization the user does not belong to is refused', async () => {
    const organization = await build.organization(database.sql);
    const send = async () => await post(project({ organization_id: organization.id }), await one());
    const hidden = await send();
    expect([hidden.status, await hidden.json()]).toMatchObject([
      400,
      { details: { code: 'organization_unknown' } },
    ]);
    // a second member makes it visible
    await build.member(database.sql, organization.team_id, await build.user(database.sql));
    const answer = await send();
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: 'unauthorized', details: { code: 'not_a_member' } });
  });

  it('more than 256 projects of one user are refused', async () => {
    const owner = await build.user(database.sql);
    const own = await build.token(database.sql, owner);
    await database.sql`insert into teams select 'C' || n from generate_series(1, 256) n`;
    await database.sql`
      insert into team_members (team_id, user_id, is_owner, accepted) select 'C' || n, ${owner.id}, true, true
      from generate_series(1, 256) n`;
    await database.sql`
      insert into projects (id, slug, team, title, description, status, license_id, thread_id)
      select 'D' || n, 'many-' || n, 'C' || n, 'Title', 'Text', 'draft', 'MIT', 'T' from generate_series(1, 256) n`;
    const answer = await post(project(), await one(), own);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'limit_reached' });
  });
});
