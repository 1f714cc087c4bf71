import { describe, expect, it } from 'vitest';
import { accepting, crashWindow_ms, readyAfterCrash, type Situation, settle } from './plan.ts';
import { crash, ended, facts, minute, now, situation, spec, stopping } from './test-situation.ts';

describe('an end', () => {
  const running = facts({ power: 'running' });
  it.each<[string, Partial<Situation>, object]>([
    [
      'that was asked for is a stop',
      { facts: stopping('stop'), seen: ended(0) },
      { power: 'stopped', rest: null },
    ],
    ['by force is a stop', { facts: stopping('stop'), seen: ended(137) }, { power: 'stopped', rest: null }],
    [
      'by a kill is a stop and a rest',
      { facts: stopping('kill'), seen: ended(137) },
      { power: 'stopped', rest: 'killed' },
    ],
    [
      'by a kill where no power is wanted any more is a stop',
      { facts: stopping('kill'), seen: ended(137), spec: spec({ power: 'off' }) },
      { power: 'stopped', rest: null },
    ],
    [
      'after the typed command is a stop and a rest',
      { facts: { ...running, stop_typed: true }, seen: ended(0) },
      { power: 'stopped', rest: 'typed' },
    ],
    [
      'by a signal after the typed command is too',
      { facts: { ...running, stop_typed: true }, seen: ended(143) },
      { power: 'stopped', rest: 'typed' },
    ],
    [
      'with an error after the typed command is a crash',
      { facts: { ...running, stop_typed: true }, seen: ended(1) },
      { power: 'crashed', rest: null },
    ],
    [
      'nobody asked for is a crash, whatever it says',
      { facts: running, seen: ended(0) },
      { power: 'crashed', rest: null },
    ],
    [
      'together with the engine is no crash',
      { facts: running, seen: ended(137, { ended_by_engine: true }) },
      { power: 'stopped', rest: null },
    ],
    ['without a container is no crash', { facts: running, seen: null }, { power: 'stopped', rest: null }],
    [
      'of a container that never began is no crash',
      { facts: running, seen: ended(128, { started_at: null }) },
      { power: 'stopped', rest: null },
    ],
    [
      'for the third time in ten minutes is one more crash',
      { facts: { ...running, crashes: [crash(3 * minute), crash(2 * minute)] }, seen: ended(1) },
      { power: 'crashed', rest: null },
    ],
    [
      'for the fourth time is held',
      {
        facts: { ...running, crashes: [crash(3 * minute), crash(2 * minute), crash(minute)] },
        seen: ended(1),
      },
      { power: 'crashed', rest: 'crashes' },
    ],
    [
      'after ten minutes of running begins a new count',
      {
        facts: { ...running, crashes: [crash(3 * minute), crash(2 * minute), crash(minute)] },
        seen: ended(1, { started_at: now - crashWindow_ms - 100 }),
      },
      { power: 'crashed', rest: null },
    ],
    [
      'without memory is started again once',
      { facts: running, seen: ended(137, { out_of_memory: true }) },
      { power: 'crashed', rest: null },
    ],
    [
      'without memory for the second time is held',
      { facts: { ...running, crashes: [crash(minute, true)] }, seen: ended(137, { out_of_memory: true }) },
      { power: 'crashed', rest: 'out_of_memory' },
    ],
  ])('%s', (_, change, told) => {
    const { power, facts: after } = settle(situation(change));
    expect({ power, rest: after.rest }).toEqual(told);
    expect(after).toMatchObject({ power, intent: null, stop_typed: false });
  });

  it('takes a restart that was asked for meanwhile along', () => {
    const { facts: after } = settle(
      situation({ facts: stopping('stop'), seen: ended(0), spec: spec({ restart_seq: 7 }) }),
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
  const tired = facts({ rest: 'crashes', crashes: [crash(0)] });
  expect(accepting(tired, spec({ power: 'off' }))).toMatchObject({ rest: null, crashes: [] });
  expect(accepting(tired, spec({ suspended: true }))).toMatchObject({ rest: null, crashes: [] });
  expect(accepting(tired, spec())).toEqual(tired);
  expect(accepting(facts({ rest: 'killed' }), spec()), 'power after a kill').toMatchObject({ rest: null });
});
