import type { Db } from '../../platform/postgres/sql.ts';
import { type CheckedFields, checkedColumns } from './checklist-facts.ts';
import type { Donation } from './fields.ts';
import type { MonetizationStatus, Revisions, Status } from './rules.ts';

/** A disclosure in force, with its lock; its rules are in `db/catalogue/disclosures`. */
export interface OwnDisclosure {
  type: string;
  data: Record<string, unknown>;
  lock_status: string;
}

/** What members set of a project themselves, as it is stored, with its revision. */
export interface OwnFields extends CheckedFields, Revisions {
  id: string;
  slug: string;
  status: Status;
  requested_status: Status | null;
  scheduled_for: string | null;
  archived: boolean;
  approved: string | null;
  monetization_status: MonetizationStatus;
  moderation_message: string | null;
  /** Whether its page shows the downloads of the last 30 days. */
  shows_downloads: boolean;
  environment_verified: string | null;
  /** The username of who confirmed it. */
  environment_verified_by: string | null;
  donation_urls: Donation[];
  /** In force, by type. */
  disclosures: OwnDisclosure[];
}

/** The own fields of a project, null when there is none; `lock` keeps its row until the commit. The caller checks the rule. */
export async function ownFields(
  db: Db,
  project_id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<OwnFields | null> {
  const [row] = await db<OwnFields[]>`
    select ${checkedColumns(db)}, p.id, p.slug, p.requested_status, p.scheduled_for, p.archived, p.approved,
      p.monetization_status, p.moderation_message, p.shows_downloads, p.environment_verified, p.revision,
      p.field_revisions,
      (select username from users u where u.id = p.environment_verified_by) as environment_verified_by,
      (select coalesce(jsonb_agg(jsonb_build_object('type', d.type, 'data', d.data, 'lock_status', d.lock_status)
        order by d.type), '[]') from disclosures d where d.project_id = p.id and d.deleted_at is null) as disclosures
    from projects p where p.id = ${project_id} ${lock ? db`for no key update of p` : db``}`;
  return row ?? null;
}
