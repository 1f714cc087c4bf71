import { recordEvent } from '../events/write.ts';
import { hashToken } from '../secrets/hash.ts';
import type { Db } from '../sql.ts';
import { offlineCutoff } from './read.ts';
import { secret_overlap_ms } from './rules.ts';
import { newSecret } from './write.ts';

/**
 * A new secret for an agent that is there, without anybody seeing it: whoever runs a command asks for it in the record, the
 * control plane that holds the agent makes the secret, tells the agent and keeps its hash. Source: hosting §5.2.
 */

/** How far it has come: `unanswered` ones were told and may have arrived, so both secrets count. */
export type Rotation = 'asked' | 'told' | 'kept' | 'unanswered';

/** Asks for a rotation. Gives false when no agent speaks for the node now: nobody could take the secret. */
export async function requestRotation(db: Db, id: string, now: Date): Promise<boolean> {
  const { count } = await db`
    update nodes set rotation = 'asked'
    where id = ${id} and lease_holder is not null and status in ('online', 'degraded')
      and last_seen >= ${offlineCutoff(now)}`;
  return count === 1;
}

/** How far the rotation of a node is, null when none was asked for. */
export async function rotationOf(db: Db, id: string): Promise<Rotation | null> {
  const [row] = await db<{ rotation: Rotation | null }[]>`select rotation from nodes where id = ${id}`;
  return row?.rotation ?? null;
}

/** Takes back what no control plane has begun. Gives whether there was such a thing. */
export async function cancelRotation(db: Db, id: string): Promise<boolean> {
  const { count } = await db`update nodes set rotation = null where id = ${id} and rotation = 'asked'`;
  return count === 1;
}

/**
 * Begins a rotation that was asked for: gives the secret for the agent, or null when there is none to begin. `shown` is the
 * hash of the one the agent is known to have: it counts until the agent says that it keeps the new one.
 */
export async function beginRotation(
  db: Db,
  { node_id, lease, shown }: { node_id: string; lease: number; shown: string },
): Promise<string | null> {
  const secret = newSecret();
  const { count } = await db`
    update nodes set rotation = 'told', previous_secret_hash = ${shown}, previous_secret_until = 'infinity',
      secret_hash = ${hashToken(secret)}
    where id = ${node_id} and lease = ${lease} and rotation = 'asked'`;
  return count === 1 ? secret : null;
}

/** Ends it: from now on the secret before counts for a day more, or as long as nobody knows which one the agent has. */
export async function endRotation(
  db: Db,
  { node_id, secret, is_confirmed }: { node_id: string; secret: string; is_confirmed: boolean },
  now: Date,
): Promise<void> {
  const until = is_confirmed ? new Date(now.getTime() + secret_overlap_ms) : null;
  const { count } = await db`
    update nodes set rotation = ${is_confirmed ? 'kept' : 'unanswered'},
      previous_secret_until = coalesce(${until}, previous_secret_until)
    where id = ${node_id} and secret_hash = ${hashToken(secret)}`;
  if (count > 0 && is_confirmed) await recordEvent(db, { name: 'node.secret_rotated', node_id });
}
