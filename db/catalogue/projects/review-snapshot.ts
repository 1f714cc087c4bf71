import type { Db } from '../../platform/postgres/sql.ts';
import { listedVersionStatuses } from './rules.ts';
import { storedLinks } from './stored-fields.ts';

/** What reviewers look at, by field: texts as they are, everything else as lists of one text an item. */
export type ReviewedFields = Readonly<Record<string, string | readonly string[]>>;

/** The reviewed fields of a project as they are now; null when there is none. */
export async function reviewedFields(db: Db, project_id: string): Promise<ReviewedFields | null> {
  const [row] = await db<Array<{ fields: ReviewedFields }>>`
    select jsonb_build_object(
      'title', p.title, 'slug', p.slug, 'summary', p.description, 'body', p.body,
      'license', p.license_id || coalesce(' ' || p.license_url, ''),
      'links', to_jsonb(array_remove(array[${db(storedLinks.map((column) => `p.${column}`))}], null)
        || array(select d ->> 'url' from jsonb_array_elements(to_jsonb(p.donation_urls)) d)),
      'tags', to_jsonb(p.categories || p.additional_categories),
      'environment', to_jsonb(p.environments),
      'gallery', (select coalesce(jsonb_agg(concat_ws(' - ', g.title, g.description, g.alt, left(g.raw_key, 80))
        order by g.ordering, g.created, g.raw_key), '[]') from gallery g where g.project_id = p.id),
      'versions', (select coalesce(jsonb_agg(v.version_number || ' ' || v.name || ' ' || coalesce(
          (select string_agg(f.filename || ' ' || left(f.sha1, 8), ', ' order by f.filename) from files f
            where f.version_id = v.id), '') order by v.date_published, v.id), '[]')
        from versions v where v.project_id = p.id and v.status = any(${[...listedVersionStatuses]}))
    ) as fields
    from projects p where p.id = ${project_id}`;
  return row?.fields ?? null;
}

/** Remembers what moderators approved, in the transaction that approves it. */
export async function saveReviewSnapshot(tx: Db, project_id: string, now: Date): Promise<void> {
  const fields = await reviewedFields(tx, project_id);
  if (!fields) return;
  await tx`
    insert into review_snapshots (project_id, fields, created) values (${project_id}, ${tx.json(fields as never)}, ${now})
    on conflict (project_id) do update set fields = excluded.fields, created = excluded.created`;
}
