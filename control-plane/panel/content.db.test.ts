import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeViews } from '#db/hosting/servers/changes/read.ts';
import type { ContentItem } from '#db/hosting/servers/content/view.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import {
  type BuiltProject,
  type BuiltVersion,
  type GivenVersion,
  project,
  version,
} from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { ofKind } from '../testing/backups.ts';
import { closeClients } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  startControlPlane,
  type TestControlPlane,
} from '../testing/plane.ts';
import { applyContent } from '../testing/scripted-content.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-content-'));
const storage = diskStorage(folder);
let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startControlPlane(database.sql, 0, undefined, { storage });
});
afterAll(async () => {
  closeClients();
  await plane.close();
  rmSync(folder, { recursive: true, force: true });
});

const sha512 = (content: string | Buffer) => createHash('sha512').update(content).digest('hex');
const game_versions = ['1.16.5'];

/** A server with this loader. */
async function rent(loader: string | null = 'fabric'): Promise<RentedServer> {
  const renter = await rentServer(database.sql, plane.url);
  await database.sql`update servers set loader = ${loader} where id = ${renter.id}`;
  return renter;
}

/** A version whose file is stored. */
async function published(
  of: BuiltProject,
  content: string | Buffer,
  {
    filename = `${of.slug}-${sha512(content).slice(0, 6)}.jar`,
    ...given
  }: Omit<GivenVersion, 'files'> & { filename?: string } = {},
): Promise<BuiltVersion> {
  const bytes = Buffer.from(content);
  const files = [{ filename, size: bytes.length, sha512: sha512(bytes) }];
  const built = await version(database.sql, of, { game_versions, ...given, files });
  const key = versionFileKey(of.id, built.id, filename);
  await storage.put(
    key,
    await storage.stage(
      (async function* () {
        yield bytes;
      })(),
    ),
  );
  return built;
}
const mod = (given: Parameters<typeof project>[1] = {}) => project(database.sql, given);

// biome-ignore lint/suspicious/noExplicitAny: answers of all requests, whose fields are what the tests are about
type Anything = any;

/** What a request is answered; a refusal as its code. */
async function ask(renter: RentedServer, event: string, message: object = {}): Promise<Anything> {
  const answer: Anything = await renter.screen.request(
    event as never,
    { server_id: renter.id, ...message } as never,
  );
  return answer.ok ? answer : { error: answer.error, description: answer.description };
}
const list = async (renter: RentedServer) => ask(renter, 'content.list');
/** Requests a change of the content as it is now. */
async function change(renter: RentedServer, event: string, message: object): Promise<Anything> {
  const { revision } = await list(renter);
  return await ask(renter, event, { op_id: randomUUID(), revision, ...message });
}
const put = ({ runner }: RentedServer, path: string, content: string) =>
  void runner.files.files.set(path, Buffer.from(content));
const has = ({ runner }: RentedServer) => [...runner.files.files.keys()].sort();

describe('content of a server', () => {
  it('is recognised by its hashes, with newer versions that fit', async () => {
    const renter = await rent();
    const known = await mod({ title: 'Lantern' });
    const old = await published(known, 'lantern 1', {
      version_number: '1',
      date_published: new Date('2025-01-01'),
    });
    const newer = await published(known, 'lantern 2', {
      version_number: '2',
      date_published: new Date('2025-02-01'),
    });
    await published(known, 'lantern 3', {
      date_published: new Date('2025-03-01'),
      game_versions: ['1.21.4'],
    });
    await published(known, 'lantern 4', { date_published: new Date('2025-03-01'), loaders: ['forge'] });
    const wrong = await published(await mod(), 'for forge', { loaders: ['forge'] });
    const late = await published(await mod(), 'for later', { game_versions: ['1.21.4'] });
    const hidden = await mod({ status: 'withheld' });
    await published(hidden, 'hidden');
    const own = await mod({ status: 'private', owner: renter.owner });
    await published(own, 'private');
    put(renter, 'mods/a.jar', 'lantern 1');
    put(renter, 'mods/b.jar.disabled', 'for forge');
    put(renter, 'mods/c.jar', 'for later');
    put(renter, 'mods/d.jar', 'hidden');
    put(renter, 'mods/e.jar', 'nobody knows');
    put(renter, 'mods/f.jar', 'private');
    put(renter, 'mods/notes.txt', 'x');
    put(renter, 'server.properties', 'level-name=valley\n');
    put(renter, 'valley/datapacks/g.zip', 'pack');
    const { content, types, pack, more } = await list(renter);
    expect({ types, pack, more }).toEqual({ types: ['mod', 'datapack'], pack: null, more: 0 });
    const shown = (content as ContentItem[]).map((one) => [
      one.path,
      one.type,
      one.enabled,
      one.project?.id ?? null,
      one.version?.id ?? null,
      one.update?.id ?? null,
      one.problem,
    ]);
    expect(shown).toEqual([
      ['mods/a.jar', 'mod', true, known.id, old.id, newer.id, null],
      ['mods/b.jar.disabled', 'mod', false, wrong.project_id, wrong.id, null, 'wrong_loader'],
      ['mods/c.jar', 'mod', true, late.project_id, late.id, null, 'wrong_game_version'],
      ['mods/d.jar', 'mod', true, null, null, null, null],
      ['mods/e.jar', 'mod', true, null, null, null, null],
      ['mods/f.jar', 'mod', true, own.id, expect.any(String), null, null],
      ['valley/datapacks/g.zip', 'datapack', true, null, null, null, null],
    ]);
  });

  it('installs a mod with what it needs, from the storage', async () => {
    const renter = await rent();
    await running(renter);
    const library = await mod({ title: 'Library' });
    const lib = await published(library, 'library');
    const wanted = await mod({ title: 'Wanted' });
    // each needs the other: a cycle ends
    await database.sql`insert into dependencies ${database.sql({ version_id: lib.id, project_id: wanted.id, dependency_type: 'required' })}`;
    const main = await published(wanted, 'wanted', { dependencies: [{ project_id: library.id }] });
    const { plan } = await ask(renter, 'content.plan', { items: [{ project_id: wanted.slug }] });
    expect(plan).toMatchObject({
      add: [
        { version: { id: main.id }, needed_by: null, replaces: null },
        { version: { id: lib.id }, needed_by: 'Wanted', bytes: 7 },
      ],
      skipped: [],
      bytes: 13,
    });
    const request = { op_id: randomUUID(), revision: plan.revision, versions: [main.id, lib.id] };
    const { change: begun } = await ask(renter, 'content.install', request);
    expect(begun).toMatchObject({ kind: 'install', step: 'applying', count: 2, undoable: false });
    const { change: again } = await ask(renter, 'content.install', request);
    expect(again.id).toBe(begun.id);
    await applyContent(renter);
    await expect
      .poll(async () => (await list(renter)).changes[0])
      .toMatchObject({ step: 'done', undoable: true });
    const { content, changes } = await list(renter);
    expect(content.map((one: ContentItem) => one.version?.id).sort()).toEqual([main.id, lib.id].sort());
    expect(changes[0].items).toEqual([
      { title: 'Wanted', from: null, to: '1.0.0' },
      { title: 'Library', from: null, to: '1.0.0' },
    ]);
    const undo = await ask(renter, 'content.undo', { op_id: randomUUID(), change_id: begun.id });
    expect(undo.change).toMatchObject({ kind: 'undo', step: 'applying' });
    expect((await ofKind(renter, 'content_undo')).args).toMatchObject({ change_id: begun.id });
  });

  it('says what would fit when nothing does, and what is missing', async () => {
    const renter = await rent();
    const forge = await mod({ title: 'Forge only' });
    const forForge = await published(forge, 'f', { loaders: ['forge'] });
    const later = await mod();
    await published(later, 'l', { game_versions: ['1.21.4', '1.20.2'] });
    const shader = await mod();
    await published(shader, 's', { loaders: ['iris'] });
    const client = await mod();
    await published(client, 'c', { environment: 'client_only' });
    const hidden = await mod({ status: 'withheld', title: 'Secret' });
    await published(hidden, 'h');
    const lacking = await mod({ title: 'Lacking' });
    await published(lacking, 'la', { dependencies: [{ project_id: hidden.id }, { project_id: forge.id }] });
    const items = [forge, later, shader, client, lacking].map(({ id: project_id }) => ({ project_id }));
    const { plan } = await ask(renter, 'content.plan', { items });
    expect(plan.add.map((one: Anything) => one.project.id)).toEqual([lacking.id]);
    const skipped = plan.skipped.map((one: Anything) => [
      one.project?.id ?? null,
      one.problem,
      one.needed_by,
      one.fits,
    ]);
    expect(skipped).toEqual(
      expect.arrayContaining([
        [forge.id, 'wrong_loader', null, { loaders: ['forge'], game_versions: [] }],
        [later.id, 'wrong_game_version', null, { loaders: ['fabric'], game_versions: ['1.21.4', '1.20.2'] }],
        [shader.id, 'not_supported', null, expect.anything()],
        [client.id, 'client_only', null, null],
        [null, 'missing', 'Lacking', null],
        [forge.id, 'wrong_loader', 'Lacking', { loaders: ['forge'], game_versions: [] }],
      ]),
    );
    expect(JSON.stringify(plan)).not.toContain('Secret');
    expect(await change(renter, 'content.install', { versions: [forForge.id] })).toEqual({
      error: 'content_wrong_loader',
      description: expect.stringContaining('It works with: forge.'),
    });
    expect(await ask(renter, 'content.plan', { items: [{ project_id: hidden.id }] })).toMatchObject({
      error: 'not_found',
    });
    expect(renter.runner.operations).toEqual([]);
  });

  it('leaves out what its author calls incompatible, and never overwrites a foreign file', async () => {
    const renter = await rent();
    const there = await mod({ title: 'There' });
    await published(there, 'there');
    put(renter, 'mods/there.jar', 'there');
    const enemy = await mod();
    const dependencies = [{ project_id: there.id, dependency_type: 'incompatible' }];
    await published(enemy, 'enemy', { dependencies });
    const items = [{ project_id: enemy.id }];
    expect((await ask(renter, 'content.plan', { items })).plan).toMatchObject({
      add: [],
      skipped: [{ project: { id: enemy.id }, problem: 'conflict', needed_by: 'There' }],
    });
    const other = await published(await mod(), 'other', { filename: 'mine.jar' });
    put(renter, 'mods/mine.jar', 'something else');
    expect(await change(renter, 'content.install', { versions: [other.id] })).toMatchObject({
      error: 'content_path_taken',
      description: expect.stringContaining('mods/mine.jar'),
    });
  });

  it('updates, switches and removes files, one after the other', async () => {
    const renter = await rent();
    const of = await mod({ title: 'Stone' });
    await published(of, 'stone 1', { version_number: '1', date_published: new Date('2025-01-01') });
    const lib = await mod();
    const needed = await published(lib, 'stone library');
    const two = await published(of, 'stone 2', {
      ...{ version_number: '2', date_published: new Date('2025-02-01') },
      dependencies: [{ project_id: lib.id }],
    });
    put(renter, 'mods/stone.jar.disabled', 'stone 1');
    const { plan } = await ask(renter, 'content.update_plan', { paths: null });
    expect(plan.add).toMatchObject([
      {
        version: { id: two.id },
        replaces: 'mods/stone.jar.disabled',
        from: { version_number: '1' },
        path: expect.stringMatching(/\.disabled$/),
      },
      { version: { id: needed.id }, replaces: null },
    ]);
    const updates = plan.add.map((one: Anything) => ({ path: one.replaces, version_id: one.version.id }));
    await change(renter, 'content.update', { updates });
    await applyContent(renter);
    await expect.poll(async () => (await list(renter)).changes[0].step).toBe('done');
    expect(has(renter)).toEqual([plan.add[0].path, plan.add[1].path].sort());
    const toggled = await change(renter, 'content.toggle', { paths: [plan.add[0].path], enabled: true });
    const { move } = await applyContent(renter, toggled.change.id);
    expect(move).toEqual([{ from: plan.add[0].path, to: plan.add[0].path.replace('.disabled', '') }]);
    await expect.poll(async () => (await list(renter)).changes[0].step).toBe('done');
    expect(await change(renter, 'content.toggle', { paths: [move[0]!.to], enabled: true })).toMatchObject({
      error: 'content_unchanged',
    });
    expect(await change(renter, 'content.remove', { paths: ['mods/none.jar'] })).toMatchObject({
      error: 'file_not_found',
    });
    const removed = await change(renter, 'content.remove', { paths: [move[0]!.to] });
    expect(removed.change).toMatchObject({
      kind: 'remove',
      items: [{ title: 'Stone', from: '2', to: null }],
    });
  });

  it('lets one of two people who change it at once go first', async () => {
    const renter = await rent();
    put(renter, 'mods/a.jar', 'a');
    put(renter, 'mods/b.jar', 'b');
    const { revision } = await list(renter);
    const remove = (path: string) =>
      ask(renter, 'content.remove', { op_id: randomUUID(), revision, paths: [path] });
    const first = await remove('mods/a.jar');
    expect(await remove('mods/b.jar')).toMatchObject({ error: 'server_busy' });
    await applyContent(renter, first.change.id);
    await expect.poll(async () => (await list(renter)).changes[0].step).toBe('done');
    expect(await remove('mods/b.jar')).toMatchObject({ error: 'content_changed' });
    // changed by hand after the plane looked: the agent refuses
    const second = await change(renter, 'content.remove', { paths: ['mods/b.jar'] });
    put(renter, 'mods/c.jar', 'c');
    await applyContent(renter, second.change.id);
    await expect
      .poll(async () => (await list(renter)).changes[0])
      .toMatchObject({ step: 'failed', error: { code: 'content_changed' } });
    expect(has(renter)).toEqual(['mods/b.jar', 'mods/c.jar']);
  });

  it('changes nothing when a file is not what the catalogue says', async () => {
    const renter = await rent();
    const built = await published(await mod(), 'as it was');
    await database.sql`update files set sha512 = ${sha512('as it is not')} where version_id = ${built.id}`;
    const { change: begun } = await change(renter, 'content.install', { versions: [built.id] });
    await applyContent(renter, begun.id);
    await expect
      .poll(async () => (await list(renter)).changes[0])
      .toMatchObject({ step: 'failed', error: { code: 'content_hash_wrong' } });
    expect(has(renter)).toEqual([]);
  });

  it('serves only what was granted, and only while the change goes on', async () => {
    const renter = await rent();
    const built = await published(await mod(), 'granted');
    await published(await mod(), 'not granted');
    const { change: begun } = await change(renter, 'content.install', { versions: [built.id] });
    const { get } = (await ofKind(renter, 'content_apply')).args as { get: string };
    const fetched = (file: string, from = get) => fetch(`${plane.url}${from}&file=${file}`);
    const good = await fetched(sha512('granted'));
    expect([good.status, good.headers.get('content-length'), await good.text()]).toEqual([
      200,
      '7',
      'granted',
    ]);
    const refused = await fetched(sha512('not granted'));
    expect([refused.status, await refused.json()]).toEqual([
      expect.any(Number),
      expect.objectContaining({ error: 'ticket_invalid' }),
    ]);
    expect((await fetched('', '/transfers?content=wrong')).status).not.toBe(200);
    expect((await fetched('%00')).status).toBeLessThan(500);
    await storage.remove(versionFileKey(built.project_id, built.id, built.files[0]!.filename));
    expect((await fetched(sha512('granted'))).status).toBe(404);
    await applyContent(renter, begun.id);
    await expect.poll(async () => (await changeViews(database.sql, renter.id))[0]?.step).toBe('failed');
    expect(await (await fetched(sha512('granted'))).json()).toMatchObject({ error: 'ticket_invalid' });
  });

  it('is not shown to others', async () => {
    const renter = await rent();
    const stranger = await rent();
    expect(await ask({ ...stranger, id: renter.id }, 'content.list')).toMatchObject({
      error: 'server_not_found',
    });
  });
});

describe('modpacks', () => {
  const lithium = 'lithium';
  async function packOf(
    of: BuiltProject,
    files: Record<string, string>,
    given: {
      number: string;
      game?: string;
      overrides?: Record<string, string>;
      foreign?: string[];
      client?: string[];
    },
  ) {
    const { number, game = '1.16.5', overrides = {}, foreign = [], client = [] } = given;
    const index = {
      ...{ game: 'minecraft', formatVersion: 1, versionId: number, name: 'Pack', summary: null },
      files: Object.entries(files).map(([path, content]) => ({
        ...{ path, fileSize: content.length },
        hashes: { sha1: createHash('sha1').update(content).digest('hex'), sha512: sha512(content) },
        env: { client: 'required', server: client.includes(path) ? 'unsupported' : 'required' },
        downloads: foreign.includes(path) ? ['https://cdn.modrinth.com/a.jar'] : [],
      })),
      dependencies: { minecraft: game, 'fabric-loader': '0.16.9' },
    };
    const zip = await zipOf({ 'modrinth.index.json': JSON.stringify(index), ...overrides });
    return await published(of, zip, {
      filename: `pack-${number}.mrpack`,
      version_number: number,
      loaders: ['mrpack'],
      mrpack_loaders: ['fabric'],
      game_versions: [game],
      date_published: new Date(`2025-0${number}-01`),
    });
  }

  it('change loader and files, keep what they brought, and say what is lost', async () => {
    const renter = await rent(null);
    const lib = await mod({ title: 'Lithium' });
    await published(lib, lithium);
    await published(lib, `${lithium} 2`);
    const of = await mod({ title: 'Pack', project_types: ['modpack'] });
    const one = await packOf(
      of,
      { 'mods/lithium.jar': lithium, 'mods/far.jar': 'far', 'mods/hud.jar': 'hud' },
      {
        number: '1',
        overrides: { 'overrides/config/a.txt': 'a', 'client-overrides/b.txt': 'b' },
        foreign: ['mods/far.jar', 'mods/hud.jar'],
        client: ['mods/hud.jar'],
      },
    );
    const two = await packOf(of, { 'mods/lithium-2.jar': `${lithium} 2` }, { number: '2' });
    put(renter, 'config/a.txt', 'my own');
    const { plan } = await ask(renter, 'content.pack_plan', { project_id: of.id, version_id: one.id });
    expect(plan).toMatchObject({
      loader: { game_version: '1.16.5', loader: 'fabric', loader_version: '0.16.9' },
      ...{ added: 2, replaced: 1, removed_count: 0, lost: ['config/a.txt'], lost_count: 1, client_only: 1 },
      foreign: [{ host: 'cdn.modrinth.com', count: 1 }],
    });
    const install = async (version_id: string, revision: string) =>
      await ask(renter, 'content.pack_install', {
        op_id: randomUUID(),
        revision,
        version_id,
        backup: false,
        stop: true,
      });
    const first = await install(one.id, plan.revision);
    const args = await applyContent(renter, first.change.id);
    expect(args).toMatchObject({
      add: [
        { path: 'mods/lithium.jar', urls: [] },
        { path: 'mods/far.jar', urls: ['https://cdn.modrinth.com/a.jar'] },
      ],
      archive: { folders: ['overrides'] },
    });
    await expect
      .poll(async () => (await list(renter)).pack)
      .toMatchObject({ version: { id: one.id }, update: { id: two.id } });
    const { content } = await list(renter);
    expect(content.map((item: ContentItem) => [item.path, item.from_pack])).toEqual([
      ['mods/far.jar', true],
      ['mods/lithium.jar', true],
    ]);
    put(renter, 'mods/own.jar', 'own');
    const next = (await ask(renter, 'content.pack_plan', { project_id: of.slug })).plan;
    expect(next).toMatchObject({
      ...{ version: { id: two.id }, loader: null, added: 1, replaced: 0 },
      removed: expect.arrayContaining(['mods/lithium.jar', 'mods/far.jar', 'config/a.txt']),
      removed_count: 3,
      // the scripted agent wrote other bytes than the index says
      lost: ['mods/far.jar'],
    });
    const { comparison } = await ask(renter, 'content.compare', { version_id: two.id });
    expect(comparison.rows).toEqual([
      { title: 'Lithium', client: '1.0.0', server: '1.0.0', state: 'different' },
      expect.objectContaining({ title: 'far.jar', state: 'only_on_server' }),
      expect.objectContaining({ title: 'own.jar', client: null, state: 'only_on_server' }),
    ]);
    const second = await install(two.id, next.revision);
    expect(second.change.items).toEqual([{ title: 'Pack', from: '1', to: '2' }]);
    await applyContent(renter, second.change.id);
    await expect.poll(async () => (await list(renter)).pack?.version.id).toBe(two.id);
    expect(has(renter)).toEqual(['mods/lithium-2.jar', 'mods/own.jar']);
  });

  it('are offered in their newest version that the server can become', async () => {
    const renter = await rent(null);
    const of = await mod({ title: 'Ahead', project_types: ['modpack'] });
    const old = await packOf(of, { 'mods/a.jar': 'old' }, { number: '1', foreign: ['mods/a.jar'] });
    await packOf(of, { 'mods/a.jar': 'new' }, { number: '2', game: '26.2', foreign: ['mods/a.jar'] });
    const { plan } = await ask(renter, 'content.pack_plan', { project_id: of.id });
    expect(plan.version.id).toBe(old.id);
    const install = { op_id: randomUUID(), revision: plan.revision, version_id: old.id };
    const { change: begun } = await ask(renter, 'content.pack_install', {
      ...install,
      ...{ backup: false, stop: true },
    });
    await applyContent(renter, begun.id);
    await expect
      .poll(async () => (await list(renter)).pack)
      .toMatchObject({ version: { id: old.id }, update: null });
    const never = await mod({ title: 'Only ahead', project_types: ['modpack'] });
    await packOf(never, { 'mods/b.jar': 'b' }, { number: '3', game: '26.2', foreign: ['mods/b.jar'] });
    expect(await ask(renter, 'content.pack_plan', { project_id: never.id })).toMatchObject({
      error: 'server_version_unknown',
    });
  });

  it('refuse what cannot be installed', async () => {
    const renter = await rent();
    const of = await mod();
    const lacking = await packOf(of, { 'mods/x.jar': 'x' }, { number: '1' });
    const plan = (version_id: string, project_id = of.id) =>
      ask(renter, 'content.pack_plan', { project_id, version_id });
    expect(await plan(lacking.id)).toMatchObject({ error: 'pack_file_unavailable' });
    const unsafe = await packOf(
      of,
      { 'mods/x.jar': 'x' },
      { number: '2', foreign: ['mods/x.jar'], overrides: { 'overrides/.cairn/x': 'x' } },
    );
    expect(await plan(unsafe.id)).toMatchObject({ error: 'mrpack_path_unsafe' });
    const broken = await published(of, 'no zip', { filename: 'a.mrpack', loaders: ['mrpack'] });
    expect(await plan(broken.id)).toMatchObject({ error: 'archive_unreadable' });
    const plain = await mod();
    const jar = await published(plain, 'a mod');
    expect(await plan(jar.id, plain.id)).toMatchObject({ error: 'pack_not_modpack' });
    expect(await plan(jar.id)).toMatchObject({ error: 'version_of_other_project' });
  });
});
