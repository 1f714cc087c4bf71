import type { KnownCommand } from '#control/protocol/console.ts';
import type { Power } from '#db/hosting/servers/rules.ts';
import { Console, epochOf } from '../console/console.ts';
import { askForCommands } from '../console/help.ts';
import type { Hearers } from '../console/line-matching.ts';
import { TickTime } from '../console/tick-time.ts';
import type { AgentContext } from '../context.ts';
import { statusOf } from '../docker/client.ts';
import { inspectServer } from '../docker/containers.ts';
import { nextRetry, toStepError } from '../docker/step-error.ts';
import { type ContainerState, type PlanInput, plan, type ServerState, type Step } from '../plan/plan.ts';
import type { EventData } from '../state/events.ts';
import type { StoredServer } from '../state/servers.ts';
import { planInputOf, powerData } from './plan-input.ts';
import { PlayerCount } from './player-count.ts';
import { placeOf } from './sleep-place.ts';
import { ping, pingHost } from './status-ping.ts';
import type { Executor, ReportType, StepContext } from './step.ts';

/** Pause before the removal of a deleted server is tried again. */
const remove_retry_ms = 10_000;

/**
 * Brings one server to its desired state: inspects, plans one step, executes it, inspects again. One step at a time;
 * only `kill` runs beside it. Decisions rest on the agent's database and on Docker, never on this process's memory
 * alone.
 */
export class ServerController implements StepContext {
  readonly id: string;
  readonly context: AgentContext;
  readonly console: Console;
  /** This process asked it to stop; after a restart of the agent it is asked again. */
  stop_requested = false;
  /** Whether its disk needs work. */
  disk: PlanInput['disk'] = 'fits';
  /** A warning that its disk is full was reported. */
  disk_full_reported = false;
  /** Its disk is not prepared again before this time, milliseconds since 1970. */
  disk_retry_at = 0;
  /** When Docker said that a process in its container ran out of memory, milliseconds since 1970. */
  oom_at: number | null = null;
  /** The container that was killed through Docker by an operator, or by Docker itself while it shut down. */
  ended_by_engine: string | null = null;
  /** The line that says players may join was read. */
  startup_done = false;
  /** Players are not listened for before this time, milliseconds since 1970; a warning about that was reported. */
  listen_at = 0;
  listen_warned = false;
  /** Operations that run. */
  operations = 0;
  readonly players: PlayerCount;
  /** They get each line of its process. */
  readonly hearers: Hearers = new Set();
  /** Pattern of that line. */
  readonly #executor: Executor;
  readonly #tickTime = new TickTime();
  #readyPattern: RegExp | null = null;
  #observed: ContainerState | null = null;
  #stale = true;
  #pending = false;
  #running: Promise<void> | null = null;
  #loadingOldLog: Promise<void> | null = null;
  #commands: { epoch: string; answer: Promise<KnownCommand[] | null> } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(id: string, context: AgentContext, executor: Executor) {
    this.id = id;
    this.#executor = executor;
    this.context = context;
    this.players = new PlayerCount({
      now: context.now,
      ask: async () => {
        const port = this.stored?.spec?.port;
        return port ? await ping(pingHost(context.identity().node.bind_address), port) : null;
      },
    });
    this.console = new Console(id, {
      store: context.store.consoles,
      now: context.now,
      onLine: (text) => this.#line(text),
      onLines: () => context.onConsoleLines(id),
      onClosed: () => this.reconcile(),
    });
  }

  get stored(): StoredServer | null {
    return this.context.store.servers.find(this.id);
  }
  get observed(): ContainerState | null {
    return this.#observed;
  }
  /** Whether a step is being executed. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Something may have changed: inspects the container unless `inspect` is false, and executes the steps that are due. */
  reconcile({ inspect = true } = {}): void {
    if (this.#closed) return;
    this.#stale ||= inspect;
    this.#pending = true;
    clearTimeout(this.#timer);
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
      if (this.#pending) this.reconcile({ inspect: false });
    });
  }

  /** Resolves when no step is being executed. */
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
    while (this.#pending && !this.#closed) {
      this.#pending = false;
      const stored = this.stored;
      if (!stored || !this.context.docker.up()) return;
      let step: Step | { do: 'remove' } = { do: 'remove' };
      try {
        if (this.#stale) await this.refresh();
        step = stored.deleted ? step : plan(this.planInput(stored));
        if (step.do === 'nothing') continue;
        if (step.do === 'wait') {
          this.#wait(step.until);
          continue;
        }
        this.#stale = true;
        this.context.log.debug({ server_id: this.id, step }, 'Executing a step');
        if (step.do === 'remove') await this.#executor.remove(this);
        else
          await (this.#executor[step.do] as (server: StepContext, step: Step) => Promise<void>)(this, step);
        this.#pending ||= step.do !== 'remove';
      } catch (error) {
        this.#failed(step.do, error);
      }
    }
  }

  #wait(until: number): void {
    this.#timer = setTimeout(
      () => this.reconcile(),
      Math.max(0, Math.min(until - this.context.now(), 60_000)),
    );
  }

  async refresh(): Promise<ContainerState | null> {
    this.#stale = false;
    const observed = await inspectServer(this.context.docker, this.context.identity(), this.id);
    const together = observed?.finished_at != null && this.context.docker.wasDownAt(observed.finished_at);
    const ended_by_engine = together || this.ended_by_engine === observed?.id;
    this.#observed = observed && {
      ...observed,
      ended_by_engine: observed.ended_by_engine || ended_by_engine,
    };
    return this.#observed;
  }

  planInput(stored: StoredServer): PlanInput {
    return planInputOf(this, stored);
  }

  /** Stores `state` and reports `server.power` when the power changed or `data` is given. */
  saveState(state: ServerState, data: Partial<EventData<'server.power'>> | null = null): void {
    const { store, now } = this.context;
    store.transaction(() => {
      const before = this.stored;
      store.servers.saveState(this.id, state);
      if (data === null && before?.state.power === state.power) return;
      const usual = powerData(state, this.#observed, before?.spec?.generation ?? 0);
      store.events.record('server.power', this.id, { ...usual, ...data }, now());
    });
    this.context.onEventRecorded();
  }

  report<T extends ReportType>(type: T, data: EventData<T>): void {
    this.context.store.events.record(type, this.id, data, this.context.now());
    this.context.onEventRecorded();
  }

  /** Players may join: reported once, with the seconds it took. */
  markRunning(): void {
    const stored = this.stored;
    if (stored?.state.power !== 'starting') return;
    const started = stored.state.started_at;
    const start_ms = started === null ? null : this.context.now() - started;
    const duration_s = start_ms === null ? null : Math.round(start_ms / 100) / 10;
    this.players.forget();
    this.saveState({ ...stored.state, power: 'running', start_ms }, { duration_s });
    const { host, port } = placeOf(this);
    const loader = stored.spec?.loader ?? null;
    this.context.sleepers.handOver(this.id, { host: pingHost(host), port, loader });
  }

  /** A player joins while it sleeps: it starts. Stored before anything is done, so that it starts whatever ends meanwhile. */
  wake(): void {
    const stored = this.stored;
    if (this.#closed || stored?.state.held_reason !== 'asleep' || stored.deleted) return;
    this.saveState({ ...stored.state, held_reason: null, woken: true }, { woken: true });
    this.reconcile({ inspect: false });
  }

  /** Counts its players now and then, if it sleeps without any. */
  countPlayers(every_ms: number): void {
    if (this.stored?.spec?.sleep && this.power() === 'running') this.players.recent(every_ms);
  }

  #line(text: string): void {
    for (const hear of this.hearers) hear(text);
    this.#tickTime.hear(text, this.context.now());
    if (this.startup_done) return;
    // cached: a flood of lines must not read the database each time
    const spec = this.#readyPattern ? null : this.stored?.spec;
    this.#readyPattern ??= (spec && this.context.kindOf(spec)?.ready_pattern) ?? null;
    if (!this.#readyPattern?.test(text)) return;
    this.startup_done = true;
    if (this.console.epoch) this.markRunning();
  }

  /** Reads what an ended process left in Docker's log, unless this process has read it already. */
  async loadOldLog(): Promise<void> {
    const observed = this.#observed;
    if (this.console.epoch || !observed || observed.alive || observed.started_at === null) return;
    this.#loadingOldLog ??= this.console
      .resume(this.context.docker, observed.id, epochOf(observed.id, observed.started_at), false)
      .catch((err) => this.context.log.debug({ err }, 'The log of an ended process could not be read'))
      .finally(() => {
        this.#loadingOldLog = null;
      });
    await this.#loadingOldLog;
  }

  /**
   * The commands that its process knows, by its own help, which is asked once for each start. None while it does not run,
   * and when it does not answer.
   */
  async commands(): Promise<{ epoch: string | null; commands: KnownCommand[] }> {
    const { epoch } = this.console;
    const spec = this.stored?.spec;
    const help = spec && this.context.kindOf(spec)?.help;
    if (!epoch || !help || this.power() !== 'running') return { epoch, commands: [] };
    if (this.#commands?.epoch !== epoch)
      this.#commands = { epoch, answer: askForCommands(this.console, help) };
    const commands = await this.#commands.answer;
    // it could not be asked: the next request tries again
    if (!commands && this.#commands.epoch === epoch) this.#commands = null;
    return { epoch, commands: commands ?? [] };
  }

  /** Milliseconds of its ticks, where it tells them; asks it from time to time. */
  tickTime(): number | null {
    const spec = this.power() === 'running' ? this.stored?.spec : null;
    const command = spec ? this.context.kindOf(spec)?.tick(spec) : null;
    return this.#tickTime.of(this.console, { runs: Boolean(spec), command }, this.context.now);
  }

  power(): Power {
    return this.stored?.state.power ?? 'stopped';
  }

  #failed(step: string, error: unknown): void {
    if (this.#closed) return;
    const { store, log, now, docker } = this.context;
    const broken = toStepError(error);
    if (!broken) {
      // the state of the server is unknown: it is inspected when Docker answers again
      docker.recheck();
      return;
    }
    if (statusOf(error) === 404 && step !== 'start' && step !== 'install') {
      this.#pending = true; // the container was removed meanwhile
      return;
    }
    log.warn({ server_id: this.id, step, code: broken.code, err: error }, 'A step failed');
    const stored = this.stored;
    if (!stored?.spec) {
      this.#wait(now() + remove_retry_ms);
      return;
    }
    const { generation } = stored.spec;
    const { report, ...now_broken } = nextRetry(stored.state, broken, { generation, now: now() });
    const power =
      stored.state.power === 'starting' && !this.#observed?.alive ? 'stopped' : stored.state.power;
    store.transaction(() => {
      this.saveState({ ...stored.state, power, broken: now_broken });
      const { step: what, error: why } = now_broken;
      if (report) this.report('server.broken', { step: what, error: why, generation });
    });
    this.#pending = true;
  }
}
