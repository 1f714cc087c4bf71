import type { Connect } from '../../sql.ts';

/** What every task needs. It goes through the child's channel, so that no password stands in a list of processes. */
interface Common {
  connect: Pick<Connect, 'address' | 'database'>;
  folder: string;
  workshop: string;
  /** Priority of the builder, 0 to 19: searches come first. Without it their slowest hundredth takes twice as long. */
  nice: number;
}
export interface BaseTask extends Common {
  kind: 'base';
  /** A base newer than this one is as good as a new one. */
  after: number;
}
export interface WarmTask extends Common {
  kind: 'warm';
  ids: string[];
}
/** Message to a builder process: the one task it does. */
export type Task = BaseTask | WarmTask;

type BuildOptions = 'workshop' | 'nice';
/** A task before a builder is started for it. */
export type BuildInput = (Omit<BaseTask, BuildOptions> | Omit<WarmTask, BuildOptions>) & { nice?: number };

export interface Built {
  generation: number;
  documents: number;
  /** of both files */
  bytes: number;
  took_ms: number;
}
/** Message from a builder process: how its task ended. */
export type BuildResult = { built: Built } | { newer: number } | { failed: string; full: boolean };
