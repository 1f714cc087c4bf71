import type { ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { openedPanel, requestFromPanel } from '../core/open-panel.ts';
import { $connection } from '../core/panel.store.ts';
import { $history, $most, $problem, $schedules } from './schedules.store.ts';

/** Keeps the schedules of the panel up to date: all of them after each connection, then every change by event. */

/** Loads all schedules; a refusal is in `$problem`. */
export async function loadSchedules(): Promise<void> {
  const result = await requestFromPanel('schedules.list', {});
  if (!result.ok) {
    // the panel says that the connection is lost, and they are loaded again with the next one
    $problem.set(result.error.status === 0 ? null : result.error);
    return;
  }
  $problem.set(null);
  $most.set(result.data.most);
  $schedules.set(result.data.schedules);
}

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

/** Follows the schedules of the open panel; gives a function that ends it. */
export function followSchedules(): () => void {
  let end = () => {};
  const ended = $connection.subscribe((state) => {
    end();
    end = () => {};
    const panel = openedPanel();
    if (state !== 'open' || !panel) return;
    end = panel.on('schedules', ({ server_id, schedules }) => {
      if (server_id !== panel.id) return;
      $schedules.set(schedules);
      const open = $history.get();
      if (open) void loadRuns(open.id);
    });
    void loadSchedules();
  });
  return () => {
    end();
    ended();
  };
}
