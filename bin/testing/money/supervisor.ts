import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Answer, Command, Message, Place } from './commands.ts';

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));
/** A process that is killed after so long at most has often done a part of a command; jobs take longer. */
const longest_life_ms = 40;
const longest_life_of_jobs_ms = 400;

/** What became of the commands. */
export interface Told {
  kills: number;
  /** Of these, before the command was answered. */
  kills_midway: number;
  commands: Partial<Record<Command['do'], number>>;
  refusals: Record<string, number>;
}

/**
 * Keeps a worker, tells it commands one after the other, and kills it where it is asked to: the next worker gets the same
 * command again, as a job is run again and a browser or a provider repeats its request.
 */
export class Supervisor {
  readonly told: Told = { kills: 0, kills_midway: 0, commands: {}, refusals: {} };
  readonly #place: Place;
  readonly #next: () => number;
  #child: ChildProcess | null = null;

  constructor(place: Place, next: () => number) {
    this.#place = place;
    this.#next = next;
  }

  /** Gives what the command gave, null when it was refused. Throws when it failed in any other way. */
  async tell(message: Message, kill: boolean): Promise<{ result: unknown } | null> {
    const name = message.command.do;
    const { commands, refusals } = this.told;
    commands[name] = (commands[name] ?? 0) + 1;
    const answer = (kill ? await this.#killed(message) : null) ?? (await this.#answered(message));
    if (!answer) throw new Error(`The worker ended by itself at ${name}`);
    if (answer.ok) return { result: answer.result };
    if (answer.code.startsWith('fault')) throw new Error(`${name}: ${answer.code}`);
    refusals[answer.code] = (refusals[answer.code] ?? 0) + 1;
    return null;
  }

  /** Gives null when it died before it answered. */
  async #killed(message: Message): Promise<Answer | null> {
    const victim = await this.#running();
    const most = message.command.do === 'jobs' ? longest_life_of_jobs_ms : longest_life_ms;
    setTimeout(() => victim.kill('SIGKILL'), this.#next() * most);
    const ended = once(victim, 'exit');
    const answer = await this.#answered(message);
    await ended;
    this.#child = null;
    this.told.kills += 1;
    if (!answer) this.told.kills_midway += 1;
    return answer;
  }

  async #answered(message: Message): Promise<Answer | null> {
    const child = await this.#running();
    const waits = new AbortController();
    const { signal } = waits;
    const answered = once(child, 'message', { signal }) as Promise<[Answer]>;
    const gone = once(child, 'exit', { signal }).then(() => null);
    child.send(message);
    const got = await Promise.race([answered, gone]);
    waits.abort();
    for (const ended of [answered, gone]) ended.catch(() => null);
    return got?.[0] ?? null;
  }

  async #running(): Promise<ChildProcess> {
    if (this.#child) return this.#child;
    const child = fork(worker, [JSON.stringify(this.#place)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [ready] = (await once(child, 'message')) as [Answer];
    expect(ready.ok).toBe(true);
    this.#child = child;
    return child;
  }

  stop(): void {
    this.#child?.kill();
    this.#child = null;
  }
}
