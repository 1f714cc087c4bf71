import { setTimeout as wait } from 'node:timers/promises';
import type { Cursor } from '../../../platform/events/read.ts';
import { retry } from '../../../platform/runtime/retry.ts';
import { changesOf, chunks, countersOf } from '../documents/changes.ts';
import type { DocumentChange } from '../engine.ts';
import { BuildSlot } from './build-slot.ts';
import { type Base, NextGeneration, type Preparation, withoutName } from './next-generation.ts';
import type { SyncContext } from './options.ts';
import { type ChangedIds, isAfter, pendingChanges } from './pending-changes.ts';
import { type SearcherPort, WorkerFailed, WorkerGone } from './searcher-port.ts';
import { generationsIn } from './snapshots.ts';
import type { PinnedSnapshot } from './thread-protocol.ts';
import { Wakeup } from './wakeup.ts';

/** Contents of the searcher thread. */
interface ActiveIndex {
  port: SearcherPort;
  base: Base;
  held: PinnedSnapshot;
  /** Projects changed or removed since the base was built. */
  changed: Set<string>;
  /** Those of them that are not up to date in the warm layer. */
  hot: Set<string>;
  /** Those of them that are not up to date in any layer, because too many changed at once. */
  pending: Set<string>;
  /** Something changed, and no event says what. */
  everything: boolean;
}

/** After an outage of the database the index follows again within this time. */
const max_pause_ms = 3_000;
/** Shutdown timeout: without a database a step may hang. */
const closing_ms = 2_000;
/** Batch size for reading counters. */
const max_batch = 5_000;

/**
 * Keeps the searcher of this process up to date with the catalogue: follows events with its own position, has segments
 * built and swaps them into the searcher. One loop runs one step after the other; only loading and building run
 * concurrently. Every event is handled at least once; handling is idempotent. Source: search §4.
 */
export class IndexSync {
  readonly #tools: SyncContext;
  readonly #wakeup: Wakeup;
  readonly #next: NextGeneration;
  readonly #bases: BuildSlot;
  readonly #running: Promise<void>;
  #active: ActiveIndex | null = null;
  /** Every event up to here is handled; null until there is a base. */
  #rank: Cursor | null = null;
  #port: SearcherPort | null = null;
  #confirmed_at: number | null = null;
  readonly #closing = new AbortController();

  constructor(tools: SyncContext) {
    this.#tools = tools;
    this.#wakeup = new Wakeup(tools.limits.gather_ms);
    this.#next = new NextGeneration(tools, this.#wakeup.notify);
    this.#bases = new BuildSlot(tools.limits);
    this.#running = this.#run();
  }

  /** The active layers, null while the engine is not ready. */
  get active(): Readonly<ActiveIndex> | null {
    return this.#active?.port === this.#tools.searcher.port ? this.#active : null;
  }

  /**
   * When the question was sent whose answer is applied: every event committed before is in the active layers. Null
   * without layers, and while changes wait for one.
   */
  get confirmed_at(): number | null {
    return this.active && this.active.pending.size === 0 ? this.#confirmed_at : null;
  }

  get place(): Cursor | null {
    return this.#rank;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wakeup.notify();
    await Promise.all([this.#bases.kill(), this.#next.close()]);
    await Promise.race([this.#running, wait(closing_ms, undefined, { ref: false })]);
    await this.#wakeup.close().catch(() => {}); // the connection may be lost
  }

  async #run(): Promise<void> {
    const { log, limits } = this.#tools;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await retry(() => this.#turnOrRestart(), {
        ...{ signal, min_ms: limits.poll_ms, max_ms: max_pause_ms },
        onFailure: (err) => log.error({ err }, 'The search index could not follow changes; retrying'),
      }).catch((error) => {
        if (!signal.aborted) throw error;
      });
      if (!signal.aborted) await this.#wakeup.next(limits.poll_ms);
    }
  }

  /** One turn; ends the thread when its work failed, because its state is unknown then. */
  async #turnOrRestart(): Promise<void> {
    const { sql, log, searcher } = this.#tools;
    try {
      await this.#turn();
      await this.#wakeup.listen(sql, log);
    } catch (error) {
      if (error instanceof WorkerFailed) await searcher.port?.end();
      if (!(error instanceof WorkerGone)) throw error;
    }
  }

  async #turn(): Promise<void> {
    const { port } = this.#tools.searcher;
    if (this.#port !== port) this.#begin(port);
    if (!port) return;
    await this.#next.step(port, this.#generation, this.#active && this.#rank);
    if (this.#next.ready) await this.#adopt(port, this.#next.ready);
    await this.#follow(port);
    this.#refreshWarm(port);
    if (this.#needsBase())
      this.#build().catch((err) =>
        this.#tools.log.error({ err }, 'Could not start a search index builder; retrying'),
      );
  }

  /** Replaces the thread by a new, empty one. */
  #begin(port: SearcherPort | null): void {
    this.#port = port;
    this.#active = null;
    this.#rank = null;
    this.#confirmed_at = null;
    this.#next.forget();
  }

  get #generation(): number {
    return this.#active?.base.facts.generation ?? 0;
  }

  /** Swaps in the prepared layers, with all changes since on top. */
  async #adopt(port: SearcherPort, { base, since, marked, warm, from }: Preparation): Promise<void> {
    const save = base === 'keep';
    const before = this.#active;
    const { hot, late } = this.#portioned(
      warm === 'loaded' ? marked.changed : both(since.changed, marked.changed),
      before?.hot ?? new Set(),
    );
    const changes = [
      ...(await this.#changes(hot)),
      ...(await this.#counters(without(both(since.counted, marked.counted), hot))),
    ];
    const dead = [...since.changed];
    const parts = {
      base: save ? ('keep' as const) : ('loaded' as const),
      warm: warm === 'loaded' ? warm : null,
    };
    const pinned = await port.request('adopt', { ...parts, dead, changes });
    const place = this.#rank;
    if (!save && (!place || isAfter(from, place))) this.#rank = from;
    this.#active = {
      ...{ port, held: pinned, hot, pending: late },
      base: save ? (before as ActiveIndex).base : base,
      changed: both(since.changed, marked.changed),
      everything: marked.everything || (save && (before as ActiveIndex).everything),
    };
    this.#next.forget();
  }

  /** Handles the events since the last step. */
  async #follow(port: SearcherPort): Promise<void> {
    const active = this.#active;
    this.#rank ??= this.#next.preparation?.from ?? null;
    if (!this.#rank) return;
    const asked_at = performance.now();
    const { upTo, ...news } = await pendingChanges(this.#tools.sql, this.#rank);
    this.#next.mark(news);
    if (active) await this.#apply(port, active, news);
    else if (news.everything) this.#next.refuse(withoutName);
    this.#rank = upTo;
    this.#confirmed_at = asked_at;
  }

  async #apply(
    port: SearcherPort,
    active: ActiveIndex,
    { changed, counted, everything }: ChangedIds,
  ): Promise<void> {
    active.everything ||= everything;
    for (const id of changed) active.changed.add(id);
    const tooMany = both(active.hot, changed).size > this.#tools.limits.max_recent;
    if (tooMany) for (const id of changed) active.pending.add(id);
    const changes = [
      ...(tooMany ? [] : await this.#changes(changed)),
      ...(await this.#counters(without(counted, changed))),
    ];
    if (changes.length > 0) active.held = await port.request('apply', { changes });
    if (!tooMany) for (const id of changed) active.hot.add(id);
  }

  /** Which of `changed` go into a new hot layer: all of them, or, when there are too many, those the old one had. */
  #portioned(changed: Set<string>, fields: ReadonlySet<string>): { hot: Set<string>; late: Set<string> } {
    if (changed.size <= this.#tools.limits.max_recent) return { hot: changed, late: new Set() };
    const late = without(changed, fields);
    return { hot: without(changed, late), late };
  }

  async #changes(ids: ReadonlySet<string>): Promise<DocumentChange[]> {
    const changes: DocumentChange[] = [];
    for (const some of chunks([...ids])) changes.push(...(await changesOf(this.#tools.sql, some)));
    return changes;
  }

  async #counters(ids: ReadonlySet<string>): Promise<DocumentChange[]> {
    const changes: DocumentChange[] = [];
    for (const some of chunks([...ids], max_batch))
      changes.push(...(await countersOf(this.#tools.sql, some)));
    return changes;
  }

  #refreshWarm(port: SearcherPort): void {
    const [active, place] = [this.#active, this.#rank];
    if (!active || !place) return;
    if (active.pending.size > 0 || active.hot.size > this.#tools.limits.hot)
      this.#next.refresh(port, active.changed, place);
  }

  #needsBase(): boolean {
    const { limits } = this.#tools;
    if (!this.#bases.free || this.#next.expects(this.#generation)) return false;
    if (!this.#active) return true;
    const { base, changed, everything } = this.#active;
    const old = Date.now() - base.facts.built > limits.age_ms;
    return everything || changed.size > limits.changed || (old && changed.size > 0);
  }

  async #build(): Promise<void> {
    const { connect, folder, log } = this.#tools;
    const after = Math.max(this.#generation, generationsIn(folder)[0] ?? 0);
    const { ended } = await this.#bases.build({ kind: 'base', connect, folder, after });
    if (this.#closing.signal.aborted) return;
    if ('failed' in ended)
      log.warn({ reason: ended.failed, folder }, 'Could not build a search snapshot; retrying later');
    if ('built' in ended) log.info(ended.built, 'Built a search snapshot');
    this.#wakeup.notify();
  }
}

const both = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> => new Set([...a, ...b]);
const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...a].filter((id) => !b.has(id)));
