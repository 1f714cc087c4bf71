import { atom } from 'nanostores';
import type { RunView, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { followPanel, panelResource } from '../core/resource.ts';
import { panelActions } from '../core/waiting.ts';

/** The schedules of the open panel: all of them after each connection, then every change by event. */

export const $most = atom(20);
/** By name. */
export const {
  $data: $schedules,
  $problem,
  load: loadSchedules,
} = panelResource({
  event: 'schedules.list',
  read({ schedules, most }): readonly ScheduleView[] {
    $most.set(most);
    return schedules;
  },
});
/** Requests under way: an action and the schedule. */
export const { $waiting, act } = panelActions();
/** The schedule whose history is open, and its runs; null while they are loaded. */
export const $history = atom<{ id: string; runs: readonly RunView[] | null } | null>(null);

/** Shows one schedule as a request answered it, before the event comes. */
export function showSchedule(schedule: ScheduleView): void {
  const others = ($schedules.get() ?? []).filter(({ id }) => id !== schedule.id);
  $schedules.set([...others, schedule].sort((a, b) => a.name.localeCompare(b.name)));
}

/** Loads the runs of a schedule while its history is open. */
export async function loadRuns(schedule_id: string): Promise<void> {
  const result = await requestFromPanel('schedules.runs', { schedule_id });
  if (result.ok && $history.get()?.id === schedule_id)
    $history.set({ id: schedule_id, runs: result.data.runs });
}

export const followSchedules = (): (() => void) =>
  followPanel(
    'schedules',
    ({ schedules }) => {
      $schedules.set(schedules);
      const open = $history.get();
      if (open) void loadRuns(open.id);
    },
    loadSchedules,
  );
