import type { Lifecycle, PowerShown } from './rules.ts';

/** A process that ended without being asked to, as its agent told it. `last_lines`: oldest first, 50 at most. */
export interface Crash {
  exit_code: number | null;
  out_of_memory: boolean;
  last_lines: string[];
  /** Held after too many crashes: a person must start it again. */
  held: boolean;
}

/** A server as people and programs are told of it: what its owner may know. */
export interface ServerView {
  id: string;
  name: string;
  kind: string;
  game_version: string;
  loader: string | null;
  plan: string;
  region: string;
  ram_mb: number;
  cpu_millis: number;
  disk_mb: number;
  /** stopped, starting, running, stopping, crashed, installing, unknown */
  state: PowerShown;
  lifecycle: Lifecycle;
  /** Why it is suspended, broken or waits, for the words shown; `{}` when there is nothing to say. */
  lifecycle_data: { reason?: string; step?: string; error?: string; generation?: number };
  power_wanted: 'on' | 'off';
  /** What players type; null before it has a place. */
  address: { host: string; port: number } | null;
  /** Name of the node, null before it has a place. */
  node: string | null;
  /** Container and start time: whose lines the console shows. */
  epoch: string | null;
  started_at: string | null;
  /** It runs with another size since it began: something of that serves only after its next start. */
  restart_due: boolean;
  crash: Crash | null;
  /** When its node was heard last. */
  last_seen: string | null;
  created: string;
  generation: number;
}
