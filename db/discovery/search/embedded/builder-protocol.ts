import type { Connect } from '../../../platform/postgres/sql.ts';

/** Input of every task. Sent over the child's channel, so that no password appears in a process list. */
interface Common {
  connect: Pick<Connect, 'address' | 'database'>;
  folder: string;
  workshop: string;
  /** Priority of the builder, 0 to 19: searches come first. Without it their p99 doubles. */
  nice: number;
}
export interface BaseTask extends Common {
  kind: 'base';
  /** A base newer than this one makes the task unnecessary. */
  after: number;
}
export interface WarmTask extends Common {
  kind: 'warm';
  ids: string[];
}
/** Message to a builder process: its task. */
export type Task = BaseTask | WarmTask;

type BuildOptions = 'workshop' | 'nice';
/** A task without the connection, before a builder is started for it. */
export type BuildInput = (Omit<BaseTask, BuildOptions> | Omit<WarmTask, BuildOptions>) & { nice?: number };

export interface Built {
  generation: number;
  documents: number;
  /** size of both files */
  bytes: number;
  took_ms: number;
}
/** Message from a builder process: the result of its task. */
export type BuildResult = { built: Built } | { newer: number } | { failed: string; full: boolean };
