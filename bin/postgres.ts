import { statfsSync } from 'node:fs';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { restartPause } from './supervise.ts';
import { UserError } from './user-error.ts';

/** Exits in a row after which development gives up. */
const max_ends = 3;
/** A server that ran this long counts as recovered: its next exit is the first again. */
const recovered_after_ms = 60_000;

/** How the server is started; replaced in tests. */
interface Starting {
  start(dataDir: string): Promise<EmbeddedPostgres>;
  pauseAfter(ends: number): number;
  /** Whether the disk of the data folder is full. */
  isDiskFull(dataDir: string): boolean;
}

/**
 * Starts the embedded Postgres and keeps it running: after an unexpected exit it is restarted with backoff. With
 * `onGaveUp`, more than three exits within a minute each are reported to it and end the restarts; without, as in
 * production, the restart delay stays below half a minute, so that overload ends nothing for good. Exits while the disk
 * is full do not count. Gives the running server; it is stopped last. Ends the start with one line when the first start
 * fails.
 */
export async function keepPostgres(
  dataDir: string,
  cleanup: Array<() => unknown>,
  onGaveUp: ((line: string) => void) | null,
  { start: startServer, pauseAfter, isDiskFull }: Starting = {
    start: startPostgres,
    pauseAfter: restartPause,
    isDiskFull: hasNoRoom,
  },
): Promise<EmbeddedPostgres> {
  let stopping = false;
  let ends = 0;
  let started_at = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = async () => {
    started_at = Date.now();
    const server = await startServer(dataDir);
    if (stopping) await server.stop();
    server.ended.then(() => again('ended by itself'));
    return server;
  };
  const again = (reason: string) => {
    if (stopping) return;
    ends = Date.now() - started_at > recovered_after_ms ? 1 : ends + 1;
    const full = isDiskFull(dataDir);
    if (full) ends = Math.min(ends, max_ends); // it recovers by itself once there is space
    if (onGaveUp && ends > max_ends) return onGaveUp('Postgres ended by itself too often: giving up.');
    const pause_ms = pauseAfter(ends);
    const why = full ? `${reason} because the disk of ${dataDir} is full` : reason;
    console.error(`Postgres ${why}; starting it again in ${pause_ms} ms.`);
    timer = setTimeout(() => {
      running = start();
      running.catch((error) => again(`could not be started (${oneLine(error)})`));
    }, pause_ms);
  };
  let running = start();
  cleanup.push(async () => {
    stopping = true;
    clearTimeout(timer);
    await (await running.catch(() => null))?.stop();
  });
  return await running.catch((error) => {
    throw new UserError(oneLine(error));
  });
}

/** Postgres needs space for a WAL segment to start. */
const needed_bytes = 32 * 1024 * 1024;

function hasNoRoom(dataDir: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize < needed_bytes;
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
