import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { socketConnection } from '../postgres/connection.ts';
import type { Db } from '../postgres/sql.ts';
import type { JobName, Jobs, Queue } from './queues.ts';

/** The job queue: in Postgres, in the schema `pgboss`. */
export interface JobQueue {
  /** Enqueues a job in the caller's transaction: it exists if and only if that commits. */
  enqueue<N extends JobName>(db: Db, name: N, data: Jobs[N]): Promise<void>;
  /** Enqueues a job unless one of this name was enqueued within `seconds`, so that several timers create one job. */
  enqueueUnique<N extends JobName>(name: N, data: Jobs[N], seconds: number): Promise<void>;
  /** Works on jobs of this name, one at a time across all processes, until `close`. */
  work<N extends JobName>(name: N, run: (data: Jobs[N]) => Promise<void>): Promise<void>;
  /** Waits up to `limit_ms` for running jobs, then returns them to the queue. */
  close(limit_ms?: number): Promise<void>;
}

interface Options {
  /** Set by the owner of the queues (the control plane), which creates and supervises them; others only enqueue. */
  queues?: Record<JobName, Queue>;
  database?: string;
}

/** Opens the job queue with its own small pool. */
export async function openQueue(
  address: string,
  log: Logger,
  { queues, database = 'cairn' }: Options = {},
): Promise<JobQueue> {
  const owner = queues !== undefined;
  const boss = new PgBoss({
    ...connectionOf(address, database),
    max: owner ? 4 : 1,
    application_name: 'cairn jobs',
    schedule: false,
    supervise: owner,
    migrate: owner,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'Job queue error'));
  await boss.start();
  for (const [name, queue] of Object.entries(queues ?? {})) await makeQueue(boss, name, queue);
  return {
    async enqueue(db, name, data) {
      await boss.send(name, data, { db: inTransaction(db) });
    },
    async enqueueUnique(name, data, seconds) {
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

/** Creates or updates the tables of the queue, which belong to the owner of the database: the processes may only use them. */
export async function installQueue(
  address: string,
  { database = 'cairn' }: Pick<Options, 'database'> = {},
): Promise<void> {
  const boss = new PgBoss({
    ...connectionOf(address, database),
    ...{ max: 1, application_name: 'cairn jobs', schedule: false, supervise: false },
  });
  let failure: unknown;
  boss.on('error', (error) => {
    failure = error;
  });
  await boss.start();
  await boss.stop({ graceful: false, close: true });
  if (failure) throw failure;
}

function connectionOf(address: string, database: string) {
  const socket = socketConnection(address);
  return socket
    ? { host: socket.folder, database, user: socket.role, password: socket.password as unknown as string }
    : { connectionString: address };
}

async function makeQueue(boss: PgBoss, name: string, queue: Queue): Promise<void> {
  const options = { ...queue, retryBackoff: true, retryDelay: 1, retryDelayMax: 600 };
  if (await boss.getQueue(name)) await boss.updateQueue(name, options);
  else await boss.createQueue(name, { ...options, policy: 'singleton' }); // one active at a time
}

const inTransaction = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: [...(await db.unsafe(text, values as never[]))],
  }),
});
