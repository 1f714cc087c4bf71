import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { actorFor, type BuiltUser, user } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { at, nightly, type ScheduledServer, schedulesOn } from '../../../testing/schedules.ts';
import type { ServerRight } from '../rights/rules.ts';
import { endAgentStep } from './settle.ts';
import type { ScheduleInput } from './view.ts';
import { changeSchedule, removeSchedule } from './write.ts';

const database = testDatabase();
const { rent, add, due, settle, shown, troubles } = schedulesOn(database);

describe('rights', () => {
  async function member({ id }: ScheduledServer, rights: ServerRight[]): Promise<BuiltUser> {
    const person = await user(database.sql);
    await database.sql`insert into server_members ${database.sql({
      ...{ server_id: id, user_id: person.id, role: 'editor', rights, accepted: new Date() },
    })}`;
    return person;
  }
  const steps = [{ kind: 'command', text: 'list' }] as ScheduleInput['steps'];

  it('of the steps are needed for saving', async () => {
    const rented = await rent();
    const add_as = async (rights: ServerRight[], given: Partial<ScheduleInput>) =>
      add(
        { id: rented.id, owner: await member(rented, rights) },
        { name: randomUUID(), ...given },
        new Date(),
      );
    await expect(add_as(['console'], { steps })).rejects.toMatchObject({ code: 'server_right_missing' });
    await expect(add_as(['schedules'], { steps })).rejects.toMatchObject({ code: 'server_right_missing' });
    await expect(add_as(['schedules'], {})).resolves.toBeTruthy();
    await expect(add_as(['schedules', 'console'], { steps })).resolves.toBeTruthy();
    await expect(
      add({ id: rented.id, owner: await user(database.sql) }, {}, new Date()),
    ).rejects.toMatchObject({
      code: 'server_not_found',
    });
  });

  it('that were taken away break a schedule until they are back, and are told once', async () => {
    const rented = await rent();
    const person = await member(rented, ['schedules', 'console']);
    const schedule = await add(
      { id: rented.id, owner: person },
      { cron: '* * * * *', steps },
      at('06-01T00:00:00'),
    );
    const set = (rights: ServerRight[]) => database.sql`
      update server_members set rights = ${rights} where server_id = ${rented.id} and user_id = ${person.id}`;
    await set(['schedules']);
    for (const minute of ['01', '02']) {
      await due(rented, schedule, at(`06-01T00:${minute}:01`));
      expect((await settle(rented, at(`06-01T00:${minute}:01`))).agent_steps).toEqual([]);
    }
    const broken = { code: 'schedule_right_missing', data: { right: 'console' } };
    expect(await shown(rented)).toMatchObject({
      broken,
      last_run: { outcome: 'failed', count: 2, reason: broken },
    });
    expect(await troubles(rented)).toEqual(['failed schedule_right_missing']);

    await set(['schedules', 'console']);
    await due(rented, schedule, at('06-01T00:03:01'));
    const [step] = (await settle(rented, at('06-01T00:03:01'))).agent_steps;
    expect(step).toMatchObject({ actor: { user_id: person.id } });
    await endAgentStep(database.sql, step!, 'done', at('06-01T00:03:02'));
    await settle(rented, at('06-01T00:03:02'));
    expect(await shown(rented)).toMatchObject({ broken: null, last_run: { outcome: 'done' } });
  });

  it('that end while it runs end it', async () => {
    const rented = await rent();
    const person = await member(rented, ['schedules', 'console']);
    const waits = [{ kind: 'wait', seconds: 5 }, ...steps] as ScheduleInput['steps'];
    const schedule = await add({ id: rented.id, owner: person }, { steps: waits }, at('06-01T00:00:00'));
    await due(rented, schedule, at('06-01T04:00:01'));
    await settle(rented, at('06-01T04:00:01'));
    await database.sql`delete from server_members where user_id = ${person.id}`;
    expect((await settle(rented, at('06-01T04:00:06'))).agent_steps).toEqual([]);
    expect((await shown(rented)).last_run).toMatchObject({
      outcome: 'failed',
      reason: { code: 'schedule_right_missing' },
    });
  });

  it('of a deleted or suspended account are none', async () => {
    const rented = await rent();
    const person = await member(rented, ['schedules', 'console']);
    const schedule = await add({ id: rented.id, owner: person }, { steps }, at('06-01T00:00:00'));
    await database.sql`update users set suspended_until = '2100-01-01' where id = ${person.id}`;
    await due(rented, schedule, at('06-01T04:00:01'));
    await settle(rented, at('06-01T04:00:01'));
    expect((await shown(rented)).broken).toEqual({ code: 'schedule_author_gone' });
  });
});

describe('saving', () => {
  const refuses = async (given: Partial<ScheduleInput>, code: string) =>
    await expect(add(await rent(), given, new Date())).rejects.toMatchObject({ code });

  it('refuses what cannot be', async () => {
    await refuses({ cron: '* * * * * *' }, 'schedule_cron_seconds');
    await refuses({ timezone: 'Mars/Base' }, 'time_zone_unknown');
    await refuses({ cron: '0 0 31 2 *' }, 'schedule_never');
    await refuses({ steps: [] }, 'schedule_steps_none');
    await refuses({ name: ' ' }, 'schedule_name_length');
  });

  it('refuses a name that is taken, and a 21st schedule', async () => {
    const rented = await rent();
    await add(rented, {}, new Date());
    await expect(add(rented, { name: 'NIGHTLY' }, new Date())).rejects.toMatchObject({
      code: 'schedule_name_taken',
    });
    for (let n = 2; n <= 20; n++) await add(rented, { name: `Number ${n}` }, new Date());
    await expect(add(rented, { name: 'More' }, new Date())).rejects.toMatchObject({
      code: 'schedules_too_many',
    });
  });

  it('refuses a change of what somebody else changed, and removes', async () => {
    const rented = await rent();
    const actor = actorFor(rented.owner);
    const { id: schedule_id, revision } = await add(rented, {}, new Date());
    const target = { server_id: rented.id, schedule_id };
    const change = (cron: string) =>
      database.sql.begin((tx) =>
        changeSchedule(tx, actor, { ...target, revision, schedule: { ...nightly, cron } }, new Date()),
      );
    expect(await change('0 5 * * *')).toMatchObject({ cron: '0 5 * * *', revision: revision + 1 });
    await expect(change('0 6 * * *')).rejects.toMatchObject({ code: 'schedule_changed' });
    await database.sql.begin((tx) => removeSchedule(tx, actor, target, new Date()));
    await expect(
      database.sql.begin((tx) => removeSchedule(tx, actor, target, new Date())),
    ).rejects.toMatchObject({
      code: 'schedule_not_found',
    });
    expect(await database.sql`select 1 from server_schedules where server_id = ${rented.id}`).toHaveLength(0);
  });
});
