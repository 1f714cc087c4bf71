import type { Change, Doc, Found, Query } from '../engine.ts';
import type { Kept } from '../hits.ts';
import { namesUnknownKey } from '../keys.ts';
import { readings } from '../ladder.ts';
import { queryWords } from '../tokenize.ts';
import { memoryBodies } from './bodies.ts';
import { Hot } from './hot.ts';
import { newBudget } from './match.ts';
import { type Merged, merge } from './merge.ts';
import { Part, type Saved, type Step, sectionsOf } from './part.ts';

/** Windows further back are empty; the total stays true. Source: search §2. */
export const furthest = 200_000;

interface Adopted {
  base: Saved | 'keep';
  warm: Saved | null;
  /** Projects whose state in the base is no longer true. */
  dead: readonly string[];
  changes: Change[];
}

type Touch = Extract<Change, { touch: string }>;

/**
 * Base, warm and hot parts as one index: a project is answered by the newest part that holds it. Base and warm come
 * from a builder; the hot part, in layers, holds the last changes. Every call is synchronous.
 * Source: search §4.
 */
export class Parts {
  #base: Part = emptyPart();
  #warm: Part | null = null;
  #hot = new Hot((part) => this.#judged(part));
  #generation = 0;

  search(query: Query): Found {
    const { text, filter, limit } = query;
    const blank = text.trim() === '';
    const nothing = { ids: [], versionIds: [], total: 0, generation: this.#generation, partial: false };
    if (namesUnknownKey(filter) || (!blank && queryWords(text).length === 0)) return nothing;
    const step: Step = {
      ...{
        text,
        filter,
        sort: query.sort,
        budget: newBudget(),
        reading: null,
        only: query.only ?? null,
        scopes: new Map(),
      },
      ...(query.offset > furthest ? { from: 0, count: 0 } : { from: query.offset, count: limit }),
    };
    const found = blank ? merge(this.#all(), step) : this.#climb(step);
    return {
      ids: found.hits.map(({ id }) => id),
      versionIds: found.hits.map(({ part, document }) => part.versionOf(document, step)),
      total: found.total,
      generation: this.#generation,
      partial: step.budget.cut,
    };
  }

  /** For each id its stored document with counters as they are now, null when it is not here. */
  shown(ids: readonly string[]): Array<Kept | null> {
    return ids.map((id) => {
      const at = this.#holding(id);
      return at ? at.part.segment.shown(at.document) : null;
    });
  }

  /** Takes changes in their order. Saying how things are twice is the same as once. */
  apply(changes: Change[]): void {
    const fresh = new Map<string, Doc>();
    for (const change of changes) {
      if ('touch' in change) {
        this.#touch(change, fresh);
        continue;
      }
      const id = 'put' in change ? change.put.project_id : change.remove;
      this.#base.kill(id);
      this.#warm?.kill(id);
      this.#hot.remove(id);
      if ('put' in change) fresh.set(id, change.put);
      else fresh.delete(id);
    }
    this.#hot.add(fresh);
    for (const part of this.#all()) part.repair();
    this.#generation++;
  }

  /**
   * Puts other parts below, in one go: everything in them is alive again but the `dead` of the base, and of both what
   * newer parts hold; then `changes` come on top. Until this returns the old ones answer.
   */
  adopt({ base, warm, dead, changes }: Adopted): void {
    if (base === 'keep') this.#base.segment.revive();
    else this.#base = new Part(base);
    this.#warm = warm ? this.#judged(new Part(warm)) : null;
    this.#hot = new Hot((part) => this.#judged(part));
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
  #all(): Part[] {
    return [...this.#hot.parts, ...(this.#warm ? [this.#warm] : []), this.#base];
  }

  /** The readings of a text one after the other; the one that found most is the answer. Source: search §3, Ladder. */
  #climb(step: Step): Merged {
    const ladder = readings(step.text);
    let best: Merged = { total: 0, hits: [] };
    for (let next = ladder.next(); !next.done && !step.budget.cut; ) {
      const found = merge(this.#all(), { ...step, reading: next.value });
      if (found.total > best.total) best = found;
      next = ladder.next(found.total);
    }
    return best;
  }

  #touch({ touch: id, downloads, follows }: Touch, fresh: Map<string, Doc>): void {
    const counters = {
      ...(downloads === undefined ? {} : { downloads }),
      ...(follows === undefined ? {} : { follows }),
    };
    const doc = fresh.get(id);
    if (doc) fresh.set(id, { ...doc, ...counters });
    const at = doc ? null : this.#holding(id);
    if (at) at.part.touch(at.document, counters);
  }

  #holding(id: string): { part: Part; document: number } | null {
    for (const part of this.#all()) {
      const document = part.documentOf(id);
      if (document !== undefined && part.segment.isAlive(document)) return { part, document };
    }
    return null;
  }

  /** Lets a small part count words as the base does. */
  #judged(part: Part): Part {
    const { segment } = this.#base;
    if (segment.size > 0) part.segment.postings.judgeBy(segment.postings, segment.size);
    return part;
  }
}

function emptyPart(): Part {
  const bodies = memoryBodies();
  return new Part({ sections: sectionsOf([], bodies), bodies });
}
