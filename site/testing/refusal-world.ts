import { lockProject } from '#db/catalogue/projects/locked.ts';
import { takeDown } from '#db/moderation/takedowns/write.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import * as build from '#db/testing/builders/build.ts';
import { session as openedSession } from '#db/testing/builders/credentials.ts';

/** Fixture values by the placeholder in refusals.json, as `project` for `{project}`. */
export type Values = Record<string, string>;

/** The callers of recorded requests; `cookie` and `foreign` have a session instead of a token. */
export const callers = [
  'anonymous',
  'unknown token',
  'odd token',
  'expired',
  'narrow',
  'stranger',
  'invited',
  'powerless',
  'editor',
  'uploader',
  'owner',
  'moderator',
  'admin',
  'unverified',
  'cookie',
  'foreign',
] as const;
export type Caller = (typeof callers)[number];

export interface World {
  values: Values;
  /** What the caller sends to this path: people their session to forms, which take no token, and their token elsewhere. */
  headersOf(caller: Caller, path: string): Record<string, string>;
}

/** Projects, versions, collections and users for the recorded requests. Ids differ in every run. */
export async function refusalWorld(sql: Pool): Promise<World> {
  const owner = await build.user(sql);
  const project = await build.project(sql, { owner });
  const version = await build.version(sql, project, { files: [{}, {}] });
  const other = await build.project(sql);
  const other_version = await build.version(sql, other);
  const draft = await build.project(sql, { status: 'draft' });
  const draft_version = await build.version(sql, draft);
  const held = await build.project(sql);
  const collection = await build.collection(sql, [project], { owner });
  const private_collection = await build.collection(sql, [project], { status: 'private' });
  const { tokens, sessions } = await callersOf(sql, project, owner);
  const admin = build.actorFor(await build.user(sql, { role: 'admin' }), { role: 'admin' });
  const now = new Date();
  await sql.begin(async (tx) => {
    await takeDown(tx, admin, await lockProject(tx, held.id, admin), { reason: 'An order', now });
  });
  const session = await openedSession(sql, owner);
  return {
    values: {
      project: project.id,
      slug: project.slug,
      version: version.id,
      hash: version.files[0]!.sha1,
      other: other.id,
      other_slug: other.slug,
      other_version: other_version.id,
      draft: draft.id,
      draft_version: draft_version.id,
      draft_hash: draft_version.files[0]!.sha1,
      held: held.id,
      collection: collection.id,
      private_collection: private_collection.id,
      user: owner.username,
      team: project.team,
    },
    headersOf(caller, path): Record<string, string> {
      const cookie = `auth-token=${session}`;
      if (caller === 'cookie') return { cookie, 'sec-fetch-site': 'same-origin' };
      if (caller === 'foreign') return { cookie, 'sec-fetch-site': 'cross-site' };
      const token = tokens[caller];
      if (path.startsWith('/_internal/') && sessions[caller])
        return { cookie: `auth-token=${sessions[caller]}`, 'sec-fetch-site': 'same-origin' };
      return token === undefined ? {} : { authorization: token };
    },
  };
}

async function callersOf(
  sql: Pool,
  project: build.BuiltProject,
  owner: build.BuiltUser,
): Promise<Record<'tokens' | 'sessions', Partial<Record<Caller, string>>>> {
  const inTeam = async (given: build.GivenMember) => {
    const person = await build.user(sql);
    await build.member(sql, project.team, person, given);
    return person;
  };
  const people = {
    stranger: await build.user(sql),
    invited: await inTeam({ permissions: 1023, accepted: false }),
    powerless: await inTeam({ permissions: 0 }),
    editor: await inTeam({ permissions: 4 }),
    uploader: await inTeam({ permissions: 1 }),
    owner,
    moderator: await build.user(sql, { role: 'moderator' }),
    admin: await build.user(sql, { role: 'admin' }),
    unverified: await build.user(sql, { email_verified: false }),
  };
  const tokens: Partial<Record<Caller, string>> = {
    'unknown token': `mrp_${'x'.repeat(60)}`,
    'odd token': 'gho_something',
    expired: await build.token(sql, owner, 'all', new Date('2020-01-01')),
    narrow: await build.token(sql, owner, ['NOTIFICATION_READ']),
  };
  const sessions: Partial<Record<Caller, string>> = {};
  for (const [caller, person] of Object.entries(people) as Array<[Caller, build.BuiltUser]>) {
    tokens[caller] = await build.token(sql, person);
    sessions[caller] = await openedSession(sql, person);
  }
  return { tokens, sessions };
}
