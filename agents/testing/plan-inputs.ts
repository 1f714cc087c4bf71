import { type ContainerState, initialState, type PlanInput, type ServerState } from '../plan/plan.ts';

/** Inputs of the planner for tests; only what a test is about has to be given. */
export const now = 1_000_000_000;
export const minute = 60_000;
export const spec = (change: Partial<PlanInput['spec']> = {}): PlanInput['spec'] => ({
  generation: 3,
  power: 'on',
  restart_seq: 0,
  resize_seq: 0,
  suspended: false,
  sleep: null,
  ...change,
});
export const state = (change: Partial<ServerState> = {}): ServerState => ({
  ...initialState,
  installed_generation: 3,
  ...change,
});
export const alive: ContainerState = {
  id: 'c1',
  alive: true,
  started_at: now - minute,
  finished_at: null,
  exit_code: 0,
  out_of_memory: false,
  ended_by_engine: false,
};
export const ended = (exit_code: number, change: Partial<ContainerState> = {}): ContainerState => ({
  ...alive,
  alive: false,
  finished_at: now - 100,
  exit_code,
  ...change,
});
export const planInput = (change: Partial<PlanInput> = {}): PlanInput => ({
  spec: spec(),
  state: state(),
  observed: null,
  attached: false,
  stop_requested: false,
  restoring: false,
  ...{ empty_since: null, busy: false, listening: false, listen_at: 0 },
  disk: 'fits',
  slow_start_ms: 10 * minute,
  now,
  ...change,
});
export const stopping = (kind: 'stop' | 'restart' | 'kill' | 'sleep', deadline = now + 30_000) =>
  state({ power: 'stopping', intent: { kind, deadline, forced: false } });
export const broken = {
  step: 'port_taken',
  error: 'in use',
  generation: 3,
  tries: 1,
  next: now + 5_000,
  reported: true,
};
export const crash = (ago: number, out_of_memory = false) => ({ at: now - ago, out_of_memory });
