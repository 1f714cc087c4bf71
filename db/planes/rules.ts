/** Rules for control planes that share an installation. Source: hosting §5.2. */

/** Interval of a plane's heartbeats. */
export const plane_heartbeat_ms = 2_000;
/** A plane without a heartbeat for this long is dead: its leases end, and it holds none any more itself. */
export const plane_dead_after_ms = 6_000;

/** Versions of a protocol that one side speaks. */
export interface Versions {
  min: number;
  max: number;
}

/** The highest version that both sides speak; null when there is none. */
export function commonVersion(one: Versions, other: Versions): number | null {
  const version = Math.min(one.max, other.max);
  return version >= Math.max(one.min, other.min) ? version : null;
}
