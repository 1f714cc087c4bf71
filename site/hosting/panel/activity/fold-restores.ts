import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';

/** An entry as it is shown, with the steps that it consists of, newest first. */
export interface ShownEntry {
  entry: ActivityEntry;
  steps: ActivityEntry[];
}

/** The place of the request of the restore that ended at `at`, -1 where none ended or its request is on an older page. */
const beginningOf = (entries: readonly ActivityEntry[], at: number): number =>
  entries[at]!.name === 'server.backup_restored'
    ? entries.findIndex(
        ({ name, data }, index) =>
          index > at &&
          name === 'server.backup_restore_requested' &&
          data.backup_id === entries[at]!.data.backup_id,
      )
    : -1;

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
    const begun = beginningOf(entries, at);
    if (begun < 0) {
      shown.push({ entry, steps: [] });
      continue;
    }
    const request = entries[begun]!;
    const steps = [entry, ...entries.slice(at + 1, begun).filter(isStep)];
    for (const one of [...steps, request]) folded.add(one);
    shown.push({ entry: request, steps });
  }
  return shown;
}
