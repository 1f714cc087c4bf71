import { createHash, randomBytes } from 'node:crypto';
import { recomputeAggregates } from '../../catalogue/versions/recompute-aggregates.ts';
import { newId, randomText } from '../../platform/id.ts';
import type { Actor, Role } from '../../platform/people/rules.ts';
import { type Scope, scopesToNumber, tokenScopes } from '../../platform/people/scopes/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Builders of rows for tests, with defaults: state only what the test is about. Plain inserts; rules are not checked.
 */

export interface BuiltUser {
  id: string;
  username: string;
}

/** A user with a verified e-mail address; `role` defaults to developer. */
export async function user(
  db: Db,
  given: Partial<{ username: string; role: Role; email_verified: boolean }> = {},
): Promise<BuiltUser> {
  const username = given.username ?? `user-${randomText(8)}`;
  const row = {
    id: newId(),
    username,
    email: `${username}@example.test`,
    email_verified: given.email_verified ?? true,
    role: given.role ?? 'developer',
  };
  await db`insert into users ${db(row)}`;
  return { id: row.id, username };
}

/** The user as an actor in a session that proved who it is just now, a developer by default. */
export const actorFor = (person: BuiltUser, given: Partial<Actor> = {}): Actor => ({
  user_id: person.id,
  username: person.username,
  role: 'developer',
  scopes: 'all',
  interactive: true,
  email_verified: true,
  proved: '9999-12-31T00:00:00Z',
  ...given,
});

/**
 * A personal access token of `owner`, as text for the Authorization header; `scopes` defaults to all scopes that a token
 * of staff may have.
 */
export async function token(
  db: Db,
  owner: { id: string },
  scopes: readonly Scope[] | 'all' = 'all',
  expires = new Date('2100-01-01'),
): Promise<string> {
  const text = `mrp_${randomText(60)}`;
  const row = {
    id: newId(),
    user_id: owner.id,
    name: 'Test token',
    token_hash: createHash('sha256').update(text).digest('hex'),
    scopes: scopesToNumber(scopes === 'all' ? tokenScopes : scopes),
    expires,
  };
  await db`insert into tokens ${db(row)}`;
  return text;
}

export interface GivenMember {
  role?: string;
  is_owner?: boolean;
  permissions?: number;
  organization_permissions?: number | null;
  accepted?: boolean;
  payouts_split?: number;
  ordering?: number;
}

/** A team membership: accepted and without permissions by default. */
export async function member(
  db: Db,
  team_id: string,
  person: { id: string },
  given: GivenMember = {},
): Promise<void> {
  await db`insert into team_members ${db({ team_id, user_id: person.id, accepted: true, permissions: 0, ...given })}`;
}

/** A team; its owner, if given, has all permissions. */
async function team(db: Db, owner: { id: string } | null): Promise<string> {
  const id = newId();
  await db`insert into teams (id) values (${id})`;
  if (owner)
    await member(db, id, owner, {
      is_owner: true,
      permissions: 1023,
      organization_permissions: 255,
      payouts_split: 100,
    });
  return id;
}

export interface BuiltOrganization {
  id: string;
  slug: string;
  team_id: string;
  owner: BuiltUser;
}

/** An organization with an owner. */
export async function organization(
  db: Db,
  given: Partial<{ owner: BuiltUser; slug: string; name: string }> = {},
): Promise<BuiltOrganization> {
  const owner = given.owner ?? (await user(db));
  const id = newId();
  const slug = given.slug ?? `organization-${id.toLowerCase()}`;
  const team_id = await team(db, owner);
  await db`insert into organizations ${db({ id, slug, name: given.name ?? `Organization ${id}`, team_id, description: 'Made for a test' })}`;
  return { id, slug, team_id, owner };
}

/** Columns of `projects` that a test may set, besides the owning user and organization. */
export interface GivenProject {
  owner?: BuiltUser;
  organization?: BuiltOrganization;
  slug?: string;
  title?: string;
  description?: string;
  body?: string;
  body_html?: string;
  status?: string;
  requested_status?: string | null;
  archived?: boolean;
  approved?: Date | string | null;
  published?: Date | string;
  updated?: Date | string;
  license_id?: string;
  downloads?: number;
  followers?: number;
  categories?: string[];
  additional_categories?: string[];
  loaders?: string[];
  mrpack_loaders?: string[];
  game_versions?: string[];
  environments?: string[];
  project_types?: string[];
  client_side?: string;
  server_side?: string;
  moderation_message?: string | null;
  moderation_message_body?: string | null;
  monetization_status?: string;
  icon_key?: string | null;
  raw_icon_key?: string | null;
  color?: number | null;
}

export interface BuiltProject {
  id: string;
  slug: string;
  team: string;
  owner: BuiltUser;
}

/**
 * An approved project with an owner and no versions (add them with `version`, which updates the project's aggregates).
 * With `organization` its own team is empty, as in the product.
 */
export async function project(db: Db, given: GivenProject = {}): Promise<BuiltProject> {
  const { owner: givenOwner, organization: owning, ...columns } = given;
  const owner = givenOwner ?? owning?.owner ?? (await user(db));
  const id = newId();
  const status = columns.status ?? 'approved';
  const row = {
    id,
    slug: `project-${id.toLowerCase()}`,
    team: await team(db, owning ? null : owner),
    organization: owning?.id ?? null,
    title: `Project ${id}`,
    description: 'A project made for a test',
    body: 'A longer text',
    body_html: '<p>A longer text</p>',
    license_id: 'MIT',
    approved: ['approved', 'unlisted', 'private'].includes(status) ? new Date() : null,
    first_public: status === 'approved' ? new Date() : null,
    thread_id: newId(),
    ...columns,
    status,
  };
  await db`insert into projects ${db(row)}`;
  return { id, slug: row.slug, team: row.team, owner };
}

/** Columns of `versions` that a test may set, and its files. */
export interface GivenVersion {
  author?: { id: string };
  name?: string;
  version_number?: string;
  changelog?: string;
  changelog_html?: string;
  date_published?: Date | string;
  downloads?: number;
  featured?: boolean;
  version_type?: string;
  status?: string;
  loaders?: string[];
  mrpack_loaders?: string[];
  game_versions?: string[];
  environment?: string;
  ordering?: number | null;
  files?: Array<{
    filename?: string;
    sha1?: string;
    sha512?: string;
    size?: number;
    file_type?: string | null;
  }>;
  dependencies?: Array<{
    project_id?: string | null;
    dependency_version_id?: string | null;
    file_name?: string | null;
    dependency_type?: string;
  }>;
}

/** A listed collection of these projects in this order; owned by a new user unless `owner` is given. */
export async function collection(
  db: Db,
  projects: ReadonlyArray<{ id: string }>,
  given: Partial<{ owner: BuiltUser; name: string; description: string | null; status: string }> = {},
): Promise<{ id: string; owner: BuiltUser }> {
  const { owner = await user(db), ...columns } = given;
  const id = newId();
  await db`insert into collections ${db({ id, user_id: owner.id, name: `Collection ${id}`, ...columns })}`;
  const entries = projects.map((project, position) => ({
    collection_id: id,
    project_id: project.id,
    place: position,
  }));
  if (entries.length > 0) await db`insert into collection_projects ${db(entries)}`;
  return { id, owner };
}

/** Makes `person` follow the project and updates its counter. */
export async function follow(db: Db, person: { id: string }, of: { id: string }): Promise<void> {
  await db`insert into follows ${db({ user_id: person.id, project_id: of.id })}`;
  await db`update projects set followers = followers + 1 where id = ${of.id}`;
}

/** Makes `person` follow another one. */
export async function followPerson(db: Db, person: { id: string }, of: { id: string }): Promise<void> {
  await db`insert into user_follows ${db({ user_id: person.id, followed_id: of.id })}`;
}

/** An image of a text by `owner`, unused unless an item is given; its files are not stored. */
export async function image(
  db: Db,
  owner: { id: string },
  given: Partial<{
    context: string;
    created: Date;
    project_id: string;
    version_id: string;
    thread_message_id: string;
    report_id: string;
    key: string;
    raw_key: string;
  }> = {},
): Promise<{ id: string; key: string; raw_key: string }> {
  const name = `data/cached_images/${randomBytes(20).toString('hex')}`;
  const row = { id: newId(), key: `${name}_1920.webp`, raw_key: `${name}.png` };
  await db`insert into images ${db({ context: 'project', size: 1234, ...row, owner_id: owner.id, ...given })}`;
  return { ...row, ...given };
}

export interface BuiltVersion {
  id: string;
  project_id: string;
  files: Array<{ id: string; filename: string; sha1: string; sha512: string }>;
}

/**
 * A listed Fabric version for 1.20.1 with one file (its content is not stored); the first file is the primary one.
 * Updates the project's aggregates.
 */
export async function version(db: Db, of: BuiltProject, given: GivenVersion = {}): Promise<BuiltVersion> {
  const { author, files: givenFiles = [{}], dependencies = [], ...columns } = given;
  const id = newId();
  const row = {
    id,
    project_id: of.id,
    author_id: author?.id ?? of.owner.id,
    name: `Version ${id}`,
    version_number: '1.0.0',
    version_type: 'release',
    loaders: ['fabric'],
    game_versions: ['1.20.1'],
    environment: 'client_and_server',
    ...columns,
  };
  await db`insert into versions ${db(row)}`;
  const files = givenFiles.map((file, position) => ({
    id: newId(),
    version_id: id,
    filename: file.filename ?? `file-${id}-${position}.jar`,
    is_primary: position === 0,
    size: file.size ?? 1234,
    sha1: file.sha1 ?? randomBytes(20).toString('hex'),
    sha512: file.sha512 ?? randomBytes(64).toString('hex'),
    file_type: file.file_type ?? null,
  }));
  if (files.length > 0) await db`insert into files ${db(files)}`;
  for (const dependency of dependencies) {
    await db`insert into dependencies ${db({ dependency_type: 'required', ...dependency, version_id: id })}`;
  }
  await recomputeAggregates(db, of.id);
  return { id, project_id: of.id, files };
}
