import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Renderer } from '#db/platform/text/rendered.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

/** Texts in the order in which their rendering began; the test decides when each ends. */
let rendering: Map<string, () => void>;
const slowRenderer: Renderer = {
  render: async (source, { signal } = {}) => {
    await new Promise<void>((resolve) => rendering.set(source, resolve));
    signal?.throwIfAborted();
    return { source, html: `<p>${source}</p>`, version: 1 };
  },
  close: async () => {},
};
const begins = async (source: string) => await expect.poll(() => [...rendering.keys()]).toContain(source);
const end = (source: string) => rendering.get(source)!();

let project: build.BuiltProject;
let version: build.BuiltVersion;
let owner: string;
beforeAll(() => {
  api.services.renderer = slowRenderer;
});
beforeEach(async () => {
  rendering = new Map();
  project = await build.project(database.sql);
  version = await build.version(database.sql, project);
  owner = await build.token(database.sql, project.owner);
});

const routes = [
  ['a body in v2', 'body', () => `/v2/project/${project.id}`, () => `/v2/project/${project.id}`],
  ['a body in v3', 'description', () => `/v3/project/${project.id}`, () => `/v3/project/${project.id}`],
  ['a changelog', 'changelog', () => `/v2/version/${version.id}`, () => `/v2/version/${version.id}`],
] as const;

describe.each(routes)('saving %s', (_what, field, path, readPath) => {
  const save = (text: string, token = owner, signal?: AbortSignal) =>
    api.call('PATCH', path(), { token, json: { [field]: text }, ...(signal ? { signal } : {}) });
  const stored = async () =>
    ((await (await api.call('GET', readPath(), { token: owner })).json()) as Record<string, unknown>)[field];

  test('that started earlier and took longer does not overwrite the later text', async () => {
    const earlier = save('earlier');
    await begins('earlier');
    const later = save('later');
    await begins('later');
    end('later');
    expect((await later).status).toBe(204);
    expect(await stored()).toBe('later');
    end('earlier');
    expect((await earlier).status).toBe(204);
    expect(await stored()).toBe('later');
  });

  test('overwrites a text that was saved during rendering, when its request came later', async () => {
    const earlier = save('earlier');
    await begins('earlier');
    const later = save('later');
    await begins('later');
    end('earlier');
    expect((await earlier).status).toBe(204);
    end('later');
    expect((await later).status).toBe(204);
    expect(await stored()).toBe('later');
  });

  test('aborts the rendering when the client disconnects, and stores nothing', async () => {
    const before = await stored();
    const client = new AbortController();
    const saving = save('abandoned', owner, client.signal);
    await begins('abandoned');
    client.abort();
    end('abandoned');
    expect((await saving).status).toBeGreaterThanOrEqual(400);
    expect(await stored()).toBe(before);
  });

  test('without permission renders nothing', async () => {
    const stranger = await build.token(database.sql, await build.user(database.sql));
    expect((await save('stranger', stranger)).status).toBe(401);
    expect([...rendering.keys()]).toEqual([]);
  });
});
