import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { allOf, type Kind, kinds, type Stage, stage, statusesOf } from '../../testing/projects.ts';
import { onDisk } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

let project: Stage['project'];
let as: Stage['as'];
const made = async (given: build.GivenProject = {}) => {
  ({ project, as } = await stage(database, given));
};
const png = async () =>
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();

describe('the icon', () => {
  beforeEach(async () => await made());
  const allowed: Kind[] = ['editor', 'organization editor', 'moderator', 'admin'];

  it('is set and removed by users who may edit details', async () => {
    const body = new Uint8Array(await png());
    for (const [method, path] of [
      ['PATCH', 'icon?ext=png'],
      ['DELETE', 'icon'],
    ] as const) {
      const found = await statusesOf((kind) =>
        api.call(method, `/v2/project/${project.id}/${path}`, {
          ...as(kind),
          ...(method === 'PATCH' ? { body } : {}),
        }),
      );
      expect(found).toEqual({ ...allOf(401), ...Object.fromEntries(allowed.map((kind) => [kind, 204])) });
      const displayed = (await (await api.call('GET', `/v2/project/${project.id}`)).json()) as {
        icon_url: string | null;
      };
      expect(displayed.icon_url !== null).toBe(method === 'PATCH');
    }
  });

  it.each<[string, string, (() => Promise<Uint8Array>) | null]>([
    ['unknown extension', 'icon?ext=tiff', png],
    ['no extension', 'icon', png],
    ['no bytes', 'icon?ext=png', null],
    ['no picture', 'icon?ext=png', async () => Buffer.from('not a picture')],
    ['too many bytes', 'icon?ext=png', async () => Buffer.alloc(262_145)],
  ])('%s is refused and nothing is stored', async (_what, path, bytes) => {
    const before = await onDisk(api.services);
    const body = bytes ? new Uint8Array(await bytes()) : undefined;
    const answer = await api.call('PATCH', `/v2/project/${project.id}/${path}`, {
      ...as('editor'),
      ...(body ? { body } : {}),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ description: expect.any(String) });
    expect(await onDisk(api.services)).toEqual(before);
  });

  it('of a project that does not exist is 400', async () => {
    expect((await api.call('PATCH', '/v2/project/unknown-slug/icon?ext=png', as('admin'))).status).toBe(400);
    expect((await api.call('DELETE', '/v2/project/unknown-slug/icon', as('admin'))).status).toBe(400);
  });
});

describe('deleting a project', () => {
  it('needs DELETE_PROJECT', async () => {
    for (const kind of kinds) {
      await made();
      const answer = await api.call('DELETE', `/v2/project/${project.slug}`, as(kind));
      const allowed = kind === 'deleter' || kind === 'admin';
      expect(answer.status, kind).toBe(allowed ? 204 : 401);
      expect((await api.call('GET', `/v2/project/${project.id}`)).status).toBe(allowed ? 404 : 200);
    }
  });

  it('that does not exist is 401', async () => {
    await made();
    expect((await api.call('DELETE', '/v2/project/unknown-slug', as('admin'))).status).toBe(401);
  });

  it('deletes its stored objects', async () => {
    await made();
    const body = new Uint8Array(await png());
    await api.call('PATCH', `/v2/project/${project.id}/icon?ext=png`, { ...as('editor'), body });
    expect((await onDisk(api.services)).some((key) => key.includes(project.id))).toBe(true);
    await api.call('DELETE', `/v2/project/${project.id}`, as('deleter'));
    expect((await onDisk(api.services)).some((key) => key.includes(project.id))).toBe(false);
  });

  it('succeeds once the row is deleted: objects that the disk fails to delete are left to the garbage collection', async () => {
    await made();
    const { storage } = api.services;
    const { removeAll } = storage;
    storage.removeAll = async () => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    };
    const answer = await api.call('DELETE', `/v2/project/${project.id}`, as('deleter'));
    storage.removeAll = removeAll;
    expect(answer.status).toBe(204);
    expect((await api.call('GET', `/v2/project/${project.id}`)).status).toBe(404);
  });
});
