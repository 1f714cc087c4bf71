/**
 * Resources of a server with `gb` gigabytes of memory. Source: specification §9 (2 GB: 2 cpu, 512 swap, 16 GB; 48 GB:
 * 8 cpu).
 */
export const sizeOf = (gb: number) => ({
  ram_mb: gb * 1024,
  cpu_millis: Math.min(8, Math.max(2, Math.ceil(gb / 2))) * 1000,
  swap_mb: 512,
  disk_mb: gb * 8 * 1024,
});
export type Size = ReturnType<typeof sizeOf>;
