import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Name } from '../../platform/names/kept.ts';
import { max_release_reason } from '../../platform/names/rules.ts';
import { type Actor, accountOf, isModerator, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** Why somebody may not see kept names and release them, or null. */
export const whyNotReleaseNames = (actor: Actor | null): 'moderators_only' | null =>
  actor && isModerator(actor) ? null : 'moderators_only';

/**
 * Lets anybody have a kept name, with a reason in the audit log. Refuses `moderators_only`, `proof_required`, `reason_required`,
 * and `not_found` for a name that is not kept.
 */
export async function releaseName(
  tx: Db,
  actor: Actor,
  { kind, name, reason }: Name & { reason: string },
  now: Date,
): Promise<void> {
  assertAllowed(whyNotReleaseNames(actor) ?? whyNotProved(actor, now));
  if (reason.trim() === '' || reason.length > max_release_reason)
    throw new Refused('reason_required', { most: max_release_reason });
  const { count } = await tx`
    delete from kept_names where kind = ${kind} and name = kept_name(${kind}, ${name})`;
  if (count === 0) throw new Refused('not_found', { id: name });
  await recordEvent(tx, {
    name: 'catalogue.name_released',
    actor_id: accountOf(actor),
    data: { kind, name, reason: reason.trim() },
  });
}
