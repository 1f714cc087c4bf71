import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { releaseDue } from '#db/catalogue/publishing/release.ts';
import { deletedVersionOfFile } from '#db/catalogue/versions/deleted.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { dataOf, form, jar } from '../testing/versions.ts';

/** What a deleted version leaves: its addresses say that it is gone, and its number comes back only with the same bytes. */
const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let owner: string;
let admin: string;
const first = { name: 'a.jar', mark: 'first' };
const other = { name: 'a.jar', mark: 'other' };

beforeAll(async () => {
  admin = await session(database.sql, await build.user(database.sql, { role: 'admin' }));
});
beforeEach(async () => {
  project = await build.project(database.sql);
  owner = await build.token(database.sql, project.owner);
});

type Jar = { name: string; mark: string };
const send = async (files: Jar[], given: Record<string, unknown> = {}) => {
  const parts = Object.fromEntries(
    await Promise.all(
      files.map(
        async ({ name, mark }, at) => [`f${at}`, [name, await jar(`${project.id} ${mark}`)]] as const,
      ),
    ),
  );
  const body = form(dataOf(project.id, { file_parts: Object.keys(parts), ...given }), parts);
  return await api.call('POST', '/v2/version', { token: owner, body });
};
const publish = async (files: Jar[], given: Record<string, unknown> = {}): Promise<Version> => {
  const answer = await send(files, given);
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.any(String)]);
  return (await answer.json()) as Version;
};
const remove = async (id: string, token = owner) =>
  expect((await api.call('DELETE', `/v2/version/${id}`, { token })).status).toBe(204);
/** The status and the reason of an answer. */
const asked = async (path: string, token?: string) => {
  const answer = await api.call('GET', path, token ? { token } : {});
  const text = await answer.text();
  return [answer.status, text.startsWith('{') ? JSON.parse(text).details?.code : undefined];
};
const refusal = async (answer: Promise<Response>) => {
  const found = await answer;
  const { details } = (await found.json()) as { details: Record<string, string> };
  return [found.status, details.code, details.free ?? details.filename];
};
const addFile = async (id: string, { name, mark }: Jar) =>
  await api.call('POST', `/v2/version/${id}/file`, {
    token: owner,
    body: form({}, { extra: [name, await jar(`${project.id} ${mark}`)] }),
  });

describe('the addresses of a deleted version that was public', () => {
  test('say that it is gone, with 410 in v3 and Maven and 404 in v2; lists leave it out', async () => {
    const { id } = await publish([first]);
    await remove(id);
    const gone = [410, 'version_deleted'];
    for (const path of [
      `/v3/version/${id}`,
      `/v3/project/${project.id}/version/1.0.0`,
      `/v3/project/${project.slug}/version/${id}`,
      `/maven/maven/modrinth/${project.slug}/1.0.0/${project.slug}-1.0.0.pom`,
      `/maven/maven/modrinth/${project.slug}/1.0.0/a.jar`,
      `/maven/maven/modrinth/${project.slug}/1.0.0/a.jar.sha512`,
      `/maven/maven/modrinth/${project.slug}/${id}/a.jar`,
      `/maven/maven/modrinth/${project.slug}/1.0.0-fabric/a.jar`,
    ])
      expect([path, await asked(path)]).toEqual([path, gone]);
    expect(await asked(`/v2/version/${id}`)).toEqual([404, 'version_deleted']);
    expect(await asked(`/v2/project/${project.id}/version/1.0.0`)).toEqual([404, 'version_deleted']);
    expect(await asked(`/v2/version/AAAAAAAA`)).toEqual([404, undefined]);
    expect(await asked(`/v3/project/${project.id}/version/1.0.1`)).toEqual([404, 'not_found']);
    expect(await asked(`/maven/maven/modrinth/${project.slug}/1.0.0-of-old/a.jar`)).toEqual([
      404,
      'not_found',
    ]);
    for (const path of [
      `/v3/versions?ids=["${id}"]`,
      `/v2/versions?ids=["${id}"]`,
      `/v3/project/${project.id}/version`,
    ])
      expect(await (await api.call('GET', path)).json()).toEqual([]);
    const metadata = await api.call('GET', `/maven/maven/modrinth/${project.slug}/maven-metadata.xml`);
    expect(await metadata.text()).not.toContain('1.0.0');
  });

  test('say who deleted it, its team or staff, and hold no account', async () => {
    const { id } = await publish([first]);
    await remove(id, admin);
    const answer = await api.call('GET', `/v3/version/${id}`);
    expect(await answer.json()).toMatchObject({
      error: 'gone',
      description: expect.stringMatching(/removed by staff on \d{4}-\d\d-\d\d/),
      details: { code: 'version_removed', version_number: '1.0.0' },
    });
    const [row] = await database.sql`select * from deleted_versions where id = ${id}`;
    expect(Object.keys(row!).sort()).toEqual(['by_staff', 'deleted', 'id', 'project_id', 'version_number']);
  });

  test('are absent while the project is hidden, and for ever once it is deleted', async () => {
    const { sql } = database;
    const { id } = await publish([first]);
    await remove(id);
    await sql`update projects set status = 'private' where id = ${project.id}`;
    const file = { project_id: project.id, version_id: id, filename: 'a.jar' };
    expect(await asked(`/v3/version/${id}`)).toEqual([404, 'not_found']);
    expect(await asked(`/v3/project/${project.id}/version/1.0.0`)).toEqual([404, 'not_found']);
    expect(await asked(`/v3/version/${id}`, owner)).toEqual([410, 'version_deleted']);
    expect(await deletedVersionOfFile(sql, file)).toBeNull();
    await sql`update projects set status = 'approved' where id = ${project.id}`;
    expect(await deletedVersionOfFile(sql, file)).toMatchObject({ version_number: '1.0.0' });
    expect(await deletedVersionOfFile(sql, { ...file, filename: 'b.jar' })).toBeNull();
    const last = await publish([other], { version_number: '2.0.0' });
    await sql`delete from projects where id = ${project.id}`;
    expect(await asked(`/v3/version/${id}`, owner)).toEqual([404, 'not_found']);
    expect(await asked(`/v3/version/${last.id}`)).toEqual([404, 'not_found']);
    expect(await sql`select 1 from withdrawn_files where project_id = ${project.id}`).toEqual([]);
  });

  test.each([
    ['a draft', { status: 'draft' }, 'approved'],
    ['one of a project that was never approved', {}, 'draft'],
  ])('of %s are as if it had never been', async (_, given, status) => {
    await database.sql`
      update projects set status = ${status}, approved = ${status === 'draft' ? null : new Date()} where id = ${project.id}`;
    const { id } = await publish([first], given);
    await remove(id);
    expect(await asked(`/v3/version/${id}`, owner)).toEqual([404, 'not_found']);
    await publish([other], given);
  });

  test('are those of a version that was public once: before it was a draft, by its release, by its project’s', async () => {
    const { sql } = database;
    const hidden = await publish([first]);
    await sql`update versions set status = 'draft' where id = ${hidden.id}`;
    const planned = await publish([{ name: 'b.jar', mark: 'b' }], { status: 'draft', version_number: '2' });
    await sql`update versions set status = 'scheduled', scheduled_for = now() where id = ${planned.id}`;
    await releaseDue(sql, new Date(Date.now() + 1000));
    await sql`update projects set status = 'draft', approved = null where id = ${project.id}`;
    const early = await publish([{ name: 'c.jar', mark: 'c' }], { version_number: '3' });
    await sql`update projects set status = 'approved', approved = now() where id = ${project.id}`;
    for (const { id } of [hidden, planned, early]) {
      await remove(id);
      expect(await asked(`/v3/version/${id}`)).toEqual([410, 'version_deleted']);
    }
  });
});

describe('the number of a deleted version', () => {
  test('comes back only with the same bytes; its old id stays gone', async () => {
    const { id } = await publish([first, { name: 'a-sources.jar', mark: 'sources' }]);
    await remove(id);
    const used = [400, 'version_number_used', '1.0.1, 1.0.0+2'];
    expect(await refusal(send([other]))).toEqual(used);
    expect(await refusal(send([{ ...other, name: 'b.jar' }]))).toEqual(used);
    expect(await refusal(send([first, { name: 'a-sources.jar', mark: 'others' }]))).toEqual(used);
    expect(await refusal(send([{ name: 'a-sources.jar', mark: 'sources' }]))).toEqual(used);
    expect(await refusal(send([other], { status: 'draft' }))).toEqual(used);
    await publish([other], { version_number: '1.0.1' });
    expect((await refusal(send([{ ...other, mark: 'third' }])))[2]).toBe('1.0.2, 1.0.0+2');
    const again = await publish([first]);
    expect(await asked(`/v3/project/${project.id}/version/1.0.0`)).toEqual([200, undefined]);
    expect(await asked(`/v3/version/${again.id}`)).toEqual([200, undefined]);
    expect(await asked(`/v3/version/${id}`)).toEqual([410, 'version_deleted']);
  });

  test('is nobody’s to take by an edit, nor one that a public version gave up by an edit', async () => {
    const patch = async (id: string, version_number: string) =>
      await api.call('PATCH', `/v2/version/${id}`, { token: owner, json: { version_number } });
    const kept = await publish([first]);
    const changing = await publish([{ name: 'b.jar', mark: 'b' }], { version_number: '2' });
    await remove(kept.id);
    expect(await refusal(patch(changing.id, '1.0.0'))).toEqual([
      400,
      'version_number_used',
      '1.0.1, 1.0.0+2',
    ]);
    expect((await patch(changing.id, '3')).status).toBe(204);
    expect(await asked(`/v3/project/${project.id}/version/2`)).toEqual([404, 'not_found']);
    expect(await refusal(send([other], { version_number: '2' }))).toEqual([
      400,
      'version_number_used',
      '4, 2+2',
    ]);
    expect((await patch(changing.id, '2')).status).toBe(204);
  });

  test('is one that versions beside it may have, as long as none was deleted', async () => {
    await publish([first]);
    const second = await publish([{ name: 'a-forge.jar', mark: 'forge' }]);
    await remove(second.id);
    expect(await asked(`/v3/project/${project.id}/version/1.0.0`)).toEqual([200, undefined]);
    expect((await refusal(send([{ name: 'a-forge.jar', mark: 'worse' }])))[1]).toBe('version_number_used');
    await publish([{ name: 'a-forge.jar', mark: 'forge' }]);
  });

  test('waits for a deletion that is under way', async () => {
    const { sql } = database;
    const { id } = await publish([first]);
    let late: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await tx`select 1 from projects where id = ${project.id} for no key update`;
      await tx`delete from versions where id = ${id}`;
      late = refusal(send([other]));
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    expect(await late).toEqual([400, 'version_number_used', '1.0.1, 1.0.0+2']);
  });
});

describe('a file that was public', () => {
  test('comes back under its name only with the same bytes', async () => {
    const extra = { name: 'extra.jar', mark: 'extra' };
    const { id } = await publish([first, extra]);
    const { files } = (await (await api.call('GET', `/v2/version/${id}`)).json()) as Version;
    const { sha1 } = files.find(({ filename }) => filename === 'extra.jar')!.hashes;
    await api.call('DELETE', `/v2/version_file/${sha1}?version_id=${id}`, { token: owner });
    const replaced = { ...extra, mark: 'replaced' };
    expect(await refusal(addFile(id, replaced))).toEqual([400, 'file_name_used', 'extra.jar']);
    expect((await refusal(send([replaced])))[1]).toBe('version_number_used');
    await publish([{ name: 'beside.jar', mark: 'beside' }]);
    expect((await addFile(id, { ...extra, name: 'more.jar', mark: 'more' })).status).toBe(204);
    expect((await addFile(id, extra)).status).toBe(204);
  });

  test('keeps its name under the number of a version that came back', async () => {
    const sources = { name: 'a-sources.jar', mark: 'sources' };
    const { id } = await publish([first, sources]);
    await remove(id);
    const again = await publish([first]);
    expect((await refusal(addFile(again.id, { ...sources, mark: 'others' })))[1]).toBe('file_name_used');
    expect((await addFile(again.id, sources)).status).toBe(204);
  });
});
