import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { allOf, kinds, type Stage, stage, statusesOf } from '../testing/projects.ts';
import { onDisk } from '../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
let project: Stage['project'];
let as: Stage['as'];
beforeEach(async () => {
  ({ project, as } = await stage(database));
});

let shade = 0;
const png = async () =>
  await sharp({ create: { width: 400, height: 200, channels: 3, background: `rgb(${++shade}, 9, 9)` } })
    .png({ compressionLevel: 0 })
    .toBuffer();
const path = (query: string, version = 2) => `/v${version}/project/${project.id}/gallery?${query}`;
const add = async (query: string, body: BodyInit, version = 2) =>
  await api.call('POST', path(`ext=png&${query}`, version), { ...as('editor'), body });
const gallery = async (version = 2) => {
  const answer = await api.call('GET', `/v${version}/project/${project.id}`, as('editor'));
  return ((await answer.json()) as { gallery: Array<Record<string, unknown>> }).gallery;
};
const edit = async (url: unknown, query: string, version = 2) =>
  await api.call('PATCH', path(`url=${encodeURIComponent(String(url))}&${query}`, version), as('editor'));

describe.each([
  [2, 'title'],
  [3, 'name'],
] as const)('the gallery in v%i', (version, title) => {
  it('adds, edits and removes an image with its objects', async () => {
    const before = await onDisk(api.services);
    const image = await png();
    const added = await add(
      `featured=true&${title}=Night&description=A%20street&alt=Lamps&ordering=-2`,
      new Uint8Array(image),
      version,
    );
    expect([added.status, await added.text()]).toEqual([204, '']);
    const [shown] = await gallery(version);
    expect(shown).toEqual({
      url: expect.stringContaining('_350.webp'),
      raw_url: expect.stringMatching(/\.png$/),
      featured: true,
      [title]: 'Night',
      description: 'A street',
      alt: 'Lamps',
      ordering: -2,
      created: expect.any(String),
    });
    await add('featured=true', new Uint8Array(await png()), version);
    expect((await gallery(version)).map(({ featured }) => featured)).toEqual([false, true]);

    expect((await edit(shown!.raw_url, `featured=true&${title}=Day&description=`, version)).status).toBe(204);
    const [edited, other] = await gallery(version);
    expect(edited).toMatchObject({ featured: true, [title]: 'Day', description: null, ordering: -2 });
    expect(other!.featured).toBe(false);

    for (const { url } of await gallery(version)) {
      const removed = await api.call(
        'DELETE',
        path(`url=${encodeURIComponent(String(url))}`, version),
        as('editor'),
      );
      expect(removed.status).toBe(204);
    }
    expect(await gallery(version)).toEqual([]);
    expect(await onDisk(api.services)).toEqual(before);
    const events = await database.sql`
      select distinct data from events where project_id = ${project.id} and name = 'project.edited'`;
    expect(events.map(({ data }) => data)).toEqual([{ fields: ['gallery'] }]);
  });
});

describe('gallery refusals', () => {
  it('needs EDIT_DETAILS', async () => {
    const allowed = ['editor', 'organization editor', 'moderator', 'admin'] as const;
    const expected = { ...allOf(401), ...allOf(400, allowed) };
    const url = `url=${encodeURIComponent('http://localhost:4321/data/x')}`;
    expect(await statusesOf((kind) => api.call('PATCH', path(url), as(kind)))).toEqual(expected);
    expect(await statusesOf((kind) => api.call('DELETE', path(url), as(kind)))).toEqual(expected);
    expect(
      await statusesOf((kind) =>
        api.call('POST', path('featured=false&ext=png'), { ...as(kind), body: 'no' }),
      ),
    ).toEqual(expected);
    expect(kinds.length).toBeGreaterThan(allowed.length);
  });

  it('the same bytes twice are 400 and leave the image', async () => {
    const image = new Uint8Array(await png());
    await add('featured=false', image);
    const before = await onDisk(api.services);
    const again = await add('featured=true', image);
    expect([again.status, await again.json()]).toMatchObject([
      400,
      { error: 'request_error', details: { code: 'gallery_picture_repeated' } },
    ]);
    expect(await gallery()).toMatchObject([{ featured: false }]);
    expect(await onDisk(api.services)).toEqual(before);
  });

  it('a full gallery is 401', async () => {
    await database.sql`
      insert into gallery (project_id, key, raw_key)
      select ${project.id}, 'data/x/' || n, 'data/x/' || n from generate_series(1, 64) n`;
    const before = await onDisk(api.services);
    const full = await add('featured=false', new Uint8Array(await png()));
    expect([full.status, await full.json()]).toMatchObject([401, { details: { code: 'gallery_full' } }]);
    expect(await onDisk(api.services)).toEqual(before);
  });

  it('an image of another project is unknown', async () => {
    await add('featured=true', new Uint8Array(await png()));
    const [shown] = await gallery();
    const mine = project;
    const others = await stage(database);
    const url = encodeURIComponent(String(shown!.url));
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await api.call(
        method,
        `/v2/project/${others.project.id}/gallery?featured=false&url=${url}`,
        others.as('admin'),
      );
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { details: { code: 'gallery_picture_unknown' } },
      ]);
    }
    project = mine;
    expect(await gallery()).toMatchObject([{ featured: true }]);
  });

  it.each([
    ['POST', 'ext=png'],
    ['POST', 'ext=svg&featured=true'],
    ['POST', 'ext=png&featured=yes'],
    ['POST', `ext=png&featured=true&title=${'x'.repeat(256)}`],
    ['POST', 'ext=png&featured=true&title=%00'],
    ['POST', 'ext=png&featured=true&ordering=1.5'],
    ['POST', 'ext=png&featured=true&ordering=99999999999'],
    ['POST', 'ext=png&featured=true'],
    ['PATCH', 'title=x'],
    ['PATCH', 'url=%2500'],
    ['PATCH', `url=${encodeURIComponent('http://localhost:4321/%00%ZZ')}`],
    ['DELETE', ''],
    ['DELETE', 'url=nonsense'],
  ])('%s ?%s is 400', async (method, query) => {
    const before = await onDisk(api.services);
    const answer = await api.call(method, path(query), {
      ...as('editor'),
      ...(method === 'POST' ? { body: '<svg xmlns="http://www.w3.org/2000/svg"/>' } : {}),
    });
    expect(answer.status).toBe(400);
    expect(await onDisk(api.services)).toEqual(before);
    expect(await gallery()).toEqual([]);
  });

  it('a missing project is 400', async () => {
    const answer = await api.call('DELETE', '/v3/project/unknown-one/gallery?url=x', as('admin'));
    expect(answer.status).toBe(400);
  });

  it('more than 5 MiB is 400', async () => {
    const answer = await add('featured=true', Buffer.alloc(5 * 1024 * 1024 + 1));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: { code: 'gallery_image_too_large' } },
    ]);
  });
});

it('v3 sets and removes an icon', async () => {
  const call = async (method: string, query = '') =>
    await api.call(method, `/v3/project/${project.id}/icon${query}`, {
      ...as('editor'),
      ...(method === 'PATCH' ? { body: new Uint8Array(await png()) } : {}),
    });
  expect((await call('PATCH', '?ext=png')).status).toBe(204);
  const icon = async () =>
    ((await (await api.call('GET', `/v3/project/${project.id}`)).json()) as { icon_url: unknown }).icon_url;
  expect(await icon()).toMatch(/_96\.webp$/);
  expect((await call('DELETE')).status).toBe(204);
  expect(await icon()).toBeNull();
});
