import { describe, expect, it } from 'vitest';
import { max_steps, rightsFor, type ScheduleStep, whyNotSchedule } from './rules.ts';

const wait = (seconds: number): ScheduleStep => ({ kind: 'wait', seconds });
const say = (text: string): ScheduleStep => ({ kind: 'command', text });

describe('whyNotSchedule', () => {
  it.each(['N', 'Nightly restart', '夜'.repeat(48)])('allows the name %s', (name) =>
    expect(whyNotSchedule(name, [{ kind: 'backup' }])).toBeNull(),
  );
  it.each(['', '   ', 'x'.repeat(49), 'a\u0000b'])('refuses the name %j', (name) =>
    expect(whyNotSchedule(name, [{ kind: 'backup' }])).toMatchObject({ code: 'schedule_name_length' }),
  );

  it('wants 1 to 20 steps', () => {
    expect(whyNotSchedule('x', [])).toEqual({ code: 'schedule_steps_none' });
    expect(whyNotSchedule('x', Array(max_steps).fill(wait(1)))).toBeNull();
    expect(whyNotSchedule('x', Array(max_steps + 1).fill(wait(1)))).toMatchObject({
      code: 'schedule_steps_too_many',
    });
  });

  it.each([0, -1, 901, 1.5, Number.NaN])('refuses to wait %s seconds, and says which step', (seconds) =>
    expect(whyNotSchedule('x', [wait(1), wait(seconds)])).toEqual({
      code: 'schedule_wait_range',
      data: { least: 1, most: 900, step: 2 },
    }),
  );
  it('bounds all commands together', () => {
    expect(whyNotSchedule('x', Array(2).fill(say('x'.repeat(4_096))))).toBeNull();
    expect(whyNotSchedule('x', Array(3).fill(say('x'.repeat(4_000))))).toMatchObject({
      code: 'schedule_commands_too_long',
    });
  });
  it('allows to wait 15 minutes', () => expect(whyNotSchedule('x', [wait(900)])).toBeNull());

  it.each([
    ['', 'command_empty'],
    ['say a\nstop', 'command_control_characters'],
    ['x'.repeat(4097), 'command_too_long'],
  ])('refuses commands that the console refuses', (text, code) =>
    expect(whyNotSchedule('x', [say(text)])).toEqual({ code, data: { step: 1 } }),
  );
});

it('asks the right of each step beside the one for schedules', () => {
  expect(rightsFor([wait(1)])).toEqual(['schedules']);
  expect(rightsFor([say('list'), { kind: 'backup' }, say('list'), { kind: 'update' }])).toEqual([
    ...['schedules', 'console', 'backups', 'content'],
  ]);
  expect(rightsFor([{ kind: 'power' }])).toEqual(['schedules', 'power']);
});
