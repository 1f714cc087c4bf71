import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';
import * as build from '#db/testing/builders/build.ts';
import type { Calling } from './api.ts';

/** Fixtures for the tests of the project routes. */

export const kinds = [
  'visitor',
  'broken token',
  'stranger',
  'pending',
  'powerless',
  'editor',
  'writer',
  'uploader',
  'deleter',
  'organization editor',
  'moderator',
  'admin',
  'owner without the scope',
] as const;
export type Kind = (typeof kinds)[number];

/**
 * A token for each kind of caller of `project`, which must belong to `organization`. Editor, writer, uploader and
 * deleter have one permission each: EDIT_DETAILS, EDIT_BODY, UPLOAD_VERSION, DELETE_PROJECT. The last one has every
 * team permission, but its token lacks every project scope.
 */
async function callers(
  sql: Db,
  project: build.BuiltProject,
  organization: build.BuiltOrganization,
): Promise<Record<Kind, string | undefined>> {
  const inTeam = async (given: build.GivenMember) => {
    const person = await build.user(sql);
    await build.member(sql, project.team, person, given);
    return person;
  };
  const token = async (person: build.BuiltUser) => await build.token(sql, person);
  const colleague = await build.user(sql);
  await build.member(sql, organization.team_id, colleague, { permissions: 4 });
  const rest = unrestrictedScopes.filter((scope) => !scope.startsWith('PROJECT_'));
  return {
    visitor: undefined,
    'broken token': 'mrp_nobody',
    stranger: await token(await build.user(sql)),
    pending: await token(await inTeam({ permissions: 1023, accepted: false })),
    powerless: await token(await inTeam({ permissions: 0 })),
    editor: await token(await inTeam({ permissions: 4 })),
    writer: await token(await inTeam({ permissions: 8 })),
    uploader: await token(await inTeam({ permissions: 1 })),
    deleter: await token(await inTeam({ permissions: 128 })),
    'organization editor': await token(colleague),
    moderator: await token(await build.user(sql, { role: 'moderator' })),
    admin: await token(await build.user(sql, { role: 'admin' })),
    'owner without the scope': await build.token(sql, await inTeam({ permissions: 1023 }), rest),
  };
}

/** The same status for every kind, or only for `some`. */
export const allOf = (status: number, some: readonly Kind[] = kinds) =>
  Object.fromEntries(some.map((kind) => [kind, status]));

/** The status that every kind of caller gets. */
export async function statusesOf(
  call: (kind: Kind) => Promise<Response>,
): Promise<Partial<Record<Kind, number>>> {
  const found: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) found[kind] = (await call(kind)).status;
  return found;
}

export interface Stage {
  project: build.BuiltProject;
  /** The Authorization of a caller of this kind. */
  as(kind: Kind): Calling;
}

/** A project that belongs to an organization, with a caller of every kind. */
export async function stage({ sql }: { sql: Pool }, given: build.GivenProject = {}): Promise<Stage> {
  const organization = await build.organization(sql);
  const project = await build.project(sql, given);
  await sql`update projects set organization = ${organization.id} where id = ${project.id}`;
  const tokens = await callers(sql, project, organization);
  return { project, as: (kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] }) };
}
