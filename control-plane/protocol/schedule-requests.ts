import { z } from 'zod';
import { listSchedules, scheduleRuns } from '#db/hosting/servers/schedules/read.ts';
import { runView, scheduleInput, scheduleView } from '#db/hosting/servers/schedules/view.ts';
import {
  addSchedule,
  changeSchedule,
  removeSchedule,
  runSchedule,
  switchSchedule,
} from '#db/hosting/servers/schedules/write.ts';
import type { RequestMap } from './ack.ts';
import { stored } from './stored.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const ofSchedule = ofServer.extend({ schedule_id: id });
const schedule = z.strictObject({ schedule: scheduleView });

/** Requests of panels about schedules. */
export const scheduleRequests = {
  'schedules.list': stored({
    input: ofServer,
    output: z.strictObject({ schedules: z.array(scheduleView), most: z.int() }),
    limit: 'calls',
    answer: ({ db, actor, now }, { server_id }) => listSchedules(db, actor, server_id, now()),
  }),
  'schedules.add': stored({
    input: ofServer.extend({ schedule: scheduleInput }),
    output: schedule,
    limit: 'calls',
    write: ({ db, actor, now }, message) => addSchedule(db, actor, message, now()),
    answer: (_call, _message, schedule) => ({ schedule }),
  }),
  /** Refuses `schedule_changed` when `revision` is another one by now. */
  'schedules.change': stored({
    input: ofSchedule.extend({ revision: z.int(), schedule: scheduleInput }),
    output: schedule,
    limit: 'calls',
    write: ({ db, actor, now }, message) => changeSchedule(db, actor, message, now()),
    answer: (_call, _message, schedule) => ({ schedule }),
  }),
  'schedules.switch': stored({
    input: ofSchedule.extend({ enabled: z.boolean() }),
    output: schedule,
    limit: 'calls',
    write: ({ db, actor, now }, message) => switchSchedule(db, actor, message, now()),
    answer: (_call, _message, schedule) => ({ schedule }),
  }),
  'schedules.remove': stored({
    input: ofSchedule,
    output: z.strictObject({}),
    limit: 'calls',
    write: ({ db, actor, now }, message) => removeSchedule(db, actor, message, now()),
    answer: () => ({}),
  }),
  /** Runs it now, whatever its conditions are. */
  'schedules.run': stored({
    input: ofSchedule.extend({ op_id: z.uuid() }),
    output: z.strictObject({ run: runView }),
    limit: 'calls',
    write: ({ db, actor, now }, message) => runSchedule(db, actor, message, now()),
    answer: (_call, _message, run) => ({ run }),
  }),
  /** The newest 50 runs, newest first. */
  'schedules.runs': stored({
    input: ofSchedule,
    output: z.strictObject({ runs: z.array(runView) }),
    limit: 'calls',
    answer: async ({ db, actor, now }, message) => ({ runs: await scheduleRuns(db, actor, message, now()) }),
  }),
} as const satisfies RequestMap;
