import type { Socket } from 'socket.io';
import { commonVersion, type Versions } from '#db/hosting/planes/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Sealer } from '#db/platform/secrets/seal.ts';
import type { AgentConnection } from '../agent-links/connection.ts';
import type { PlaneContext } from '../context.ts';
import type { PlaneSocket, Relay } from '../planes/relay.ts';
import type { Handlers } from '../protocol/ack.ts';
import { linkHandshake, linkProof, planeRequests, proof_purpose, proof_ttl_ms } from '../protocol/plane.ts';
import { errorAck, handleRequests } from '../sockets/handle.ts';

interface Options {
  relay: Relay;
  sealer: Sealer;
  /** Versions that this plane speaks. */
  versions: Versions;
}

/** The namespace of other planes of this installation: what they ask of the agents that are connected here. */
export function openPlaneGateway(context: PlaneContext, { relay, sealer, versions }: Options): void {
  const { io, log } = context;
  const namespace = io.of('/plane');
  namespace.use((socket, next) => {
    try {
      Object.assign(socket.data, admit(context, sealer, versions, socket as PlaneSocket));
      next();
    } catch (error) {
      const data = errorAck(error, 'en-US', log, 'handshake');
      next(Object.assign(new Error(data.description), { data }));
    }
  });
  namespace.on('connection', (socket: PlaneSocket) => {
    socket.on('disconnect', () => relay.forget(socket));
    const handling = { log, locale: 'en-US', admit: () => {} };
    handleRequests(
      socket as unknown as Socket,
      { requests: planeRequests, handlers: handlersOf(context, relay), connection: socket },
      () => handling,
    );
    socket.emit('welcome', { protocol: socket.data.protocol as number });
  });
}

/**
 * The version that both planes speak, and which plane it is. Refuses `plane_foreign` without a proof made by a plane of this installation
 * for this one, `plane_away` when another plane is meant, and `plane_protocol`.
 */
function admit(
  context: PlaneContext,
  sealer: Sealer,
  versions: Versions,
  { handshake }: PlaneSocket,
): { protocol: number; from: string } {
  const parsed = linkHandshake.safeParse(handshake.auth);
  // planes connect to each other, never through the site
  if (!parsed.success || handshake.headers['x-forwarded-for'] !== undefined)
    throw new Refused('plane_foreign');
  const { from, to, protocol, proof } = parsed.data;
  const sealed = proven(sealer.open(proof, proof_purpose));
  if (!sealed || sealed.from !== from || sealed.to !== to) throw new Refused('plane_foreign');
  if (Math.abs(context.now().getTime() - sealed.at) > proof_ttl_ms) throw new Refused('plane_foreign');
  if (to !== context.id) throw new Refused('plane_away');
  const version = commonVersion(versions, { min: protocol[0], max: protocol[1] });
  if (version === null) {
    context.log.warn(
      { plane: from, speaks: protocol, here: versions },
      'Another control plane speaks no version of the link that this one does: update both',
    );
    throw new Refused('plane_protocol');
  }
  return { protocol: version, from };
}

function proven(text: string | null) {
  try {
    return linkProof.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

function handlersOf(context: PlaneContext, relay: Relay): Handlers<typeof planeRequests, PlaneSocket> {
  /** The agent of a node here. Refuses `agent_elsewhere`: who asks waits and looks again. */
  const agentOf = ({ node_id, lease }: { node_id: string; lease: number }): AgentConnection => {
    context.membership.assertHeld();
    const agent = context.agents.get(node_id);
    if (!agent?.reconciled || agent.lease !== lease) throw new Refused('agent_elsewhere');
    return agent;
  };
  return {
    'plane.status': async () => ({ renewing: context.membership.isRenewing() }),
    'plane.joined': async ({ data }, { address }) => {
      context.membership.add({ id: data.from as string, address });
      return {};
    },
    'agent.watch': async (socket, { node_id, server_ids }) => {
      relay.watch(socket, node_id, server_ids);
      return { connected: context.agents.get(node_id)?.reconciled ?? false };
    },
    'agent.tail': async (_socket, { server_id, before, limit, ...node }) => ({
      tail: await agentOf(node).tail(server_id, before, limit),
    }),
    'agent.command': async (_socket, { server_id, text, ...node }) =>
      agentOf(node).writeCommand(server_id, text),
    'agent.commands': async (_socket, { server_id, ...node }) => ({
      known: await agentOf(node).knownCommands(server_id),
    }),
    'agent.files': async (_socket, { server_id, query, args, timeout_ms, ...node }) => ({
      answer: (await agentOf(node).queryFiles(server_id, { query, args }, timeout_ms)) as never,
    }),
    'agent.stats': async (_socket, { server_ids, ...node }) => ({
      stats: await agentOf(node).stats(server_ids),
    }),
  };
}
