import type { Logger } from 'pino';
import { filesEvent, named_paths } from '#db/hosting/servers/activity/file-events.ts';
import { kept_command_letters } from '#db/hosting/servers/activity/rules.ts';
import type { NewEvent } from '#db/platform/events/catalogue.ts';
import { recordEvents } from '#db/platform/events/write.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';

/** What is waited for before it is stored: files of one person are one event then. */
const wait_ms = 500;
/** Console commands of one person on one server that are recorded in a minute; a program may send thousands. */
const commands_per_minute = 60;
/** Events that wait at the same time; more are dropped and said in the log. */
const max_waiting = 5_000;

interface By {
  server_id: string;
  actor_id: string;
}

/**
 * Records console commands and written files for the activity of servers, off the way of those who wait for an answer. What
 * was done in the last moment before this process is killed is not recorded.
 */
export class ActivityRecorder {
  readonly #options: { sql: Pool; log: Logger };
  #events: NewEvent[] = [];
  #files = new Map<string, By & { action: string; paths: string[]; count: number }>();
  #sent = new Map<string, { count: number; skipped: number }>();
  #timer: NodeJS.Timeout | undefined;
  #minute: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: { sql: Pool; log: Logger }) {
    this.#options = options;
  }

  /** A line that somebody sent to the console. */
  command(by: By, text: string): void {
    const key = `${by.server_id} ${by.actor_id}`;
    const sent = this.#sent.get(key) ?? { count: 0, skipped: 0 };
    this.#sent.set(key, sent);
    this.#minute ??= setTimeout(() => this.#nextMinute(), 60_000).unref();
    if (sent.count >= commands_per_minute) {
      sent.skipped += 1;
      return;
    }
    sent.count += 1;
    this.#add(commandEvent(by, text, 0));
  }

  #nextMinute(): void {
    this.#minute = undefined;
    for (const [key, { skipped }] of this.#sent) {
      const [server_id = '', actor_id = ''] = key.split(' ');
      if (skipped > 0) this.#add(commandEvent({ server_id, actor_id }, '…', skipped));
    }
    this.#sent.clear();
  }

  /** Somebody wrote, downloaded or opened files. */
  files(by: By, action: 'write' | 'download' | 'open', paths: readonly string[]): void {
    const key = `${by.server_id} ${by.actor_id} ${action}`;
    const known = this.#files.get(key) ?? { ...by, action, paths: [], count: 0 };
    known.paths = [...new Set([...known.paths, ...paths])].slice(0, named_paths);
    known.count += paths.length;
    this.#files.set(key, known);
    this.#later();
  }

  #add(event: NewEvent): void {
    if (this.#events.length >= max_waiting) {
      this.#options.log.warn('Too much activity waits to be recorded, some is dropped');
      return;
    }
    this.#events.push(event);
    this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#store();
    }, wait_ms).unref();
  }

  #store(): Promise<void> {
    const files = [...this.#files.values()].map(({ action, paths, count, ...by }) =>
      filesEvent(by, action, paths, count),
    );
    const events = [...this.#events, ...files];
    this.#events = [];
    this.#files = new Map();
    const { sql, log } = this.#options;
    if (events.length > 0)
      this.#storing = this.#storing.then(() =>
        recordEvents(sql, events).catch((err) => log.warn({ err }, 'Activity could not be recorded')),
      );
    return this.#storing;
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#minute);
    this.#nextMinute();
    clearTimeout(this.#timer);
    await this.#store();
  }
}

const commandEvent = (by: By, text: string, skipped: number): NewEvent => ({
  ...by,
  name: 'server.command_sent',
  data: { text: [...text].slice(0, kept_command_letters).join(''), skipped },
});
