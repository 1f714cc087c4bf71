import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { publicApis } from './app.ts';
import { documentOf } from './openapi-document.ts';

/** Every public route that takes hashes gives the same answer for upper and lower case, keyed by the hash as sent. */
const database = testDatabase();
const api = testApi(database);

const sha1 = createHash('sha1').update('a').digest('hex');
const sha512 = createHash('sha512').update('a').digest('hex');
beforeAll(async () => {
  const project = await build.project(database.sql);
  await build.version(database.sql, project, { files: [{ sha1, sha512 }] });
  await build.version(database.sql, project);
});

const mixed = (hash: string) => hash.replace(/[a-f]/, (letter) => letter.toUpperCase());
const forms = [sha1, sha1.toUpperCase(), mixed(sha1), sha512, sha512.toUpperCase(), mixed(sha512)];
const post = async (path: string, json: object): Promise<[number, unknown]> => {
  const answer = await api.call('POST', path, { json });
  return [answer.status, await answer.json()];
};

const inBody = [
  ['version_files', (hashes: string[]) => ({ hashes })],
  ['version_files/update', (hashes: string[]) => ({ hashes })],
  ['version_files/update_many', (hashes: string[]) => ({ hashes })],
  ['version_files/update_individual', (hashes: string[]) => ({ hashes: hashes.map((hash) => ({ hash })) })],
  ['version_file/project', (hashes: string[]) => ({ hashes })],
] as const;
const inPath = [
  ['GET', 'version_file/{hash}'],
  ['GET', 'version_file/{hash}/download'],
  ['POST', 'version_file/{hash}/update'],
] as const;
const byBoth = ['/v2', '/v3'] as const;

describe.each(byBoth)('%s', (prefix) => {
  test.each(inBody)('%s', async (path, bodyOf) => {
    const [status, right] = await post(`${prefix}/${path}`, bodyOf([sha1]));
    const one = (right as Record<string, unknown>)[sha1];
    expect([status, one]).toEqual([200, expect.anything()]);
    for (const hash of forms) {
      expect((await post(`${prefix}/${path}`, bodyOf([hash])))[1], hash).toEqual({ [hash]: one });
    }
    const [, all] = await post(`${prefix}/${path}`, bodyOf(forms));
    expect(all).toEqual(Object.fromEntries(forms.map((hash) => [hash, one])));
  });

  test.each(inPath)('%s %s', async (method, path) => {
    const call = async (hash: string) => {
      const given = method === 'POST' ? { json: {} } : {};
      const answer = await api.call(method, `${prefix}/${path.replace('{hash}', hash)}`, given);
      return [answer.status, await answer.json()];
    };
    const right = await call(sha1);
    expect(right[0]).toBeLessThan(400);
    for (const hash of forms) expect(await call(hash), hash).toEqual(right);
  });

  test('filters of their own for two forms of one hash', async () => {
    const path = `${prefix}/version_files/update_individual`;
    const [, answer] = await post(path, {
      hashes: [{ hash: sha1, loaders: ['sponge'] }, { hash: sha1.toUpperCase() }],
    });
    expect(Object.keys(answer as object)).toEqual([sha1.toUpperCase()]);
  });
});

test('these are all routes that take hashes', () => {
  const found = Object.entries(publicApis(api.services)).flatMap(([prefix, one]) =>
    Object.entries(documentOf(one, prefix, 'https://mods.example').paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => {
        const body = JSON.stringify(item[method as 'post']?.requestBody ?? '');
        const takes = path.includes('{hash}') || body.includes('"hashes":{"type":"array"');
        return takes ? [`${method.toUpperCase()} ${prefix}${path}`] : [];
      }),
    ),
  );
  const tested = byBoth.flatMap((prefix) => [
    ...inBody.map(([path]) => `POST ${prefix}/${path}`),
    ...inPath.map(([method, path]) => `${method} ${prefix}/${path}`),
    `DELETE ${prefix}/version_file/{hash}`, // in version-files.db.test.ts
  ]);
  expect(found.sort()).toEqual(tested.sort());
});
