import { atom } from 'nanostores';
import type { NodeView } from '#db/nodes/view.ts';
import type { PlaneView } from '#db/planes/view.ts';
import { mutate } from '../../browser/mutate.ts';
import { requestOn } from '../shared/request.ts';
import { keepConnected, openStaffSocket } from '../shared/socket.ts';

/** Nodes and control planes, pushed live from a control plane to staff. */
export const $nodes = atom<readonly NodeView[] | null>(null);
export const $planes = atom<readonly PlaneView[] | null>(null);
export const $stale = atom(false);

const socket = typeof window === 'undefined' ? null : openStaffSocket();
let isOpen = false;

/** Connects; call once per page. */
export function openBoard(): void {
  if (isOpen || !socket) return;
  isOpen = true;
  const show = ({ nodes, planes }: { nodes: readonly NodeView[]; planes: readonly PlaneView[] }) => {
    $nodes.set(nodes);
    $planes.set(planes);
  };
  socket.on('nodes', show);
  socket.on('connect', async () => {
    const result = await requestOn(socket, 'node.list', {});
    $stale.set(!result.ok);
    if (result.ok) show(result.data);
  });
  keepConnected(socket, () => $stale.set(true));
}

/** Starts or stops draining a node: a draining node gets no new servers. A refusal is shown as a toast. */
export async function drain(node_id: string, draining: boolean): Promise<void> {
  if (!socket) return;
  await mutate({
    send: () => requestOn(socket, 'node.drain', { node_id, draining }),
    repeatable: true,
    refresh: ({ node }) => $nodes.set(($nodes.get() ?? []).map((one) => (one.id === node.id ? node : one))),
  });
}
