import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import yazl from 'yazl';
import { clustersBelow } from '#db/platform/postgres/embedded-postgres.ts';
import { cloneWithParts } from './testing/fresh-clone.ts';
import {
  cairn,
  endAll,
  freePort,
  type Product,
  privateFolder,
  processesOf,
  removeFolder,
  start,
} from './testing/product.ts';

/** A new user's first steps: `npm start` in a clone, publish, search, download; then signals and crashes. */
const folder = privateFolder();
const clone = join(folder, 'cairn');
const env: Record<string, string> = {
  ...{ HOME: join(folder, 'home'), LOG_LEVEL: 'warn', HOSTING: 'off' },
  // drawing those of all projects is half of a first start; every kind of picture is drawn in `images.test.ts`
  DEMO_GALLERIES: '24',
};
/** Only a failure waits so long. */
const patience_ms = 5 * 60_000;
let site = '';
let product: Product;
let token = '';

beforeAll(async () => {
  mkdirSync(env.HOME!);
  cloneWithParts(clone);
  env.PORT = String(await freePort());
  site = `http://localhost:${env.PORT}`;
});
afterAll(async () => {
  await endAll(product, folder);
  await removeFolder(folder);
});

const get = async (path: string) => await fetch(`${site}${path}`);
const json = async (path: string) => (await get(path)).json() as Promise<Record<string, unknown>>;

describe('a fresh clone with an empty home folder', () => {
  it('becomes ready and prints its address', async () => {
    product = start(clone, env);
    await product.ready(patience_ms);
    const block = product.output();
    for (const said of [site, 'Accounts', 'Data', 'Stop']) expect(block).toContain(said);
    expect(await json('/readyz')).toMatchObject({ ready: true, search: expect.any(String) });
  });

  it('hides what only developers need', async () => {
    expect((await get('/dev/ui')).status).toBe(404);
    expect(await (await get('/?hl=en-XA')).text()).toContain('<html lang="en-US"');
  });

  it('accepts an archive by token, finds it, displays it and serves it byte for byte', async () => {
    await cairn(
      clone,
      env,
      'user',
      'create',
      '--username',
      'ada',
      '--email',
      'ada@example.org',
      '--password',
      'three-flat-stones',
    );
    token = await cairn(clone, env, 'token', 'create', '--user', 'ada', '--scopes', 'all', '--days', '1');
    const jar = await archive();
    expect((await publish(jar)).status).toBe(200);
    await cairn(clone, env, 'project', 'status', 'first-stone', 'approved');
    await vi.waitFor(async () => {
      const { hits } = (await json('/v2/search?query=first%20sto')) as { hits: Array<{ slug: string }> };
      expect(hits.map(({ slug }) => slug)).toContain('first-stone');
    }, 60_000);
    expect(await (await get('/mod/first-stone')).text()).toContain('The stone every way begins with.');
    expect(sha512(await download())).toBe(sha512(jar));
  });

  it('ends in time after SIGTERM to npm, without leftover processes', async () => {
    await product.end('SIGTERM');
    await nobodyIsLeft();
  });

  it('is ready again with all its data', async () => {
    product = start(clone, env);
    await product.ready(patience_ms);
    expect((await download()).length).toBeGreaterThan(0);
  });

  it('recovers after SIGKILL of the whole process group, with one database and no data loss', async () => {
    const renamed = await fetch(`${site}/v2/project/first-stone`, {
      method: 'PATCH',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'First stone again' }),
    });
    expect(renamed.status).toBe(204);
    await product.end('SIGKILL', 'group');
    product = start(clone, env);
    await product.ready(patience_ms);
    expect(await json('/v2/project/first-stone')).toMatchObject({ title: 'First stone again' });
    expect(servers()).toHaveLength(1);
  });

  it('ends in time after Ctrl+C', async () => {
    await product.end('SIGINT', 'group');
    await nobodyIsLeft();
  });

  it('refuses to expose demo accounts unless configured to', async () => {
    const open = start(clone, { ...env, HOME: env.HOME!, HOST: '0.0.0.0' });
    expect(await open.exited).not.toBe(0);
    expect(open.output()).toMatch(/demo accounts with known passwords.*SEED=demo/);
  });

  it('ends in time after SIGTERM during seeding and building', async () => {
    rmSync(join(clone, 'dist'), { recursive: true });
    const early = start(clone, { ...env, DATA_DIR: join(folder, 'other') });
    await vi.waitFor(() => expect(early.output()).toContain('Building the site'), patience_ms);
    await early.end('SIGTERM');
    await nobodyIsLeft();
  });
});

/** A helper process of a build ends when its pipe closes, shortly after its parent. */
const nobodyIsLeft = () => vi.waitFor(() => expect(left()).toEqual([]), 20_000);
/** Processes of this clone, its database included. */
const left = (): number[] => [...processesOf(clone), ...servers()];
const servers = (): number[] =>
  [join(clone, '.data/postgres'), ...clustersBelow(folder)].flatMap((path) =>
    processesOf(path).filter((pid) => isServer(pid)),
  );
const isServer = (pid: number): boolean => processesOf('bin/postgres').includes(pid);
const sha512 = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('hex');

async function archive(): Promise<Buffer<ArrayBuffer>> {
  const zip = new yazl.ZipFile();
  const manifest = { schemaVersion: 1, id: 'first_stone', version: '1.0.0', name: 'First stone' };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'fabric.mod.json');
  zip.addBuffer(Buffer.alloc(300_000, 'stone'), 'assets/stone.bin', { compress: false });
  zip.end();
  return Buffer.from(await buffer(zip.outputStream));
}

async function publish(jar: Buffer<ArrayBuffer>): Promise<Response> {
  const version = {
    file_parts: ['file'],
    version_number: '1.0.0',
    version_title: 'First',
    dependencies: [],
    game_versions: ['1.21.4'],
    release_channel: 'release',
    loaders: ['fabric'],
    featured: false,
  };
  const project = {
    title: 'First stone',
    slug: 'first-stone',
    description: 'The stone every way begins with.',
    body: '# First stone',
    client_side: 'required',
    server_side: 'optional',
    categories: ['utility'],
    license_id: 'MIT',
    initial_versions: [version],
  };
  const form = new FormData();
  form.append('data', JSON.stringify(project));
  form.append('file', new Blob([jar]), 'first-stone-1.0.0.jar');
  return await fetch(`${site}/v2/project`, { method: 'POST', headers: { authorization: token }, body: form });
}

async function download(): Promise<Uint8Array> {
  const versions = (await (await get('/v2/project/first-stone/version')).json()) as Array<{
    files: Array<{ url: string }>;
  }>;
  return new Uint8Array(await (await fetch(versions[0]!.files[0]!.url)).arrayBuffer());
}
