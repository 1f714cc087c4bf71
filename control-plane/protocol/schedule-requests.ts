import { z } from 'zod';
import { runView, scheduleInput, scheduleView } from '#db/hosting/servers/schedules/view.ts';
import type { RequestMap } from './ack.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const ofServer = z.object({ server_id: id });
const ofSchedule = ofServer.extend({ schedule_id: id });
const schedule = z.strictObject({ schedule: scheduleView });

/** Requests of panels about schedules. */
export const scheduleRequests = {
  'schedules.list': {
    input: ofServer,
    output: z.strictObject({ schedules: z.array(scheduleView), most: z.int() }),
    limit: 'calls',
  },
  'schedules.add': { input: ofServer.extend({ schedule: scheduleInput }), output: schedule, limit: 'calls' },
  /** Refuses `schedule_changed` when `revision` is another one by now. */
  'schedules.change': {
    input: ofSchedule.extend({ revision: z.int(), schedule: scheduleInput }),
    output: schedule,
    limit: 'calls',
  },
  'schedules.switch': {
    input: ofSchedule.extend({ enabled: z.boolean() }),
    output: schedule,
    limit: 'calls',
  },
  'schedules.remove': { input: ofSchedule, output: z.strictObject({}), limit: 'calls' },
  /** Runs it now, whatever its conditions are. */
  'schedules.run': {
    input: ofSchedule.extend({ op_id: z.uuid() }),
    output: z.strictObject({ run: runView }),
    limit: 'calls',
  },
  /** The newest 50 runs, newest first. */
  'schedules.runs': { input: ofSchedule, output: z.strictObject({ runs: z.array(runView) }), limit: 'calls' },
} as const satisfies RequestMap;
