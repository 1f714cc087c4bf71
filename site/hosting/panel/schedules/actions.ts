import type { ScheduleInput, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { $schedules, act, showSchedule } from './schedules.store.ts';

/** What is done to schedules. The editor shows its refusal itself (`refused`); any other one is a toast. */

const shown = ({ schedule }: { schedule: ScheduleView }) => showSchedule(schedule);

/** Adds a schedule, or changes `before`. Gives whether it was accepted. */
export const saveSchedule = (
  before: Pick<ScheduleView, 'id' | 'revision'> | null,
  schedule: ScheduleInput,
  refused?: (error: ApiError) => boolean,
): Promise<boolean> =>
  act('save', {
    send: () =>
      before
        ? requestFromPanel('schedules.change', {
            schedule_id: before.id,
            revision: before.revision,
            schedule,
          })
        : requestFromPanel('schedules.add', { schedule }),
    refresh: shown,
    ...(refused && { refused }),
  });

export const switchSchedule = (schedule_id: string, enabled: boolean): Promise<boolean> =>
  act(`switch ${schedule_id}`, {
    send: () => requestFromPanel('schedules.switch', { schedule_id, enabled }),
    refresh: shown,
  });

export function runSchedule(schedule_id: string): Promise<boolean> {
  const op_id = crypto.randomUUID();
  return act(`run ${schedule_id}`, { send: () => requestFromPanel('schedules.run', { schedule_id, op_id }) });
}

export const removeSchedule = (schedule_id: string): Promise<boolean> =>
  act(`remove ${schedule_id}`, {
    send: () => requestFromPanel('schedules.remove', { schedule_id }),
    refresh: () => $schedules.set(($schedules.get() ?? []).filter(({ id }) => id !== schedule_id)),
  });
