import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { fetchVersions, isMajor } from './game-version-manifest.ts';
import { importGameVersions } from './import-game-versions.ts';
import { loadTags } from './write.ts';

const database = testDatabase();
let answer: (response: ServerResponse) => void;
let server: Server;
let address: string;
beforeAll(async () => {
  await loadTags(database.sql);
  server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const entry = (id: string, type: string) => ({
  id,
  type,
  url: 'https://example.test/x.json',
  time: '2027-01-02T00:00:00+00:00',
  releaseTime: '2027-01-01T10:00:00+01:00',
});
const serve = (body: unknown) => {
  answer = (response) => response.end(typeof body === 'string' ? body : JSON.stringify(body));
};
const imported = async () => {
  const listed = await fetchVersions(address);
  return await database.sql.begin((tx) => importGameVersions(tx, listed));
};

describe('importing game versions', () => {
  it('adds new versions with their types, once, and keeps those that exist', async () => {
    const versions = [
      entry('27.1', 'release'),
      entry('27.1.1', 'release'),
      entry('27.2-snapshot-1', 'snapshot'),
      entry('b9.9', 'old_beta'),
      entry('a9.9', 'old_alpha'),
      entry('x', 'april_fools'),
      { ...entry('1.20.1', 'old_beta') },
    ];
    serve({ latest: {}, versions });
    expect((await imported()).sort()).toEqual(['27.1', '27.1.1', '27.2-snapshot-1', 'a9.9', 'b9.9']);
    expect(await imported()).toEqual([]);
    const rows = await database.sql`
      select version, version_type, date, major from game_versions
      where version in ('27.1', '27.1.1', '27.2-snapshot-1', 'b9.9', 'a9.9', '1.20.1') order by version`;
    expect(rows.map(({ version, version_type, major }) => [version, version_type, major])).toEqual([
      ['1.20.1', 'release', false],
      ['27.1', 'release', true],
      ['27.1.1', 'release', false],
      ['27.2-snapshot-1', 'snapshot', false],
      ['a9.9', 'alpha', false],
      ['b9.9', 'beta', false],
    ]);
    expect(rows[1]!.date).toBe('2027-01-01T09:00:00Z');
    expect(await database.sql`select 1 from events where name = 'catalogue.versions_added'`).toHaveLength(1);
  });

  it('takes a bare list too', async () => {
    serve([entry('27.3', 'release')]);
    expect(await imported()).toEqual(['27.3']);
  });

  it.each<[string, unknown]>([
    ['not JSON', '<html>'],
    ['another format', { versions: [{ id: 1 }] }],
    ['NUL in a name', [entry('27\0', 'release')]],
    ['no date', [{ ...entry('27.9', 'release'), releaseTime: 'soon' }]],
    ['more than 8 MiB', ' '.repeat(8 * 1024 * 1024 + 1)],
  ])('refuses %s', async (_what, body) => {
    serve(body);
    const count = async () => (await database.sql`select 1 from game_versions`).length;
    const before = await count();
    await expect(imported()).rejects.toThrow('list of game versions');
    expect(await count()).toBe(before);
  });

  it('refuses an error, silence and nobody', async () => {
    answer = (response) => {
      response.statusCode = 500;
      response.end();
    };
    await expect(fetchVersions(address)).rejects.toThrow('status 500');
    answer = (response) => response.write('[');
    await expect(fetchVersions(address, 100)).rejects.toThrow('could not be read');
    await expect(fetchVersions('http://127.0.0.1:1/')).rejects.toThrow('could not be read');
  });

  it('reads the address of the operator only, not the one that it leads to', async () => {
    serve([entry('27.1', 'release')]);
    const real = answer;
    let asked = 0;
    answer = (response) => {
      asked += 1;
      if (asked > 1) return real(response);
      response.writeHead(302, { location: '/elsewhere.json' }).end();
    };
    await expect(fetchVersions(address)).rejects.toThrow('could not be read');
    expect(asked).toBe(1);
  });

  it('marks as major what our own list marks', async () => {
    const rows = await database.sql`
      select version, version_type, major from game_versions where version_type = 'release' and date > '2013-09-01'`;
    const differing = rows.filter(
      ({ version, version_type, major }) => isMajor(version, version_type) !== major,
    );
    expect(differing).toEqual([]);
  });
});
