/** Resource usage of a container as the panel displays it; both versions of cgroups. Source: hosting §1c, §7.7. */

/** The part of Docker's stats that is used. */
export interface Sample {
  read: string;
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
  memory_stats?: {
    usage?: number;
    limit?: number;
    stats?: { total_inactive_file?: number; inactive_file?: number };
  };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>;
}

const mb = 1024 * 1024;

/**
 * Memory without caches that the kernel would free, in megabytes. cgroups 1 names them `total_inactive_file`, 2
 * `inactive_file`.
 */
export function usedRamMb({ memory_stats }: Sample): number {
  const { usage = 0, stats } = memory_stats ?? {};
  const reclaimable = stats?.total_inactive_file ?? stats?.inactive_file ?? 0;
  return Math.max(0, usage - reclaimable) / mb;
}

/** Percent of one core between two samples: 150 is one and a half cores. null when unknown. */
export function cpuPercent(before: Sample | null, now: Sample): number | null {
  const [from, to] = [before?.cpu_stats?.cpu_usage?.total_usage, now.cpu_stats?.cpu_usage?.total_usage];
  if (!before || from === undefined || to === undefined) return null;
  const took_ns = (Date.parse(now.read) - Date.parse(before.read)) * 1e6;
  return took_ns > 0 && to >= from ? ((to - from) / took_ns) * 100 : null;
}

/** Bytes since the container started, summed over all networks. */
export function traffic({ networks }: Sample): { rx_bytes: number; tx_bytes: number } {
  const all = Object.values(networks ?? {});
  return {
    rx_bytes: all.reduce((sum, one) => sum + one.rx_bytes, 0),
    tx_bytes: all.reduce((sum, one) => sum + one.tx_bytes, 0),
  };
}
