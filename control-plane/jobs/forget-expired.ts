import { dropEndedSessions } from '#db/people/session.ts';
import type { Job } from './run.ts';

/** Sessions that ended, and counters of windows that are over. */
export const forgetExpired: Job<'forget_expired'> = async ({ sql, now }) => {
  await dropEndedSessions(sql, now());
  const { count: limits } = await sql`delete from rate_limits where arrival < now()`;
  const { count: windows } = await sql`delete from download_windows where until < now()`;
  return { limits, windows };
};
