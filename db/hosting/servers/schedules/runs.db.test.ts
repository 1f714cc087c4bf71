import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../../platform/errors.ts';
import { actorFor } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { at, schedulesOn } from '../../../testing/schedules.ts';
import { endAgentStep } from './settle.ts';
import type { ScheduleInput } from './view.ts';
import { runSchedule } from './write.ts';

const database = testDatabase();
const { rent, add, due, settle, shown, history, troubles } = schedulesOn(database);

describe('a run', () => {
  const command = { kind: 'command', text: 'list' } as const;
  /** A run that began at 4:00. */
  async function begun(given: Partial<ScheduleInput>) {
    const rented = await rent();
    const schedule = await add(rented, given, at('06-01T00:00:00'));
    await due(rented, schedule, at('06-01T04:00:00'));
    const last = async () => (await shown(rented)).last_run!;
    const states = async () => (await last()).steps.map(({ state, reason }) => reason?.code ?? state);
    return { rented, schedule, last, states };
  }

  it('waits as long as it should, and goes on at another plane', async () => {
    const { rented, states, last } = await begun({
      steps: [
        { kind: 'wait', seconds: 60 },
        { kind: 'wait', seconds: 1 },
      ],
    });
    expect((await settle(rented, at('06-01T04:00:01'))).wake).toEqual(at('06-01T04:01:01'));
    await settle(rented, at('06-01T04:01:00'));
    expect(await states()).toEqual(['running', 'waiting']);
    await settle(rented, at('06-01T04:01:01'));
    expect(await states()).toEqual(['done', 'running']);
    await settle(rented, at('06-01T04:01:02'));
    expect(await last()).toMatchObject({ outcome: 'done', reason: null });
    expect(await settle(rented, at('06-01T04:01:03'))).toEqual({ agent_steps: [], wake: null });
  });

  it('does not go on after a pause that made it late', async () => {
    const { rented, states } = await begun({ steps: [{ kind: 'wait', seconds: 60 }, command] });
    await settle(rented, at('06-01T04:00:01'));
    expect((await settle(rented, at('06-01T05:00:00'))).agent_steps).toEqual([]);
    expect(await states()).toEqual(['schedule_late', 'skipped']);
    expect(await troubles(rented)).toEqual(['failed schedule_late']);
  });

  it('that no plane could begin in time is missed', async () => {
    const { rented, last } = await begun({ steps: [command] });
    expect((await settle(rented, at('06-01T05:00:00'))).agent_steps).toEqual([]);
    expect(await last()).toMatchObject({ outcome: 'missed', reason: { code: 'schedule_late' } });
  });

  it('gives a command to one plane, once, whatever becomes of that plane', async () => {
    const { rented, states } = await begun({ steps: [command] });
    const asked = await Promise.all([1, 2, 3].map(() => settle(rented, at('06-01T04:00:01'))));
    expect(asked.flatMap(({ agent_steps }) => agent_steps)).toMatchObject([{ at: 0, step: command }]);
    expect((await settle(rented, at('06-01T04:00:59'))).agent_steps).toEqual([]);
    expect((await settle(rented, at('06-01T04:01:30'))).agent_steps).toEqual([]);
    expect(await states()).toEqual(['command_not_delivered']);
    // a plane that was only slow no longer changes it
    const run_id = (await shown(rented)).last_run!.id;
    await endAgentStep(database.sql, { server_id: rented.id, run_id, at: 0 }, 'done', at('06-01T04:01:31'));
    expect(await states()).toEqual(['command_not_delivered']);
  });

  it('tries again what an agent refused for a moment, for two minutes', async () => {
    const { rented, states } = await begun({ steps: [command] });
    const refuse = async (now: Date) => {
      const [step] = (await settle(rented, now)).agent_steps;
      if (step) await endAgentStep(database.sql, step, new Refused('server_unreachable'), now);
      return step !== undefined;
    };
    expect(await refuse(at('06-01T04:00:01'))).toBe(true);
    expect(await refuse(at('06-01T04:00:05'))).toBe(false);
    expect(await refuse(at('06-01T04:00:12'))).toBe(true);
    expect(await refuse(at('06-01T04:02:30'))).toBe(true);
    await settle(rented, at('06-01T04:02:31'));
    expect(await states()).toEqual(['schedule_step_too_long']);
  });

  it.each([
    ['stop', ['command_not_delivered', 'skipped']],
    ['continue', ['command_not_delivered', 'done']],
  ] as const)('after a failure does what its schedule says: %s', async (on_failure, states) => {
    const { rented, ...run } = await begun({ on_failure, steps: [command, { kind: 'wait', seconds: 1 }] });
    const [step] = (await settle(rented, at('06-01T04:00:01'))).agent_steps;
    await endAgentStep(database.sql, step!, new Refused('command_not_delivered'), at('06-01T04:00:02'));
    await settle(rented, at('06-01T04:00:02'));
    await settle(rented, at('06-01T04:00:04'));
    expect(await run.states()).toEqual(states);
    expect(await run.last()).toMatchObject({ outcome: 'failed', reason: { code: 'command_not_delivered' } });
    expect(await troubles(rented)).toEqual(['failed command_not_delivered']);
  });

  it('by hand is one run for the same id, and has no conditions', async () => {
    const rented = await rent();
    const schedule = await add(rented, { enabled: false, only_when_empty: true }, new Date());
    const asked = { server_id: rented.id, schedule_id: schedule.id, op_id: randomUUID() };
    const run = (message = asked) =>
      database.sql.begin((tx) => runSchedule(tx, actorFor(rented.owner), message, new Date()));
    const first = await run();
    expect(await run()).toEqual(first);
    await expect(run({ ...asked, op_id: randomUUID() })).rejects.toMatchObject({ code: 'schedule_running' });
    await settle(rented, new Date(), 3);
    expect((await shown(rented)).last_run).toMatchObject({
      outcome: 'running',
      trigger: 'hand',
      by: rented.owner.username,
    });
  });

  it('leaves the newest 50 in the history, and counts what is the same', async () => {
    const rented = await rent('stopped');
    const schedule = await add(rented, { cron: '* * * * *', only_when_running: true }, at('06-01T00:00:00'));
    const minute = (n: number) => new Date(+at('06-01T00:00:01') + n * 60_000);
    const run = async (n: number) => {
      expect(await due(rented, schedule, minute(n))).toBe('begun');
      await settle(rented, minute(n));
    };
    for (const n of [1, 2, 3]) await run(n);
    expect(await history(rented, schedule)).toMatchObject([{ outcome: 'skipped', count: 3 }]);
    await database.sql`update servers set power = 'running' where id = ${rented.id}`;
    for (let n = 4; n < 58; n++) {
      await run(n);
      await database.sql`update server_tasks set step = 'done', ended = now() where schedule_id = ${schedule.id} and ended is null`;
    }
    const runs = await history(rented, schedule);
    expect(runs).toHaveLength(50);
    expect(runs.every(({ outcome }) => outcome === 'done')).toBe(true);
  });
});
