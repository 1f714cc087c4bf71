import { setTimeout as wait } from 'node:timers/promises';
import type { Cursor } from '../../events/read.ts';
import { changesOf, chunks, countersOf } from '../changes.ts';
import type { Change } from '../engine.ts';
import { BuilderPost } from './builder-post.ts';
import { collect, type Ids, isAfter } from './collect.ts';
import { Bell } from './keeper-bell.ts';
import type { Tools } from './keeper-limits.ts';
import { type Base, Next, type Preparation, unnamed } from './keeper-next.ts';
import type { Held } from './messages.ts';
import { SearcherFailed, SearcherGone, type SearcherPort } from './searcher-port.ts';
import { generationsIn } from './snapshots.ts';

/** What a searcher answers from. */
interface Standing {
  port: SearcherPort;
  base: Base;
  held: Held;
  /** Projects put or removed since the base was built. */
  changed: Set<string>;
  /** Those of them that are not in the warm part as they are now. */
  hot: Set<string>;
  /** Those of them that are in no part as they are now: too many came at once. */
  late: Set<string>;
  /** Something changed and it was not told what. */
  everything: boolean;
}

const longestPause_ms = 10_000;
/** Without a database a step may take longer than anybody waits for an end. */
const closing_ms = 2_000;
/** Counters of so many projects are read at once. */
const many = 5_000;

/**
 * Keeps the searcher of this process in step with the catalogue: follows the events with a place of its own, has
 * segments built and lets the searcher adopt them. One loop takes one step after the other; only loading and building
 * go on beside it. Every event is handled at least once, which is as good as once. Source: search §4.
 */
export class Keeper {
  readonly #tools: Tools;
  readonly #bell: Bell;
  readonly #next: Next;
  readonly #bases: BuilderPost;
  readonly #running: Promise<void>;
  #standing: Standing | null = null;
  /** Every event up to here was handled; null until there is a base. */
  #place: Cursor | null = null;
  #port: SearcherPort | null = null;
  #stopped = false;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#bell = new Bell(tools.limits.gather_ms);
    this.#next = new Next(tools, this.#bell.ring);
    this.#bases = new BuilderPost(tools.limits);
    this.#running = this.#run();
  }

  /** What answers now, null while nothing does. */
  get standing(): Readonly<Standing> | null {
    return this.#standing?.port === this.#tools.searcher.port ? this.#standing : null;
  }

  get place(): Cursor | null {
    return this.#place;
  }

  async close(): Promise<void> {
    this.#stopped = true;
    this.#bell.ring();
    await Promise.all([this.#bases.kill(), this.#next.close()]);
    await Promise.race([this.#running, wait(closing_ms, undefined, { ref: false })]);
    await this.#bell.silence().catch(() => {}); // the connection may be gone
  }

  async #run(): Promise<void> {
    const { sql, log, limits, searcher } = this.#tools;
    for (let failures = 0; !this.#stopped; ) {
      let pause_ms = limits.poll_ms;
      try {
        await this.#turn();
        await this.#bell.listen(sql, log);
        failures = 0;
      } catch (err) {
        // what the thread holds is not known then: a new one begins anew
        if (err instanceof SearcherFailed) await searcher.port?.end();
        if (!(err instanceof SearcherGone)) {
          pause_ms = Math.min(longestPause_ms, limits.poll_ms * 2 ** failures++);
          log.error({ err }, 'The search could not follow what happens and will try again');
        }
      }
      if (!this.#stopped) await this.#bell.next(pause_ms);
    }
  }

  async #turn(): Promise<void> {
    const { port } = this.#tools.searcher;
    if (this.#port !== port) this.#begin(port);
    if (!port) return;
    await this.#next.step(port, this.#generation, this.#standing && this.#place);
    if (this.#next.ready) await this.#adopt(port, this.#next.ready);
    await this.#follow(port);
    this.#refreshWarm(port);
    if (this.#needsBase())
      this.#build().catch((err) => this.#tools.log.error({ err }, 'No builder could be started'));
  }

  /** Another thread, which holds nothing. */
  #begin(port: SearcherPort | null): void {
    this.#port = port;
    this.#standing = null;
    this.#place = null;
    this.#next.forget();
  }

  get #generation(): number {
    return this.#standing?.base.facts.generation ?? 0;
  }

  /** Puts the prepared parts in the place of those that answer, with all that happened since on top. */
  async #adopt(port: SearcherPort, { base, since, marked, warm, from }: Preparation): Promise<void> {
    const keep = base === 'keep';
    const before = this.#standing;
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
      base: keep ? ('keep' as const) : ('loaded' as const),
      warm: warm === 'loaded' ? warm : null,
    };
    const held = await port.ask('adopt', { ...parts, dead, changes });
    const place = this.#place;
    if (!keep && (!place || isAfter(from, place))) this.#place = from;
    this.#standing = {
      ...{ port, held, hot, late },
      base: keep ? (before as Standing).base : base,
      changed: both(since.changed, marked.changed),
      everything: marked.everything || (keep && (before as Standing).everything),
    };
    this.#next.forget();
  }

  /** Handles what happened since the last turn. */
  async #follow(port: SearcherPort): Promise<void> {
    const standing = this.#standing;
    this.#place ??= this.#next.preparation?.from ?? null;
    if (!this.#place) return;
    const { upTo, ...news } = await collect(this.#tools.sql, this.#place);
    this.#next.mark(news);
    if (standing) await this.#apply(port, standing, news);
    else if (news.everything) this.#next.refuse(unnamed);
    this.#place = upTo;
  }

  async #apply(port: SearcherPort, standing: Standing, { changed, counted, everything }: Ids): Promise<void> {
    standing.everything ||= everything;
    for (const id of changed) standing.changed.add(id);
    const tooMany = both(standing.hot, changed).size > this.#tools.limits.most_hot;
    if (tooMany) for (const id of changed) standing.late.add(id);
    const changes = [
      ...(tooMany ? [] : await this.#changes(changed)),
      ...(await this.#counters(without(counted, changed))),
    ];
    if (changes.length > 0) standing.held = await port.ask('apply', { changes });
    if (!tooMany) for (const id of changed) standing.hot.add(id);
  }

  /** What of `changed` goes into a new hot part: all of it, or when that is too much what the old one showed already. */
  #portioned(changed: Set<string>, shown: ReadonlySet<string>): { hot: Set<string>; late: Set<string> } {
    if (changed.size <= this.#tools.limits.most_hot) return { hot: changed, late: new Set() };
    const late = without(changed, shown);
    return { hot: without(changed, late), late };
  }

  async #changes(ids: ReadonlySet<string>): Promise<Change[]> {
    const changes: Change[] = [];
    for (const some of chunks([...ids])) changes.push(...(await changesOf(this.#tools.sql, some)));
    return changes;
  }

  async #counters(ids: ReadonlySet<string>): Promise<Change[]> {
    const changes: Change[] = [];
    for (const some of chunks([...ids], many)) changes.push(...(await countersOf(this.#tools.sql, some)));
    return changes;
  }

  #refreshWarm(port: SearcherPort): void {
    const [standing, place] = [this.#standing, this.#place];
    if (!standing || !place) return;
    if (standing.late.size > 0 || standing.hot.size > this.#tools.limits.hot)
      this.#next.refresh(port, standing.changed, place);
  }

  #needsBase(): boolean {
    const { limits } = this.#tools;
    if (!this.#bases.free || this.#next.expects(this.#generation)) return false;
    if (!this.#standing) return true;
    const { base, changed, everything } = this.#standing;
    const old = Date.now() - base.facts.built > limits.age_ms;
    return everything || changed.size > limits.changed || (old && changed.size > 0);
  }

  async #build(): Promise<void> {
    const { connect, folder, log } = this.#tools;
    const after = Math.max(this.#generation, generationsIn(folder)[0] ?? 0);
    const { ended } = await this.#bases.build({ kind: 'base', connect, folder, after });
    if (this.#stopped) return;
    if ('failed' in ended)
      log.warn(
        { reason: ended.failed, folder },
        'No search snapshot could be built; it is tried again later',
      );
    if ('built' in ended) log.info(ended.built, 'A search snapshot was built');
    this.#bell.ring();
  }
}

const both = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> => new Set([...a, ...b]);
const without = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...a].filter((id) => !b.has(id)));
