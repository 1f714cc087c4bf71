import { describe, expect, it } from 'vitest';
import {
  alive,
  broken,
  crash,
  ended,
  minute,
  now,
  planInput,
  spec,
  state,
  stopping,
} from '../testing/plan-inputs.ts';
import { applySpec, type PlanInput, plan, type ServerState, whyStarted } from './plan.ts';

describe('why a server starts', () => {
  const asked = { restart_seq: 2, power_by: 'ada' };
  const ran = (change: Partial<ServerState>) =>
    state({ started_at: now - minute, restart_seq: 2, ...change });
  it.each<[string, Parameters<typeof whyStarted>, string | null]>([
    ['at its first start', [asked, state({ restart_seq: 2 })], 'start_requested ada'],
    ['after it was off', [asked, applySpec(ran({}), spec({ power: 'off' }))], 'start_requested ada'],
    ['after a suspension', [asked, applySpec(ran({}), spec({ suspended: true }))], 'start_requested ada'],
    ['when it is asked for', [asked, ran({ power: 'crashed', restart_seq: 1 })], 'start_requested ada'],
    ['when nobody is known', [{ ...asked, power_by: null }, ran({ was_off: true })], 'start_requested'],
    [
      'by itself after its second crash',
      [asked, ran({ power: 'crashed', crashes: [crash(9_000), crash(5_000)] })],
      'crash_restart 2',
    ],
    ['by itself after a restart or with its machine', [asked, ran({})], null],
  ])('%s', (_, [wanted, known], line) => {
    expect(whyStarted(wanted, known)).toBe(line);
  });
});

describe('a server that is down', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    ['is installed first', { state: state({ installed_generation: 2 }) }, { do: 'install' }],
    [
      'is installed also while it is to be off',
      { state: state({ installed_generation: 2 }), spec: spec({ power: 'off' }) },
      { do: 'install' },
    ],
    ['is started when power is wanted', {}, { do: 'start' }],
    ['stays down when power is not wanted', { spec: spec({ power: 'off' }) }, { do: 'nothing' }],
    ['stays down while it is suspended', { spec: spec({ suspended: true }) }, { do: 'nothing' }],
    ['is started though an ended container is left', { observed: ended(0) }, { do: 'start' }],
    [
      'is settled when it was running last',
      { state: state({ power: 'running' }), observed: ended(1) },
      { do: 'record_exit' },
    ],
    ['is settled when its container is gone', { state: state({ power: 'starting' }) }, { do: 'record_exit' }],
    [
      'is settled when it was stopping last',
      { state: stopping('stop'), observed: ended(0) },
      { do: 'record_exit' },
    ],
    [
      'waits after a first crash',
      { state: state({ power: 'crashed', crashes: [crash(1_000)] }) },
      { do: 'wait', until: now + 4_000 },
    ],
    [
      'waits longer after a second',
      { state: state({ power: 'crashed', crashes: [crash(9_000), crash(1_000)] }) },
      { do: 'wait', until: now + 14_000 },
    ],
    [
      'is started when it waited',
      { state: state({ power: 'crashed', crashes: [crash(5_000)] }) },
      { do: 'start' },
    ],
    [
      'rests after too many crashes',
      { state: state({ power: 'crashed', held_reason: 'crashes', crashes: [crash(minute)] }) },
      { do: 'nothing' },
    ],
    ['rests after a kill', { state: state({ held_reason: 'killed' }) }, { do: 'nothing' }],
    [
      'is woken from its rest by a person',
      { state: state({ held_reason: 'killed' }), spec: spec({ restart_seq: 1 }) },
      { do: 'start' },
    ],
    [
      'is started at once by a person who does not want to wait',
      { state: state({ power: 'crashed', crashes: [crash(10)] }), spec: spec({ restart_seq: 1 }) },
      { do: 'start' },
    ],
    [
      'waits after a step that could not be done',
      { state: state({ broken }) },
      { do: 'wait', until: now + 5_000 },
    ],
    ['tries that step again then', { state: state({ broken: { ...broken, next: now } }) }, { do: 'start' }],
    [
      'tries it at once for another wish',
      { state: state({ broken: { ...broken, generation: 2 } }) },
      { do: 'start' },
    ],
    [
      'waits when it could not be installed',
      { state: state({ installed_generation: 2, broken: { ...broken, step: 'image_missing' } }) },
      { do: 'wait', until: now + 5_000 },
    ],
  ])('%s', (_, change, step) => {
    expect(plan(planInput(change))).toEqual(step);
  });
});

describe('a server that runs', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    ['is left alone', { state: state({ power: 'running' }) }, { do: 'nothing' }],
    [
      'is attached to when nobody reads its console',
      { state: state({ power: 'running' }), attached: false },
      { do: 'attach' },
    ],
    [
      'is adopted when the journal thinks it is down',
      { state: state({ power: 'stopped' }) },
      { do: 'adopt' },
    ],
    [
      'is adopted when the journal thinks it crashed',
      { state: state({ power: 'crashed' }) },
      { do: 'adopt' },
    ],
    [
      'is stopped when power is not wanted',
      { state: state({ power: 'running' }), spec: spec({ power: 'off' }) },
      { do: 'stop', intent: 'stop' },
    ],
    [
      'is stopped while it still starts',
      { state: state({ power: 'starting', started_at: now }), spec: spec({ power: 'off' }) },
      { do: 'stop', intent: 'stop' },
    ],
    [
      'is stopped when it is suspended',
      { state: state({ power: 'running' }), spec: spec({ suspended: true }) },
      { do: 'stop', intent: 'stop' },
    ],
    [
      'is stopped when its disk is full and only that keeps the limit',
      { state: state({ power: 'running' }), disk: 'over' },
      { do: 'stop', intent: 'stop' },
    ],
    [
      'is given the disk it may have while it runs',
      { state: state({ power: 'running' }), disk: 'unprepared' },
      { do: 'prepare_disk' },
    ],
    [
      'is stopped first where that is wanted, its disk waits',
      { state: state({ power: 'running' }), disk: 'unprepared', spec: spec({ power: 'off' }) },
      { do: 'stop', intent: 'stop' },
    ],
    [
      'is given its time to stop whatever its disk is like',
      { state: stopping('stop'), stop_requested: true, disk: 'unprepared' },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is restarted when that is asked for',
      { state: state({ power: 'running' }), spec: spec({ restart_seq: 1 }) },
      { do: 'stop', intent: 'restart' },
    ],
    [
      'is not restarted for what was done already',
      { state: state({ power: 'running', restart_seq: 1 }), spec: spec({ restart_seq: 1 }) },
      { do: 'nothing' },
    ],
    [
      'is given its new size under way',
      { state: state({ power: 'running', resize_seq: 1 }), spec: spec({ resize_seq: 2 }) },
      { do: 'resize' },
    ],
    [
      'is given it also while it starts',
      { state: state({ power: 'starting', started_at: now }), spec: spec({ resize_seq: 1 }) },
      { do: 'resize' },
    ],
    [
      'is given it by the restart that was asked for beside it',
      { state: state({ power: 'running' }), spec: spec({ resize_seq: 1, restart_seq: 1 }) },
      { do: 'stop', intent: 'restart' },
    ],
    [
      'is not given it while it stops: it has it when it starts again',
      { state: stopping('stop'), stop_requested: true, spec: spec({ resize_seq: 1 }) },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is left alone with the size it has',
      { state: state({ power: 'running', resize_seq: 2 }), spec: spec({ resize_seq: 2 }) },
      { do: 'nothing' },
    ],
    [
      'is not installed anew under way',
      { state: state({ power: 'running', installed_generation: 1 }) },
      { do: 'nothing' },
    ],
    [
      'is asked to stop again by an agent that started meanwhile',
      { state: stopping('restart') },
      { do: 'stop', intent: 'restart' },
    ],
    [
      'is given its time to stop',
      { state: stopping('stop'), stop_requested: true },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is given it also when power is wanted again',
      { state: stopping('stop'), stop_requested: true, spec: spec({ restart_seq: 4 }) },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is killed when its time is over',
      { state: stopping('stop', now), stop_requested: true },
      { do: 'force_stop' },
    ],
    [
      'is killed also when nobody reads its console',
      { state: stopping('stop', now), attached: false },
      { do: 'force_stop' },
    ],
    ['is killed and not asked', { state: stopping('kill') }, { do: 'wait', until: now + 30_000 }],
    [
      'is waited for while it starts',
      { state: state({ power: 'starting', started_at: now }) },
      { do: 'wait', until: now + 10 * minute },
    ],
    [
      'is told to be slow',
      { state: state({ power: 'starting', started_at: now - 10 * minute }) },
      { do: 'warn_slow' },
    ],
    [
      'is told so once',
      { state: state({ power: 'starting', started_at: now - 10 * minute, slow_reported: true }) },
      { do: 'nothing' },
    ],
  ])('%s', (_, change, step) => {
    expect(plan(planInput({ observed: alive, attached: true, ...change }))).toEqual(step);
  });
});

describe('a server whose files are being replaced', () => {
  it('does nothing, whatever is wanted', () => {
    const crashed = state({ power: 'crashed', crashes: [{ at: now - minute, out_of_memory: false }] });
    for (const change of [{}, { spec: spec({ generation: 9 }) }, { state: crashed }])
      expect(plan(planInput({ restoring: true, ...change }))).toEqual({ do: 'nothing' });
    expect(plan(planInput())).toEqual({ do: 'start' });
  });
});
