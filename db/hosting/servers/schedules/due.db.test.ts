import { describe, expect, it } from 'vitest';
import { actorFor } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { at, type ScheduledServer, schedulesOn } from '../../../testing/schedules.ts';
import type { ScheduleInput } from './view.ts';
import { switchSchedule } from './write.ts';

const database = testDatabase();
const { rent, add, due, settle, shown, history, troubles } = schedulesOn(database);

describe('a due schedule', () => {
  it('begins once, however many planes find it, and knows its next time', async () => {
    const rented = await rent();
    const schedule = await add(rented, {}, at('06-01T00:00:00'));
    expect(schedule.next_runs).toEqual(['01', '02', '03'].map((day) => `2026-06-${day}T04:00:00.000Z`));
    expect(await due(rented, schedule, at('06-01T03:59:59'))).toBe('none');
    const ends = await Promise.all([1, 2, 3].map(() => due(rented, schedule, at('06-01T04:00:01'))));
    expect(ends.sort()).toEqual(['begun', 'none', 'none']);
    expect(await history(rented, schedule)).toMatchObject([
      { outcome: 'running', trigger: 'time', count: 1 },
    ]);
    expect((await shown(rented)).next_runs[0]).toBe('2026-06-02T04:00:00.000Z');
  });

  it('that is an hour late is missed, told, and not made up for', async () => {
    const rented = await rent();
    const schedule = await add(rented, { cron: '*/10 * * * *' }, at('06-01T00:05:00'));
    expect(await due(rented, schedule, at('06-01T01:05:00'))).toBe('missed');
    expect(await history(rented, schedule)).toMatchObject([
      {
        ...{ outcome: 'missed', count: 6, reason: { code: 'schedule_late' }, steps: [] },
        ...{ due: '2026-06-01T00:10:00Z', last_due: '2026-06-01T01:00:00Z' },
      },
    ]);
    expect(await troubles(rented)).toEqual(['missed schedule_late']);
    expect((await shown(rented)).next_runs[0]).toBe('2026-06-01T01:10:00.000Z');
    expect(await due(rented, schedule, at('06-01T01:05:00'))).toBe('none');
  });

  it('runs for the newest time of a pause, if that is not late, and reports the others', async () => {
    const rented = await rent();
    const schedule = await add(rented, { cron: '*/10 * * * *' }, at('06-01T00:05:00'));
    expect(await due(rented, schedule, at('06-01T01:01:00'))).toBe('begun');
    expect(await history(rented, schedule)).toMatchObject([
      { outcome: 'running', due: '2026-06-01T01:00:00Z' },
      { outcome: 'missed', count: 5 },
    ]);
  });

  it('goes on at its next time after a pause of weeks', async () => {
    const rented = await rent();
    const schedule = await add(rented, { cron: '* * * * *' }, at('06-01T00:00:00'));
    expect(await due(rented, schedule, at('06-20T12:00:30'))).toBe('missed');
    expect((await shown(rented)).next_runs[0]).toBe('2026-06-20T12:01:00.000Z');
  });

  it('is missed while its run before goes on', async () => {
    const rented = await rent();
    const schedule = await add(rented, { cron: '* * * * *' }, at('06-01T00:00:00'));
    expect(await due(rented, schedule, at('06-01T00:01:01'))).toBe('begun');
    expect(await due(rented, schedule, at('06-01T00:02:01'))).toBe('missed');
    expect(await due(rented, schedule, at('06-01T00:03:01'))).toBe('missed');
    const runs = await history(rented, schedule);
    expect(runs.find(({ outcome }) => outcome === 'missed')).toMatchObject({
      count: 2,
      reason: { code: 'schedule_running' },
    });
    expect(runs).toHaveLength(2);
  });

  it.each([
    ['never happens', '03-28T12:00:00', '03-29T01:00:01', '2026-03-30T00:30:00.000Z'],
    ['happens twice', '10-24T12:00:00', '10-25T00:30:01', '2026-10-26T01:30:00.000Z'],
  ])('in an hour that %s runs once', async (_, from, then, next) => {
    const rented = await rent();
    const schedule = await add(rented, { cron: '30 2 * * *', timezone: 'Europe/Berlin' }, at(from));
    expect(await due(rented, schedule, at(then))).toBe('begun');
    expect((await shown(rented)).next_runs[0]).toBe(next);
    expect(await due(rented, schedule, new Date(+at(then) + 3_600_000))).toBe('none');
  });

  it('does not run while it is off, and not for the time that passed meanwhile', async () => {
    const rented = await rent();
    const schedule = await add(rented, { enabled: false }, at('06-01T00:00:00'));
    expect(schedule.next_runs).toEqual([]);
    expect(await due(rented, schedule, at('06-01T04:00:01'))).toBe('none');
    const target = { server_id: rented.id, schedule_id: schedule.id };
    const actor = actorFor(rented.owner);
    await database.sql.begin((tx) =>
      switchSchedule(tx, actor, { ...target, enabled: true }, at('06-03T00:00:00')),
    );
    expect((await shown(rented)).next_runs[0]).toBe('2026-06-03T04:00:00.000Z');
  });
});

describe('the conditions of a schedule', () => {
  /** What becomes of a run that is due at 4:00, with so many players. */
  async function outcome(
    rented: ScheduledServer,
    given: Partial<ScheduleInput>,
    players: number | null,
    seconds = 1,
  ) {
    const schedule = await add(rented, given, at('06-01T00:00:00'));
    await due(rented, schedule, at('06-01T04:00:00'));
    await settle(rented, new Date(+at('06-01T04:00:00') + seconds * 1_000), players);
    const [run] = await history(rented, schedule);
    return run!.reason?.code ?? run!.outcome;
  }
  const empty = { only_when_empty: true };

  it('only when nobody plays', async () => {
    expect(await outcome(await rent(), empty, 0)).toBe('running');
    expect(await outcome(await rent(), empty, 1)).toBe('schedule_players_online');
    expect(await outcome(await rent('stopped'), empty, null)).toBe('running');
    expect(await outcome(await rent(), {}, 5)).toBe('running');
  });
  it('wait a minute for a number of players that is not known yet', async () => {
    const rented = await rent();
    expect(await outcome(rented, empty, null)).toBe('running');
    expect((await shown(rented)).last_run!.steps[0]!.state).toBe('waiting');
    await settle(rented, at('06-01T04:01:01'), null);
    expect((await shown(rented)).last_run).toMatchObject({
      outcome: 'skipped',
      reason: { code: 'schedule_players_unknown' },
    });
    expect(await troubles(rented)).toEqual([]);
  });
  it('only when it runs', async () => {
    expect(await outcome(await rent('stopped'), { only_when_running: true }, null)).toBe(
      'server_not_running',
    );
    expect(await outcome(await rent(), { only_when_running: true }, null)).toBe('running');
  });
  it('leave out suspended servers, and miss those whose node is away', async () => {
    const [suspended, away] = [await rent(), await rent()];
    await database.sql`update servers set lifecycle = 'suspended' where id = ${suspended.id}`;
    expect(await outcome(suspended, {}, null)).toBe('server_suspended');
    await database.sql`update nodes set last_seen = '2026-01-01' where id = (select node_id from servers where id = ${away.id})`;
    expect(await outcome(away, {}, null)).toBe('running');
    await settle(away, at('06-01T04:01:01'));
    expect(await troubles(away)).toEqual(['missed server_unreachable']);
    expect(await troubles(suspended)).toEqual([]);
  });
});
