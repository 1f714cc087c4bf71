import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Version } from '#db/catalogue/versions/shape.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import * as build from '#db/testing/builders/build.ts';
import { zipOf } from '#db/testing/zips.ts';
import type { AppServices } from '../platform/context.ts';
import type { TestApi } from './api.ts';

/** Fixtures for the tests of the version routes. */

/** A Fabric mod's archive; `mark` makes its bytes unique. */
export const jar = async (mark: string): Promise<Buffer> =>
  await zipOf({ 'fabric.mod.json': JSON.stringify({ schemaVersion: 1, id: 'test', version: mark }) });

/** A valid `data` part for one file in the part `file`. */
export const dataOf = (project_id: string, given: Record<string, unknown> = {}): Record<string, unknown> => ({
  project_id,
  file_parts: ['file'],
  version_number: '1.0.0',
  name: 'First',
  dependencies: [],
  game_versions: ['1.20.1'],
  version_type: 'release',
  loaders: ['fabric'],
  featured: false,
  ...given,
});

export type Files = Record<string, readonly [filename: string, bytes: Uint8Array]>;

/** A form as most clients send it: `data` first, then the files under their part names. */
export function form(data: unknown, files: Files): FormData {
  const body = new FormData();
  body.append('data', typeof data === 'string' ? data : JSON.stringify(data));
  for (const [part, [filename, bytes]] of Object.entries(files)) {
    body.append(part, new Blob([Buffer.from(bytes)]), filename);
  }
  return body;
}

/** Everything on the disk: stored objects and files in tmp. */
export async function onDisk({ storage, settings }: AppServices): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list('data/')) keys.push(key);
  return [...keys, ...(await readdir(join(settings.DATA_DIR, 'tmp')))].sort();
}

const kinds = [
  'visitor',
  'stranger',
  'pending',
  'powerless',
  'uploader',
  'deleter',
  'organization uploader',
  'moderator',
  'admin',
  'owner without the scope',
] as const;
export type Kind = (typeof kinds)[number];

/**
 * A token for each kind of caller of `project`, which must belong to `organization`; the last one is the uploader's
 * with every scope but `missing`.
 */
export async function callers(
  sql: Db,
  project: build.BuiltProject,
  organization: build.BuiltOrganization,
  missing: readonly Scope[],
  sign: (db: Db, user: build.BuiltUser) => Promise<string> = build.token,
): Promise<Record<Kind, string | undefined>> {
  const person = async (role?: 'moderator' | 'admin') => await build.user(sql, role ? { role } : {});
  const inTeam = async (given: build.GivenMember) => {
    const user = await person();
    await build.member(sql, project.team, user, given);
    return user;
  };
  const uploader = await inTeam({ permissions: 1 });
  const organizer = await person();
  await build.member(sql, organization.team_id, organizer, { permissions: 1 });
  const token = async (user: build.BuiltUser) => await sign(sql, user);
  const rest = unrestrictedScopes.filter((scope) => !missing.includes(scope));
  return {
    visitor: undefined,
    stranger: await token(await person()),
    pending: await token(await inTeam({ permissions: 1023, accepted: false })),
    powerless: await token(await inTeam({ permissions: 0 })),
    uploader: await token(uploader),
    deleter: await token(await inTeam({ permissions: 2 })),
    'organization uploader': await token(organizer),
    moderator: await token(await person('moderator')),
    admin: await token(await person('admin')),
    'owner without the scope': await build.token(sql, await inTeam({ permissions: 1023 }), rest),
  };
}

let marks = 0;

/** Publishes a version with unique bytes, as `token`, and gives the answer; throws when it is refused. */
export async function publish(
  api: TestApi,
  token: string,
  project_id: string,
  given: object = {},
): Promise<Version> {
  const mark = `${process.pid} ${marks++}`;
  const files = { file: [`file-${marks}.jar`, await jar(mark)] } as const;
  const answer = await api.call('POST', '/v2/version', {
    token,
    body: form({ ...dataOf(project_id), ...given }, files),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Version;
}
