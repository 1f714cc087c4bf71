import { beforeAll, describe, expect, test } from 'vitest';
import { setUploadLimit, uploadQuota } from '#db/platform/files/quota.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { okHttp } from '../../testing/upload.ts';
import { dataOf, form, jar, publish } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
let project: build.BuiltProject;
let token: string;
beforeAll(async () => {
  project = await build.project(database.sql);
  token = await build.token(database.sql, project.owner);
});

/** `data` of a project whose only version has one file in `part`. */
const projectOf = (slug: string, part: string) => ({
  slug,
  title: 'New',
  description: 'A project',
  categories: [],
  client_side: 'required',
  server_side: 'optional',
  body: 'Text',
  license_id: 'MIT',
  project_type: 'mod',
  is_draft: false,
  initial_versions: [{ ...dataOf(''), project_id: null, file_parts: [part], primary_file: part }],
});
let slugs = 0;
/** Every route that accepts files: its path, `data` and the success status. */
const routes: Array<[path: () => Promise<string>, data: (part: string) => object, status: number]> = [
  [async () => '/v2/version', (part) => dataOf(project.id, { file_parts: [part], file_types: {} }), 200],
  [async () => `/v2/version/${(await publish(api, token, project.id)).id}/file`, () => ({}), 204],
  [async () => '/v2/project', (part) => projectOf(`upload-form-${slugs++}`, part), 200],
];

describe.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('a part named %s', (part) => {
  test.each(routes)('is accepted %#', async (path, data, status) => {
    const to = await path();
    const answer = await api.call('POST', to, {
      token,
      body: form(data(part), { [part]: [`${part}.jar`, await jar(`${part} ${to}`)] }),
    });
    expect([answer.status, await answer.text()]).toEqual([status, expect.anything()]);
    const [row] = await database.sql`select file_type from files where filename = ${`${part}.jar`} limit 1`;
    expect(row!.file_type).toBeNull();
  });
});

test.each(routes)("OkHttp's multipart/mixed is accepted %#", async (path, data, status) => {
  const to = await path();
  const { body, headers } = okHttp(data('file'), [['file', 'mixed.jar', await jar(`mixed ${to}`)]]);
  const answer = await api.call('POST', to, { token, headers, body: new Blob([new Uint8Array(body)]) });
  expect([answer.status, await answer.text()]).toEqual([status, expect.anything()]);
});

test.each(routes)(
  'stored bytes count towards the daily quota of the account, and more is refused %#',
  async (path, data, status) => {
    const { id } = project.owner;
    const to = await path();
    const bytes = await jar(`quota ${to}`);
    const send = async (name: string) =>
      await api.call('POST', to, { token, body: form(data('file'), { file: [`${name}.jar`, bytes] }) });
    await setUploadLimit(database.sql, id, (await used(id)) + bytes.length - 1);
    const refused = await send('much');
    expect([refused.status, (await refused.json()).details.code]).toEqual([429, 'upload_quota_reached']);
    const before = await used(id);
    await setUploadLimit(database.sql, id, before + bytes.length);
    expect((await send('fits')).status).toBe(status);
    expect(await used(id)).toBe(before + bytes.length);
    await setUploadLimit(database.sql, id, null);
  },
);

const used = async (user_id: string): Promise<number> => {
  const { limit_bytes, left_bytes } = await uploadQuota(database.sql, user_id, new Date());
  return limit_bytes - left_bytes;
};
