import { recomputeAggregates } from '../../catalogue/versions/recompute-aggregates.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Why a version is kept from the public: what the scan found, files from elsewhere that nobody answers for, or a file that no scan
 * could read whole.
 */
export type HoldReason = 'review' | 'attribution' | 'unread';

/**
 * Keeps a version from the public for this reason, as a draft until the last reason is gone; the project's row is locked by the caller.
 * False when it was held for it already.
 */
export async function holdVersion(
  tx: Db,
  { id, project_id }: { id: string; project_id: string },
  { reason, now }: { reason: HoldReason; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update versions set held_for = array_append(held_for, ${reason}), held = coalesce(held, ${now}),
      held_status = coalesce(held_status, status), status = 'draft'
    where id = ${id} and not ${reason} = any(held_for)`;
  if (count === 0) return false;
  await recomputeAggregates(tx, project_id);
  await recordEvent(tx, { name: 'version.held', project_id, version_id: id, data: { reason } });
  return true;
}

/**
 * Takes this reason from versions of one project; those without another one get their status back. The project's row is locked by the caller.
 * Gives the numbers of those that are released.
 */
export async function releaseVersions(
  tx: Db,
  { ids, project_id }: { ids: readonly string[]; project_id: string },
  { reason, actor_id }: { reason: HoldReason; actor_id: string | null },
): Promise<string[]> {
  await tx`
    update versions set held_for = array_remove(held_for, ${reason})
    where id = any(${ids as string[]}) and ${reason} = any(held_for)`;
  const released = await tx<Array<{ id: string; version_number: string }>>`
    update versions set status = held_status, held = null, held_status = null
    where id = any(${ids as string[]}) and held is not null and held_for = '{}' returning id, version_number`;
  if (released.length === 0) return [];
  await recomputeAggregates(tx, project_id);
  for (const { id } of released)
    await recordEvent(tx, { name: 'version.released', actor_id, project_id, version_id: id });
  return released.map(({ version_number }) => version_number);
}
