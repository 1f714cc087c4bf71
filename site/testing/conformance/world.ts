import { decideRequest, openRequest } from '#db/accounts/oauth/authorize.ts';
import { createClient } from '#db/accounts/oauth/write.ts';
import { addMessage } from '#db/messages/threads/write.ts';
import { newId } from '#db/platform/id.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { mediaUrl } from '#db/platform/storage/url.ts';
import * as build from '#db/testing/builders/build.ts';

/** The callers of the table of access, in the order of its columns. */
export const callers = [
  'visitor',
  'no scope',
  'stranger',
  'member without',
  'member',
  'organization',
  'moderator',
  'admin',
] as const;
export type Caller = (typeof callers)[number];

export interface World {
  /** Fixture values by the placeholder in a sample: `project` for `{project}`. */
  values: Record<string, string>;
  /** The Authorization of a caller, and of `expired`: a member's token that has expired. */
  tokens: Record<Caller | 'expired', string | null>;
}

type People = Record<
  Exclude<Caller, 'visitor' | 'no scope'> | 'friend' | 'builder' | 'owner',
  build.BuiltUser
> &
  Pick<World, 'tokens'>;

/** People and their tokens; they outlive a world. `member` has a session where a route needs a restricted scope. */
export async function people(sql: Pool): Promise<People> {
  const made = {
    stranger: await build.user(sql),
    'member without': await build.user(sql),
    member: await build.user(sql),
    organization: await build.user(sql),
    moderator: await build.user(sql, { role: 'moderator' }),
    admin: await build.user(sql, { role: 'admin' }),
    friend: await build.user(sql),
    builder: await build.user(sql),
    owner: await build.user(sql),
  };
  const session = async (person: build.BuiltUser) =>
    (await openSession(sql, { user_id: person.id, user_agent: null, now: new Date() })).session;
  return {
    ...made,
    tokens: {
      visitor: null,
      'no scope': await build.token(sql, made.member, []),
      expired: await build.token(sql, made.member, unrestrictedScopes, new Date('2020-01-01')),
      stranger: await session(made.stranger),
      'member without': await session(made['member without']),
      member: await session(made.member),
      organization: await session(made.organization),
      moderator: await session(made.moderator),
      admin: await session(made.admin),
    },
  };
}

/**
 * One of everything, in relation to the people: a project of an organization with two versions, whose member has every
 * right and whose other member has none; what belongs to one person (collection, report, notification, thread) belongs
 * to the member. `status` is the project's.
 */
export async function world(sql: Pool, who: People, status = 'approved'): Promise<World> {
  const project = await projectOf(sql, who, status);
  const version = await build.version(sql, project, {
    author: who.member,
    files: [{}, { file_type: 'sources-jar' }],
    changelog: 'What is new',
    dependencies: [{ project_id: project.other.id }],
  });
  const more = await build.version(sql, project, { version_number: '2.0.0', date_published: '2020-01-01' });
  const { id: collection } = await build.collection(sql, [project], { owner: who.member });
  // a team of its own, whose owner is the member and that has invited the stranger
  const own = await build.project(sql, { owner: who.member });
  await build.member(sql, own.team, who.builder);
  await build.member(sql, own.team, who.stranger, { accepted: false });
  await build.follow(sql, who.member, project.other);
  const report = await reportOf(sql, project, who);
  const notification = newId();
  const body = { project_id: project.id, version_id: version.id };
  await sql`insert into notifications ${sql({ id: notification, user_id: who.member.id, type: 'project_update', body: sql.json(body) })}`;
  const [{ thread_id = '' } = {}] = await sql<
    Array<{ thread_id: string }>
  >`select thread_id from projects where id = ${project.id}`;
  const message = await addMessage(
    sql,
    thread_id,
    { type: 'text', body: { body: 'A message', replying_to: null }, author_id: who.member.id },
    new Date(),
  );
  return {
    tokens: who.tokens,
    values: {
      ...(await applicationOf(sql, who.member)),
      project: project.id,
      slug: project.slug,
      other: project.other.id,
      version: version.id,
      second_version: more.id,
      hash: version.files[0]!.sha1,
      second_hash: version.files[1]!.sha1,
      filename: version.files[0]!.filename,
      user: who.member.id,
      stranger: who.stranger.id,
      friend: who.friend.id,
      powerless: who['member without'].id,
      owner: who.owner.id,
      team: project.team,
      organization: project.organization,
      colleague: who.organization.id,
      collection,
      report,
      notification,
      thread: thread_id,
      message,
      image_url: project.image_url,
      own: own.id,
      own_team: own.team,
      builder: who.builder.id,
      email: `${who.stranger.username}@example.test`,
    },
  };
}

/** An app of a person who asked that person for everything it may, and got a code. */
async function applicationOf(sql: Pool, person: build.BuiltUser): Promise<World['values']> {
  const [actor, now] = [build.actorFor(person), new Date()];
  const given = { name: 'Herons', max_scopes: 2, redirect_uris: ['https://app.example/back'], public: false };
  await sql`delete from oauth_clients where created_by = ${person.id}`; // a person may have so many
  const { id, secret } = await createClient(sql, actor, given, now);
  const asking = async () => {
    const query = new URLSearchParams({ client_id: id });
    const asked = await openRequest({ sql, settings: parseSettings({}) }, actor, query, now);
    return 'to' in asked ? '' : asked.flow_id;
  };
  const [oauth_flow, taken] = [await asking(), await asking()];
  const decision = { flow: taken, accepted: true };
  const to = await decideRequest({ sql, settings: parseSettings({}) }, actor, decision, now);
  const oauth_code = new URL(to).searchParams.get('code') ?? '';
  return { application: id, client_secret: secret ?? '', oauth_flow, oauth_code };
}

async function projectOf(sql: Pool, who: People, status: string) {
  const organization = await build.organization(sql, { owner: who.owner });
  await build.member(sql, organization.team_id, who.organization, {
    permissions: 1023,
    organization_permissions: 1023,
  });
  await build.member(sql, organization.team_id, who.member, {
    permissions: 0,
    organization_permissions: 1023,
  });
  const project = await build.project(sql, {
    organization,
    status,
    body: 'A text',
    categories: ['adventure'],
  });
  await build.member(sql, project.team, who.member, { permissions: 1023, role: 'Member' });
  await build.member(sql, project.team, who.builder, { permissions: 0, role: 'Member' });
  await build.member(sql, project.team, who['member without'], { permissions: 0, role: 'Member' });
  const key = `data/${project.id}/images/picture.webp`;
  await sql`insert into gallery ${sql({ project_id: project.id, key, raw_key: key, title: 'A picture' })}`;
  const links = {
    issues_url: 'https://example.org/issues',
    donation_urls: sql.json([{ id: 'ko-fi', platform: 'ko-fi', url: 'https://example.org/tip' }]),
  };
  await sql`update projects set ${sql(links)} where id = ${project.id}`;
  const other = await build.project(sql);
  return { ...project, other, organization: organization.id, image_url: mediaUrl(parseSettings({}), key) };
}

async function reportOf(sql: Pool, project: build.BuiltProject, who: People): Promise<string> {
  const id = newId();
  const thread_id = newId();
  await sql.begin(async (tx) => {
    await tx`insert into threads ${tx({ id: thread_id, type: 'report', report_id: id })}`;
    await tx`insert into reports ${tx({ id, report_type: 'spam', item_type: 'project', project_id: project.id, body: 'Too much', reporter: who.member.id, thread_id })}`;
  });
  return id;
}
