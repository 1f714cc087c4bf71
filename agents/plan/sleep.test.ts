import { describe, expect, it } from 'vitest';
import {
  alive,
  broken,
  ended,
  minute,
  now,
  planInput,
  spec,
  state,
  stopping,
} from '../testing/plan-inputs.ts';
import { applySpec, exitOf, type PlanInput, plan, whyStarted } from './plan.ts';

const sleep = { after_minutes: 15, motd: '' };
const may = spec({ sleep });
const up = { spec: may, observed: { ...alive }, attached: true };
const running = state({ power: 'running', started_at: now - 60 * minute });
const asleep = state({ held_reason: 'asleep' });

describe('a server that runs', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    [
      'falls asleep when it was empty for long enough',
      { empty_since: now - 15 * minute },
      { do: 'fall_asleep' },
    ],
    [
      'waits for the rest of that time',
      { empty_since: now - 14 * minute },
      { do: 'wait', until: now + minute },
    ],
    ['stays up while somebody plays, or nobody knows', { empty_since: null }, { do: 'nothing' }],
    [
      'stays up as long after its start, though nobody came',
      {
        empty_since: now - 60 * minute,
        state: { ...running, started_at: now - 5 * minute },
      },
      { do: 'wait', until: now + 10 * minute },
    ],
    ['stays up while an operation uses it', { empty_since: 0, busy: true }, { do: 'nothing' }],
    ['stays up where nobody said that it may sleep', { empty_since: 0, spec: spec() }, { do: 'nothing' }],
    [
      'stays up while it starts',
      { empty_since: 0, state: state({ power: 'starting', started_at: now }) },
      { do: 'wait', until: now + 10 * minute },
    ],
    [
      'is restarted first where that was asked for',
      { empty_since: 0, spec: spec({ sleep, restart_seq: 1 }) },
      { do: 'stop', intent: 'restart' },
    ],
    [
      'is asked to stop again by the next agent',
      { state: stopping('sleep'), stop_requested: false },
      { do: 'stop', intent: 'sleep' },
    ],
  ])('%s', (_, change, step) => {
    expect(plan(planInput({ ...up, state: running, ...change }))).toEqual(step);
  });
});

describe('an end on the way to sleep', () => {
  it.each<[string, Partial<PlanInput>, string | null]>([
    ['is sleep', {}, 'asleep'],
    ['is none when its owner turned it off', { spec: spec({ sleep, power: 'off' }) }, null],
    ['is none when it was suspended', { spec: spec({ sleep, suspended: true }) }, null],
    ['is none when sleep was switched off', { spec: spec() }, null],
    ['is a restart when one was asked for', { spec: spec({ sleep, restart_seq: 1 }) }, null],
  ])('%s', (_, change, held_reason) => {
    const made = planInput({ spec: may, state: stopping('sleep'), observed: ended(0), ...change });
    expect(exitOf(made)).toMatchObject({ power: 'stopped', state: { held_reason, intent: null } });
  });
});

describe('a server that sleeps', () => {
  it.each<[string, Partial<PlanInput>, object]>([
    ['is listened for', {}, { do: 'listen' }],
    ['is left alone then', { listening: true }, { do: 'nothing' }],
    ['waits while its port is taken', { listen_at: now + 10_000 }, { do: 'wait', until: now + 10_000 }],
    ['is listened for again after that', { listen_at: now }, { do: 'listen' }],
    [
      'starts when a user wants it',
      { listening: true, spec: spec({ sleep, restart_seq: 1 }) },
      { do: 'start' },
    ],
    ['starts when it may not sleep any more', { spec: spec() }, { do: 'start' }],
    ['is not listened for then', { listening: true, spec: spec() }, { do: 'end_listening' }],
    [
      'is off for good when power is off',
      { listening: true, spec: spec({ sleep, power: 'off' }) },
      { do: 'end_listening' },
    ],
    ['stays off then', { spec: spec({ sleep, power: 'off' }) }, { do: 'nothing' }],
    [
      'is not listened for while it is suspended',
      { listening: true, spec: spec({ sleep, suspended: true }) },
      { do: 'end_listening' },
    ],
    [
      'gets its new image and goes on sleeping',
      { listening: true, state: { ...asleep, installed_generation: 2 } },
      { do: 'install' },
    ],
    ['is started with players waiting', { listening: true, state: state({ woken: true }) }, { do: 'start' }],
    [
      'keeps them waiting while a step has to be tried again',
      { listening: true, state: state({ woken: true, broken }) },
      { do: 'wait', until: broken.next },
    ],
    [
      'keeps them waiting while an operation uses its files',
      { listening: true, busy: true, state: state({ woken: true }) },
      { do: 'nothing' },
    ],
    [
      'keeps them waiting while its files are replaced',
      {
        listening: true,
        restoring: true,
        state: state({ woken: true }),
      },
      { do: 'nothing' },
    ],
  ])('%s', (_, change, step) => {
    expect(plan(planInput({ spec: may, state: asleep, observed: ended(0), ...change }))).toEqual(step);
  });

  it('forgets it when it is turned off', () => {
    const off = applySpec({ ...asleep, woken: true }, spec({ sleep, power: 'off' }));
    expect(off).toMatchObject({ held_reason: null, woken: false });
    expect(applySpec(asleep, may)).toEqual(asleep);
  });

  it('says in its console who woke it', () => {
    const woken = state({ woken: true, started_at: now - minute });
    expect(whyStarted({ restart_seq: 0, power_by: 'ada' }, woken)).toBe('woken');
    expect(whyStarted({ restart_seq: 1, power_by: 'ada' }, woken)).toBe('start_requested ada');
  });
});
