import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../sql.ts';
import { type JobName, type Jobs, queues } from './queues.ts';

/** Where jobs are put and taken; they lie in Postgres, in the schema `pgboss`. */
export interface Board {
  /** Puts a job up in the caller's transaction: it exists exactly when that commits. */
  send<N extends JobName>(db: Db, name: N, data: Jobs[N]): Promise<void>;
  /** Puts a job up unless one of this name was put up within `seconds`: several timers make one job. */
  sendOnce<N extends JobName>(name: N, data: Jobs[N], seconds: number): Promise<void>;
  /** Takes jobs of this name, one at a time over all processes, until `close`. */
  work<N extends JobName>(name: N, run: (data: Jobs[N]) => Promise<void>): Promise<void>;
  /** Lets running jobs end for `limit_ms`, then puts them back for later. */
  close(limit_ms?: number): Promise<void>;
}

/**
 * Opens the board with a small pool of its own. `keeps` is the process that also makes the queues and looks after them
 * (the control plane); others only send.
 */
export async function openBoard(
  address: string,
  log: Logger,
  { keeps = false, database = 'cairn' } = {},
): Promise<Board> {
  const boss = new PgBoss({
    ...(address.startsWith('/') ? { host: address, database, user: 'app' } : { connectionString: address }),
    max: keeps ? 4 : 1,
    application_name: 'cairn jobs',
    schedule: false,
    supervise: keeps,
    migrate: keeps,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'The job board had trouble'));
  await boss.start();
  if (keeps) for (const name of Object.keys(queues) as JobName[]) await makeQueue(boss, name);
  return {
    async send(db, name, data) {
      await boss.send(name, data, { db: inTransaction(db) });
    },
    async sendOnce(name, data, seconds) {
      await boss.send(name, data, { singletonSeconds: seconds });
    },
    async work(name, run) {
      await boss.work(name, { batchSize: 1, pollingIntervalSeconds: 2 }, async (jobs) => {
        for (const job of jobs) await run(job.data as Jobs[typeof name]);
      });
    },
    async close(limit_ms = 5_000) {
      await boss.stop({ timeout: limit_ms, graceful: true, close: true });
    },
  };
}

async function makeQueue(boss: PgBoss, name: JobName): Promise<void> {
  const options = { ...queues[name], retryBackoff: true, retryDelay: 1, retryDelayMax: 600 };
  if (await boss.getQueue(name)) await boss.updateQueue(name, options);
  else await boss.createQueue(name, { ...options, policy: 'singleton' }); // one active at a time
}

const inTransaction = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: [...(await db.unsafe(text, values as never[]))],
  }),
});
