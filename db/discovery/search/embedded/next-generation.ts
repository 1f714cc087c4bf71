import { rm } from 'node:fs/promises';
import type { Cursor } from '../../../platform/events/read.ts';
import { BuildSlot } from './build-slot.ts';
import type { SyncContext } from './options.ts';
import { type ChangedIds, pendingChanges, whyNotContinued } from './pending-changes.ts';
import type { SearcherPort } from './searcher-port.ts';
import { baseFiles, filesIn, generationsIn } from './snapshots.ts';
import type { Loaded } from './thread-protocol.ts';

export type Base = Exclude<Loaded, { refused: string }>;

/** New layers for the searcher, once their files are loaded. */
export interface Preparation {
  base: Base | 'keep';
  /** Changes between the base and the start of the warm builder. */
  since: ChangedIds;
  /** Changes after that. */
  marked: ChangedIds;
  warm: 'none' | 'building' | 'loaded';
  /** Event position to continue from, for a process that had none. */
  from: Cursor;
}

/** Why a base older than such an event cannot be used. */
export const withoutName = 'a load came after it that does not name its projects';

const no_preparation = (): ChangedIds => ({ changed: new Set(), counted: new Set(), everything: false });

/**
 * Prepares the next layers of a searcher: loads a new base, reads what changed since, and has a warm layer built when
 * that is much. One at a time; `mark` records changes meanwhile.
 */
export class NextGeneration {
  readonly #tools: SyncContext;
  readonly #notify: () => void;
  readonly #warms: BuildSlot;
  /** Bases that cannot be used. */
  readonly #refused = new Set<number>();
  #loading: { port: SearcherPort; base: Base | null } | null = null;
  #preparation: Preparation | null = null;

  constructor(tools: SyncContext, notify: () => void) {
    this.#tools = tools;
    this.#notify = notify;
    this.#warms = new BuildSlot(tools.limits);
  }

  /** Whether a base is being prepared, or one newer than `than` can be loaded. */
  expects(than: number): boolean {
    const newer = this.#loading !== null || (this.#preparation !== null && this.#preparation.base !== 'keep');
    return newer || this.#newest(than) !== undefined;
  }

  get preparation(): Preparation | null {
    return this.#preparation;
  }

  /** Layers ready to be swapped in. */
  get ready(): Preparation | null {
    return this.#preparation?.warm === 'building' ? null : this.#preparation;
  }

  /** Takes the next step towards a base newer than `than`; `place`: event position of this process. */
  async step(port: SearcherPort, than: number, position: Cursor | null): Promise<void> {
    if (this.#preparation || !this.#warms.free) return;
    if (this.#loading?.base) return await this.#collect(port, this.#loading.base, position);
    const generation = this.#newest(than);
    if (!this.#loading && generation !== undefined) void this.#load(port, generation);
  }

  /** Puts the changes since the base into a new warm layer, unless a preparation is running. */
  refresh(port: SearcherPort, changed: ReadonlySet<string>, from: Cursor): void {
    if (this.#preparation || this.#loading || !this.#warms.free) return;
    const since = { ...no_preparation(), changed: new Set(changed) };
    this.#preparation = { base: 'keep', since, marked: no_preparation(), warm: 'building', from };
    void this.#warm(port, this.#preparation);
  }

  mark({ changed, counted, everything }: ChangedIds): void {
    const marked = this.#preparation?.marked;
    if (!marked) return;
    for (const id of changed) marked.changed.add(id);
    for (const id of counted) marked.counted.add(id);
    marked.everything ||= everything;
  }

  /** Resets the preparation: it was swapped in, or its thread died. */
  forget(): void {
    this.#preparation = null;
    this.#loading = null;
  }

  /** Discards an outdated preparation. */
  refuse(reason: string): void {
    const base = this.#preparation?.base;
    if (base && base !== 'keep') this.#refuse(base.facts.generation, reason);
    this.forget();
  }

  async close(): Promise<void> {
    this.forget();
    await this.#warms.kill();
  }

  #refuse(generation: number, reason: string): void {
    this.#refused.add(generation);
    this.#tools.log.warn({ generation, reason }, 'Search snapshot cannot be used; skipping it');
    this.#loading = null;
  }

  #newest(than: number): number | undefined {
    return generationsIn(this.#tools.folder).find((one) => one > than && !this.#refused.has(one));
  }

  async #load(port: SearcherPort, generation: number): Promise<void> {
    const loading = { port, base: null as Base | null };
    this.#loading = loading;
    const files = baseFiles(this.#tools.folder, generation);
    const loaded = await port.request('load', { as: 'base', files }).catch(() => null);
    if (this.#loading !== loading) return;
    if (!loaded) this.#loading = null;
    else if ('facts' in loaded) loading.base = loaded;
    else this.#refuse(generation, loaded.refused);
    this.#notify();
  }

  async #collect(port: SearcherPort, base: Base, position: Cursor | null): Promise<void> {
    const { sql, limits } = this.#tools;
    const reason = await whyNotContinued(sql, base.facts, Date.now());
    if (reason) return this.#refuse(base.facts.generation, reason);
    const { upTo, ...since } = await pendingChanges(sql, base.facts.cursor, position);
    if (since.everything) return this.#refuse(base.facts.generation, withoutName);
    const warm = since.changed.size > limits.hot ? 'building' : 'none';
    this.#loading = null;
    this.#preparation = { base, since, marked: no_preparation(), warm, from: upTo };
    if (warm === 'building') void this.#warm(port, this.#preparation);
  }

  async #warm(port: SearcherPort, preparation: Preparation): Promise<void> {
    const reason = await this.#build(port, preparation).catch((error: Error) => error.message);
    if (this.#preparation !== preparation) return; // no longer needed
    if (reason) {
      this.#tools.log.warn({ reason }, 'Could not build a part of the search index; retrying later');
      this.forget();
    } else preparation.warm = 'loaded';
    this.#notify();
  }

  /**
   * Builds a warm layer and has the searcher load it, which keeps its files open. Gives the reason of a failure, or
   * null.
   */
  async #build(port: SearcherPort, { since }: Preparation): Promise<string | null> {
    const { connect, folder } = this.#tools;
    const ids = [...since.changed];
    const { ended, workshop } = await this.#warms.build({ kind: 'warm', connect, folder, ids });
    try {
      if ('failed' in ended) return ended.failed;
      const loaded = await port.request('load', { as: 'warm', files: filesIn(workshop) });
      if (!('refused' in loaded)) return null;
      this.#warms.failed();
      return loaded.refused;
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
  }
}
