import { type AuthConfig, AuthFeature, GenericModrinthClient } from '@modrinth/api-client';
import { ModrinthV2Client } from '@xmcl/modrinth';
import {
  MiscService,
  OpenAPI,
  ProjectsService,
  TagsService,
  TeamsService,
  UsersService,
  VersionFilesService,
  VersionsService,
} from 'modrinthjs';
import sharp from 'sharp';
import { Modrinth, TagType } from 'typerinth';
import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from './api.ts';
import { listeningApi } from './listening-api.ts';
import { dataOf, jar } from './versions.ts';

/**
 * API clients from npm, unchanged, against the product's HTTP server and API: each only gets another base URL.
 * Source: clients §7, §8.
 */
const database = testDatabase();
const api = testApi(database);
const server = listeningApi(api);

const created = {
  title: 'Made by a client',
  description: 'Published through a client library',
  body: '# A body',
  client_side: 'required' as const,
  server_side: 'optional' as const,
  initial_versions: [],
  categories: ['adventure'],
  license_id: 'MIT',
};
const picture = async (colour: string) =>
  new Blob(
    [
      Buffer.from(
        await sharp({ create: { width: 8, height: 8, channels: 3, background: colour } })
          .png()
          .toBuffer(),
      ),
    ],
    { type: 'image/png' },
  );
const archive = async (mark: string) => new File([new Uint8Array(await jar(mark))], `${mark}.jar`);

/** The client's error carries the status under one of these names. */
const statusOf = async (call: Promise<unknown>): Promise<unknown> =>
  await call.then(
    () => 'answered',
    ({ status, statusCode }) => status ?? statusCode,
  );

let owner: build.BuiltUser;
let token: string;
let project: build.BuiltProject;
let version: build.BuiltVersion;
beforeAll(async () => {
  const { sql } = database;
  owner = await build.user(sql);
  token = await build.token(sql, owner);
  project = await build.project(sql, { owner, title: 'Lanternroot' });
  version = await build.version(sql, project);
});

describe('@xmcl/modrinth', () => {
  const client = () => new ModrinthV2Client({ baseUrl: server.url, headers: { authorization: token } });

  test('reads projects, versions, hashes, tags and people', async () => {
    const it = client();
    const hash = version.files[0]!.sha1;
    expect(await it.getProject(project.slug)).toMatchObject({ id: project.id, title: 'Lanternroot' });
    expect(await it.getProjects([project.id])).toHaveLength(1);
    expect(await it.getProjectVersions(project.id, { loaders: ['fabric'] })).toHaveLength(1);
    expect(await it.getProjectVersion(version.id)).toMatchObject({ project_id: project.id });
    expect(await it.getProjectVersionsById([version.id])).toHaveLength(1);
    expect(await it.getProjectVersionsByHash([hash])).toMatchObject({ [hash]: { id: version.id } });
    expect(await it.getProjectVersionByHash(hash)).toMatchObject({ id: version.id });
    expect(
      await it.getLatestProjectVersion(hash, { loaders: ['fabric'], gameVersions: ['1.20.1'] }),
    ).toMatchObject({ id: version.id });
    expect(await it.searchProjects({ query: '' })).toHaveProperty('hits');
    for (const tags of ['getLicenseTags', 'getCategoryTags', 'getGameVersionTags', 'getLoaderTags'] as const)
      expect((await it[tags]()).length).toBeGreaterThan(0);
    expect(await it.getAuthenticatedUser()).toMatchObject({ id: owner.id });
    expect(await it.getUserProjects(owner.id)).toHaveLength(1);
    expect(await it.getProjectTeamMembers(project.id)).toMatchObject([{ role: 'Owner' }]);
  });

  test('creates a project with an icon, uploads a version, edits both and their pictures', async () => {
    const it = client();
    const made = await it.createProject(
      { ...created, slug: 'by-xmcl', project_type: 'modpack' }, // the one type that its types know
      { data: await picture('#336699'), fileName: 'icon.png' },
    );
    await it.updateProject(made.id, { description: 'Edited through the client' });
    await it.updateProjectIcon(made.id, await picture('#993366'), 'png');
    await it.addProjectGalleryImage(made.id, await picture('#00ff00'), 'png', {
      featured: false,
      title: 'One',
    });
    const [image] = (await it.getProject(made.id)).gallery;
    await it.updateProjectGalleryImage(made.id, image!.url, { featured: true, title: 'Two' });
    expect(await it.getProject(made.id)).toMatchObject({
      description: 'Edited through the client',
      icon_url: expect.stringContaining(made.id),
      gallery: [{ title: 'Two', featured: true }],
    });
    await it.deleteProjectGalleryImage(made.id, image!.url);

    const data = {
      ...{ project_id: made.id, name: 'First', version_number: '1.0.0', version_type: 'release' as const },
      ...{ game_versions: ['1.20.1'], loaders: ['fabric'], dependencies: [], featured: false },
    };
    const file = { partName: 'main', fileName: 'by-xmcl.jar', data: await archive('by-xmcl') };
    const uploaded = await it.createVersion(data, [file], 'main');
    await it.updateVersion(uploaded.id, { changelog: 'Told later' });
    expect(await it.getProjectVersion(uploaded.id)).toMatchObject({
      changelog: 'Told later',
      files: [{ filename: 'by-xmcl.jar', primary: true }],
    });
    expect((await it.getProject(made.id)).gallery).toEqual([]);
  });

  test('keeps a collection and follows', async () => {
    const it = client();
    const made = await it.createCollection('Favourites', 'The best of them', [project.id]);
    await it.removeProjectsFromCollection(made.id, [project.id]);
    expect(await it.getCollections(owner.id)).toHaveLength(1);
    await it.followProject(project.id);
    expect(await it.getUserFollowedProjects(owner.id)).toHaveLength(1);
    await it.unfollowProject(project.id);
  });
});

describe('modrinthjs', () => {
  beforeAll(() => {
    OpenAPI.BASE = `${server.url}/v2`;
    OpenAPI.HEADERS = { Authorization: token };
  });
  const P = ProjectsService;
  const V = VersionsService;

  test('publishes, edits and deletes', async () => {
    const data = JSON.stringify({ ...created, slug: 'by-generated', project_type: 'mod', is_draft: true });
    const made = (await P.createProject!({ data })) as unknown as { id: string };
    await P.modifyProject!(made.id, {
      title: 'Renamed by the client',
      issues_url: 'https://example.org/issues',
    });
    expect(await P.getProject!('by-generated')).toMatchObject({ title: 'Renamed by the client' });

    const uploaded = (await V.createVersion!({
      data: JSON.stringify(dataOf(made.id)),
      file: await archive('by-generated'),
    })) as unknown as { id: string; files: Array<{ hashes: { sha1: string } }> };
    await V.addFilesToVersion!(uploaded.id, {
      data: JSON.stringify({ file_types: { extra: 'sources-jar' } }),
      extra: await archive('by-generated-sources'),
    });
    await V.modifyVersion!(uploaded.id, { name: 'Renamed', featured: true });
    const listed = await V.getProjectVersions!(made.id, '["fabric"]', '["1.20.1"]', true);
    expect(listed).toMatchObject([
      { name: 'Renamed', files: [{ primary: true }, { file_type: 'sources-jar' }] },
    ]);
    const sha1 = uploaded.files[0]!.hashes.sha1;
    expect(await VersionFilesService.versionFromHash!(sha1)).toMatchObject({ id: uploaded.id });
    expect(
      await VersionFilesService.getLatestVersionsFromHashes!({
        hashes: [version.files[0]!.sha1],
        algorithm: 'sha1',
        loaders: ['fabric'],
        game_versions: ['1.20.1'],
      }),
    ).toHaveProperty(version.files[0]!.sha1);

    await V.deleteVersion!(uploaded.id);
    expect(await statusOf(V.getVersion!(uploaded.id))).toBe(404);
    await P.deleteProject!(made.id);
    expect(await statusOf(P.getProject!(made.id))).toBe(404);
  });

  test('reads lists of everything', async () => {
    expect(await P.searchProjects!('lantern')).toHaveProperty('hits');
    expect(await P.checkProjectValidity!(project.slug)).toEqual({ id: project.id });
    expect(await P.getDependencies!(project.id)).toEqual({ projects: [], versions: [] });
    expect(await UsersService.getUserFromAuth!()).toMatchObject({ id: owner.id });
    expect(await TeamsService.getTeamMembers!(project.team)).toHaveLength(1);
    expect((await TagsService.categoryList!()).length).toBeGreaterThan(10);
    expect(await TagsService.licenseText!('MIT')).toHaveProperty('title');
    expect(await MiscService.statistics!()).toHaveProperty('projects');
  });
});

describe('@modrinth/api-client', () => {
  const modules = () => {
    const auth: AuthConfig = { token };
    return new GenericModrinthClient({ labrinthBaseUrl: server.url, features: [new AuthFeature(auth)] })
      .labrinth;
  };

  test('reads v2 and v3 with a Bearer token', async () => {
    const it = modules();
    expect(await it.projects_v2.get(project.id)).toMatchObject({ title: 'Lanternroot' });
    expect(await it.projects_v3.get(project.id)).toMatchObject({ name: 'Lanternroot' });
    expect(await it.projects_v3.getMultiple([project.id])).toHaveLength(1);
    expect(await it.projects_v2.search({ query: 'lantern' })).toHaveProperty('hits');
    expect(await it.versions_v2.getProjectVersions(project.id)).toHaveLength(1);
    expect(await it.tags_v2.getLicenseText('MIT')).toHaveProperty('title');
    expect(await it.users_v2.get(owner.username)).toMatchObject({ id: owner.id });
  });

  test('edits and deletes through v3', async () => {
    const it = modules();
    const mine = await build.project(database.sql, { owner });
    await it.projects_v3.edit(mine.id, {
      name: 'By the client',
      link_urls: { wiki: 'https://example.org/wiki' },
    });
    expect(await it.projects_v3.get(mine.id)).toMatchObject({ name: 'By the client' });
    await it.projects_v2.delete(mine.id);
    expect(await statusOf(it.projects_v3.get(mine.id))).toBe(404);
  });
});

describe('typerinth', () => {
  const client = () => new Modrinth({ baseUrl: server.url, cache: { useCache: false } });

  test('reads what it knows', async () => {
    const it = client();
    expect(await it.getProject(project.slug)).toMatchObject({ id: project.id });
    expect(await it.getProjects([project.id])).toHaveLength(1);
    expect(await it.getRandomProjects(1)).toHaveLength(1);
    expect(await it.checkProjectValidity(project.id)).toBe(true);
    expect(await it.getProjectVersions(project.id, { loaders: ['fabric'] })).toHaveLength(1);
    expect(await it.getVersions([version.id])).toHaveLength(1);
    expect(await it.getVersionFromFileHash(version.files[0]!.sha1)).toMatchObject({ id: version.id });
    expect(await it.getUser(owner.username)).toMatchObject({ id: owner.id });
    expect(await it.getUsers([owner.id])).toHaveLength(1);
    expect(await it.getUserProjects(owner.id)).not.toHaveLength(0);
    expect(await it.getAuthUser(token)).toMatchObject({ username: owner.username });
    expect(await it.getMultipleTeamMembers([project.team])).toHaveLength(1);
    for (const tag of Object.values(TagType)) expect(await it.getTag(tag)).not.toHaveLength(0);
    expect(await it.getLicense('MIT')).toHaveProperty('title');
    expect(await it.getStatistics()).toHaveProperty('projects');
    expect(await it.search('lantern')).toHaveProperty('hits');
  });
});
