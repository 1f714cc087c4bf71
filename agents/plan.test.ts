import { describe, expect, it } from 'vitest';
import {
  accepting,
  crashWindow_ms,
  type Facts,
  noFacts,
  plan,
  readyAfterCrash,
  type Seen,
  type Situation,
  settle,
} from './plan.ts';

const now = 1_000_000_000;
const minute = 60_000;
const spec = (change: Partial<Situation['spec']> = {}): Situation['spec'] => ({
  generation: 3,
  power: 'on',
  restart_seq: 0,
  resize_seq: 0,
  suspended: false,
  ...change,
});
const facts = (change: Partial<Facts> = {}): Facts => ({ ...noFacts, installed_generation: 3, ...change });
const alive: Seen = {
  id: 'c1',
  alive: true,
  started_at: now - minute,
  finished_at: null,
  exit_code: 0,
  out_of_memory: false,
  ended_by_engine: false,
};
const ended = (exit_code: number, change: Partial<Seen> = {}): Seen => ({
  ...alive,
  alive: false,
  finished_at: now - 100,
  exit_code,
  ...change,
});
const situation = (change: Partial<Situation> = {}): Situation => ({
  spec: spec(),
  facts: facts(),
  seen: null,
  attached: false,
  asked: false,
  disk: 'fits',
  slow_start_ms: 10 * minute,
  now,
  ...change,
});
const stopping = (kind: 'stop' | 'restart' | 'kill', deadline = now + 30_000) =>
  facts({ power: 'stopping', intent: { kind, deadline, forced: false } });
const broken = {
  step: 'port_taken',
  error: 'in use',
  generation: 3,
  tries: 1,
  next: now + 5_000,
  told: true,
};
const crash = (ago: number, out_of_memory = false) => ({ at: now - ago, out_of_memory });

describe('a server that is down', () => {
  it.each<[string, Partial<Situation>, object]>([
    ['is installed first', { facts: facts({ installed_generation: 2 }) }, { do: 'install' }],
    [
      'is installed also while it is to be off',
      { facts: facts({ installed_generation: 2 }), spec: spec({ power: 'off' }) },
      { do: 'install' },
    ],
    ['is started when power is wanted', {}, { do: 'start' }],
    ['stays down when power is not wanted', { spec: spec({ power: 'off' }) }, { do: 'nothing' }],
    ['stays down while it is suspended', { spec: spec({ suspended: true }) }, { do: 'nothing' }],
    ['is started though an ended container is left', { seen: ended(0) }, { do: 'start' }],
    [
      'is settled when it was running last',
      { facts: facts({ power: 'running' }), seen: ended(1) },
      { do: 'settle' },
    ],
    ['is settled when its container is gone', { facts: facts({ power: 'starting' }) }, { do: 'settle' }],
    ['is settled when it was stopping last', { facts: stopping('stop'), seen: ended(0) }, { do: 'settle' }],
    [
      'waits after a first crash',
      { facts: facts({ power: 'crashed', crashes: [crash(1_000)] }) },
      { do: 'wait', until: now + 4_000 },
    ],
    [
      'waits longer after a second',
      { facts: facts({ power: 'crashed', crashes: [crash(9_000), crash(1_000)] }) },
      { do: 'wait', until: now + 14_000 },
    ],
    [
      'is started when it waited',
      { facts: facts({ power: 'crashed', crashes: [crash(5_000)] }) },
      { do: 'start' },
    ],
    [
      'rests after too many crashes',
      { facts: facts({ power: 'crashed', rest: 'crashes', crashes: [crash(minute)] }) },
      { do: 'nothing' },
    ],
    ['rests after a kill', { facts: facts({ rest: 'killed' }) }, { do: 'nothing' }],
    [
      'is woken from its rest by a person',
      { facts: facts({ rest: 'killed' }), spec: spec({ restart_seq: 1 }) },
      { do: 'start' },
    ],
    [
      'is started at once by a person who does not want to wait',
      { facts: facts({ power: 'crashed', crashes: [crash(10)] }), spec: spec({ restart_seq: 1 }) },
      { do: 'start' },
    ],
    [
      'waits after a step that could not be done',
      { facts: facts({ broken }) },
      { do: 'wait', until: now + 5_000 },
    ],
    ['tries that step again then', { facts: facts({ broken: { ...broken, next: now } }) }, { do: 'start' }],
    [
      'tries it at once for another wish',
      { facts: facts({ broken: { ...broken, generation: 2 } }) },
      { do: 'start' },
    ],
    [
      'waits when it could not be installed',
      { facts: facts({ installed_generation: 2, broken: { ...broken, step: 'image_missing' } }) },
      { do: 'wait', until: now + 5_000 },
    ],
  ])('%s', (_, change, step) => {
    expect(plan(situation(change))).toEqual(step);
  });
});

describe('a server that runs', () => {
  it.each<[string, Partial<Situation>, object]>([
    ['is left alone', { facts: facts({ power: 'running' }) }, { do: 'nothing' }],
    [
      'is attached to when nobody reads its console',
      { facts: facts({ power: 'running' }), attached: false },
      { do: 'attach' },
    ],
    [
      'is adopted when the journal thinks it is down',
      { facts: facts({ power: 'stopped' }) },
      { do: 'adopt' },
    ],
    [
      'is adopted when the journal thinks it crashed',
      { facts: facts({ power: 'crashed' }) },
      { do: 'adopt' },
    ],
    [
      'is stopped when power is not wanted',
      { facts: facts({ power: 'running' }), spec: spec({ power: 'off' }) },
      { do: 'ask_to_stop', intent: 'stop' },
    ],
    [
      'is stopped while it still starts',
      { facts: facts({ power: 'starting', started_at: now }), spec: spec({ power: 'off' }) },
      { do: 'ask_to_stop', intent: 'stop' },
    ],
    [
      'is stopped when it is suspended',
      { facts: facts({ power: 'running' }), spec: spec({ suspended: true }) },
      { do: 'ask_to_stop', intent: 'stop' },
    ],
    [
      'is stopped when its disk is full and only that keeps the limit',
      { facts: facts({ power: 'running' }), disk: 'over' },
      { do: 'ask_to_stop', intent: 'stop' },
    ],
    [
      'is given the disk it may have while it runs',
      { facts: facts({ power: 'running' }), disk: 'unfit' },
      { do: 'fit_disk' },
    ],
    [
      'is stopped first where that is wanted, its disk waits',
      { facts: facts({ power: 'running' }), disk: 'unfit', spec: spec({ power: 'off' }) },
      { do: 'ask_to_stop', intent: 'stop' },
    ],
    [
      'is given its time to stop whatever its disk is like',
      { facts: stopping('stop'), asked: true, disk: 'unfit' },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is restarted when that is asked for',
      { facts: facts({ power: 'running' }), spec: spec({ restart_seq: 1 }) },
      { do: 'ask_to_stop', intent: 'restart' },
    ],
    [
      'is not restarted for what was done already',
      { facts: facts({ power: 'running', restart_seq: 1 }), spec: spec({ restart_seq: 1 }) },
      { do: 'nothing' },
    ],
    [
      'is given its new size under way',
      { facts: facts({ power: 'running', resize_seq: 1 }), spec: spec({ resize_seq: 2 }) },
      { do: 'resize' },
    ],
    [
      'is given it also while it starts',
      { facts: facts({ power: 'starting', started_at: now }), spec: spec({ resize_seq: 1 }) },
      { do: 'resize' },
    ],
    [
      'is given it by the restart that was asked for beside it',
      { facts: facts({ power: 'running' }), spec: spec({ resize_seq: 1, restart_seq: 1 }) },
      { do: 'ask_to_stop', intent: 'restart' },
    ],
    [
      'is not given it while it stops: it has it when it starts again',
      { facts: stopping('stop'), asked: true, spec: spec({ resize_seq: 1 }) },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is left alone with the size it has',
      { facts: facts({ power: 'running', resize_seq: 2 }), spec: spec({ resize_seq: 2 }) },
      { do: 'nothing' },
    ],
    [
      'is not installed anew under way',
      { facts: facts({ power: 'running', installed_generation: 1 }) },
      { do: 'nothing' },
    ],
    [
      'is asked to stop again by an agent that started meanwhile',
      { facts: stopping('restart') },
      { do: 'ask_to_stop', intent: 'restart' },
    ],
    [
      'is given its time to stop',
      { facts: stopping('stop'), asked: true },
      { do: 'wait', until: now + 30_000 },
    ],
    [
      'is given it also when power is wanted again',
      { facts: stopping('stop'), asked: true, spec: spec({ restart_seq: 4 }) },
      { do: 'wait', until: now + 30_000 },
    ],
    ['is killed when its time is over', { facts: stopping('stop', now), asked: true }, { do: 'force' }],
    [
      'is killed also when nobody reads its console',
      { facts: stopping('stop', now), attached: false },
      { do: 'force' },
    ],
    ['is killed and not asked', { facts: stopping('kill') }, { do: 'wait', until: now + 30_000 }],
    [
      'is waited for while it starts',
      { facts: facts({ power: 'starting', started_at: now }) },
      { do: 'wait', until: now + 10 * minute },
    ],
    [
      'is told to be slow',
      { facts: facts({ power: 'starting', started_at: now - 10 * minute }) },
      { do: 'tell_slow' },
    ],
    [
      'is told so once',
      { facts: facts({ power: 'starting', started_at: now - 10 * minute, slow_told: true }) },
      { do: 'nothing' },
    ],
  ])('%s', (_, change, step) => {
    expect(plan(situation({ seen: alive, attached: true, ...change }))).toEqual(step);
  });
});

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
