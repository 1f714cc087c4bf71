import type { Ack } from '#control/protocol/ack.ts';
import type { TransferAnswer, TransferQuestion, TransferRequest } from '#control/protocol/transfers.ts';
import { PortRefusal, planeAway } from '../port/refusal.ts';
import type { AgentSocket } from './client.ts';

/** An agent that has to say how far an upload is takes a while. */
const ack_timeout_ms = 20_000;

/**
 * Asks the control plane about a transfer, once: a ticket is used up by the question. Throws `PortRefusal`: with what the plane
 * refuses, or that it is away. A plane that takes no such questions has no lease here.
 */
export async function askTransfers<R extends TransferRequest>(
  { socket, lease }: { socket: AgentSocket; lease(): number | null },
  request: R,
  question: TransferQuestion<R>,
): Promise<TransferAnswer<R>> {
  const held = lease();
  if (held === null || !socket.connected) throw planeAway();
  const lost = Promise.withResolvers<null>();
  const onLost = () => lost.resolve(null);
  socket.once('disconnect', onLost);
  try {
    const asked = (
      socket.timeout(ack_timeout_ms) as unknown as {
        emitWithAck(name: string, message: object): Promise<Ack<TransferAnswer<R>>>;
      }
    ).emitWithAck(request, { lease: held, ...question });
    const answer = await Promise.race([asked.catch(() => null), lost.promise]);
    if (!answer || (!answer.ok && answer.error === 'lease_stale')) throw planeAway();
    if (answer.ok) return answer;
    const { status, error, description } = answer;
    throw new PortRefusal({ status, error, description });
  } finally {
    socket.off('disconnect', onLost);
  }
}
