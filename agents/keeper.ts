import type { Power } from '#db/servers/rules.ts';
import { afterFailure, brokenBy } from './broken.ts';
import { Console, epochOf } from './console/console.ts';
import { look } from './containers.ts';
import { refusedWith } from './engine.ts';
import type { EventData } from './journal/events.ts';
import type { Kept } from './journal/servers.ts';
import { type Facts, plan, type Seen, type Situation, type Step } from './plan.ts';
import { steps } from './steps.ts';
import type { Workshop } from './workshop.ts';

/** Until a server that must not exist and could not be removed is tried again. */
const leaveAgain_ms = 10_000;

/**
 * Keeps one server as it is wanted: looks, plans one step, does it, looks again. One step at a time; only `kill` passes.
 * What it decides on is the journal and the engine, never its own memory alone.
 */
export class Keeper {
  readonly id: string;
  readonly shop: Workshop;
  readonly console: Console;
  /** This process asked it to stop; after a restart of the agent it is asked again. */
  asked = false;
  /** How its files lie on the disk, as far as something is to be done. */
  disk: Situation['disk'] = 'fits';
  /** It was told that nothing more fits on its disk. */
  disk_told = false;
  /** Before then its disk is not tried again, milliseconds since 1970. */
  disk_again = 0;
  /** When the engine said that something in it had no memory left, milliseconds since 1970. */
  oom_at: number | null = null;
  /** The container that somebody had the engine end: an operator, or the engine itself on its way out. */
  ended_by_engine: string | null = null;
  /** Its line that says players may come was read. */
  done = false;
  /** What that line looks like. */
  #sign: RegExp | null = null;
  #seen: Seen | null = null;
  #stale = true;
  #again = false;
  #running: Promise<void> | null = null;
  #recalling: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(id: string, shop: Workshop) {
    this.id = id;
    this.shop = shop;
    this.console = new Console(id, {
      journal: shop.journal.consoles,
      now: shop.now,
      line: (text) => this.#line(text),
      added: () => shop.consoleAdded(id),
      ended: () => this.kick(),
    });
  }

  get kept(): Kept | null {
    return this.shop.journal.servers.find(this.id);
  }
  get seen(): Seen | null {
    return this.#seen;
  }
  /** Whether something is being done for it right now. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Something may have changed: the container is looked at and what is missing is done. */
  kick({ look: looks = true } = {}): void {
    if (this.#closed) return;
    this.#stale ||= looks;
    this.#again = true;
    clearTimeout(this.#timer);
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
      if (this.#again) this.kick({ look: false });
    });
  }

  /** Resolves when nothing is being done. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.console.mark();
    this.console.stop();
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      const kept = this.kept;
      if (!kept || !this.shop.engine.up()) return;
      let step: Step | { do: 'leave' } = { do: 'leave' };
      try {
        if (this.#stale) await this.lookAgain();
        step = kept.gone ? step : plan(this.situation(kept));
        if (step.do === 'nothing') continue;
        if (step.do === 'wait') {
          this.#wait(step.until);
          continue;
        }
        this.#stale = true;
        this.shop.log.debug({ server_id: this.id, step }, 'Doing a step');
        if (step.do === 'leave') await steps.leave(this);
        else await (steps[step.do] as (keeper: Keeper, step: Step) => Promise<void>)(this, step);
        this.#again ||= step.do !== 'leave';
      } catch (error) {
        this.#failed(step.do, error);
      }
    }
  }

  #wait(until: number): void {
    this.#timer = setTimeout(() => this.kick(), Math.max(0, Math.min(until - this.shop.now(), 60_000)));
  }

  async lookAgain(): Promise<Seen | null> {
    this.#stale = false;
    const seen = await look(this.shop.engine, this.shop.identity(), this.id);
    const together = seen?.finished_at != null && this.shop.engine.wasAwayAt(seen.finished_at);
    const ended_by_engine = together || this.ended_by_engine === seen?.id;
    this.#seen = seen && { ...seen, ended_by_engine: seen.ended_by_engine || ended_by_engine };
    return this.#seen;
  }

  situation(kept: Kept): Situation {
    if (!kept.spec) throw new Error('a server without a specification has no situation');
    return {
      spec: kept.spec,
      facts: kept.facts,
      seen: this.#seen,
      attached: this.#seen !== null && this.console.isReading(this.#seen.id),
      asked: this.asked,
      disk: this.disk,
      slow_start_ms: (this.shop.kindOf(kept.spec)?.slow_start_s ?? 600) * 1000,
      now: this.shop.now(),
    };
  }

  /** Remembers facts and, when the power changed or an epoch came, tells it. */
  remember(facts: Facts, told: Partial<EventData<'server.power'>> | null = null): void {
    const { journal, now } = this.shop;
    journal.atOnce(() => {
      const before = this.kept;
      journal.servers.remember(this.id, facts);
      if (told === null && before?.facts.power === facts.power) return;
      const alive = facts.power !== 'stopped' && facts.power !== 'crashed';
      const started = this.#seen?.started_at ?? null;
      journal.events.record(
        'server.power',
        this.id,
        {
          power: facts.power,
          generation: before?.spec?.generation ?? 0,
          epoch: this.#seen && started !== null ? epochOf(this.#seen.id, started) : null,
          started_at: alive && started !== null ? new Date(started).toISOString() : null,
          exit_code: null,
          out_of_memory: false,
          last_lines: [],
          crash_loop: facts.rest === 'crashes' || facts.rest === 'out_of_memory',
          duration_s: null,
          ...told,
        },
        now(),
      );
    });
    this.shop.eventAdded();
  }

  tell<T extends `server.${'warning' | 'installed' | 'resized' | 'deleted' | 'broken'}`>(
    type: T,
    data: EventData<T>,
  ): void {
    this.shop.journal.events.record(type, this.id, data, this.shop.now());
    this.shop.eventAdded();
  }

  /** Players may come: told once with the seconds it took. */
  ready(): void {
    const kept = this.kept;
    if (kept?.facts.power !== 'starting') return;
    const started = kept.facts.started_at;
    const duration_s = started === null ? null : Math.round((this.shop.now() - started) / 100) / 10;
    this.remember({ ...kept.facts, power: 'running' }, { duration_s });
  }

  #line(text: string): void {
    if (this.done) return;
    // asked once: a flood of lines must not read the journal
    const spec = this.#sign ? null : this.kept?.spec;
    this.#sign ??= (spec && this.shop.kindOf(spec)?.done) ?? null;
    if (!this.#sign?.test(text)) return;
    this.done = true;
    if (this.console.epoch) this.ready();
  }

  /** Reads what an ended process left in the engine's log, when this process has not read it yet. */
  async recall(): Promise<void> {
    const seen = this.#seen;
    if (this.console.epoch || !seen || seen.alive || seen.started_at === null) return;
    this.#recalling ??= this.console
      .resume(this.shop.engine, seen.id, epochOf(seen.id, seen.started_at), false)
      .catch((error) => this.shop.log.debug({ err: error }, 'The log of an ended process could not be read'))
      .finally(() => {
        this.#recalling = null;
      });
    await this.#recalling;
  }

  power(): Power {
    return this.kept?.facts.power ?? 'stopped';
  }

  #failed(step: string, error: unknown): void {
    if (this.#closed) return;
    const { journal, log, now, engine } = this.shop;
    const broken = brokenBy(error);
    if (!broken) {
      // nothing is known of the server: it is looked at when the engine answers again
      engine.doubt();
      return;
    }
    if (refusedWith(error) === 404 && step !== 'start' && step !== 'install') {
      this.#again = true; // the container went away meanwhile
      return;
    }
    log.warn({ server_id: this.id, step, code: broken.code, err: error }, 'A step could not be done');
    const kept = this.kept;
    if (!kept?.spec) {
      this.#wait(now() + leaveAgain_ms);
      return;
    }
    const { generation } = kept.spec;
    const { tell, ...now_broken } = afterFailure(kept.facts, broken, { generation, now: now() });
    const power = kept.facts.power === 'starting' && !this.#seen?.alive ? 'stopped' : kept.facts.power;
    journal.atOnce(() => {
      this.remember({ ...kept.facts, power, broken: now_broken });
      const { step: what, error: why } = now_broken;
      if (tell) this.tell('server.broken', { step: what, error: why, generation });
    });
    this.#again = true;
  }
}
