import type { ServerSpec } from '#control/protocol/agent.ts';
import type { Power } from '#db/servers/rules.ts';

/**
 * What an agent does next for one server: pure, from what is wanted, what the engine shows and what the journal
 * remembers. One step at a time; after it everything is looked at again. Source: hosting §5.5.
 */

/** What the engine shows of a server's container; null when there is none. */
export interface ContainerState {
  id: string;
  alive: boolean;
  started_at: number | null;
  finished_at: number | null;
  exit_code: number;
  out_of_memory: boolean;
  /** It ended at the engine's command, or while engine or machine were down: no crash of its own. */
  ended_by_engine: boolean;
}

/** What the journal remembers of a server beside its specification. Moments are milliseconds since 1970. */
export interface ServerState {
  /** What was told last. */
  power: Power;
  installed_generation: number;
  /** The last `restart_seq` that was acted on. */
  restart_seq: number;
  /** The last `resize_seq` whose size is in force, or will be at the next start. */
  resize_seq: number;
  /** Somebody wanted this end; `deadline` is when patience ends. Survives a restart of the agent. */
  intent: { kind: 'stop' | 'restart' | 'kill'; deadline: number; forced: boolean } | null;
  /** Ends nobody wanted, of the last ten minutes. */
  crashes: { at: number; out_of_memory: boolean }[];
  /** It stays down until a person starts it again, though power is wanted. */
  held_reason: 'crashes' | 'out_of_memory' | 'typed' | 'killed' | null;
  /** The last thing typed into its console was the command that stops it. */
  stop_typed: boolean;
  /** When it was started last, and whether somebody was told that this takes long. */
  started_at: number | null;
  slow_reported: boolean;
  /** What was in the way, in whose words: tried again at `next`, later every time. */
  broken: {
    step: string;
    error: string;
    generation: number;
    tries: number;
    next: number;
    reported: boolean;
  } | null;
}

export const initialState: ServerState = {
  power: 'stopped',
  installed_generation: 0,
  restart_seq: 0,
  resize_seq: 0,
  intent: null,
  crashes: [],
  held_reason: null,
  stop_typed: false,
  started_at: null,
  slow_reported: false,
  broken: null,
};

export interface PlanInput {
  spec: Pick<ServerSpec, 'generation' | 'power' | 'restart_seq' | 'resize_seq' | 'suspended'>;
  state: ServerState;
  observed: ContainerState | null;
  /** Whether its console is read by this process. */
  attached: boolean;
  /** Whether this process asked it to stop already. */
  stop_requested: boolean;
  /** `over`: it takes more than it may and only a stop keeps the limit; `unfit`: to be mounted, or made larger. */
  disk: 'fits' | 'over' | 'unprepared';
  slow_start_ms: number;
  now: number;
}

export type Step =
  | { do: 'nothing' }
  | { do: 'wait'; until: number }
  /** Image and folder are made ready. */
  | { do: 'install' }
  /** A fresh container is made, its console attached, then it is started. */
  | { do: 'start' }
  /** It runs and nobody reads its console. */
  | { do: 'attach' }
  /** It runs though the journal thinks otherwise. */
  | { do: 'adopt' }
  | { do: 'stop'; intent: 'stop' | 'restart' }
  /** It runs, and its disk is not mounted here or smaller than it may be. */
  | { do: 'prepare_disk' }
  | { do: 'force_stop' }
  /** It runs with another size than is wanted. */
  | { do: 'resize' }
  /** It ended: what that was is recorded. */
  | { do: 'record_exit' }
  | { do: 'warn_slow' };

/** Seconds until a crashed server is started again, by how often it crashed. One more crash and it is held. */
const restart_delay_s = [5, 15, 60] as const;
/** Crashes count for this long, and are forgotten after running for this long. */
export const crash_window_ms = 10 * 60_000;
/** So many times out of memory and it is held. */
const max_out_of_memory = 2;

/** The next step. */
export function plan(situation: PlanInput): Step {
  return situation.observed?.alive ? whileAlive(situation) : whileDown(situation);
}

const wantsPower = ({ spec }: PlanInput): boolean => spec.power === 'on' && !spec.suspended;

function whileAlive(situation: PlanInput): Step {
  const { spec, state, attached, stop_requested, disk, slow_start_ms, now } = situation;
  if (state.power === 'stopped' || state.power === 'crashed') return { do: 'adopt' };
  if (state.intent) {
    if (now >= state.intent.deadline) return { do: 'force_stop' };
    if (!attached) return { do: 'attach' };
    if (!stop_requested && state.intent.kind !== 'kill') return { do: 'stop', intent: state.intent.kind };
    return { do: 'wait', until: state.intent.deadline };
  }
  if (!attached) return { do: 'attach' };
  if (!wantsPower(situation)) return { do: 'stop', intent: 'stop' };
  // starting it again is refused until there is room
  if (disk === 'over') return { do: 'stop', intent: 'stop' };
  if (spec.restart_seq > state.restart_seq) return { do: 'stop', intent: 'restart' };
  // a fresh container has every limit anyway, so this is for what runs on
  if (spec.resize_seq !== state.resize_seq) return { do: 'resize' };
  if (disk === 'unprepared') return { do: 'prepare_disk' };
  if (state.power !== 'starting' || state.slow_reported || state.started_at === null)
    return { do: 'nothing' };
  const slow = state.started_at + slow_start_ms;
  return now >= slow ? { do: 'warn_slow' } : { do: 'wait', until: slow };
}

function whileDown(situation: PlanInput): Step {
  const { spec, state, now } = situation;
  if (state.power !== 'stopped' && state.power !== 'crashed') return { do: 'record_exit' };
  const { broken } = state;
  const brokenNow = broken !== null && broken.generation === spec.generation && now < broken.next;
  if (state.installed_generation < spec.generation)
    return brokenNow ? { do: 'wait', until: broken.next } : { do: 'install' };
  if (!wantsPower(situation)) return { do: 'nothing' };
  if (spec.restart_seq > state.restart_seq && !brokenNow) return { do: 'start' };
  if (state.held_reason) return { do: 'nothing' };
  if (brokenNow) return { do: 'wait', until: broken.next };
  const ready = readyAfterCrash(state);
  return now < ready ? { do: 'wait', until: ready } : { do: 'start' };
}

/** When a crashed server may start by itself again. */
export function readyAfterCrash({ crashes }: Pick<ServerState, 'crashes'>): number {
  const last = crashes.at(-1);
  if (!last) return 0;
  return last.at + (restart_delay_s[crashes.length - 1] ?? restart_delay_s[2]) * 1000;
}

/** Exit codes of a process that ended because it was asked to. Source: hosting §1b, §5.5. */
const cleanExits = [0, 130, 143];

/** What an end was: the power to tell, and what is remembered of it. */
export function exitOf({ spec, state, observed, now }: PlanInput): {
  power: 'stopped' | 'crashed';
  state: ServerState;
} {
  const ended: ServerState = { ...state, intent: null, stop_typed: false, restart_seq: spec.restart_seq };
  const stopped = (held_reason: ServerState['held_reason']) =>
    ({ power: 'stopped', state: { ...ended, power: 'stopped', held_reason } }) as const;
  // where no power is wanted any more there is nothing to rest from: the next wish for power counts
  if (state.intent) return stopped(state.intent.kind === 'kill' && spec.power === 'on' ? 'killed' : null);
  // gone behind our back, never begun, or taken along by the engine
  if (!observed || observed.started_at === null || observed.ended_by_engine) return stopped(null);
  if (state.stop_typed && cleanExits.includes(observed.exit_code)) return stopped('typed');
  const at = observed.finished_at ?? now;
  const ran = at - (observed.started_at ?? at);
  const earlier = state.crashes.filter((crash) => ran < crash_window_ms && at - crash.at < crash_window_ms);
  const crashes = [...earlier, { at, out_of_memory: observed.out_of_memory }];
  const memory = crashes.filter(({ out_of_memory }) => out_of_memory).length >= max_out_of_memory;
  const held_reason = memory ? 'out_of_memory' : crashes.length > restart_delay_s.length ? 'crashes' : null;
  return { power: 'crashed', state: { ...ended, power: 'crashed', crashes, held_reason } };
}

/**
 * What a newer specification changes in memory: wanting no power ends every rest and every wait. Whoever kills wants no
 * power from then on, so power wanted after a kill is a new start, also when the wish between them never came here.
 */
export const applySpec = (state: ServerState, { power, suspended }: PlanInput['spec']): ServerState => {
  if (power === 'off' || suspended) return { ...state, held_reason: null, crashes: [] };
  return state.held_reason === 'killed' ? { ...state, held_reason: null } : state;
};
