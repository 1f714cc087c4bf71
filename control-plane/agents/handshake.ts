import { type NodeIdentity, nodeBySecret } from '#db/hosting/nodes/read.ts';
import { acquireLease, joinNode } from '#db/hosting/nodes/write.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { agentHandshake, protocolVersions, type Welcome } from '../protocol/agent.ts';

/**
 * Admits an agent: a join token becomes a secret once, a secret identifies its node; then it has the newest lease. Refuses
 * `agent_protocol`, `join_token_invalid`, `agent_secret_invalid` and `invalid_input`. Source: hosting §5.2.
 */
export async function acceptHandshake(
  db: Db,
  auth: unknown,
  {
    holder,
    installation,
    site_origin,
    now,
  }: {
    holder: string;
    installation: string;
    site_origin: string;
    now: Date;
  },
): Promise<Welcome> {
  const parsed = agentHandshake.safeParse(auth);
  if (!parsed.success)
    throw new Refused('invalid_input', { problem: 'this is not the handshake of an agent' });
  const { node_id, secret, join_token, protocol, boot_id, clock } = parsed.data;
  const [min, max] = protocol;
  const version = Math.min(max, protocolVersions.max);
  if (version < Math.max(min, protocolVersions.min)) throw new Refused('agent_protocol');
  const joined = join_token ? await joinNode(db, join_token, now) : null;
  const node: NodeIdentity | null =
    joined?.node ?? (node_id && secret ? await nodeBySecret(db, node_id, secret, now) : null);
  if (!node) throw new Refused('agent_secret_invalid');
  const { id, ...identity } = node;
  return {
    node_id: id,
    secret: joined?.secret ?? null,
    lease: await acquireLease(db, id, { holder, boot_id, now }),
    protocol: version,
    clock_offset: now.getTime() - clock,
    installation,
    node: identity,
    site_origin,
  };
}
