import type { Logger } from 'pino';
import { Refused } from '#db/errors.ts';
import type { JobName, Jobs } from '#db/jobs/queues.ts';
import type { OpenRecord } from '#db/record.ts';

/** A kind of work: loads, calls a verb or sends, done. May run twice. Gives what is worth a line in the log; nothing when there was nothing to do. */
export type Job<N extends JobName> = (
  record: OpenRecord,
  data: Jobs[N],
) => Promise<Record<string, unknown> | undefined>;

/**
 * The doorway of jobs. A refusal that trying again cannot change is logged and ends the job; a full disk, a busy
 * database and bugs are thrown, so that the board tries again later and keeps the job with its error in the end.
 */
export async function runJob<N extends JobName>(
  record: OpenRecord,
  name: N,
  data: Jobs[N],
  job: Job<N>,
): Promise<void> {
  const log: Logger = record.log;
  const began = performance.now();
  const duration_ms = () => Math.round(performance.now() - began);
  try {
    const told = await job(record, data);
    log[told ? 'info' : 'debug']({ job: name, duration_ms: duration_ms(), ...told }, 'A job is done');
  } catch (error) {
    if (error instanceof Refused && error.status < 500) {
      log.warn({ job: name, duration_ms: duration_ms(), code: error.code }, 'A job was refused and given up');
      return;
    }
    log.error({ job: name, duration_ms: duration_ms(), err: error }, 'A job failed and will be tried again');
    throw error;
  }
}
