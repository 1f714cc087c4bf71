import type { StoredDocument } from '../documents/hits.ts';
import type {
  CountQuery,
  CountResult,
  DocumentChange,
  Query,
  SearchDocument,
  SearchResult,
} from '../engine.ts';
import { countSteps } from '../query/count-steps.ts';
import { namesUnknownKey } from '../query/filter-keys.ts';
import { leftOut, type RelaxedQuery, relaxations } from '../query/relaxation.ts';
import { queryTokens } from '../query/tokenize.ts';
import { Layer, type LayerQuery, type Saved, sectionsOf } from './layer.ts';
import { newBudget } from './match.ts';
import { type Merged, merge } from './merge.ts';
import { newCountWork, totalsOf } from './option-counts.ts';
import { RecentLayer } from './recent-layer.ts';
import { memoryStoredFields } from './stored-fields.ts';

/** Pages beyond this are empty; the total stays correct. Source: search §2. */
const max_window = 200_000;

interface AdoptedLayers {
  base: Saved | 'keep';
  warm: Saved | null;
  /** Projects whose state in the base is outdated. */
  dead: readonly string[];
  changes: DocumentChange[];
}

type CounterChange = Extract<DocumentChange, { touch: string }>;

/**
 * Base, warm and hot layers as one index: the newest layer with a project answers for it. A builder makes base and
 * warm layer; the hot layers contain the latest changes. Every call is synchronous.
 * Source: search §4.
 */
export class LayeredIndex {
  #base: Layer = emptyLayer();
  #warm: Layer | null = null;
  #hot = new RecentLayer((part) => this.#judged(part));
  #generation = 0;

  search(query: Query): SearchResult {
    const { text, filter, limit } = query;
    const blank = text.trim() === '';
    const nothing = { ids: [], versionIds: [], total: 0, generation: this.#generation, partial: false };
    if (namesUnknownKey(filter) || (!blank && queryTokens(text).length === 0)) return nothing;
    const step: LayerQuery = {
      ...{
        text,
        filter,
        sort: query.sort,
        budget: newBudget(),
        reading: null,
        only: query.only ?? null,
        scopes: new Map(),
      },
      ...(query.offset > max_window ? { from: 0, count: 0 } : { from: query.offset, count: limit }),
    };
    const { found, reading } = blank ? { found: merge(this.#all(), step), reading: null } : this.#climb(step);
    return {
      ids: found.hits.map(({ id }) => id),
      versionIds: found.hits.map(({ part, document }) => part.versionOf(document, step)),
      total: found.total,
      generation: this.#generation,
      partial: step.budget.cut,
      ...leftOut(text, reading),
    };
  }

  /** How many documents each option has, over all layers. */
  count(query: CountQuery): CountResult {
    const [budget, work] = [newBudget(), newCountWork()];
    const layers = this.#all().map(({ optionCounts }) => optionCounts);
    for (const layer of layers) layer.begin();
    const steps = countSteps(query);
    let step = steps.next([]);
    while (!step.done) {
      const { reading, groups } = step.value;
      for (const layer of layers) layer.match(reading, budget);
      step = steps.next(groups.map((group) => totalsOf(layers, group, work)));
    }
    return { counts: step.value, generation: this.#generation, partial: budget.cut || work.steps < 0 };
  }

  /** For each id its stored document with current counters, null when it is not in the index. */
  fields(ids: readonly string[]): Array<StoredDocument | null> {
    return ids.map((id) => {
      const at = this.#holding(id);
      return at ? at.layer.segment.fields(at.document) : null;
    });
  }

  /** Applies changes in order. Idempotent. */
  apply(changes: DocumentChange[]): void {
    const recent = new Map<string, SearchDocument>();
    for (const change of changes) {
      if ('touch' in change) {
        this.#touch(change, recent);
        continue;
      }
      const id = 'put' in change ? change.put.project_id : change.remove;
      this.#base.kill(id);
      this.#warm?.kill(id);
      this.#hot.remove(id);
      if ('put' in change) recent.set(id, change.put);
      else recent.delete(id);
    }
    this.#hot.add(recent);
    for (const part of this.#all()) part.repair();
    this.#generation++;
  }

  /**
   * Swaps in other lower layers, synchronously: all their documents are live except the `dead` of the base and those
   * that a newer layer has; then applies `changes`. Until it returns the old ones answer.
   */
  adopt({ base, warm, dead, changes }: AdoptedLayers): void {
    if (base === 'keep') this.#base.segment.revive();
    else this.#base = new Layer(base);
    this.#warm = warm ? this.#judged(new Layer(warm)) : null;
    this.#hot = new RecentLayer((part) => this.#judged(part));
    for (const id of dead) this.#base.kill(id);
    for (const id of this.#warm?.segment.ids ?? []) this.#base.kill(id);
    this.apply(changes);
  }

  status() {
    const parts = this.#all();
    return {
      documents: parts.reduce((sum, { segment }) => sum + segment.living, 0),
      base: this.#base.segment.size,
      warm: this.#warm?.segment.size ?? 0,
      hot: this.#hot.size,
      generation: this.#generation,
      bytes: parts.reduce((sum, { segment }) => sum + segment.bytes, 0),
    };
  }

  /** Newest first. */
  #all(): Layer[] {
    return [...this.#hot.layers, ...(this.#warm ? [this.#warm] : []), this.#base];
  }

  /**
   * Runs the relaxations of a text one after the other; the one with the most matches is the result. Source: search
   * §3.5.
   */
  #climb(step: LayerQuery): { found: Merged; reading: RelaxedQuery | null } {
    const ladder = relaxations(step.text);
    let best: { found: Merged; reading: RelaxedQuery | null } = {
      found: { total: 0, hits: [] },
      reading: null,
    };
    for (let next = ladder.next(); !next.done && !step.budget.cut; ) {
      const found = merge(this.#all(), { ...step, reading: next.value });
      if (found.total > best.found.total) best = { found, reading: next.value };
      next = ladder.next(found.total);
    }
    return best;
  }

  #touch({ touch: id, downloads, follows }: CounterChange, recent: Map<string, SearchDocument>): void {
    const counters = {
      ...(downloads === undefined ? {} : { downloads }),
      ...(follows === undefined ? {} : { follows }),
    };
    const doc = recent.get(id);
    if (doc) recent.set(id, { ...doc, ...counters });
    const at = doc ? null : this.#holding(id);
    if (at) at.layer.touch(at.document, counters);
  }

  #holding(id: string): { layer: Layer; document: number } | null {
    for (const part of this.#all()) {
      const document = part.documentOf(id);
      if (document !== undefined && part.segment.isAlive(document)) return { layer: part, document };
    }
    return null;
  }

  /** Gives a small layer the term frequencies of the base. */
  #judged(part: Layer): Layer {
    const { segment } = this.#base;
    if (segment.size > 0) part.segment.postings.judgeBy(segment.postings, segment.size);
    return part;
  }
}

function emptyLayer(): Layer {
  const bodies = memoryStoredFields();
  return new Layer({ sections: sectionsOf([], bodies), bodies });
}
