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

/** Planes that are alive and speak no common version, as pairs: neither shows the consoles that the other has. */
export function planesApart<P extends { alive: boolean; protocol: Versions }>(
  planes: readonly P[],
): [P, P][] {
  const alive = planes.filter((plane) => plane.alive);
  return alive.flatMap((one, at) =>
    alive
      .slice(at + 1)
      .filter((other) => commonVersion(one.protocol, other.protocol) === null)
      .map((other): [P, P] => [one, other]),
  );
}
