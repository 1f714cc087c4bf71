import type { ServerSpec } from '#control/protocol/agent.ts';
import { ownText } from '#db/hosting/servers/own-events.ts';
import type { Power } from '#db/hosting/servers/rules.ts';

/**
 * Plans the next step for one server. Pure: reads the desired state, the state of the container and the stored state.
 * One step at a time; after it everything is inspected again. Source: hosting §5.5.
 */

/** State of a server's container; null when there is none. */
export interface ContainerState {
  id: string;
  alive: boolean;
  started_at: number | null;
  finished_at: number | null;
  exit_code: number;
  out_of_memory: boolean;
  /** Docker stopped it, or Docker or the machine was down when it ended: not a crash. */
  ended_by_engine: boolean;
}

/** Stored state of a server beside its specification. Times are milliseconds since 1970. */
export interface ServerState {
  /** The power that was reported last. */
  power: Power;
  installed_generation: number;
  /** The last `restart_seq` that was handled. */
  restart_seq: number;
  /** The last `resize_seq` whose size applies, now or at the next start. */
  resize_seq: number;
  /** A requested end; the process is killed after `deadline`. Survives a restart of the agent. */
  intent: { kind: 'stop' | 'restart' | 'kill' | 'sleep'; deadline: number; forced: boolean } | null;
  /** Unexpected ends of the last ten minutes. */
  crashes: { at: number; out_of_memory: boolean }[];
  /** Why it stays down until a user starts it, although power is on; one that is `asleep` also starts when a player joins. */
  held_reason: 'crashes' | 'out_of_memory' | 'typed' | 'killed' | 'asleep' | null;
  /** A player woke it, and it was not started since. */
  woken: boolean;
  /** The last command in its console was the one that stops it. */
  stop_typed: boolean;
  /** Power was off since its last start: the next start is one that a user asked for. */
  was_off: boolean;
  /** When it was started last, and whether the slow start was reported. */
  started_at: number | null;
  slow_reported: boolean;
  /** How long its last start took until players could join, in milliseconds. */
  start_ms: number | null;
  /** The last step that failed: tried again at `next`, with growing pauses. */
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
  woken: false,
  stop_typed: false,
  was_off: false,
  started_at: null,
  slow_reported: false,
  start_ms: null,
  broken: null,
};

export interface PlanInput {
  spec: Pick<ServerSpec, 'generation' | 'power' | 'restart_seq' | 'resize_seq' | 'suspended' | 'sleep'>;
  state: ServerState;
  observed: ContainerState | null;
  /** Whether this process reads its console. */
  attached: boolean;
  /** Whether this process asked it to stop already. */
  stop_requested: boolean;
  /** `over`: it has to end, for its limit or for the room of the machine; `unprepared`: to be mounted, or made larger. */
  disk: 'fits' | 'over' | 'unprepared';
  /** Its files are being replaced: nothing may use them. */
  restoring: boolean;
  /** Since when it is known to have no players; null while it has some and while that is not known. */
  empty_since: number | null;
  /** An operation uses it: it does not fall asleep, and players do not wake it. */
  busy: boolean;
  /** Players are listened for in its place, with the text it has now. */
  listening: boolean;
  /** That is not tried again before this time: its port was taken. */
  listen_at: number;
  slow_start_ms: number;
  now: number;
}

export type Step =
  | { do: 'nothing' }
  | { do: 'wait'; until: number }
  /** Provides image and folder. */
  | { do: 'install' }
  /** Creates a new container, attaches its console and starts it. */
  | { do: 'start' }
  /** It runs and its console is not read. */
  | { do: 'attach' }
  /** It runs although the stored state says it is down. */
  | { do: 'adopt' }
  | { do: 'stop'; intent: 'stop' | 'restart' | 'sleep' }
  /** It was empty for as long as its owner said: asks it once more, and stops it. */
  | { do: 'fall_asleep' }
  /** It sleeps: waits for a player in its place. */
  | { do: 'listen' }
  /** It neither sleeps nor wakes: its port is left alone. */
  | { do: 'end_listening' }
  /** It runs, and its disk is not mounted here or smaller than its limit. */
  | { do: 'prepare_disk' }
  | { do: 'force_stop' }
  /** It runs with another size than the desired one. */
  | { do: 'resize' }
  /** It ended: stores and reports how. */
  | { do: 'record_exit' }
  | { do: 'warn_slow' };

/** Seconds until a crashed server is started again, by the number of crashes. After one more it stays down. */
const restart_delay_s = [5, 15, 60] as const;
/** Crashes count for this long, and are forgotten after running for this long. */
export const crash_window_ms = 10 * 60_000;
/** After so many crashes without memory it stays down. */
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
  // starting it again is refused until there is space
  if (disk === 'over') return { do: 'stop', intent: 'stop' };
  if (spec.restart_seq > state.restart_seq) return { do: 'stop', intent: 'restart' };
  // a new container has all limits anyway: this is for a running one
  if (spec.resize_seq !== state.resize_seq) return { do: 'resize' };
  if (disk === 'unprepared') return { do: 'prepare_disk' };
  if (state.power === 'running') return whileRunning(situation);
  if (state.power !== 'starting' || state.slow_reported || state.started_at === null)
    return { do: 'nothing' };
  const slow = state.started_at + slow_start_ms;
  return now >= slow ? { do: 'warn_slow' } : { do: 'wait', until: slow };
}

/** Nobody plays: whoever just started it has as long as one who left it. */
function whileRunning({ spec, state, empty_since, busy, now }: PlanInput): Step {
  if (!spec.sleep || busy || empty_since === null) return { do: 'nothing' };
  const sleepy = Math.max(empty_since, state.started_at ?? 0) + spec.sleep.after_minutes * 60_000;
  return now >= sleepy ? { do: 'fall_asleep' } : { do: 'wait', until: sleepy };
}

/** Whether it sleeps: its owner may have ended that meanwhile. */
const isAsleep = (situation: PlanInput): boolean =>
  situation.state.held_reason === 'asleep' && situation.spec.sleep !== null && wantsPower(situation);

function whileDown(situation: PlanInput): Step {
  const { spec, state, now } = situation;
  if (state.power !== 'stopped' && state.power !== 'crashed') return { do: 'record_exit' };
  const asleep = isAsleep(situation);
  const awaited = asleep || (state.woken && wantsPower(situation));
  if (situation.listening && !awaited) return { do: 'end_listening' };
  // whoever replaces its files asks for a new plan afterwards
  if (situation.restoring) return { do: 'nothing' };
  const { broken } = state;
  const brokenNow = broken !== null && broken.generation === spec.generation && now < broken.next;
  if (state.installed_generation < spec.generation)
    return brokenNow ? { do: 'wait', until: broken.next } : { do: 'install' };
  if (!wantsPower(situation)) return { do: 'nothing' };
  if (spec.restart_seq > state.restart_seq && !brokenNow) return { do: 'start' };
  if (asleep && !situation.listening)
    return now < situation.listen_at ? { do: 'wait', until: situation.listen_at } : { do: 'listen' };
  if (state.held_reason && (asleep || state.held_reason !== 'asleep')) return { do: 'nothing' };
  if (brokenNow) return { do: 'wait', until: broken.next };
  // players wait for what uses its files; whoever does that asks for a new plan afterwards
  if (state.woken && situation.busy) return { do: 'nothing' };
  const ready = readyAfterCrash(state);
  return now < ready ? { do: 'wait', until: ready } : { do: 'start' };
}

/** When a crashed server may be started again automatically. */
export function readyAfterCrash({ crashes }: Pick<ServerState, 'crashes'>): number {
  const last = crashes.at(-1);
  if (!last) return 0;
  return last.at + (restart_delay_s[crashes.length - 1] ?? restart_delay_s[2]) * 1000;
}

/** When a server that crashed is started again, as its owner is told; null when it is not down by a crash or stays down. */
export const restartAt = ({ power, held_reason, crashes }: ServerState): string | null =>
  power === 'crashed' && held_reason === null ? new Date(readyAfterCrash({ crashes })).toISOString() : null;

/**
 * Why a server that is down starts, as the first line of its console: a user asked for it, a player woke it, or it crashed.
 * null after a restart, whose request its console shows already, and when Docker or the machine was down.
 */
export function whyStarted(
  { restart_seq, power_by }: Pick<ServerSpec, 'restart_seq' | 'power_by'>,
  state: Pick<ServerState, 'restart_seq' | 'was_off' | 'started_at' | 'power' | 'crashes' | 'woken'>,
): string | null {
  const isAsked = state.was_off || state.started_at === null || restart_seq > state.restart_seq;
  if (state.woken && !isAsked) return ownText('woken');
  if (isAsked) return ownText('start_requested', power_by);
  return state.power === 'crashed' ? ownText('crash_restart', state.crashes.length) : null;
}

/** Exit codes of a process that ended because it was asked to. Source: hosting §1b, §5.5. */
const cleanExits = [0, 130, 143];

/** What the end of a process means: the power to report and the state to store. */
export function exitOf({ spec, state, observed, now }: PlanInput): {
  power: 'stopped' | 'crashed';
  state: ServerState;
} {
  const ended: ServerState = { ...state, intent: null, stop_typed: false, restart_seq: spec.restart_seq };
  const sleeps =
    state.intent?.kind === 'sleep' &&
    spec.sleep !== null &&
    spec.power === 'on' &&
    !spec.suspended &&
    // a restart that was asked for meanwhile is one
    spec.restart_seq === state.restart_seq;
  const stopped = (held_reason: ServerState['held_reason']) =>
    ({ power: 'stopped', state: { ...ended, power: 'stopped', held_reason } }) as const;
  if (sleeps) return stopped('asleep');
  // with power off there is nothing to hold: the next start request counts
  if (state.intent) return stopped(state.intent.kind === 'kill' && spec.power === 'on' ? 'killed' : null);
  // removed by somebody else, never started, or stopped by Docker
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
 * Applies a newer specification to the stored state: power off ends every hold and every wait. A kill turns power
 * off, so power on after a kill is a new start, even when the specification between them never arrived here.
 */
export const applySpec = (state: ServerState, { power, suspended }: PlanInput['spec']): ServerState => {
  if (power === 'off' || suspended)
    return { ...state, held_reason: null, woken: false, crashes: [], was_off: true };
  return state.held_reason === 'killed' ? { ...state, held_reason: null } : state;
};
