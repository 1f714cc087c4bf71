import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readManifests } from '#db/catalogue/manifests/read-manifests.ts';
import { gameVersions } from '#db/catalogue/tags/read.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { withArchive } from '#db/platform/files/zip.ts';
import { openSession } from '#db/platform/people/session.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { sourceOf, zipOf } from '#db/testing/zips.ts';
import { testApi } from '../../testing/api.ts';
import { callers, dataOf, form } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
const pack = { 'pack.mcmeta': '{"pack":{"pack_format":15}}', 'data/stones/tags/a.json': '{}' };

async function browserOf(user_id: string) {
  const { session } = await openSession(database.sql, { user_id, user_agent: null, now: new Date() });
  return { cookie: `auth-token=${session}`, 'sec-fetch-site': 'same-origin' };
}

/** A project with a data pack of these entries, and its owner. */
async function dataPack(entries: Record<string, string>, given: object = {}, filename = 'stones.zip') {
  const owner = await build.user(database.sql);
  const project = await build.project(database.sql);
  await build.member(database.sql, project.team, owner, { permissions: 1023 });
  const answer = await api.call('POST', '/v2/version', {
    token: await build.token(database.sql, owner),
    body: form(
      { ...dataOf(project.id), loaders: ['datapack'], changelog: 'New *rows*.', ...given },
      { file: [filename, await zipOf({ ...entries, mark: project.id })] },
    ),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return { owner, project, version: (await answer.json()) as Version };
}
type Made = Awaited<ReturnType<typeof dataPack>>;
const send = async ({ owner, project, version }: Made, given: object, plain = false) => {
  const fields = {
    ...{ project_id: project.id, version_id: version.id, version_number: '1.0.0+mod', fabric: 'on' },
    ...given,
  };
  const headers = await browserOf(owner.id);
  return await api.call('POST', '/_internal/versions/package', {
    headers: plain ? { ...headers, 'content-type': 'application/x-www-form-urlencoded' } : headers,
    ...(plain ? { body: new URLSearchParams(fields) } : { json: fields }),
  });
};

test('a data pack becomes a version for the chosen loaders, as every version does', async () => {
  const library = await build.project(database.sql, { slug: 'fabric-api' });
  const made = await dataPack(pack, { dependencies: [], version_type: 'beta' });
  const answer = await send(made, { quilt: 'on', neoforge: 'on' });
  const { to } = (await answer.json()) as { to: string };
  const id = to.split('/').at(-1)!;
  const mod = (await (await api.call('GET', `/v2/version/${id}`)).json()) as Version;
  expect(mod).toMatchObject({
    ...{ project_id: made.project.id, version_number: '1.0.0+mod', version_type: 'beta', status: 'listed' },
    ...{ game_versions: ['1.20.1'], changelog: 'New *rows*.', environment: 'server_only_client_optional' },
    dependencies: [{ project_id: library.id, dependency_type: 'required' }],
    files: [{ filename: `${made.project.slug}-1.0.0+mod.jar`, primary: true }],
  });
  expect([...mod.loaders].sort()).toEqual(['fabric', 'neoforge', 'quilt']);

  const key = versionFileKey(made.project.id, id, mod.files[0]!.filename);
  const jar = await buffer((await api.services.storage.read(key))!);
  const games = await gameVersions(database.sql);
  const reading = await withArchive({ filename: 'x.jar', content: sourceOf(jar) }, (archive) =>
    readManifests(archive, games),
  );
  expect(reading).toMatchObject({ version_number: '1.0.0+mod', game_versions: ['1.20.1'], problems: [] });
  // 1.20.1 is older than NeoForge's own manifest, and its older one is also that of Forge
  expect([...reading.loaders].sort()).toEqual(['fabric', 'forge', 'neoforge', 'quilt']);
  const [event] = await database.sql`
    select actor_id from events where name = 'version.published' and version_id = ${id}`;
  expect(event).toEqual({ actor_id: made.owner.id });
});

test('a number that is taken, no loader and a wrong number are refused at their fields', async () => {
  const made = await dataPack(pack);
  const errors = async (given: object) => {
    const answer = await send(made, given);
    return [answer.status, ((await answer.json()) as { details: { fields: object } }).details.fields];
  };
  expect(await errors({ version_number: '1.0.0' })).toEqual([
    400,
    [{ field: 'version_number', text: expect.stringContaining('1.0.0') }],
  ]);
  expect(await errors({ fabric: undefined })).toEqual([
    400,
    [{ field: 'loaders', text: expect.any(String) }],
  ]);
  expect(await errors({ version_number: 'two words' })).toEqual([
    400,
    [{ field: 'version_number', text: expect.stringContaining('32') }],
  ]);
});

test('the same form twice at once makes one version', async () => {
  const made = await dataPack(pack);
  const statuses = (await Promise.all([send(made, {}), send(made, {})])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400]);
  const [count] = await database.sql`
    select count(*)::int as mods from versions where project_id = ${made.project.id} and version_number = '1.0.0+mod'`;
  expect(count).toEqual({ mods: 1 });
});

test('a version that is no data pack is refused, and a plain form is led back to its page', async () => {
  const made = await dataPack({ 'fabric.mod.json': '{}' }, { loaders: ['fabric'] }, 'stones.jar');
  const answer = await send(made, {}, true);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe(
    `/project/${made.project.id}/version/${made.version.id}/package?error=version_not_data_pack`,
  );
});

test('only members who may upload versions may do it', async () => {
  const made = await dataPack(pack);
  const organization = await build.organization(database.sql);
  const tokens = await callers(database.sql, made.project, organization, ['VERSION_CREATE'], session);
  const json = {
    ...{ project_id: made.project.id, version_id: made.version.id, version_number: '2', fabric: 'on' },
  };
  const status = async (kind: keyof typeof tokens) => {
    const token = tokens[kind];
    const answer = await api.call('POST', '/_internal/versions/package', { ...(token && { token }), json });
    return answer.status;
  };
  for (const kind of ['visitor', 'stranger', 'pending', 'powerless', 'deleter'] as const)
    expect([kind, await status(kind)]).toEqual([kind, 401]);
  expect(await status('uploader')).toBe(200);
});
