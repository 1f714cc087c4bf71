import { runDue } from '../hosting/servers/schedules/due.ts';
import { scheduleRuns, scheduleViews } from '../hosting/servers/schedules/read.ts';
import type { ScheduleInput } from '../hosting/servers/schedules/view.ts';
import { addSchedule } from '../hosting/servers/schedules/write.ts';
import { settleTasks } from '../hosting/servers/settle-tasks.ts';
import type { Pool } from '../platform/postgres/sql.ts';
import { actorFor, type BuiltUser, user } from './builders/build.ts';
import { node, server } from './builders/hosting.ts';

/** Schedules on an injected clock, without control planes: what they would do is called by the test. */

const settings = { BACKUP_ENGINE: 'archive', BACKUP_TARGET: 'node' } as const;

/** A schedule of one step, at 4:00 UTC. */
export const nightly: ScheduleInput = {
  ...{ name: 'Nightly', cron: '0 4 * * *', timezone: 'UTC', enabled: true },
  ...{ only_when_empty: false, only_when_running: false, on_failure: 'stop' },
  steps: [{ kind: 'wait', seconds: 60 }],
};

export interface ScheduledServer {
  id: string;
  owner: BuiltUser;
}

/** A time of the year 2026. */
export const at = (text: string): Date => new Date(`2026-${text}Z`);

/** What the tests of schedules do on a database. */
export const schedulesOn = (database: { sql: Pool }) => ({
  /** A server whose node is there at any time. */
  async rent(power = 'running'): Promise<ScheduledServer> {
    const { sql } = database;
    const owner = await user(sql);
    const id = await server(sql, owner);
    const { id: node_id } = await node(sql, at('01-01T00:00:00'), { region: id });
    await sql`update nodes set last_seen = '2100-01-01', status = 'online' where id = ${node_id}`;
    await sql`
      update servers set node_id = ${node_id}, port = 25600, lifecycle = 'ready', power = ${power} where id = ${id}`;
    return { id, owner };
  },
  add: ({ id, owner }: ScheduledServer, given: Partial<ScheduleInput>, now: Date) =>
    database.sql.begin((tx) =>
      addSchedule(tx, actorFor(owner), { server_id: id, schedule: { ...nightly, ...given } }, now),
    ),
  due: ({ id: server_id }: ScheduledServer, { id }: { id: string }, now: Date) =>
    runDue(database.sql, { id, server_id }, now),
  settle: ({ id }: ScheduledServer, now: Date, players: number | null = null) =>
    settleTasks(database.sql, id, { settings, runs: { players } }, now),
  shown: async ({ id }: ScheduledServer, now = new Date()) =>
    (await scheduleViews(database.sql, id, now))[0]!,
  history: ({ id, owner }: ScheduledServer, { id: schedule_id }: { id: string }) =>
    scheduleRuns(database.sql, actorFor(owner), { server_id: id, schedule_id }, new Date()),
  /** The events that alerts hear, as `failed CODE` and `missed CODE`. */
  troubles: async ({ id }: ScheduledServer): Promise<string[]> =>
    (
      await database.sql<{ name: string; reason: string }[]>`
        select name, data->>'reason' as reason from events
        where server_id = ${id} and name in ('server.schedule_failed', 'server.schedule_missed') order by id`
    ).map(({ name, reason }) => `${name.slice('server.schedule_'.length)} ${reason}`),
});
