import type { NodeState } from './rules.ts';

/** What an agent told of its machine last. `disk_mode`, of new servers: `image` is kept by the kernel, `measured` by looking from time to time. */
export interface NodeFacts {
  agent_version: string;
  docker: string | null;
  disk_mode: string;
  kinds: string[];
  cpu_millis: number;
  ram_mb: number;
  disk_mb: number;
  disk_free_mb: number;
  ram_free_mb?: number | undefined;
  load: number;
}

/** A node as staff see it. `promised` is given away, `most` may be (overcommit included). */
export interface NodeView {
  id: string;
  name: string;
  region: string;
  public_address: string;
  status: NodeState;
  draining: boolean;
  last_seen: string | null;
  servers: number;
  running: number;
  ram_mb: { promised: number; most: number } | null;
  cpu_millis: { promised: number; most: number } | null;
  disk_mb: { promised: number; most: number } | null;
  ports: { used: number; all: number };
  overcommit: number;
  facts: Partial<NodeFacts>;
}
