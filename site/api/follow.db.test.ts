import { beforeEach, describe, expect, it } from 'vitest';
import { documentsOf } from '#db/discovery/search/documents/documents.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { allOf, type Kind, type Stage, stage, statusesOf } from '../testing/projects.ts';

const database = testDatabase();
const api = testApi(database);

let project: Stage['project'];
let as: Stage['as'];
const made = async (given: build.GivenProject = {}) => {
  ({ project, as } = await stage(database, given));
};
const followers = async () =>
  ((await (await api.call('GET', `/v2/project/${project.id}`, as('admin'))).json()) as { followers: number })
    .followers;
const anonymous: Kind[] = ['visitor', 'broken token'];

describe.each(['v2', 'v3'])('following in %s', (version) => {
  const path = () => `/${version}/project/${project.slug}/follow`;

  it('is open to every signed-in user, once, and can be undone, once', async () => {
    await made();
    const [done, again] = [
      { ...allOf(204), ...allOf(401, anonymous) },
      { ...allOf(400), ...allOf(401, anonymous) },
    ];
    for (const method of ['POST', 'DELETE']) {
      const request = (kind: Kind) => api.call(method, path(), as(kind));
      expect(await statusesOf(request)).toEqual(done);
      expect(await followers()).toBe(method === 'POST' ? 11 : 0);
      expect(await statusesOf(request)).toEqual(again);
      expect(await followers()).toBe(method === 'POST' ? 11 : 0);
    }
  });

  it('a hidden project exists for its members only', async () => {
    await made({ status: 'draft' });
    const requested = { ...allOf(204), ...allOf(401, anonymous), ...allOf(400, ['stranger']) };
    expect(await statusesOf((kind) => api.call('POST', path(), as(kind)))).toEqual(requested);
    expect((await api.call('DELETE', path(), as('stranger'))).status).toBe(400);
  });

  it('a project hidden later can still be unfollowed', async () => {
    await made();
    await api.call('POST', path(), as('stranger'));
    await database.sql`update projects set status = 'private' where id = ${project.id}`;
    expect((await api.call('DELETE', path(), as('stranger'))).status).toBe(204);
  });

  it('a project that does not exist is 400 with a description', async () => {
    for (const method of ['POST', 'DELETE']) {
      for (const name of ['unknown-slug', '%00', 'a'.repeat(300)]) {
        const answer = await api.call(method, `/${version}/project/${name}/follow`, as('stranger'));
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          error: 'request_error',
          details: { code: 'project_unknown' },
        });
      }
    }
  });

  it('needs only the scope USER_WRITE', async () => {
    await made();
    const person = await build.user(database.sql);
    const wrong = await build.token(database.sql, person, ['USER_READ', 'PROJECT_WRITE']);
    const right = await build.token(database.sql, person, ['USER_WRITE']);
    expect((await api.call('POST', path(), { token: wrong })).status).toBe(401);
    expect((await api.call('POST', path(), { token: right })).status).toBe(204);
    // launchers send an empty JSON body
    expect((await api.call('DELETE', path(), { token: right, json: {} })).status).toBe(204);
  });

  it('updates the follower count in search', async () => {
    await made();
    await api.call('POST', path(), as('stranger'));
    expect(await documentsOf(database.sql, [project.id])).toMatchObject([{ follows: 1 }]);
  });
});

describe.each(['v2', 'v3'])('the follows of a user in %s', (version) => {
  let person: build.BuiltUser;
  const read = async (token?: string, name = person.username) =>
    await api.call('GET', `/${version}/user/${name}/follows`, token ? { token } : {});
  beforeEach(async () => {
    await made();
    person = await build.user(database.sql);
  });

  it('can be read by that user, newest first', async () => {
    const older = await build.project(database.sql);
    await build.follow(database.sql, person, older);
    await build.follow(database.sql, person, project);
    await database.sql`
      update follows set created = created - interval '1 day' where project_id = ${older.id}`;
    for (const name of [person.id, person.username.toUpperCase()]) {
      const answer = await read(await build.token(database.sql, person, ['USER_READ']), name);
      const list = (await answer.json()) as Array<Record<string, unknown>>;
      expect(list.map(({ id }) => id)).toEqual([project.id, older.id]);
      expect(list[0]).toHaveProperty(version === 'v2' ? 'title' : 'name');
    }
  });

  it('leave out projects hidden since, except for members and tokens with PROJECT_READ', async () => {
    const own = await build.project(database.sql, { status: 'private', owner: person });
    const ids = async (token: string) =>
      ((await (await read(token)).json()) as Array<{ id: string }>).map(({ id }) => id);
    const [narrow, token] = [
      await build.token(database.sql, person, ['USER_READ']),
      await build.token(database.sql, person),
    ];
    for (const one of [project, own]) await build.follow(database.sql, person, one);
    for (const status of ['private', 'draft', 'processing', 'rejected', 'scheduled']) {
      await database.sql`update projects set status = ${status} where id = ${project.id}`;
      expect(await ids(token)).toEqual([own.id]);
      expect(await ids(narrow)).toEqual([]);
    }
    await database.sql`update projects set status = 'approved' where id = ${project.id}`;
    expect(await ids(token)).toHaveLength(2);
  });

  it('cannot be read by other users, except admins', async () => {
    await build.follow(database.sql, person, project);
    expect(await statusesOf((kind) => read(as(kind).token))).toEqual({ ...allOf(401), admin: 200 });
    const narrow = await build.token(database.sql, person, ['USER_WRITE', 'PROJECT_READ']);
    expect((await read(narrow)).status).toBe(401);
  });

  it('of an unknown user are 404', async () => {
    expect((await read(as('stranger').token, 'nobody-at-all')).status).toBe(404);
  });
});
