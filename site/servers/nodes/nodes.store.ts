import { atom } from 'nanostores';
import type { NodeView } from '#db/nodes/view.ts';
import { keepConnected, openStaffSocket } from '../shared/socket.ts';

/** The nodes, pushed live from the control plane to staff. */
export const $nodes = atom<readonly NodeView[] | null>(null);
export const $stale = atom(false);
/** The message of the last refusal. */
export const $refused = atom<string | null>(null);

const answer_ms = 10_000;
const socket = typeof window === 'undefined' ? null : openStaffSocket();
let isOpen = false;

/** Connects; call once per page. */
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

/** Starts or stops draining a node: a draining node gets no new servers. */
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
