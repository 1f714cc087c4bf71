import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';

/** An entry as it is shown, with the steps that it consists of, newest first. */
export interface ShownEntry {
  entry: ActivityEntry;
  steps: ActivityEntry[];
}

const isStep = ({ kind }: ActivityEntry): boolean => kind === 'backups' || kind === 'power';

/**
 * The entries, newest first, with each restore that was done as one of them: its end, the backup made before it and what it
 * stopped and started are its steps. One that failed keeps its lines.
 */
export function foldRestores(entries: readonly ActivityEntry[]): ShownEntry[] {
  const shown: ShownEntry[] = [];
  const folded = new Set<ActivityEntry>();
  for (const [at, entry] of entries.entries()) {
    if (folded.has(entry)) continue;
    if (entry.name !== 'server.backup_restored') {
      shown.push({ entry, steps: [] });
      continue;
    }
    const begun = entries.findIndex(
      ({ name, data }, index) =>
        index > at && name === 'server.backup_restore_requested' && data.backup_id === entry.data.backup_id,
    );
    if (begun < 0) {
      shown.push({ entry, steps: [] });
      continue;
    }
    const steps = [entry, ...entries.slice(at + 1, begun).filter(isStep)];
    for (const one of [...steps, entries[begun]!]) folded.add(one);
    shown.push({ entry: entries[begun]!, steps });
  }
  return shown;
}
