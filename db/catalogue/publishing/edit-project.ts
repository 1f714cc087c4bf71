import { claimImages, keepImagesOf } from '../../messages/images/claim.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { RevisedText } from '../../platform/text/revision.ts';
import { changeStatus } from '../projects/change-status.ts';
import {
  existingCategories,
  linkChanges,
  parseDonations,
  parseLicense,
  parseSlug,
} from '../projects/fields.ts';
import { lastEdit } from '../projects/last-edit.ts';
import { type LockedProject, lockProject } from '../projects/locked.ts';
import {
  displayStatus,
  type ExpectedRevision,
  requestableStatuses,
  whyNotMonetizeProject,
  whyNotRequestStatus,
  whyNotSaveOver,
  whyNotSetModerationMessage,
} from '../projects/rules.ts';
import type { EditData } from '../projects/shape.ts';
import { claimSlug } from '../projects/slugs.ts';
import { changedColumns, linkColumns, permissionsFor } from '../projects/stored-fields.ts';
import { environmentOf } from '../tags/rules.ts';
import { type Permission, permissionsOf, whyNotActInTeam } from '../teams/rules.ts';
import { whyNotEditVersion } from '../versions/rules.ts';
import { setLoaderFields } from '../versions/write.ts';

/** Fields of an edit: those of v2, and those only v3 has. */
export interface Change extends EditData {
  /** URL by platform, null removes it; platforms not named stay. Source: api-v3 §3.3. */
  links?: Record<string, string | null> | undefined;
  /** Fields of every version that has them. Source: api-v3 §2.3. */
  environment?: string | undefined;
  game_versions?: string[] | undefined;
  mrpack_loaders?: string[] | undefined;
  /** Whether its page shows the downloads of the last 30 days. */
  shows_downloads?: boolean | undefined;
}

/**
 * The body is rendered before the transaction, and skipped when a later one was saved meanwhile; `api` decides how a
 * status affects the archived disclosure.
 */
export interface Editing {
  change: Change;
  body: RevisedText | null;
  api: 2 | 3;
  now: Date;
  /** What the caller read before; null saves over whatever there is. */
  expected?: ExpectedRevision | null;
}

/**
 * Changes the fields in `change`, each with the permission it needs, and the status if given. Refuses `not_found`,
 * `not_a_member`, `permission_missing`, `moderators_only`, `project_slug_taken`, `slug_invalid`, `license_unknown`,
 * `donation_platform_unknown`, `link_platform_unknown`, `game_version_unknown`, `loader_unknown`,
 * `requested_status_invalid`, `move_refused`, `version_required`, `image_unknown`, `image_used`, `revision_conflict`.
 * Source: api-v2 §4.2; api-v3 §3.3; api-behaviours §3.
 */
export async function editProject(
  tx: Db,
  actor: Actor,
  project_id: string,
  { change, body, api, now, expected = null }: Editing,
): Promise<void> {
  const project = await lockProject(tx, project_id, actor);
  if (permissionsOf(project.access) === null) throw new Refused('not_a_member');
  await assertUnchanged(tx, project, { change, expected });
  const columns: Record<string, unknown> = {
    ...details(project, change),
    ...(await address(tx, project, change)),
    ...(await text(tx, project, body)),
    ...shown(project, change),
    ...staff(project, change),
  };
  if (columns.donation_urls) columns.donation_urls = tx.json(columns.donation_urls as never);
  const embedding = { context: 'project' as const, id: project_id };
  if (typeof columns.body === 'string') await keepImagesOf(tx, actor, embedding, columns.body);
  if (change.uploaded_images?.length) assertPermission(project, 'EDIT_BODY');
  await claimImages(tx, actor, change.uploaded_images, embedding);
  const fields = Object.keys(columns);
  if (fields.length > 0) await tx`update projects set ${tx(columns as never)} where id = ${project_id}`;
  fields.push(...(await loaderFields(tx, project, change)));
  if (fields.length > 0) {
    const data = { fields, ...('slug' in columns ? { old_slug: project.slug } : {}) };
    await recordEvent(tx, { name: 'project.edited', actor_id: actor.user_id, project_id, data });
  }
  if (change.status) await changeStatus(tx, actor, project, { to: change.status, api, now });
}

/** Refuses `revision_conflict`, with who changed it last and when, if the project is no longer what the caller read. */
async function assertUnchanged(
  tx: Db,
  project: LockedProject,
  { change, expected }: { change: Change; expected: ExpectedRevision | null },
): Promise<void> {
  const columns = columnsOf(change);
  const why = whyNotSaveOver(project, expected, columns);
  if (!why) return;
  const last = await lastEdit(tx, project.id, expected?.of === 'columns' ? columns : []);
  throw new Refused(why, { revision: project.revision, by: last?.by ?? null, at: last?.at ?? null });
}

/** The columns that a change names. */
export function columnsOf(change: Change): string[] {
  const { links = {}, status, environment, client_side, server_side, ...fields } = change;
  const named = Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  const linked = Object.keys(links).map((platform) => linkColumns.get(platform) ?? 'donation_urls');
  return [
    ...named,
    ...linked,
    ...(status ? ['status', 'archived'] : []),
    ...(environment || client_side || server_side ? ['environments'] : []),
  ];
}

const assertPermission = ({ access }: LockedProject, permission: Permission): void =>
  assertAllowed(whyNotActInTeam(access, permission), { permission });

function details(project: LockedProject, change: Change): Record<string, unknown> {
  const columns: Record<string, unknown> = changedColumns(change);
  for (const permission of permissionsFor(Object.keys(columns))) assertPermission(project, permission);
  const { license_id, categories, additional_categories, donation_urls, requested_status } = change;
  const requested = [license_id, categories, additional_categories, donation_urls, change.links].some(
    (value) => value != null,
  );
  if (!requested && requested_status === undefined) return columns;
  assertPermission(project, 'EDIT_DETAILS');
  if (license_id) columns.license_id = parseLicense(license_id);
  if (categories) columns.categories = existingCategories(categories);
  if (additional_categories) columns.additional_categories = existingCategories(additional_categories);
  if (donation_urls) columns.donation_urls = parseDonations(donation_urls, 'id');
  if (requested_status !== undefined) {
    assertAllowed(whyNotRequestStatus(requested_status), { allowed: requestableStatuses.join(', ') });
    columns.requested_status = requested_status;
  }
  return { ...columns, ...linkChanges(project, change.links ?? {}) };
}

/** A new slug frees the old one for others; until then pages redirect from it. The unchanged slug is no change. */
async function address(tx: Db, project: LockedProject, { slug }: Change): Promise<Record<string, unknown>> {
  if (slug == null) return {};
  assertPermission(project, 'EDIT_DETAILS');
  const stored = parseSlug(slug);
  if (stored === project.slug) return {};
  await claimSlug(tx, project.id, stored);
  await tx`
    insert into old_slugs (slug, project_id) values (${project.slug}, ${project.id})
    on conflict (slug) do update set project_id = excluded.project_id, created = now()`;
  return { slug: stored };
}

async function text(
  tx: Db,
  project: LockedProject,
  body: RevisedText | null,
): Promise<Record<string, unknown>> {
  if (!body) return {};
  assertPermission(project, 'EDIT_BODY');
  const { source, html, version, revision } = body;
  const [newer] = await tx`select 1 from projects where id = ${project.id} and body_revision > ${revision}`;
  if (newer) return {};
  return { body: source, body_html: html, body_version: version, body_revision: revision };
}

/** Only who may see the sums of days may show them to everybody. */
function shown(project: LockedProject, { shows_downloads }: Change): Record<string, unknown> {
  if (shows_downloads === undefined) return {};
  assertPermission(project, 'EDIT_DETAILS');
  assertPermission(project, 'VIEW_ANALYTICS');
  return { shows_downloads };
}

/** Fields that only moderators may set, as far as the rules let members change them. */
function staff(project: LockedProject, change: Change): Record<string, unknown> {
  const { access, monetization_status } = project;
  const columns: Record<string, unknown> = {};
  if (change.monetization_status) {
    assertAllowed(whyNotMonetizeProject(monetization_status, change.monetization_status, access), {
      permission: 'EDIT_DETAILS',
    });
    columns.monetization_status = change.monetization_status;
  }
  for (const field of ['moderation_message', 'moderation_message_body'] as const) {
    const message = change[field];
    if (message === undefined) continue;
    assertAllowed(whyNotSetModerationMessage(displayStatus(project), message, access), {
      permission: 'EDIT_DETAILS',
    });
    columns[field] = message;
  }
  return columns;
}

/** The sides of v2, or the loader fields of v3, apply to every version that has them. Source: api-behaviours §7.1. */
async function loaderFields(
  tx: Db,
  project: LockedProject,
  { client_side, server_side, environment, game_versions, mrpack_loaders }: Change,
): Promise<string[]> {
  if (!client_side && !server_side && !environment && !game_versions && !mrpack_loaders) return [];
  assertAllowed(whyNotEditVersion(project.access), { permission: 'UPLOAD_VERSION' });
  const sides = client_side || server_side;
  const pair = environmentOf(client_side ?? project.client_side, server_side ?? project.server_side);
  const given = { environment: environment ?? (sides ? pair : undefined), game_versions, mrpack_loaders };
  await setLoaderFields(tx, project.id, given);
  const fields = { environments: given.environment, game_versions, mrpack_loaders };
  return Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}
