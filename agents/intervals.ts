/** How often an agent looks by itself for what nobody tells it. Tests wait for such things, so they let it look more often. */
export interface AgentIntervals {
  /** Compares all servers with what is desired. */
  reconcile_ms: number;
  /** Counts players on a server that may sleep. */
  players_ms: number;
  /** Counts the files of a server, at most so often. */
  usage_ms: number;
  /** A container that lives this long after an out-of-memory event lost another process than its main one. */
  oom_child_after_ms: number;
}

export const usualIntervals: AgentIntervals = {
  reconcile_ms: 10_000,
  players_ms: 15_000,
  usage_ms: 10_000,
  oom_child_after_ms: 5_000,
};
