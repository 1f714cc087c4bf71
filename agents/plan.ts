import type { ServerSpec } from '#control/protocol/agent.ts';
import type { Power } from '#db/servers/rules.ts';

/**
 * What an agent does next for one server: pure, from what is wanted, what the engine shows and what the journal
 * remembers. One step at a time; after it everything is looked at again. Source: hosting §5.5.
 */

/** What the engine shows of a server's container; null when there is none. */
export interface Seen {
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
export interface Facts {
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
  rest: 'crashes' | 'out_of_memory' | 'typed' | 'killed' | null;
  /** The last thing typed into its console was the command that stops it. */
  stop_typed: boolean;
  /** When it was started last, and whether somebody was told that this takes long. */
  started_at: number | null;
  slow_told: boolean;
  /** What was in the way, in whose words: tried again at `next`, later every time. */
  broken: {
    step: string;
    error: string;
    generation: number;
    tries: number;
    next: number;
    told: boolean;
  } | null;
}

export const noFacts: Facts = {
  power: 'stopped',
  installed_generation: 0,
  restart_seq: 0,
  resize_seq: 0,
  intent: null,
  crashes: [],
  rest: null,
  stop_typed: false,
  started_at: null,
  slow_told: false,
  broken: null,
};

export interface Situation {
  spec: Pick<ServerSpec, 'generation' | 'power' | 'restart_seq' | 'resize_seq' | 'suspended'>;
  facts: Facts;
  seen: Seen | null;
  /** Whether its console is read by this process. */
  attached: boolean;
  /** Whether this process asked it to stop already. */
  asked: boolean;
  /** `over`: it takes more than it may and only a stop keeps the limit; `unfit`: to be mounted, or made larger. */
  disk: 'fits' | 'over' | 'unfit';
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
  | { do: 'ask_to_stop'; intent: 'stop' | 'restart' }
  /** It runs, and its disk is not mounted here or smaller than it may be. */
  | { do: 'fit_disk' }
  | { do: 'force' }
  /** It runs with another size than is wanted. */
  | { do: 'resize' }
  /** It ended: what that was is recorded. */
  | { do: 'settle' }
  | { do: 'tell_slow' };

/** Seconds until a crashed server is started again, by how often it crashed. One more crash and it is held. */
const backOff_s = [5, 15, 60] as const;
/** Crashes count for this long, and are forgotten after running for this long. */
export const crashWindow_ms = 10 * 60_000;
/** So many times out of memory and it is held. */
const mostOutOfMemory = 2;

/** The next step. */
export function plan(situation: Situation): Step {
  return situation.seen?.alive ? whileAlive(situation) : whileDown(situation);
}

const wantsPower = ({ spec }: Situation): boolean => spec.power === 'on' && !spec.suspended;

function whileAlive(situation: Situation): Step {
  const { spec, facts, attached, asked, disk, slow_start_ms, now } = situation;
  if (facts.power === 'stopped' || facts.power === 'crashed') return { do: 'adopt' };
  if (facts.intent) {
    if (now >= facts.intent.deadline) return { do: 'force' };
    if (!attached) return { do: 'attach' };
    if (!asked && facts.intent.kind !== 'kill') return { do: 'ask_to_stop', intent: facts.intent.kind };
    return { do: 'wait', until: facts.intent.deadline };
  }
  if (!attached) return { do: 'attach' };
  if (!wantsPower(situation)) return { do: 'ask_to_stop', intent: 'stop' };
  // starting it again is refused until there is room
  if (disk === 'over') return { do: 'ask_to_stop', intent: 'stop' };
  if (spec.restart_seq > facts.restart_seq) return { do: 'ask_to_stop', intent: 'restart' };
  // a fresh container has every limit anyway, so this is for what runs on
  if (spec.resize_seq !== facts.resize_seq) return { do: 'resize' };
  if (disk === 'unfit') return { do: 'fit_disk' };
  if (facts.power !== 'starting' || facts.slow_told || facts.started_at === null) return { do: 'nothing' };
  const slow = facts.started_at + slow_start_ms;
  return now >= slow ? { do: 'tell_slow' } : { do: 'wait', until: slow };
}

function whileDown(situation: Situation): Step {
  const { spec, facts, now } = situation;
  if (facts.power !== 'stopped' && facts.power !== 'crashed') return { do: 'settle' };
  const { broken } = facts;
  const brokenNow = broken !== null && broken.generation === spec.generation && now < broken.next;
  if (facts.installed_generation < spec.generation)
    return brokenNow ? { do: 'wait', until: broken.next } : { do: 'install' };
  if (!wantsPower(situation)) return { do: 'nothing' };
  if (spec.restart_seq > facts.restart_seq && !brokenNow) return { do: 'start' };
  if (facts.rest) return { do: 'nothing' };
  if (brokenNow) return { do: 'wait', until: broken.next };
  const ready = readyAfterCrash(facts);
  return now < ready ? { do: 'wait', until: ready } : { do: 'start' };
}

/** When a crashed server may start by itself again. */
export function readyAfterCrash({ crashes }: Pick<Facts, 'crashes'>): number {
  const last = crashes.at(-1);
  if (!last) return 0;
  return last.at + (backOff_s[crashes.length - 1] ?? backOff_s[2]) * 1000;
}

/** Exit codes of a process that ended because it was asked to. Source: hosting §1b, §5.5. */
const cleanExits = [0, 130, 143];

/** What an end was: the power to tell, and what is remembered of it. */
export function settle({ spec, facts, seen, now }: Situation): {
  power: 'stopped' | 'crashed';
  facts: Facts;
} {
  const ended: Facts = { ...facts, intent: null, stop_typed: false, restart_seq: spec.restart_seq };
  const stopped = (rest: Facts['rest']) =>
    ({ power: 'stopped', facts: { ...ended, power: 'stopped', rest } }) as const;
  // where no power is wanted any more there is nothing to rest from: the next wish for power counts
  if (facts.intent) return stopped(facts.intent.kind === 'kill' && spec.power === 'on' ? 'killed' : null);
  // gone behind our back, never begun, or taken along by the engine
  if (!seen || seen.started_at === null || seen.ended_by_engine) return stopped(null);
  if (facts.stop_typed && cleanExits.includes(seen.exit_code)) return stopped('typed');
  const at = seen.finished_at ?? now;
  const ran = at - (seen.started_at ?? at);
  const earlier = facts.crashes.filter((crash) => ran < crashWindow_ms && at - crash.at < crashWindow_ms);
  const crashes = [...earlier, { at, out_of_memory: seen.out_of_memory }];
  const memory = crashes.filter(({ out_of_memory }) => out_of_memory).length >= mostOutOfMemory;
  const rest = memory ? 'out_of_memory' : crashes.length > backOff_s.length ? 'crashes' : null;
  return { power: 'crashed', facts: { ...ended, power: 'crashed', crashes, rest } };
}

/**
 * What a newer specification changes in memory: wanting no power ends every rest and every wait. Whoever kills wants no
 * power from then on, so power wanted after a kill is a new start, also when the wish between them never came here.
 */
export const accepting = (facts: Facts, { power, suspended }: Situation['spec']): Facts => {
  if (power === 'off' || suspended) return { ...facts, rest: null, crashes: [] };
  return facts.rest === 'killed' ? { ...facts, rest: null } : facts;
};
