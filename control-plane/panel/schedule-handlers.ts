import { listSchedules, scheduleRuns } from '#db/hosting/servers/schedules/read.ts';
import {
  addSchedule,
  changeSchedule,
  removeSchedule,
  runSchedule,
  switchSchedule,
} from '#db/hosting/servers/schedules/write.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type ScheduleHandlers = { [E in keyof All as E extends `schedules.${string}` ? E : never]: All[E] };

/** The handlers of requests about schedules: each changes rows, and the change tells planes and panels. */
export function scheduleHandlers({ context }: PanelServices, asUser: AsUser): ScheduleHandlers {
  const { sql, now } = context;
  return {
    'schedules.list': asUser((actor, { server_id }) => listSchedules(sql, actor, server_id, now())),
    'schedules.add': asUser(async (actor, message) => ({
      schedule: await sql.begin((tx) => addSchedule(tx, actor, message, now())),
    })),
    'schedules.change': asUser(async (actor, message) => ({
      schedule: await sql.begin((tx) => changeSchedule(tx, actor, message, now())),
    })),
    'schedules.switch': asUser(async (actor, message) => ({
      schedule: await sql.begin((tx) => switchSchedule(tx, actor, message, now())),
    })),
    'schedules.remove': asUser(async (actor, message) => {
      await sql.begin((tx) => removeSchedule(tx, actor, message, now()));
      return {};
    }),
    'schedules.run': asUser(async (actor, message) => ({
      run: await sql.begin((tx) => runSchedule(tx, actor, message, now())),
    })),
    'schedules.runs': asUser(async (actor, message) => ({
      runs: await scheduleRuns(sql, actor, message, now()),
    })),
  };
}
