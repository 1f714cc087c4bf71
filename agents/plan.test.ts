import { describe, expect, it } from 'vitest';
import { plan, type Situation } from './plan.ts';
import {
  alive,
  broken,
  crash,
  ended,
  facts,
  minute,
  now,
  situation,
  spec,
  stopping,
} from './test-situation.ts';

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
