import { Refused } from '../../platform/errors.ts';
import { takeName } from '../../platform/names/kept.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Reserves `slug` for the organization `id` until the commit. Refuses `organization_slug_taken` when it is another
 * organization's slug or lower-cased id, the new id is another organization's slug, or the slug is kept for one that was
 * public under it. Source: api-behaviours §12.
 */
export async function claimSlug(tx: Db, id: string, slug: string): Promise<void> {
  for (const name of [slug, id.toLowerCase()].sort()) {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`organization name ${name}`}, 0))`;
  }
  const [other] = await tx`
    select 1 from organizations
    where id <> ${id} and (slug = ${slug} or lower(id) = ${slug} or slug = ${id.toLowerCase()}) limit 1`;
  const name = { kind: 'organization', name: slug } as const;
  if (other || !(await takeName(tx, name, id))) throw new Refused('organization_slug_taken', { slug });
}
