import { atom } from 'nanostores';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import type { PlaneView } from '#db/hosting/planes/view.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { askStaff, openStaffPage } from './staff.store.ts';

/** Nodes and control planes, pushed live from a control plane to staff. */
export const $nodes = atom<readonly NodeView[] | null>(null);
export const $planes = atom<readonly PlaneView[] | null>(null);

/** Connects; call once per page. */
export function openBoard(): void {
  const show = ({ nodes, planes }: { nodes: readonly NodeView[]; planes: readonly PlaneView[] }) => {
    $nodes.set(nodes);
    $planes.set(planes);
  };
  openStaffPage(
    (socket) => socket.on('nodes', show),
    async () => {
      const result = await askStaff('node.list', {});
      if (result.ok) show(result.data);
      return result.ok;
    },
  );
}

/** Starts or stops draining a node: a draining node gets no new servers. A refusal is shown as a toast. */
export async function drain(node_id: string, draining: boolean): Promise<void> {
  await mutate({
    send: () => askStaff('node.drain', { node_id, draining }),
    repeatable: true,
    refresh: ({ node }) => $nodes.set(($nodes.get() ?? []).map((one) => (one.id === node.id ? node : one))),
  });
}
