import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMessage } from '#db/messages/threads/write.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red', noise } })
  .withExif({ IFD0: { Artist: 'Somebody' } })
  .png()
  .toBuffer();

let owner: build.BuiltUser;
let project: build.BuiltProject;
let version: build.BuiltVersion;
let token: string;
let stranger: string;
beforeEach(async () => {
  const { sql } = database;
  owner = await build.user(sql);
  project = await build.project(sql, { owner });
  version = await build.version(sql, project);
  token = await build.token(sql, owner);
  stranger = await build.token(sql, await build.user(sql));
});

const upload = (query: string, given: { token?: string; body?: BodyInit } = {}) =>
  api.call('POST', `/v3/image?${query}`, {
    headers: { 'content-type': 'image/png' },
    body: png as never,
    token,
    ...given,
  });
const rows = async () => (await database.sql`select 1 from images`).length;

describe('uploading an image', () => {
  it('stores it with a copy without its metadata, and waits for its text', async () => {
    const answer = await upload('ext=png&context=project');
    expect(answer.status).toBe(200);
    const image = (await answer.json()) as { id: string; url: string; size: number };
    expect(image).toEqual({
      id: expect.any(String),
      url: expect.stringMatching(/\/data\/cached_images\/[0-9a-f]{40}_1920\.webp$/),
      // without what it said of the camera
      size: expect.any(Number),
      created: expect.any(String),
      owner_id: owner.id,
      context: 'project',
      project_id: null,
    });
    const [row] = await database.sql`select key, raw_key from images where id = ${image.id}`;
    const { storage } = api.services;
    const copy = await storage.read(row!.key as string);
    const chunks: Buffer[] = [];
    for await (const chunk of copy!) chunks.push(chunk as Buffer);
    const { format, width, exif } = await sharp(Buffer.concat(chunks)).metadata();
    expect([format, width, exif]).toEqual(['webp', 60, undefined]);
    expect((await storage.head(row!.raw_key as string))?.size).toBe(image.size);
    expect(image.size).toBeLessThan(png.length);
  });

  it.each<[string, Scope]>([
    ['project', 'PROJECT_WRITE'],
    ['version', 'VERSION_WRITE'],
    ['thread_message', 'THREAD_WRITE'],
    ['report', 'REPORT_WRITE'],
  ])('for a %s needs %s', async (context, scope) => {
    const only = await build.token(database.sql, owner, [scope]);
    const others: Scope[] = ['PROJECT_WRITE', 'VERSION_WRITE', 'THREAD_WRITE', 'REPORT_WRITE'];
    const without = await build.token(
      database.sql,
      owner,
      others.filter((one) => one !== scope),
    );
    expect((await upload(`ext=png&context=${context}`, { token: only })).status).toBe(200);
    expect((await upload(`ext=png&context=${context}`, { token: without })).status).toBe(401);
    expect(
      (await api.call('POST', `/v3/image?ext=png&context=${context}`, { body: png as never })).status,
    ).toBe(401);
  });

  it('refuses what is no image, too large or for nothing', async () => {
    const before = await rows();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const large = Buffer.concat([png, Buffer.alloc(1_048_577 - png.length)]);
    for (const [query, body] of [
      ['ext=png&context=unknown', png],
      ['ext=png&context=post', png],
      ['ext=png', png],
      ['context=project', png],
      ['ext=svg&context=project', png],
      ['ext=png&context=project', svg],
      ['ext=png&context=project', 'nothing'],
      ['ext=png&context=project', ''],
      ['ext=png&context=project', large],
      ['ext=png&context=report&report_id=-', png],
    ] as const)
      expect([query, (await upload(query, { body: body as never })).status]).toEqual([query, 400]);
    expect(await rows()).toBe(before);
  });
});

describe('an image for an existing item', () => {
  const both = async (query: string) => [
    (await upload(query)).status,
    (await upload(query, { token: stranger })).status,
  ];

  it('of a project or version needs the right to edit its text', async () => {
    expect(await both(`ext=png&context=project&project_id=${project.id}`)).toEqual([200, 401]);
    expect(await both(`ext=png&context=project&project_id=${project.slug}`)).toEqual([200, 401]);
    expect(await both(`ext=png&context=version&version_id=${version.id}`)).toEqual([200, 401]);
    expect(await both('ext=png&context=project&project_id=Nothing1')).toEqual([404, 404]);
    await database.sql`update projects set status = 'draft' where id = ${project.id}`;
    expect(await both(`ext=png&context=project&project_id=${project.id}`)).toEqual([200, 404]);
    expect(await both(`ext=png&context=version&version_id=${version.id}`)).toEqual([200, 404]);
    const member = await build.user(database.sql);
    await build.member(database.sql, project.team, member, { permissions: 4 });
    const weak = await build.token(database.sql, member);
    expect((await upload(`ext=png&context=project&project_id=${project.id}`, { token: weak })).status).toBe(
      401,
    );
    const used = await database.sql`select 1 from images where project_id = ${project.id}`;
    expect(used).toHaveLength(3);
  });

  it('of a message is for who wrote it, of a report also for moderators', async () => {
    const { sql } = database;
    const [row] = await sql`select thread_id from projects where id = ${project.id}`;
    const body = { body: 'Hello', replying_to: null };
    const message = { type: 'text' as const, author_id: owner.id, body };
    const id = await addMessage(sql, row!.thread_id as string, message, new Date());
    expect(await both(`ext=png&context=thread_message&thread_message_id=${id}`)).toEqual([200, 404]);
    const report = { report_type: 'spam', item_type: 'project', item_id: project.id, body: 'Look' };
    const made = (await (await api.call('POST', '/v3/report', { token, json: report })).json()) as {
      id: string;
    };
    expect(await both(`ext=png&context=report&report_id=${made.id}`)).toEqual([200, 404]);
    const moderator = await build.token(sql, await build.user(sql, { role: 'moderator' }));
    const byModerator = async (query: string) =>
      (await upload(`ext=png&context=${query}`, { token: moderator })).status;
    expect(await byModerator(`thread_message&thread_message_id=${id}`)).toBe(401);
    expect(await byModerator(`report&report_id=${made.id}`)).toBe(200);
  });
});

it('belongs to the one report that names it', async () => {
  const image = (await (await upload('ext=png&context=version')).json()) as { id: string };
  const claim = async (uploaded_images: string[]) =>
    await api.call('POST', '/v2/report', {
      token,
      json: { report_type: 'spam', item_type: 'project', item_id: project.id, body: 'x', uploaded_images },
    });
  expect((await claim([image.id])).status).toBe(400);
  const fitting = (await (await upload('ext=png&context=report')).json()) as { id: string };
  expect((await claim([fitting.id])).status).toBe(200);
  expect((await claim([fitting.id])).status).toBe(400);
});

it('stays with the text of a project and changelog of a version as long as they show it', async () => {
  const used = async () =>
    (await database.sql`select context from images where owner_id = ${owner.id} order by context`).map(
      (row) => row.context as string,
    );
  const urlOf = async (context: string) =>
    ((await (await upload(`ext=png&context=${context}`)).json()) as { url: string }).url;
  const patch = (path: string, json: object) => api.call('PATCH', `/v2/${path}`, { token, json });
  const [body, changelog] = [`![](${await urlOf('project')})`, `![](${await urlOf('version')})`];
  expect((await patch(`project/${project.id}`, { body })).status).toBe(204);
  expect((await patch(`version/${version.id}`, { changelog })).status).toBe(204);
  const bound =
    await database.sql`select project_id, version_id from images where owner_id = ${owner.id} order by context`;
  expect(bound).toEqual([
    { project_id: project.id, version_id: null },
    { project_id: null, version_id: version.id },
  ]);
  expect(
    (await patch(`project/${project.id}`, { body: `${body} and more`, title: 'Another title' })).status,
  ).toBe(204);
  expect((await patch(`project/${project.id}`, { title: 'A third title' })).status).toBe(204);
  expect(await used()).toEqual(['project', 'version']);
  expect((await patch(`project/${project.id}`, { body: 'Without' })).status).toBe(204);
  expect(await used()).toEqual(['version']);
  expect((await patch(`version/${version.id}`, { changelog: 'Without' })).status).toBe(204);
  expect(await used()).toEqual([]);
});

it.each([2, 3])('is used by the project or version whose edit in v%i names it', async (api_version) => {
  const named = async (path: string, uploaded_images: string[], who = token) =>
    (await api.call('PATCH', `/v${api_version}/${path}`, { token: who, json: { uploaded_images } })).status;
  for (const [path, context] of [
    [`project/${project.id}`, 'project'],
    [`version/${version.id}`, 'version'],
  ] as const) {
    const { id } = await build.image(database.sql, owner, { context });
    expect(await named(path, [id], stranger)).toBe(401);
    expect(await named(path, ['Nothing1'])).toBe(400);
    expect(await named(path, [id])).toBe(204);
    const [row] = await database.sql`select project_id, version_id from images where id = ${id}`;
    expect(row![`${context}_id`]).toBe(context === 'project' ? project.id : version.id);
  }
});
