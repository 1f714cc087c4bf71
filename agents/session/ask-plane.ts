import type { StorageQuestion, StorageRequest } from '#control/protocol/backups.ts';
import type { PlatformAnswer } from '../backups/targets/platform.ts';
import type { AgentSocket } from './client.ts';

const ack_timeout_ms = 20_000;
/** How long a question waits for a connection, and the pause between two tries. */
const patience_ms = 60_000;
const pause_ms = 250;

interface Session {
  socket: AgentSocket;
  /** Null without a connection. */
  lease(): number | null;
}

/**
 * Asks the control plane about backups, and again when the connection was lost meanwhile: every question may be repeated. Throws
 * without an answer for a minute.
 */
export async function askPlane<R extends StorageRequest>(
  { socket, lease }: Session,
  request: R,
  question: StorageQuestion<R>,
): Promise<PlatformAnswer<R>> {
  const deadline = Date.now() + patience_ms;
  for (;;) {
    const held = lease();
    if (held !== null) {
      const answer = await (
        socket.timeout(ack_timeout_ms) as unknown as {
          emitWithAck(name: string, message: object): Promise<PlatformAnswer<R>>;
        }
      )
        .emitWithAck(request, { lease: held, ...question })
        .catch(() => null);
      if (answer && (answer.ok || answer.error !== 'lease_stale')) return answer;
    }
    if (Date.now() > deadline) throw new Error('The control plane does not answer');
    await new Promise((go) => setTimeout(go, pause_ms));
  }
}
