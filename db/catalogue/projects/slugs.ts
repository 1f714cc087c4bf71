import { Refused } from '../../platform/errors.ts';
import { takeName } from '../../platform/names/kept.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Locks names until the commit, so that no two transactions take the same one: a slug conflicts with slugs and with
 * lower-cased ids, which one constraint cannot express.
 */
async function lockNames(tx: Db, names: readonly string[]): Promise<void> {
  for (const name of [...names].sort()) {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`project name ${name}`}, 0))`;
  }
}

/**
 * Reserves `slug` for the project `id` (a new one, or one that changes its slug) until the commit. Refuses
 * `project_slug_taken` when it is another project's slug or lower-cased id, the new id is another project's slug, or the slug
 * is kept for a project that was public under it. A former slug of a project that never was public stops redirecting there
 * when it is taken. Source: api-behaviours §12.
 */
export async function claimSlug(tx: Db, id: string, slug: string): Promise<void> {
  await lockNames(tx, [slug, id.toLowerCase()]);
  const [other] = await tx`
    select 1 from projects p
    where p.id <> ${id} and (p.slug = ${slug} or lower(p.id) = ${slug} or p.slug = ${id.toLowerCase()}) limit 1`;
  const name = { kind: 'project', name: slug } as const;
  if (other || !(await takeName(tx, name, id))) throw new Refused('project_slug_taken', { slug });
  await tx`delete from old_slugs where slug = ${slug}`;
}
