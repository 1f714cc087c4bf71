import type { NodeView } from '#db/hosting/nodes/view.ts';

export type DiskWarning =
  | { text: 'nodes.disk_room_low' | 'nodes.disk_room_none' }
  /** `why` is a message of the machine's system. */
  | { text: 'nodes.disk_open'; why: string | null }
  | { text: 'nodes.disk_old'; count: number };

/** What staff have to know about the disk of a node: its room, and servers without a hard limit. Older agents report less. */
export function diskWarnings({
  disk_room = 'enough',
  disk_mode,
  disk_why = null,
  disk_measured = 0,
}: Partial<Pick<NodeView['facts'], 'disk_room' | 'disk_mode' | 'disk_measured'>> & {
  disk_why?: string | null | undefined;
}): DiskWarning[] {
  const room: DiskWarning[] =
    disk_room === 'enough'
      ? []
      : [{ text: disk_room === 'low' ? 'nodes.disk_room_low' : 'nodes.disk_room_none' }];
  if (disk_mode === 'measured') return [...room, { text: 'nodes.disk_open', why: disk_why }];
  return disk_measured > 0 ? [...room, { text: 'nodes.disk_old', count: disk_measured }] : room;
}
