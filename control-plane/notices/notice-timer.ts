import { nextNotice } from '#db/hosting/notices/read.ts';
import type { PlaneContext } from '../context.ts';

/** Longer waits are split: a notice begins at its time, whatever the clock does meanwhile. */
const max_wait_ms = 3_600_000;

/**
 * Calls `due` when the next notice begins or ends; `schedule` must be called whenever notices change. `since` is a moment
 * before notices were read: one that begins or ends during the read is due once more.
 */
export function scheduleNotices(
  { sql, now, log }: Pick<PlaneContext, 'sql' | 'now' | 'log'>,
  due: () => void,
): { schedule(since: Date): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let newest = 0;
  const schedule = (since: Date) => {
    newest += 1;
    const own = newest;
    nextNotice(sql, since)
      .then((at) => {
        if (stopped || own !== newest) return;
        clearTimeout(timer);
        const wait = at ? Math.min(max_wait_ms, Math.max(0, at.getTime() - now().getTime())) : max_wait_ms;
        timer = setTimeout(() => {
          const fired_at = now();
          due();
          schedule(fired_at);
        }, wait).unref();
      })
      .catch((err) => log.warn({ err }, 'Time of the next notice could not be read'));
  };
  return {
    schedule,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
