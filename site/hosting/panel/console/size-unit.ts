/** A size in megabytes in the unit it is shown in: KB below 1 MB, GB from 1024 MB. */
export function inUnit(mb: number): { size: number; unit: 'servers.kb' | 'servers.mb' | 'servers.gb' } {
  if (mb >= 1024) return { size: mb / 1024, unit: 'servers.gb' };
  return mb >= 1 ? { size: mb, unit: 'servers.mb' } : { size: mb * 1024, unit: 'servers.kb' };
}
