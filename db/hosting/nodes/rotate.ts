import { Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import { offlineCutoff } from './read.ts';
import { secret_overlap_ms } from './rules.ts';
import { newSecret, rotateSecret } from './write.ts';

/**
 * Rotates the secret of a connected agent without showing it to anyone: the command requests it in the database; the
 * control plane that is connected to the agent generates the secret, sends it and stores its hash. Source: hosting
 * §5.2.
 */

/** Progress: `unanswered` rotations were sent and may have arrived, so both secrets are valid. */
export type Rotation = 'asked' | 'told' | 'kept' | 'unanswered';

/** How often a rotation that goes on is looked at, in milliseconds. */
const look_ms = 100;

/**
 * Rotates the secret of a node: its agent gets the new one, if it is connected and a control plane runs; then the secret is
 * null. Otherwise gives the secret, to be shown once. Waits `patience_ms` at most. Refuses `node_unknown`, and
 * `secret_unconfirmed` when the agent did not answer in time: both are valid then.
 */
export async function rotateNow(
  sql: Pool,
  id: string,
  { now, patience_ms, actor_id = null }: { now(): Date; patience_ms: number; actor_id?: string | null },
): Promise<{ secret: string | null }> {
  if (await requestRotation(sql, id, now(), actor_id)) {
    const end = performance.now() + patience_ms;
    let state = await rotationOf(sql, id);
    while ((state === 'asked' || state === 'told') && performance.now() < end) {
      await new Promise((go) => setTimeout(go, look_ms));
      state = await rotationOf(sql, id);
    }
    if (state === 'kept') return { secret: null };
    if (state !== 'asked' || !(await cancelRotation(sql, id))) throw new Refused('secret_unconfirmed');
  }
  return await sql.begin((tx) => rotateSecret(tx, id, now(), actor_id));
}

/** Requests a rotation. Gives false when no agent is connected for the node. */
export async function requestRotation(
  db: Db,
  id: string,
  now: Date,
  actor_id: string | null = null,
): Promise<boolean> {
  const { count } = await db`
    update nodes set rotation = 'asked'
    where id = ${id} and lease_holder is not null and status in ('online', 'degraded')
      and last_seen >= ${offlineCutoff(now)}`;
  if (count === 1) await recordEvent(db, { name: 'node.rotation_requested', actor_id, node_id: id });
  return count === 1;
}

/** Progress of a node's rotation, null when none was requested. */
export async function rotationOf(db: Db, id: string): Promise<Rotation | null> {
  const [row] = await db<{ rotation: Rotation | null }[]>`select rotation from nodes where id = ${id}`;
  return row?.rotation ?? null;
}

/** Cancels a rotation that no control plane has started. Gives whether there was one. */
export async function cancelRotation(db: Db, id: string): Promise<boolean> {
  const { count } = await db`update nodes set rotation = null where id = ${id} and rotation = 'asked'`;
  return count === 1;
}

/**
 * Starts a requested rotation: gives the new secret for the agent, or null when there is none to start. `shown` is the
 * hash of the secret that the agent has: it stays valid until the agent confirms the new one.
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

/**
 * Completes it: the previous secret stays valid for one more day, or, if the agent did not answer, until it is known
 * which one the agent has.
 */
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
