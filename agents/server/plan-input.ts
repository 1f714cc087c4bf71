import { epochOf } from '../console/console.ts';
import { type ContainerState, type PlanInput, restartAt, type ServerState } from '../plan/plan.ts';
import type { EventData } from '../state/events.ts';
import type { StoredServer } from '../state/servers.ts';
import { placeOf } from './sleep-place.ts';
import type { StepContext } from './step.ts';

/** What the plan for a server rests on. Throws when it has no specification. */
export function planInputOf(server: StepContext, stored: StoredServer): PlanInput {
  const { id, context, observed, console, stop_requested, disk, listen_at } = server;
  const { journal } = context.store;
  if (!stored.spec) throw new Error('a server without a specification cannot be planned');
  const place = stored.state.held_reason === 'asleep' ? placeOf(server) : null;
  return {
    spec: stored.spec,
    state: stored.state,
    observed,
    attached: observed !== null && console.isReading(observed.id),
    ...{ stop_requested, disk, listen_at },
    restoring: journal.find(id, 'restoring') !== null || journal.find(id, 'changing')?.phase === 'exchanging',
    empty_since: server.players.empty_since,
    busy: server.operations > 0 || journal.find(id, 'saving_off') !== null,
    listening: context.sleepers.isListening(id, place),
    slow_start_ms: (context.kindOf(stored.spec)?.slow_start_s ?? 600) * 1000,
    now: context.now(),
  };
}

/** What `server.power` says of a stored state, unless there is more to say. */
export function powerData(
  state: ServerState,
  observed: ContainerState | null,
  generation: number,
): EventData<'server.power'> {
  const alive = state.power !== 'stopped' && state.power !== 'crashed';
  const started = observed?.started_at ?? null;
  return {
    ...{ power: state.power, generation },
    epoch: observed && started !== null ? epochOf(observed.id, started) : null,
    started_at: alive && started !== null ? new Date(started).toISOString() : null,
    exit_code: null,
    out_of_memory: false,
    last_lines: [],
    crash_loop: state.held_reason === 'crashes' || state.held_reason === 'out_of_memory',
    restart_at: restartAt(state),
    duration_s: null,
    sleeping: state.held_reason === 'asleep',
  };
}
