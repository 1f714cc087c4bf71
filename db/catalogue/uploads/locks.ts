import { setTimeout as wait } from 'node:timers/promises';
import { type Pool, privateConnection } from '../../platform/postgres/sql.ts';

const channel = 'uploads_wanted';
const poll_ms = 50;

/**
 * Locks of uploads, held against other requests of this process and of all other processes of the site: as advisory locks of
 * one connection, which is open while this process holds any, so that those of a killed process end with it. Who wants a lock asks its
 * holder to end, whose connection may be dead.
 */
export class UploadLocks {
  readonly #sql: Pool;
  /** What asks the holder of a lock to end, by the id of the upload. */
  readonly #held = new Map<string, () => void>();
  #connection: Pool | null = null;
  #listening: Promise<unknown> | null = null;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /**
   * Takes the lock of upload `id`; `onWanted` is called when another request wants it, or when the database took it back. False
   * when its holder did not end within `wait_ms`, or `signal` came.
   */
  async acquire(
    id: string,
    onWanted: () => void,
    { signal, wait_ms = 10_000 }: { signal: AbortSignal; wait_ms?: number },
  ): Promise<boolean> {
    await this.#listen();
    const until = performance.now() + wait_ms;
    let asked = false;
    for (; !signal.aborted && performance.now() < until; await wait(poll_ms)) {
      const askHolder = this.#held.get(id);
      if (askHolder) {
        askHolder();
        continue;
      }
      this.#held.set(id, onWanted);
      let mine = false;
      try {
        mine = await this.#lock(id);
        if (mine) return true;
      } finally {
        if (!mine) this.#drop(id);
      }
      if (!asked) await this.#sql.notify(channel, id);
      asked = true;
    }
    return false;
  }

  async release(id: string): Promise<void> {
    const sql = this.#connection;
    // a lost connection has released it
    if (sql) await sql`select pg_advisory_unlock(${key(sql, id)})`.catch(() => undefined);
    this.#drop(id);
  }

  async #lock(id: string): Promise<boolean> {
    this.#connection ??= this.#open();
    const sql = this.#connection;
    const [row] = await sql<[{ mine: boolean }]>`select pg_try_advisory_lock(${key(sql, id)}) as mine`;
    // the connection that took it may be lost meanwhile, and the lock with it
    return row.mine && sql === this.#connection;
  }

  #open(): Pool {
    const connection = privateConnection(this.#sql, () => {
      if (this.#connection !== connection) return;
      this.#connection = null;
      for (const askHolder of this.#held.values()) askHolder();
    });
    return connection;
  }

  #drop(id: string): void {
    this.#held.delete(id);
    if (this.#held.size > 0) return;
    const connection = this.#connection;
    this.#connection = null;
    void connection?.end().catch(() => undefined);
  }

  /** Listens for other processes that want a lock; the driver does so again after a lost connection. */
  async #listen(): Promise<void> {
    this.#listening ??= this.#sql.listen(channel, (id) => this.#held.get(id)?.());
    await this.#listening.catch((error: unknown) => {
      this.#listening = null;
      throw error;
    });
  }
}

const key = (sql: Pool, id: string) => sql`hashtextextended(${`cairn.upload ${id}`}, 0)`;
