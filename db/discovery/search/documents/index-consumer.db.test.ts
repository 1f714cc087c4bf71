import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { transferTeam } from '../../../catalogue/members/write.ts';
import {
  addProject,
  removeProject as removeFromOrganization,
} from '../../../catalogue/organizations/project-moves.ts';
import { removeOrganization } from '../../../catalogue/organizations/write.ts';
import { type Status, statuses } from '../../../catalogue/projects/rules.ts';
import { runConsumers } from '../../../platform/events/consumer.ts';
import { cursorOf } from '../../../platform/events/read.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import type { Query, SearchDocument, SearchIndex } from '../engine.ts';
import { postgresEngine } from '../postgres/engine.ts';
import { syncIndex as allRead, readable } from '../testing/contract/caught-up.ts';
import { documentsOf } from './documents.ts';
import { indexConsumer } from './index-consumer.ts';

const database = testDatabase();
let engine: SearchIndex;
let reader: ReturnType<typeof indexConsumer>;

const titled = async (text: string, filter: Query['filter'] = null): Promise<string[]> =>
  (await engine.search({ text, filter, sort: 'relevance', offset: 0, limit: 100 })).ids;
const caughtUp = () => allRead(database.sql, reader);
const document = async (id: string): Promise<SearchDocument | undefined> =>
  (await documentsOf(database.sql, [id]))[0];

describe('the index consumer', () => {
  beforeAll(() => {
    engine = postgresEngine(database.sql);
    reader = indexConsumer(database.sql, engine);
  });
  afterEach(caughtUp);

  it('starts with all existing projects', async () => {
    const { sql } = database;
    const fields = await build.project(sql, { title: 'Older Lantern' });
    await build.project(sql, { title: 'Hidden Lantern', status: 'draft' });
    expect(await cursorOf(sql, 'search')).toBeNull();
    expect(await reader.step()).toBe(1);
    expect(await titled('lantern')).toEqual([fields.id]);
    expect(await reader.step()).toBe(0);
  });

  it('indexes an approval, a new title, a new version and an unlisting', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Windmill', status: 'processing' });
    await recordEvent(sql, { name: 'project.created', project_id: project.id, data: { status: 'approved' } });
    await caughtUp();
    expect(await titled('windmill')).toEqual([]);

    await sql`update projects set status = 'approved' where id = ${project.id}`;
    await recordEvent(sql, {
      name: 'project.moved',
      project_id: project.id,
      data: { from: 'draft', to: 'approved' },
    });
    await caughtUp();
    expect(await titled('windmill')).toEqual([project.id]);

    await sql`update projects set title = 'Watermill' where id = ${project.id}`;
    await recordEvent(sql, { name: 'project.edited', project_id: project.id });
    await caughtUp();
    expect(await titled('windmill')).toEqual([]);
    expect(await titled('watermill')).toEqual([project.id]);

    const forge = { key: 'categories', op: '=' as const, value: 'forge' };
    expect(await titled('watermill', forge)).toEqual([]);
    const { id: version_id } = await build.version(sql, project, { loaders: ['forge'] });
    await recordEvent(sql, {
      name: 'version.published',
      project_id: project.id,
      version_id,
      data: { status: 'listed', version_number: '1.0.0', version_type: 'release' },
    });
    await caughtUp();
    expect(await titled('watermill', forge)).toEqual([project.id]);

    await sql`update projects set status = 'unlisted' where id = ${project.id}`;
    await recordEvent(sql, {
      name: 'project.moved',
      project_id: project.id,
      data: { from: 'draft', to: 'approved' },
    });
    await caughtUp();
    expect(await titled('watermill')).toEqual([]);
  });

  it('removes a deleted project', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Ephemeral' });
    await recordEvent(sql, { name: 'project.edited', project_id: project.id });
    await caughtUp();
    await sql`delete from projects where id = ${project.id}`;
    await recordEvent(sql, { name: 'project.deleted', project_id: project.id });
    await caughtUp();
    expect(await titled('ephemeral')).toEqual([]);
  });

  it('updates the author of every project of a user and of the organizations they own', async () => {
    const { sql } = database;
    const owner = await build.user(sql, { username: 'before-name' });
    const organization = await build.organization(sql, { owner, name: 'House of Before' });
    const own = await build.project(sql, { owner });
    const ours = await build.project(sql, { owner, organization });
    for (const { id } of [own, ours]) await recordEvent(sql, { name: 'project.edited', project_id: id });
    await caughtUp();
    const by = (name: string) => titled('', { key: 'author', op: '=', value: name });
    expect(new Set(await by('before-name'))).toEqual(new Set([own.id, ours.id]));

    await sql`update users set username = 'After-Name' where id = ${owner.id}`;
    await recordEvent(sql, { name: 'user.renamed', user_id: owner.id });
    await caughtUp();
    expect(await by('before-name')).toEqual([]);
    expect(new Set(await by('after-name'))).toEqual(new Set([own.id, ours.id]));

    await sql`update organizations set name = 'House of After' where id = ${organization.id}`;
    await recordEvent(sql, { name: 'organization.edited', organization_id: organization.id });
    await caughtUp();
    expect(await titled('', { key: 'organization', op: '=', value: 'house of after' })).toEqual([ours.id]);

    const heir = await build.user(sql, { username: 'heir' });
    await sql`update team_members set user_id = ${heir.id} where team_id = ${own.team} and is_owner`;
    await recordEvent(sql, { name: 'team.changed', team_id: own.team });
    await caughtUp();
    expect(await by('heir')).toEqual([own.id]);
    expect(await by('after-name')).toEqual([ours.id]);
  });

  it('follows projects into organizations, to new owners and out again', async () => {
    const { sql } = database;
    const maker = await build.user(sql, { username: 'the-maker' });
    const house = await build.organization(sql, { owner: await build.user(sql, { username: 'the-head' }) });
    await build.member(sql, house.team_id, maker, { organization_permissions: 255 });
    const project = await build.project(sql, { owner: maker });
    const actor = build.actorFor(maker);
    const place = { organization_id: house.id, project_id: project.id };
    const author = async () => {
      await caughtUp();
      const names = ['the-maker', 'the-head'];
      const found = await Promise.all(names.map((value) => titled('', { key: 'author', op: '=', value })));
      return names.filter((_, position) => found[position]!.includes(project.id));
    };
    await sql.begin((tx) => addProject(tx, actor, place));
    expect(await author()).toEqual(['the-head']);
    await sql.begin((tx) => transferTeam(tx, build.actorFor(house.owner), house.team_id, maker.id));
    expect(await author()).toEqual(['the-maker']);
    await sql.begin((tx) => removeFromOrganization(tx, actor, { ...place, new_owner: house.owner.id }));
    expect(await author()).toEqual(['the-head']);
    await build.member(sql, project.team, maker, { permissions: 1 });
    await sql.begin((tx) => transferTeam(tx, build.actorFor(house.owner), project.team, maker.id));
    expect(await author()).toEqual(['the-maker']);
    await build.member(sql, house.team_id, await build.user(sql));
    await sql.begin((tx) => addProject(tx, actor, place));
    expect(await author()).toEqual(['the-maker']);
    await sql.begin((tx) => removeOrganization(tx, actor, house.id));
    expect(await author()).toEqual(['the-maker']);
    expect((await document(project.id))?.organization).toBeNull();
    expect(await titled('', { key: 'organization', op: '=', value: `organization ${house.id}` })).toEqual([]);
  });

  it('updates counters without rebuilding documents', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Counted' });
    await recordEvent(sql, { name: 'project.edited', project_id: project.id });
    await caughtUp();
    await sql`update projects set downloads = 77, followers = 5, title = 'Not yet told' where id = ${project.id}`;
    await recordEvent(sql, { name: 'project.counted', data: { project_ids: [project.id] } });
    await caughtUp();
    const found = await engine.search({
      text: 'counted',
      filter: null,
      sort: 'relevance',
      offset: 0,
      limit: 1,
    });
    expect(await engine.hits(found, 2, database.settings)).toMatchObject([
      { title: 'Counted', downloads: 77, follows: 5 },
    ]);
  });

  it('indexes a load that names its projects, and rebuilds for one that does not', async () => {
    const { sql } = database;
    const named = await build.project(sql, { title: 'Loaded by name' });
    await recordEvent(sql, { name: 'catalogue.loaded', data: { project_ids: [named.id] } });
    await caughtUp();
    expect(await titled('loaded')).toEqual([named.id]);
    const unnamed = await build.project(sql, { title: 'Loaded in bulk' });
    await recordEvent(sql, { name: 'catalogue.loaded', data: { projects: 1 } });
    await caughtUp();
    expect(new Set(await titled('loaded'))).toEqual(new Set([named.id, unnamed.id]));
    expect(await reader.step()).toBe(0);
  });

  it('keeps cursor and index unchanged when a step fails', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Stubborn' });
    const failing: SearchIndex = {
      ...engine,
      apply: async (changes, db) => {
        await engine.apply(changes, db);
        throw new Error('the disk failed');
      },
    };
    await recordEvent(sql, { name: 'project.edited', project_id: project.id });
    const before = await cursorOf(sql, 'search');
    await readable(sql);
    await expect(indexConsumer(sql, failing).step()).rejects.toThrow('the disk failed');
    expect(await cursorOf(sql, 'search')).toEqual(before);
    expect(await titled('stubborn')).toEqual([]);
    await caughtUp();
    expect(await titled('stubborn')).toEqual([project.id]);
  });

  it('works in one process at a time', async () => {
    const { sql } = database;
    await recordEvent(sql, { name: 'project.edited', project_id: 'AAAAAAAA' });
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('cairn.search'))`;
      expect(await reader.step()).toBe(0);
      expect(await reader.rebuild()).toBe(false);
    });
    await readable(sql);
    expect(await reader.step()).toBe(1);
  });

  it('waits a moment for another process before it rebuilds', async () => {
    const { sql } = database;
    let made: Promise<boolean> | undefined;
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('cairn.search'))`;
      made = reader.rebuild(20_000);
      expect(await reader.rebuild(), 'without patience').toBe(false);
    });
    expect(await made).toBe(true);
  });

  it('indexes a rename without being called', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Slowcoach' });
    const stop = await runConsumers(sql, [reader], { log: pino({ level: 'silent' }) });
    await sql.begin(async (tx) => {
      await tx`update projects set title = 'Quicksilver' where id = ${project.id}`;
      await recordEvent(tx, { name: 'project.edited', project_id: project.id });
    });
    await readable(sql);
    await vi.waitFor(async () => expect(await titled('quicksilver')).toEqual([project.id]), {
      timeout: 20_000,
      interval: 20,
    });
    await stop();
  });

  it('reindexes the dependents of a project when it becomes hidden or visible', async () => {
    const { sql } = database;
    const target = await build.project(sql, { title: 'Library' });
    const project = await build.project(sql, { title: 'Dependent' });
    await build.version(sql, project, { dependencies: [{ project_id: target.id }] });
    await recordEvent(sql, { name: 'project.edited', project_id: project.id });
    await caughtUp();
    const dependents = () => titled('', { key: 'dependency_project_ids', op: '=', value: target.id });
    expect(await dependents()).toEqual([project.id]);

    const move = async (from: Status, to: Status) => {
      await sql`update projects set status = ${to} where id = ${target.id}`;
      await recordEvent(sql, { name: 'project.moved', project_id: target.id, data: { from, to } });
      await caughtUp();
    };
    await move('approved', 'private');
    expect(await dependents()).toEqual([]);
    await move('private', 'unlisted');
    expect(await dependents()).toEqual([project.id]);
    await sql`update projects set status = 'rejected' where id = ${target.id}`;
    await recordEvent(sql, { name: 'project.deleted', project_id: target.id });
    await caughtUp();
    expect(await dependents()).toEqual([]);
  });

  it('rebuilds an index of another format', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Overlooked' });
    expect(await reader.step()).toBe(0);
    await sql`update search_state set format = 'older'`;
    expect(await engine.current()).toBe(false);
    expect(await indexConsumer(sql, engine).step()).toBe(1);
    expect(await engine.current()).toBe(true);
    expect(await titled('overlooked')).toEqual([project.id]);
  });

  it('drops deleted projects on a rebuild', async () => {
    const { sql } = database;
    const project = await build.project(sql, { title: 'Forgotten' });
    await engine.apply([{ put: (await document(project.id)) as SearchDocument }]);
    await sql`delete from projects where id = ${project.id}`;
    expect(await titled('forgotten')).toEqual([project.id]);
    expect(await reader.rebuild()).toBe(true);
    expect(await titled('forgotten')).toEqual([]);
  });
});

describe('search documents', () => {
  it('group versions by filter fields, keep the newest, and omit hidden versions', async () => {
    const { sql } = database;
    const owner = await build.user(sql, { username: 'folder' });
    const project = await build.project(sql, {
      owner,
      license_id: 'MIT OR Apache-2.0',
      categories: ['utility'],
      additional_categories: ['magic'],
      archived: true,
    });
    const at = (day: number) => new Date(Date.UTC(2024, 0, day));
    await build.version(sql, project, { date_published: at(1) });
    const newer = await build.version(sql, project, { date_published: at(2) });
    const forge = await build.version(sql, project, {
      date_published: at(3),
      loaders: ['forge'],
      status: 'archived',
    });
    await build.version(sql, project, { date_published: at(4), loaders: ['quilt'], status: 'unlisted' });
    const target = await build.project(sql);
    await build.version(sql, project, {
      date_published: at(1),
      environment: 'server_only',
      dependencies: [{ project_id: target.id }, { project_id: target.id }],
    });
    expect(await document(project.id)).toMatchObject({
      author: 'folder',
      author_id: owner.id,
      organization: null,
      categories: ['utility', 'magic'],
      display_categories: ['utility'],
      license: 'MIT',
      open_source: true,
      disclosure_types: ['archived'],
      all_project_types: ['mod'],
      newest_version: at(3).getTime(),
      dependencies: [{ project_id: target.id, dependency_type: 'required' }],
      rows: [
        { version_id: forge.id, loaders: ['forge'] },
        { version_id: newer.id, loaders: ['fabric'], client_side: 'required', server_side: 'required' },
        { environment: 'server_only', client_side: 'unsupported', server_side: 'required' },
      ],
    });
  });

  // archived is never stored
  it.each(statuses.filter((status) => status !== 'archived'))(
    'contain a dependency unless it is hidden: %s',
    async (status) => {
      const { sql } = database;
      const target = await build.project(sql, { status });
      const project = await build.project(sql);
      await build.version(sql, project, { dependencies: [{ project_id: target.id }] });
      const named = ['approved', 'unlisted', 'withheld'].includes(status);
      expect((await document(project.id))?.dependencies.map((one) => one.project_id)).toEqual(
        named ? [target.id] : [],
      );
    },
  );

  it('have the type modpack and the loaders of the pack', async () => {
    const { sql } = database;
    const pack = await build.project(sql);
    await build.version(sql, pack, { loaders: ['mrpack'], mrpack_loaders: ['fabric'] });
    expect(await document(pack.id)).toMatchObject({
      all_project_types: ['modpack'],
      rows: [{ loaders: ['mrpack', 'fabric'], project_types: ['modpack'] }],
    });
  });
});
