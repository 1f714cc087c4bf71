import { beginRotation, endRotation } from '#db/nodes/rotate.ts';
import { hashOf } from '#db/people/session.ts';
import type { Hub } from '../hub.ts';
import type { AgentLink } from './link.ts';

/**
 * Gives an agent the new secret that was asked for its node, if one was. One that does not say that it keeps it is cut off:
 * at the door it shows which one it has, and until then both count.
 */
export async function rotate(hub: Hub, link: AgentLink): Promise<void> {
  const { sql, now } = hub.record;
  const { node_id } = link;
  if (!link.reconciled) return;
  try {
    const secret = await beginRotation(sql, link);
    if (secret === null) return;
    const kept = await link.takeSecret(secret);
    if (kept) link.shown = hashOf(secret);
    await endRotation(sql, { node_id, secret, kept }, now());
    if (kept) return;
    hub.log.warn({ node_id }, 'An agent did not say that it keeps its new secret');
    link.socket.disconnect(true);
  } catch (err) {
    hub.log.warn({ err, node_id }, 'A new secret could not be given to an agent');
  }
}
