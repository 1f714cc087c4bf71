import type { Console } from '../console/console.ts';
import type { AgentContext } from '../context.ts';
import { StepError } from '../docker/step-error.ts';
import type { Kind } from '../plan/kinds.ts';
import type { ContainerState, PlanInput, ServerState, Step } from '../plan/plan.ts';
import type { EventData } from '../state/events.ts';
import type { StoredServer } from '../state/servers.ts';
import type { PlayerCount } from './player-count.ts';

/** Events about a server that steps report beside `server.power`. */
export type ReportType = `server.${'warning' | 'installed' | 'resized' | 'deleted' | 'broken'}`;

/** What a step may use of the server it is done for. The controller implements it and calls the executor. */
export interface StepContext {
  readonly id: string;
  readonly context: AgentContext;
  readonly console: Console;
  /** Its row in the agent's database; null when it has none. */
  readonly stored: StoredServer | null;
  /** What Docker said of its container last. */
  readonly observed: ContainerState | null;
  /** This process asked the running process to stop; after a restart of the agent it does so again. */
  stop_requested: boolean;
  /** Whether its disk needs work. */
  disk: PlanInput['disk'];
  /** Its disk is not prepared again before this time, milliseconds since 1970. */
  disk_retry_at: number;
  /** When Docker said that a process in its container ran out of memory, milliseconds since 1970. */
  oom_at: number | null;
  /** Players are not listened for before this time, milliseconds since 1970; a warning about that was reported. */
  listen_at: number;
  listen_warned: boolean;
  readonly players: PlayerCount;
  /** Operations that run. */
  readonly operations: number;
  /** The line that says players may join was read. */
  startup_done: boolean;
  /** Inspects the container again. */
  refresh(): Promise<ContainerState | null>;
  planInput(stored: StoredServer): PlanInput;
  /** Stores `state`; reports `server.power` when the power changed or `data` is given. */
  saveState(state: ServerState, data?: Partial<EventData<'server.power'>> | null): void;
  report<T extends ReportType>(type: T, data: EventData<T>): void;
  /** Players may join: reported once, with the seconds it took. */
  markRunning(): void;
  /** A player joins while it sleeps: it starts. */
  wake(): void;
}

/** How each step of the plan is done. A step may be interrupted anywhere: the next inspection finds what is left to do. */
export type Executor = {
  [S in Exclude<Step['do'], 'nothing' | 'wait'>]: (
    server: StepContext,
    step: Extract<Step, { do: S }>,
  ) => Promise<void>;
} & {
  /** Removes container, files and stored state of a deleted server. */
  remove(server: StepContext): Promise<void>;
};

export interface InstalledServer {
  stored: StoredServer & { spec: NonNullable<StoredServer['spec']> };
  kind: Kind;
}

/** The stored specification and its kind. Throws `kind_unknown`, or when there is no specification. */
export function requireSpec({ id, stored, context }: StepContext): InstalledServer {
  if (!stored?.spec) throw new Error(`server ${id} has no specification`);
  const kind = context.kindOf(stored.spec);
  if (!kind) throw new StepError('kind_unknown', stored.spec.kind);
  return { stored: stored as InstalledServer['stored'], kind };
}
