import { claimImages } from '../../messages/images/claim.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { ProcessedImage } from '../../platform/files/image.ts';
import { type StoredImage, storeImage, withKeys } from '../../platform/files/pictures.ts';
import { countUpload } from '../../platform/files/quota.ts';
import { type RunInTransaction, withStoredFiles } from '../../platform/files/stored-files.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Rendered } from '../../platform/text/rendered.ts';
import { accessToOrganization } from '../organizations/access.ts';
import { knownCategories, linkChanges, parseDonations, parseLicense, parseSlug } from '../projects/fields.ts';
import * as gallery from '../projects/gallery.ts';
import { limits } from '../projects/limits.ts';
import { ownedProjects } from '../projects/owned.ts';
import { removeOrphanImages } from '../projects/pictures.ts';
import {
  requestableStatuses,
  whyNotCreateProject,
  whyNotRequestStatus,
  whyNotStartProject,
} from '../projects/rules.ts';
import { claimSlug } from '../projects/slugs.ts';
import { acceptedValues } from '../projects/stored-fields.ts';
import type { ProjectType } from '../tags/rules.ts';
import { whyNotActInOrganization } from '../teams/rules.ts';
import * as teams from '../teams/write.ts';
import { newFiles, type Prepared } from '../versions/prepare.ts';
import { bytesOf, publishInitial } from '../versions/write.ts';
import { writeOpenPoints } from './checklist-message.ts';
import type { CreateData } from './shape.ts';

/** A new project after all slow work: archives opened, images processed, texts rendered. */
export interface NewProject {
  data: CreateData;
  /** Its type until it has versions, which say it then. */
  type?: ProjectType;
  body: Rendered;
  versions: readonly Prepared[];
  icon: (ProcessedImage & { color: number }) | null;
  gallery: ReadonlyArray<{ item: string; picture: ProcessedImage }>;
}

/**
 * Validates `data` and the user before any file has arrived. Refuses `email_unverified`, `version_required`,
 * `requested_status_invalid`, `slug_invalid`, `category_unknown`, `license_unknown`, `donation_platform_unknown`, `link_platform_unknown`,
 * `gallery_featured_twice`. Source: api-v2 §4.1.
 */
export function validateNewProject(actor: Actor, data: CreateData): void {
  if (!actor.email_verified) throw new Refused('email_unverified');
  const { is_draft, initial_versions, requested_status = null } = data;
  assertAllowed(whyNotStartProject({ is_draft: is_draft ?? false, versions: initial_versions.length }));
  assertAllowed(whyNotRequestStatus(requested_status), { allowed: requestableStatuses.join(', ') });
  if ((data.gallery_items ?? []).filter(({ featured }) => featured).length > 1) {
    throw new Refused('gallery_featured_twice');
  }
  columnsOf(data);
}

/** Columns that follow from `data` alone. */
function columnsOf(data: CreateData) {
  const { donation_urls: donations, ...links } = linkChanges(
    { donation_urls: parseDonations(data.donation_urls ?? [], 'platform') },
    data.links ?? {},
  );
  return {
    ...acceptedValues(data),
    ...links,
    slug: parseSlug(data.slug),
    status: data.is_draft ? 'draft' : 'processing',
    requested_status: data.requested_status ?? 'approved',
    license_id: parseLicense(data.license_id),
    categories: knownCategories(data.categories),
    additional_categories: knownCategories(data.additional_categories ?? []),
    donations: donations ?? parseDonations(data.donation_urls ?? [], 'platform'),
  };
}

/**
 * Creates a project with its team, images and initial versions in one transaction, and gives its id. Refuses what
 * `check` refuses, `upload_quota_reached`, `limit_reached`, `project_slug_taken`, `organization_unknown`,
 * `permission_missing` (ADD_PROJECT) and what `publishInitial` refuses. Source: api-v2 §4.1; api-behaviours §2, §3,
 * §12.
 */
export async function createProject(
  begin: RunInTransaction,
  storage: Storage,
  actor: Actor,
  made: NewProject,
  now: Date,
): Promise<string> {
  const id = newId();
  const pictures = picturesOf(id, made);
  try {
    for (const picture of pictures.all) await storeImage(storage, picture);
    await withStoredFiles(
      begin,
      storage,
      newFiles(id, ...made.versions),
      async (tx) => await insert(tx, { actor, made, now, id, pictures }),
    );
    return id;
  } catch (error) {
    const keys = pictures.all.flatMap(({ objects }) => objects.map(({ key }) => key));
    await removeOrphanImages(begin, storage, id, keys).catch(() => {}); // report the first error; the garbage collection removes the rest
    throw error;
  }
}

interface Creation {
  id: string;
  actor: Actor;
  made: NewProject;
  now: Date;
  pictures: ReturnType<typeof picturesOf>;
}

async function insert(tx: Db, { id, actor, made, now, pictures }: Creation): Promise<void> {
  const { data, type, body, versions, icon } = made;
  validateNewProject(actor, data);
  await countUpload(tx, actor.user_id, storedBytes(made, pictures), now);
  await assertUnderLimit(tx, actor);
  const organization = data.organization_id ?? null;
  if (organization) await assertMayAddToOrganization(tx, actor, organization);
  const { donations: donation_urls, ...columns } = columnsOf(data);
  await claimSlug(tx, id, columns.slug);
  const row = {
    ...columns,
    id,
    team: await teams.create(tx, organization ? null : actor.user_id),
    organization,
    body: body.source,
    body_html: body.html,
    body_version: body.version,
    ...(type ? { project_types: [type] } : {}),
    published: now,
    updated: now,
    queued: columns.status === 'processing' ? now : null,
    icon_key: pictures.icon?.key ?? null,
    raw_icon_key: pictures.icon?.raw_key ?? null,
    color: icon?.color ?? null,
    donation_urls: tx.json(donation_urls as never),
    thread_id: newId(),
  };
  await tx`insert into projects ${tx(row)}`;
  await gallery.insertAll(tx, id, pictures.items, now);
  await claimImages(tx, actor, data.uploaded_images, { context: 'project', id });
  await recordEvent(tx, {
    name: 'project.created',
    actor_id: actor.user_id,
    project_id: id,
    data: { status: row.status },
  });
  if (versions.length > 0) await publishInitial(tx, actor, id, versions, now);
  if (row.status === 'processing') await writeOpenPoints(tx, { id, thread_id: row.thread_id, now });
}

const storedBytes = ({ versions }: NewProject, { all }: Creation['pictures']): number =>
  versions.reduce((sum, { files }) => sum + bytesOf(files), 0) +
  all.flatMap(({ objects }) => objects).reduce((sum, { bytes }) => sum + bytes.length, 0);

/** One project at a time per user, so that the limit holds. Source: api-v2 §1.8. */
async function assertUnderLimit(tx: Db, actor: Actor): Promise<void> {
  await tx`select 1 from users where id = ${actor.user_id} for no key update`;
  const owned = await ownedProjects(tx, actor.user_id);
  assertAllowed(whyNotCreateProject(owned, actor), { limit: limits.per_user });
}

async function assertMayAddToOrganization(tx: Db, actor: Actor, organization_id: string): Promise<void> {
  const access = await accessToOrganization(tx, organization_id, actor);
  if (!access) throw new Refused('organization_unknown', { id: organization_id });
  assertAllowed(whyNotActInOrganization(access, 'ADD_PROJECT'), { permission: 'ADD_PROJECT' });
}

function picturesOf(id: string, { data, icon, gallery: processed }: NewProject) {
  const byItem = new Map(
    processed.map(({ item, picture }) => [item, withKeys(`data/${id}/images/`, picture)]),
  );
  const items = (data.gallery_items ?? []).flatMap(({ item, featured, name, description, ordering }) => {
    const picture = byItem.get(item);
    if (!picture) return [];
    const caption = { title: name ?? null, description: description ?? null, alt: null };
    return [{ picture, featured, ordering, ...caption }];
  });
  const own_projects = icon ? withKeys(`data/${id}/`, icon) : null;
  const all: StoredImage[] = [...(own_projects ? [own_projects] : []), ...byItem.values()];
  return { icon: own_projects, items, all };
}
