import { trim } from '#db/events/trim.ts';
import type { Job } from './run.ts';

export const trimEvents: Job<'trim_events'> = async ({ sql, now }) => ({ removed: await trim(sql, now()) });
