import { describe, expect, it } from 'vitest';
import {
  applySpec,
  crash_window_ms,
  exitOf,
  type PlanInput,
  readyAfterCrash,
  restartAt,
} from '../plan/plan.ts';
import { crash, ended, minute, now, planInput, spec, state, stopping } from '../testing/plan-inputs.ts';

describe('an end', () => {
  const running = state({ power: 'running' });
  it.each<[string, Partial<PlanInput>, object]>([
    [
      'that was asked for is a stop',
      { state: stopping('stop'), observed: ended(0) },
      { power: 'stopped', held_reason: null },
    ],
    [
      'by force is a stop',
      { state: stopping('stop'), observed: ended(137) },
      { power: 'stopped', held_reason: null },
    ],
    [
      'by a kill is a stop and a rest',
      { state: stopping('kill'), observed: ended(137) },
      { power: 'stopped', held_reason: 'killed' },
    ],
    [
      'by a kill where no power is wanted any more is a stop',
      { state: stopping('kill'), observed: ended(137), spec: spec({ power: 'off' }) },
      { power: 'stopped', held_reason: null },
    ],
    [
      'after the typed command is a stop and a rest',
      { state: { ...running, stop_typed: true }, observed: ended(0) },
      { power: 'stopped', held_reason: 'typed' },
    ],
    [
      'by a signal after the typed command is too',
      { state: { ...running, stop_typed: true }, observed: ended(143) },
      { power: 'stopped', held_reason: 'typed' },
    ],
    [
      'with an error after the typed command is a crash',
      { state: { ...running, stop_typed: true }, observed: ended(1) },
      { power: 'crashed', held_reason: null },
    ],
    [
      'nobody asked for is a crash, whatever it says',
      { state: running, observed: ended(0) },
      { power: 'crashed', held_reason: null },
    ],
    [
      'together with the engine is no crash',
      { state: running, observed: ended(137, { ended_by_engine: true }) },
      { power: 'stopped', held_reason: null },
    ],
    [
      'without a container is no crash',
      { state: running, observed: null },
      { power: 'stopped', held_reason: null },
    ],
    [
      'of a container that never began is no crash',
      { state: running, observed: ended(128, { started_at: null }) },
      { power: 'stopped', held_reason: null },
    ],
    [
      'for the third time in ten minutes is one more crash',
      { state: { ...running, crashes: [crash(3 * minute), crash(2 * minute)] }, observed: ended(1) },
      { power: 'crashed', held_reason: null },
    ],
    [
      'for the fourth time is held',
      {
        state: { ...running, crashes: [crash(3 * minute), crash(2 * minute), crash(minute)] },
        observed: ended(1),
      },
      { power: 'crashed', held_reason: 'crashes' },
    ],
    [
      'after ten minutes of running begins a new count',
      {
        state: { ...running, crashes: [crash(3 * minute), crash(2 * minute), crash(minute)] },
        observed: ended(1, { started_at: now - crash_window_ms - 100 }),
      },
      { power: 'crashed', held_reason: null },
    ],
    [
      'without memory is started again once',
      { state: running, observed: ended(137, { out_of_memory: true }) },
      { power: 'crashed', held_reason: null },
    ],
    [
      'without memory for the second time is held',
      {
        state: { ...running, crashes: [crash(minute, true)] },
        observed: ended(137, { out_of_memory: true }),
      },
      { power: 'crashed', held_reason: 'out_of_memory' },
    ],
  ])('%s', (_, change, told) => {
    const { power, state: after } = exitOf(planInput(change));
    expect({ power, held_reason: after.held_reason }).toEqual(told);
    expect(after).toMatchObject({ power, intent: null, stop_typed: false });
  });

  it('includes a restart that was requested meanwhile', () => {
    const { state: after } = exitOf(
      planInput({ state: stopping('stop'), observed: ended(0), spec: spec({ restart_seq: 7 }) }),
    );
    expect(after.restart_seq).toBe(7);
  });
});

it('crashes let a server wait 5, 15 and 60 seconds', () => {
  const crashes = [crash(0), crash(0), crash(0), crash(0)];
  const waits = crashes.map((_, index) => readyAfterCrash({ crashes: crashes.slice(0, index + 1) }) - now);
  expect(waits).toEqual([5_000, 15_000, 60_000, 60_000]);
  expect(readyAfterCrash({ crashes: [] })).toBe(0);
});

it('turning power off, or suspending, ends every rest', () => {
  const tired = state({ held_reason: 'crashes', crashes: [crash(0)] });
  expect(applySpec(tired, spec({ power: 'off' }))).toMatchObject({ held_reason: null, crashes: [] });
  expect(applySpec(tired, spec({ suspended: true }))).toMatchObject({ held_reason: null, crashes: [] });
  expect(applySpec(tired, spec())).toEqual(tired);
  expect(applySpec(state({ held_reason: 'killed' }), spec()), 'power after a kill').toMatchObject({
    held_reason: null,
  });
});

it('tells when a crashed server is started again', () => {
  const crashed = state({ power: 'crashed', crashes: [crash(0)] });
  expect(restartAt(crashed)).toBe(new Date(readyAfterCrash(crashed)).toISOString());
  expect(restartAt({ ...crashed, held_reason: 'crashes' })).toBeNull();
  expect(restartAt({ ...crashed, power: 'stopped' })).toBeNull();
});
