import { atom } from 'nanostores';
import type { NodeView } from '#db/nodes/view.ts';
import { keepConnected, openStaffSocket } from '../shared/socket.ts';

/** The fleet as the control plane tells it to staff, live. */
export const $nodes = atom<readonly NodeView[] | null>(null);
export const $stale = atom(false);
/** Words of the last refusal. */
export const $refused = atom<string | null>(null);

const answer_ms = 10_000;
const socket = typeof window === 'undefined' ? null : openStaffSocket();
let isOpen = false;

/** Begins to listen; once a page. */
export function openBoard(): void {
  if (isOpen || !socket) return;
  isOpen = true;
  socket.on('nodes', ({ nodes }) => $nodes.set(nodes));
  socket.on('connect', async () => {
    const answer = await socket
      .timeout(answer_ms)
      .emitWithAck('node.list', {})
      .catch(() => null);
    $stale.set(!answer?.ok);
    if (answer?.ok) $nodes.set(answer.nodes);
  });
  keepConnected(socket, () => $stale.set(true));
}

/** Takes no more servers on a node, or does again. */
export async function drain(node_id: string, draining: boolean): Promise<void> {
  if (!socket?.connected) return;
  const answer = await socket
    .timeout(answer_ms)
    .emitWithAck('node.drain', { node_id, draining })
    .catch(() => null);
  $refused.set(answer && !answer.ok ? answer.description : null);
  if (answer?.ok) {
    const { node } = answer;
    $nodes.set(($nodes.get() ?? []).map((one) => (one.id === node.id ? node : one)));
  }
}
